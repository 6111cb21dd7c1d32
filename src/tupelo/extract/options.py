"""The options of a run of extraction, and the tuples that it returns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Any, TypedDict

from tupelo.core import Analysis, Extraction, InputError, SentenceTuples
from tupelo.core.errors import shortened, warn_of_failures
from tupelo.core.parameters import Among, Between, Coreference, Share, Spelled, require_range
from tupelo.core.protocols import Extractor
from tupelo.core.results import ResultList
from tupelo.core.schemas import record_to_row
from tupelo.nlp.prepare import LONGEST_SENTENCE

WIDTHS = ("standard", "minimal", "maximal")
PREPOSITIONS = ("relation", "argument")


class ExtractionOptionsGiven(TypedDict, total=False):
    """The fields of `ExtractionOptions` as keyword arguments."""

    width: str
    prepositions: str
    coreference: bool
    min_confidence: float | None
    all: bool
    explain: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionOptions:
    """The form of the tuples that are returned.

    `width` is how much of a phrase an argument includes. `prepositions` between a verb and its argument go to the end
    of the `relation`, as in CaRB, or to the start of the `argument`. Tuples below `min_confidence` are left out, by
    default those below the extractor's own, but minor ones are kept if `all` are requested. With `explain`, tuples of
    the rules and of the default extractor have their `reasons`. Our own parser splits sentences of more than
    `longest_sentence` characters.
    """

    width: str = "standard"
    prepositions: Annotated[
        str,
        Among(PREPOSITIONS),
        "Where a preposition between verb and argument goes: `born in; Oslo` or `born; in Oslo`.",
    ] = "relation"
    coreference: Coreference = True
    min_confidence: Annotated[
        Share | None,
        Spelled.of("X"),
        "Leave out tuples below this confidence; 0 keeps every candidate. [default: the extractor's own]",
    ] = None
    all: Annotated[bool, "Also shorter forms of a tuple, and tuples that say little."] = False
    explain: Annotated[bool, "Say what made each tuple, its parts, reservations and confidence."] = False
    longest_sentence: int = LONGEST_SENTENCE

    def __post_init__(self) -> None:
        require_range("min_confidence", self.min_confidence, Between(0, 1))
        for value, known in ((self.width, WIDTHS), (self.prepositions, PREPOSITIONS)):
            if value not in known:
                raise InputError(f"'{value}' is not one of {', '.join(known)}")

    def of(self, extractor: Extractor) -> ExtractionOptions:
        """The options with the least confidence of an extractor that has one, unless another was given."""
        least: float | None = getattr(extractor, "min_confidence", None)
        return self if self.min_confidence is not None or least is None else replace(self, min_confidence=least)

    def read(self, extractor: Extractor, analyses: Iterable[Analysis]) -> Iterator[list[Extraction]]:
        """The tuples of an extractor, explained if that was asked for and the extractor can."""
        how = {"explain": True} if self.explain and getattr(extractor, "explains", False) else {}
        return extractor.extract(analyses, **how)

    @property
    def reads_syntax(self) -> bool:
        """Whether the steps after the extractor need tags and trees."""
        return self.coreference or self.width != "standard" or self.prepositions != "relation"


class Extractions(ResultList[Extraction]):
    """The tuples of a text; `sentences` also includes those without tuples."""

    __slots__ = ("sentences",)

    def __init__(self, sentences: Iterable[SentenceTuples]) -> None:
        self.sentences = tuple(sentences)
        super().__init__(extraction for item in self.sentences for extraction in item.extractions)
        warn_of_failures(self.failures)

    @property
    def failures(self) -> list[str]:
        """The sentences from which nothing could be extracted, with the reasons."""
        return failed_sentences(self.sentences)

    def to_dict(self) -> dict[str, Any]:
        """The lines that `tupelo extract --format jsonl` writes, under `records`."""
        return {"records": [record_to_row(record) for item in self.sentences for record in item.records]}

    def rows(self) -> list[dict[str, Any]]:
        """One row per tuple."""
        return [
            {
                "sentence": item.sentence.text,
                "arg1": str(extraction.arg1 or ""),
                "rel": str(extraction.rel),
                "args": [str(argument) for argument in extraction.args],
                "confidence": extraction.confidence,
                "reservations": "; ".join(extraction.reservations()),
            }
            for item in self.sentences
            for extraction in item.extractions
        ]

    def frame_rows(self) -> list[dict[str, Any]]:
        return [extraction.frame_row() for extraction in self]

    def __str__(self) -> str:
        return "\n".join(map(str, self))


def failed_sentences(sentences: Iterable[SentenceTuples]) -> list[str]:
    """One line for each sentence that failed."""
    return [f"'{shortened(one.sentence.text)}': {one.failure}" for one in sentences if one.failure is not None]
