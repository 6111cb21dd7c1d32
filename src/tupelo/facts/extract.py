"""Text to facts of a fixed schema: subject, Wikidata property, object, with evidence and confidence.

>>> import tupelo
>>> facts = FactExtractor(tupelo.load())  # doctest: +SKIP
>>> for fact in facts("Marie Curie was born in Warsaw in 1867."):  # doctest: +SKIP
...     print(fact.subject, "|", fact.property, fact.relation, "|", fact.object, round(fact.confidence, 2))

Methods: `classifier` scores every pair of entities of the document; `end-to-end` writes facts from the text;
`sentence` is the paper's classifier of marked sentences, from a folder that `tupelo facts train` wrote; `binary` says
only which entities are related at all. `classifier` and `binary` take such a folder too and then read marked
sentences. All are in the English of their training data and know no other language.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from tupelo.core import Analysis, Passage, Triple
from tupelo.core.protocols import Parser
from tupelo.core.registry import Registry

RELATED = "related"


@dataclass(frozen=True, slots=True)
class Evidence:
    """A sentence that speaks of the fact: its text and the characters `[start, end)` of the document."""

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
    evidence: tuple[Evidence, ...] = ()

    def triple(self) -> Triple:
        """For metrics that compare sets of facts."""
        return Triple(self.subject, self.property, self.object)


class FactMethod(Protocol):
    """What finds facts in the analysed sentences of one document."""

    name: str
    version: str

    def __call__(self, sentences: Sequence[Analysis]) -> list[Fact]: ...


@runtime_checkable
class SubjectMethod(Protocol):
    """A method that can be asked for the facts of one subject."""

    def about(self, sentences: Sequence[Analysis], subject: str) -> list[Fact]: ...


class FactMethodFactory(Protocol):
    """Makes a method. `model` is a folder, `None` for the shipped one."""

    def __call__(self, model: str | Path | None, options: Options) -> FactMethod: ...


@dataclass(frozen=True, slots=True)
class Options:
    """How facts are extracted. `least_confidence` `None` is where the model decides by itself.

    The rest is for the end-to-end method: `subject` asks for the facts of one subject, `reduced` leaves out sentences
    without any entity, `beam` and `alpha` are the width and the length penalty of the search.
    """

    least_confidence: float | None = None
    subject: str = ""
    reduced: bool = False
    beam: int = 4
    alpha: float = 0.6
    threads: int = 1


METHODS: Registry[FactMethodFactory] = Registry(
    "fact_method",
    {
        "classifier": "tupelo.facts.extract_sentences:open_classifier",
        "binary": "tupelo.facts.extract_sentences:open_binary",
        "sentence": "tupelo.facts.extract_sentences:SentenceMethod",
        "end-to-end": "tupelo.facts.extract_written:WrittenMethod",
    },
)


class FactExtractor:
    """A parser and a method, to use on any number of texts."""

    def __init__(
        self,
        parser: Parser,
        method: str | FactMethod = "classifier",
        *,
        model: str | Path | None = None,
        options: Options | None = None,
    ) -> None:
        self._parser = parser
        self.method = METHODS.get(method)(model, options or Options()) if isinstance(method, str) else method

    def __call__(self, text: str) -> list[Fact]:
        """The facts of one document, most confident first."""
        return self.read(list(self._parser.analyze(text, constituents=False)))

    def read(self, sentences: Sequence[Analysis]) -> list[Fact]:
        """The facts of sentences that were analysed before; all belong to one document."""
        return sorted(
            self.method(sentences),
            key=lambda fact: (-fact.confidence, fact.subject_span or (0, 0), fact.property, fact.object),
        )

    def documents(self, texts: Iterable[str | Passage]) -> Iterator[tuple[str | None, list[Fact]]]:
        """The facts of many documents, with their numbers or names, one by one."""
        pending: list[Analysis] = []
        for sentence in self._parser.analyze(texts, constituents=False):
            if pending and pending[-1].document_id != sentence.document_id:
                yield pending[-1].document_id, self.read(pending)
                pending = []
            pending.append(sentence)
        if pending:
            yield pending[-1].document_id, self.read(pending)


def extract_facts(
    text: str, method: str = "classifier", *, parser: Parser, options: Options | None = None
) -> list[Fact]:
    """The facts of one text. Keep a `FactExtractor` for many."""
    return FactExtractor(parser, method, options=options)(text)


def evidence_of(sentences: Sequence[Analysis], numbers: Iterable[int]) -> tuple[Evidence, ...]:
    """Sentences by number, in order, each once."""
    chosen = [sentences[number] for number in sorted(set(numbers))]
    return tuple(Evidence(one.text, one.start, one.start + len(one.text)) for one in chosen)
