"""Text to facts of a fixed schema: subject, Wikidata property, object, with evidence and confidence.

Methods: `classifier` scores every pair of entities of the document; `sentence` is the paper's classifier of marked
sentences; `binary` predicts only which entities are related at all; `end-to-end` writes facts one after the other.
`classifier` and `binary` take a folder that `tupelo facts train` wrote too and then read marked sentences. All are
trained on English.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any, Protocol, runtime_checkable

from tupelo.core import Analysis, Passage, Triple, TupeloError
from tupelo.core.errors import reason_of
from tupelo.core.parameters import Between, Share, Spelled
from tupelo.core.protocols import Parser
from tupelo.core.registry import Registry
from tupelo.core.results import Tabular

RELATED = "related"
FACT_FORMATS = ("table", "jsonl", "tsv")


@dataclass(frozen=True, slots=True)
class FactEvidence:
    """A sentence about the fact: its text and the characters `[start, end)` of the document."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact. `property` is a Wikidata property where the relation has one, else the relation's own name.

    Spans are characters of the document; those of a name that is not in the text are `None`.
    """

    subject: str
    property: str
    relation: str
    object: str
    confidence: float
    subject_type: str | None = None
    object_type: str | None = None
    subject_span: tuple[int, int] | None = None
    object_span: tuple[int, int] | None = None
    evidence: tuple[FactEvidence, ...] = ()

    def triple(self) -> Triple:
        """The fact as a triple, for metrics that compare sets of facts."""
        return Triple(self.subject, self.property, self.object)

    def __str__(self) -> str:
        relation = self.relation if self.relation == self.property else f"{self.relation} ({self.property})"
        return f"{self.subject} | {relation} | {self.object}"


@dataclass(frozen=True)
class Facts(Tabular):
    """The facts of one document, most confident first; a sequence of `Fact`. `failure`: why there are none."""

    facts: tuple[Fact, ...]
    document: str | None = None
    failure: str | None = None

    def __iter__(self) -> Iterator[Fact]:
        return iter(self.facts)

    def __len__(self) -> int:
        return len(self.facts)

    def __getitem__(self, place: int) -> Fact:
        return self.facts[place]

    def rows(self) -> list[dict[str, Any]]:
        """One row per fact, as `tupelo facts extract --format jsonl` prints them."""
        document = {"document": self.document} if self.document else {}
        return [{**document, **asdict(fact)} for fact in self.facts]

    def to_dict(self) -> dict[str, Any]:
        return {"document": self.document, "facts": self.rows()}

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self, format: str = "table") -> Iterator[str]:
        """The lines of one of `FACT_FORMATS`."""
        if format == "jsonl":
            yield from (json.dumps(row, ensure_ascii=False) for row in self.rows())
        elif format == "tsv":
            document = [self.document] if self.document else []
            for fact in self.facts:
                fields = (fact.subject, fact.property, fact.object, f"{fact.confidence:.4f}", *document)
                yield "\t".join(" ".join(field.split()) for field in fields)
        else:
            if self.document:
                yield self.document
            wide = max((len(fact.subject) for fact in self.facts), default=0)
            for fact in self.facts:
                relation = fact.relation if fact.relation == fact.property else f"{fact.relation} ({fact.property})"
                yield f"{fact.confidence:.2f}  {fact.subject:<{wide}}  {relation}  {fact.object}"
            if not self.facts:
                yield "no facts"


class FactMethod(Protocol):
    """Finds facts in the analysed sentences of one document."""

    name: str
    version: str

    def __call__(self, sentences: Sequence[Analysis]) -> list[Fact]: ...


@runtime_checkable
class SubjectMethod(Protocol):
    """A method that can find the facts of one subject."""

    def about(self, sentences: Sequence[Analysis], subject: str) -> list[Fact]: ...


class FactMethodFactory(Protocol):
    """Makes a method. `model` is a folder, `None` for the shipped one."""

    def __call__(self, model: str | Path | None, options: FactOptions) -> FactMethod: ...


@dataclass(frozen=True, slots=True)
class FactOptions:
    """Options of extraction. With `min_confidence` `None`, the threshold of the model is used.

    The rest is for the end-to-end method: `subject` selects the facts of one subject, `reduced` skips sentences
    without two entities. `beam` and `alpha` are the width and the length penalty of the search, for models that write
    token by token; these skip sentences without any entity.
    """

    min_confidence: Annotated[
        Share | None, Spelled.of("X"), "Leave out facts below. [default: the threshold of the model]"
    ] = None
    subject: Annotated[str, "End-to-end: only the facts of this subject."] = ""
    reduced: Annotated[bool, "End-to-end: leave out sentences without two entities."] = False
    beam: Annotated[int, Between(1, 64), "End-to-end, token by token: width of the search."] = 4
    alpha: Annotated[
        float, Between(0, 5), "End-to-end, token by token: length penalty; more makes longer outputs."
    ] = 0.6
    threads: int = 1


METHODS: Registry[FactMethodFactory] = Registry(
    "fact_method",
    {
        "classifier": "tupelo.factmodels.methods:open_classifier",
        "sentence": "tupelo_training.facts.sentences:SentenceMethod",
        "binary": "tupelo.factmodels.methods:open_binary",
        "end-to-end": "tupelo_training.facts.pointed:open_end_to_end",
    },
)


class FactExtractor:
    """A parser and a method, reusable for any number of texts."""

    def __init__(
        self,
        parser: Parser,
        method: str | FactMethod = "classifier",
        *,
        model: str | Path | None = None,
        options: FactOptions | None = None,
    ) -> None:
        self._parser = parser
        self.method = METHODS.get(method)(model, options or FactOptions()) if isinstance(method, str) else method

    def __call__(self, text: str) -> Facts:
        """The facts of one document."""
        return self._read(list(self._parser.analyze(text, constituents=False)), None)

    def documents(self, texts: Iterable[str | Passage]) -> Iterator[Facts]:
        """The facts of many documents, one by one; one that fails has none, and the reason."""
        sentences = self._parser.analyze(texts, constituents=False)
        for document, group in groupby(sentences, key=lambda sentence: sentence.document_id):
            own = list(group)
            try:
                yield self._read(own, document)
            except TupeloError:
                raise
            except Exception as error:  # unforeseen, so it may be of any type
                yield Facts((), document, reason_of(error))

    def _read(self, sentences: Sequence[Analysis], document: str | None) -> Facts:
        found = sorted(
            self.method(sentences),
            key=lambda fact: (-fact.confidence, fact.subject_span or (0, 0), fact.property, fact.object),
        )
        return Facts(tuple(found), document)
