"""Sentences with their tuples and links as rows of the graph's tables, with ids: a stage after extraction.

All kinds of rows come out in one stream, distinguished by `kind`; the columns of the other kinds are null. The SQL of
`steps` separates them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tupelo.core.garbage import without_garbage_collection
from tupelo.core.shipped import declared
from tupelo.graph.build.validity import validities
from tupelo.graph.store.schema import stable_id
from tupelo.graph.store.types import finer_types
from tupelo.graph.store.values import LiteralValue, literal_value, normal_form
from tupelo.names.linking import Aliases, StoredReferent, keys_of

if TYPE_CHECKING:
    import pyarrow as pa

# Field of a stored referent -> column of its row.
REFERENT_COLUMNS = {field.name: field.name for field in fields(StoredReferent)}
REFERENT_COLUMNS |= {"kind": "of", "name": "text", "context": "context_names"}
# Roles of arguments that qualify an edge.
_BESIDE = ("time", "location")
# The role of a tuple's context -> the role of a qualifier of its edge.
CONTEXTS = {"condition": "condition", "hypothesis": "condition", "belief": "believer", "question": "asker"}


@dataclass(frozen=True, slots=True)
class GraphRows:
    """The stage. `input` is the output schema of extraction; `aliases` are part of how names are compared."""

    input: pa.Schema
    aliases: Aliases = field(default_factory=Aliases)
    name: str = "rows"
    version: str = "15"
    key: str = "document_id"

    @property
    def options(self) -> Mapping[str, Any]:
        return {"aliases": self.aliases.name}

    @property
    def output(self) -> pa.Schema:
        return row_schema()

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        schema = self.output
        before: dict[str, Any] | None = None
        for batch in batches:
            kinds: dict[str, list[dict[str, Any]]] = {}
            with without_garbage_collection():
                for row in batch.to_pylist():
                    goes_on = before is not None and before["document_id"] == row["document_id"]
                    for made in _rows(row, self.aliases, before["text"] if before and goes_on else ""):
                        kinds.setdefault(made["kind"], []).append(made)
                    before = row
                made_batches = [_batch(rows, schema) for rows in kinds.values()]
            yield from made_batches


def _batch(rows: list[dict[str, Any]], schema: pa.Schema) -> pa.RecordBatch:
    """Rows of one kind, which leave most columns empty."""
    import pyarrow as pa

    filled = set().union(*rows)
    made = pa.array(rows, pa.struct([field for field in schema if field.name in filled]))
    columns = [
        made.field(field.name) if field.name in filled else pa.nulls(len(rows), field.type) for field in schema
    ]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


@lru_cache(maxsize=1)
def row_schema() -> pa.Schema:
    """One schema for all kinds of rows, declared in `rows.toml`."""
    import pyarrow as pa

    return pa.schema(
        pa.field(name, _arrow_type(type_), nullable=name not in ("kind", "document_id"))
        for name, type_ in declared(__name__, "rows.toml").items()
    )


def _arrow_type(name: str | dict[str, str]) -> pa.DataType:
    import pyarrow as pa

    if isinstance(name, dict):
        return pa.list_(pa.struct([(field, pa.type_for_alias(own)) for field, own in name.items()]))
    return pa.list_(pa.type_for_alias(name[:-2])) if name.endswith("[]") else pa.type_for_alias(name)


def _rows(row: Mapping[str, Any], aliases: Aliases, before: str) -> Iterator[dict[str, Any]]:
    document_id, text, start = row["document_id"], row["text"], row["start_at"]
    # The position is not part of the id, so text added before a sentence does not change it.
    sentence_id = stable_id("sentence", document_id, row["passage"], text, row["occurrence"])
    place = {"document_id": document_id, "sentence_id": sentence_id}
    written = {"text": text, "start_at": start, "end_at": start + len(text), "heading": row["heading"]}
    yield place | {"kind": "sentence", **written}
    yield from (_referent(found, document_id, row["passage"], aliases) for found in row["referents"] or ())
    sentence = _Sentence(row, place, before)
    yield from sentence.rows()


@lru_cache(maxsize=10_000)
def referent_id(document_id: str, passage: int, number: int) -> str:
    return stable_id("referent", document_id, passage, number)


def _referent(row: Mapping[str, Any], document_id: str, passage: int, aliases: Aliases) -> dict[str, Any]:
    key = referent_id(document_id, passage, row["number"])
    names = sorted(row["names"] or (), key=lambda naming: (-naming["mentions"], naming["text"]))
    given = aliases.entry(row["name"], row["label"]) if row["kind"] == "entity" else None
    stored = StoredReferent(
        referent_id=key,
        document_id=document_id,
        kind=row["kind"],
        name=row["name"] if given is None else given.canonical,
        label=(given and given.label) or row["label"],
        place=row["place"],
        names=tuple(naming["text"] for naming in names),
        counts=tuple(naming["mentions"] for naming in names),
        reasons=tuple(naming["reason"] for naming in names),
        descriptions=tuple(row["descriptions"]),
        context=tuple(row["context"]),
    )
    is_value = stored.kind == "value"
    types = () if is_value else finer_types(stored.kind, stored.name, stored.label, stored.descriptions)
    value = literal_value(stored.label, stored.name) if is_value else LiteralValue()
    return {column: getattr(stored, name) for name, column in REFERENT_COLUMNS.items()} | {
        "kind": "referent",
        "probabilities": [naming["probability"] for naming in names],
        "types": types,
        "keys": sorted(keys_of(stored, aliases)) if stored.kind == "entity" else [_key(row, document_id)],
        "times": row["mentions"],
        **value._asdict(),
    }


def _key(row: Mapping[str, Any], document_id: str) -> str:
    """The key of a node without a name: things and descriptions belong to their document, a value goes by its normal
    form.
    """
    if row["kind"] == "value" and not row["key"]:
        return f"{row['label']} {normal_form(row['label'], row['name'])} (value)"
    key = f"{(row['key'] or row['name']).casefold()} ({row['kind']})"
    return key if row["kind"] == "concept" else f"{key} in {document_id}"


class _Sentence:
    """The tuples, mentions and links of one sentence."""

    def __init__(self, row: Mapping[str, Any], place: Mapping[str, Any], before: str) -> None:
        self._place = place
        self._passage = row["passage"]
        self._tuples = row["tuples"] or ()
        self._anchors: Sequence[Mapping[str, Any]] = row["anchors"] or ()
        self._links = row["links"] or ()
        self._properties = row["properties"] or ()
        self._ids = [stable_id("tuple", place["sentence_id"], number) for number in range(len(self._tuples))]
        self._validities = validities(row, before)

    def rows(self) -> Iterator[dict[str, Any]]:
        for number, found in enumerate(self._tuples):
            yield from self._tuple(number, found)
        yield from self._names()
        yield from (self._link(number, link) for number, link in enumerate(self._links))

    def _tuple(self, number: int, found: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        place = {**self._place, "tuple_id": self._ids[number]}
        said, context = found["attribution"] or {}, found["context"] or {}
        yield place | {
            "kind": "tuple",
            "position": number,
            "text": found["rel"]["text"],
            "speaker": said.get("speaker"),
            "speech_verb": said.get("verb"),
            "attribution": said.get("text") or None,
            "context": context.get("text"),
            "context_role": context.get("role"),
            "reading": found["text"],
            **{name: found[name] for name in _AS_GIVEN},
            **self._validities[number]._asdict(),
        }
        link = next((link for link in self._links if link["tuple"] == number), None)
        yield _mention(found["rel"], place, 0, "relation") | {"relation_key": link and link["key"]}
        object_at = _object_at(found, link)
        for position, part in enumerate(_arguments(found), start=1):
            anchor = found["parts"][position - 1]
            meant = {} if anchor is None else self._meant(self._anchors[anchor])
            resolved = meant.pop("resolved", None) or part["resolved"]
            role = "subject" if position == 1 else "object" if position == object_at else _role(part)
            yield _mention(part, place, position, role) | meant | {"resolved": resolved}

    def _meant(self, anchor: Mapping[str, Any]) -> dict[str, Any]:
        """The columns that an anchor adds to a mention."""
        if anchor["referent"] is None:
            return {"entity_type": anchor["label"] or None}
        name = None if anchor["name"] == anchor["text"] else anchor["name"]
        return {
            "referent_id": self._referent(anchor),
            "entity_type": anchor["label"] or None,
            "resolved": name,
        }

    def _referent(self, anchor: Mapping[str, Any]) -> str | None:
        number = anchor["referent"]
        return None if number is None else referent_id(self._place["document_id"], self._passage, number)

    def _names(self) -> Iterator[dict[str, Any]]:
        """The anchors that are no argument: in the first tuple that has their words, or in none."""
        arguments = {anchor for found in self._tuples for anchor in found["parts"] if anchor is not None}
        taken = [len(_arguments(found)) for found in self._tuples]
        for number, anchor in enumerate(self._anchors):
            if number in arguments or anchor["referent"] is None:
                continue
            holder = next((at for at, found in enumerate(self._tuples) if _holds(found, anchor)), None)
            if holder is not None:
                taken[holder] += 1
            part = {"text": anchor["text"], "spans": [anchor]}
            tuple_id = None if holder is None else self._ids[holder]
            row = _mention(
                part, {**self._place, "tuple_id": tuple_id}, taken[holder] if holder is not None else number, "name"
            )
            row["mention_id"] = stable_id("mention", self._place["sentence_id"], "name", number)
            yield row | self._meant(anchor)

    def _link(self, number: int, link: Mapping[str, Any]) -> dict[str, Any]:
        found = self._tuples[link["tuple"]]
        return {
            **self._place,
            "kind": "link",
            "tuple_id": self._ids[link["tuple"]],
            "link_id": stable_id("link", self._ids[link["tuple"]], number),
            "subject_ref": self._referent(self._anchors[link["subject"]]),
            "object_ref": self._referent(self._anchors[link["object"]]),
            "relation_key": link["key"],
            "text": link["relation"],
            "confidence": link["confidence"] if link["confidence"] is not None else found["confidence"],
            "rank": link["rank"],
            "qualifiers": list(self._qualifiers(found, link["beside"])),
            "properties": [
                {**known, "probability": round(known["probability"], 6)}
                for known in self._properties
                if known["link"] == number
            ],
        }

    def _qualifiers(self, found: Mapping[str, Any], beside: Sequence[int]) -> Iterator[dict[str, Any]]:
        """The qualifiers of a link: the arguments of its tuple `beside` the link, the speaker and the context."""
        parts = _arguments(found)
        for position in beside:
            part, anchor = parts[position], found["parts"][position]
            referent = None if anchor is None else self._referent(self._anchors[anchor])
            yield {"role": _role(part), "text": _dated(part), "referent_id": referent}
        said, context = found["attribution"] or {}, found["context"] or {}
        if said.get("speaker"):
            yield {"role": "speaker", "text": said["speaker"]}
        if context.get("role") in CONTEXTS:
            yield {"role": CONTEXTS[context["role"]], "text": context["text"]}


def _dated(part: Mapping[str, Any]) -> str:
    """The words of a qualifier; a time that counts from the day of its document has its date beside it."""
    is_resolved = part["role"] == "time" and part["resolved"]
    return f"{part['text']} ({part['resolved']})" if is_resolved else str(part["text"])


_AS_GIVEN = ("confidence", "negated", "modality", "extractor", "extractor_version", "rule", "stance", "unlinked")


def _arguments(found: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [] if found["arg1"] is None else [found["arg1"], *(found["args"] or ())]


def _object_at(found: Mapping[str, Any], link: Mapping[str, Any] | None) -> int | None:
    """The position of the object: the argument of the first link, else the first that is no time or place."""
    if link is not None and link["object"] in found["parts"]:
        return int(found["parts"].index(link["object"])) + 1
    others = enumerate(_arguments(found)[1:], start=2)
    return next((position for position, part in others if part["role"] not in _BESIDE), None)


def _role(part: Mapping[str, Any]) -> str:
    return part["role"] if part["role"] in _BESIDE else "argument"


def _holds(found: Mapping[str, Any], anchor: Mapping[str, Any]) -> bool:
    """Whether an argument of a tuple has the words of an anchor."""
    return any(
        span["start"] <= anchor["start"] and anchor["end"] <= span["end"]
        for part in _arguments(found)
        for span in part["spans"] or ()
    )


def _mention(part: Mapping[str, Any], place: Mapping[str, Any], position: int, role: str) -> dict[str, Any]:
    spans = part["spans"]
    return {
        **place,
        "kind": "mention",
        "mention_id": stable_id("mention", place["tuple_id"], position),
        "position": position,
        "role": role,
        "text": part["text"],
        "starts": None if spans is None else [span["start"] for span in spans],
        "ends": None if spans is None else [span["end"] for span in spans],
    }
