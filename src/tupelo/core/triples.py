"""Triples of two entities and a label, with their places in a text: what graph libraries of others take in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from tupelo.core.results import Tabular, values_of

if TYPE_CHECKING:
    import pyarrow as pa

# Types of values that any store of graphs can keep.
Property: TypeAlias = str | float | int | list[str]
# Stances for programs that ignore them: claims of the text, and of those whom it quotes.
CLAIMS = ("asserted", "reported")


@dataclass(frozen=True, slots=True)
class LinkedEntity:
    """Something that a text speaks of, by its fullest name.

    `kind` is `entity`, `thing`, `concept` or `value`; `type` is that of the parser or, in a graph, a finer one.
    `start` and `end` are the characters `[start, end)` of the text at which it is mentioned, perhaps by a pronoun;
    `None` if unknown.
    """

    name: str
    type: str
    kind: str
    start: int | None = None
    end: int | None = None


def is_end(entity: LinkedEntity, *, values: bool) -> bool:
    """Whether something is an end of a triple; of values, only times and numbers are, if any."""
    return entity.kind != "value" or (values and entity.type in ("datetime", "number"))


@dataclass(frozen=True, slots=True)
class LinkedTriple:
    """A statement between two entities; `relation` is worded from subject to object: *was founded in*.

    `start` and `end` are the characters of the sentence in the text; `times` and `places` say when and where it
    holds.
    """

    subject: LinkedEntity
    relation: str
    object: LinkedEntity
    sentence: str
    start: int
    end: int
    confidence: float | None
    stance: str
    times: tuple[str, ...] = ()
    places: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """The relation as the type of an edge in a property graph: *WAS_FOUNDED_IN*."""
        return "_".join("".join(one if one.isalnum() else " " for one in self.relation).upper().split())

    def about(self) -> dict[str, Any]:
        """Everything but names and relation, flat."""
        return {
            **values_of(self, "confidence", "stance", "sentence", "start", "end"),
            "subject_start": self.subject.start,
            "subject_end": self.subject.end,
            "object_start": self.object.start,
            "object_end": self.object.end,
            "times": list(self.times),
            "places": list(self.places),
        }

    def properties(self) -> dict[str, Property]:
        """Everything but the names, flat; what is unknown is left out."""
        known = {name: value for name, value in self.about().items() if value not in (None, [])}
        return {"relation": self.relation, **known}

    def __str__(self) -> str:
        return f"({self.subject.name}; {self.relation}; {self.object.name})"


@dataclass(frozen=True, slots=True)
class LinkedText(Tabular):
    """A text with the entities that it names or links, each once, and its triples in order.

    `failures` are the sentences that could not be read, with the reasons.
    """

    id: str
    text: str
    entities: tuple[LinkedEntity, ...]
    triples: tuple[LinkedTriple, ...]
    failures: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """One row per triple, with the id of the text."""
        return [
            {
                "id": self.id,
                "subject": triple.subject.name,
                "subject_type": triple.subject.type,
                "relation": triple.relation,
                "object": triple.object.name,
                "object_type": triple.object.type,
                **triple.about(),
            }
            for triple in self.triples
        ]

    def __str__(self) -> str:
        return "\n".join(map(str, self.triples))


def listed_once(entities: Iterable[LinkedEntity]) -> tuple[LinkedEntity, ...]:
    """The first of each name, in order."""
    kept: dict[str, LinkedEntity] = {}
    for entity in entities:
        kept.setdefault(entity.name, entity)
    return tuple(kept.values())


def triple_schema() -> pa.Schema:
    """The rows of texts as Arrow columns."""
    import pyarrow as pa

    text, place, texts = pa.string(), pa.int64(), pa.list_(pa.string())
    columns = dict.fromkeys(("id", "subject", "subject_type", "relation", "object", "object_type"), text)
    columns |= {"confidence": pa.float64(), "stance": text, "sentence": text, "start": place, "end": place}
    columns |= dict.fromkeys(("subject_start", "subject_end", "object_start", "object_end"), place)
    return pa.schema(columns | {"times": texts, "places": texts})
