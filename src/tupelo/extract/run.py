"""From analysed sentences to finished tuples: the extractor, then all postprocessing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import Any, TypedDict

from tupelo.core import Analysis, Extraction, InputError, SentenceTuples
from tupelo.core.deadline import in_time
from tupelo.core.protocols import Extractor
from tupelo.core.results import ResultList
from tupelo.core.schemas import record_to_row
from tupelo.extract import EXTRACTORS
from tupelo.extract.parts import sentence_of
from tupelo.extract.postprocess import deduplicate, drop_hollow, in_reading_order, prepositions_in_arguments
from tupelo.extract.width import resize
from tupelo.names.coreference import resolve

WIDTHS = ("standard", "minimal", "maximal")
PREPOSITIONS = ("relation", "argument")
# Sentences whose names are resolved together when they do not come from a parser in chunks.
_AT_ONCE = 500


class FormOptions(TypedDict, total=False):
    """The fields of `Form` as keyword arguments."""

    width: str
    prepositions: str
    coreference: bool
    min_confidence: float | None
    all: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """The form of the tuples that are returned.

    `width` is how much of a phrase an argument includes. `prepositions` between a verb and its argument go to the end
    of the `relation`, as in CaRB, or to the start of the `argument`. Tuples below `min_confidence` are left out, by
    default those below the extractor's own; minor ones, too, unless `all` are wanted.
    """

    width: str = "standard"
    prepositions: str = "relation"
    coreference: bool = True
    min_confidence: float | None = None
    all: bool = False

    def __post_init__(self) -> None:
        for value, known in ((self.width, WIDTHS), (self.prepositions, PREPOSITIONS)):
            if value not in known:
                raise InputError(f"'{value}' is not one of {', '.join(known)}")

    def of(self, extractor: Extractor) -> Form:
        """The form with the least confidence of an extractor that has one, unless another was given."""
        least: float | None = getattr(extractor, "min_confidence", None)
        return self if self.min_confidence is not None or least is None else replace(self, min_confidence=least)

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

    def __str__(self) -> str:
        return "\n".join(map(str, self))


@dataclass(frozen=True, slots=True)
class Extracting:
    """An extractor by name, which can be pickled for another process, and the steps after it."""

    name: str
    argument: str
    settings: tuple[tuple[str, str], ...]
    form: Form

    def __call__(self, analyses: list[Analysis]) -> list[SentenceTuples]:
        extractor = open_extractor(self.name, self.argument, self.settings)
        return finish(analyses, list(in_time(extractor.extract(analyses))), self.form.of(extractor))


@lru_cache(maxsize=4)
def open_extractor(name: str, argument: str, settings: tuple[tuple[str, str], ...]) -> Extractor:
    """An extractor that needs no client, opened once per process."""
    return EXTRACTORS.get(name)(argument, dict(settings), None)


def extract_all(extractor: Extractor, analyses: Iterable[Analysis], form: Form) -> Iterator[SentenceTuples]:
    """The tuples of a stream of sentences."""
    form = form.of(extractor)
    pending: list[Analysis] = []

    def passed() -> Iterator[Analysis]:
        for analysis in analyses:
            pending.append(analysis)
            yield analysis

    found = extractor.extract(passed())
    while lists := list(islice(found, _AT_ONCE)):
        ready = pending[: len(lists)]
        del pending[: len(lists)]
        yield from finish(ready, lists, form)


def finish(analyses: list[Analysis], found: list[list[Extraction]], form: Form) -> list[SentenceTuples]:
    """Convert tuples to the requested form."""
    shaped = [_shape(analysis, extractions, form) for analysis, extractions in zip(analyses, found, strict=True)]
    if form.coreference:
        shaped = resolve(analyses, shaped)
    return [
        SentenceTuples(
            extractions[0].sentence if extractions else sentence_of(analysis),
            tuple(extractions),
            analysis.start,
            analysis.partial,
        )
        for analysis, extractions in zip(analyses, shaped, strict=True)
    ]


def _shape(analysis: Analysis, extractions: list[Extraction], form: Form) -> list[Extraction]:
    if not form.all:
        extractions = [item for item in extractions if not item.minor]
    if form.min_confidence is not None:
        least = form.min_confidence
        extractions = [item for item in extractions if item.confidence is None or item.confidence >= least]
    if form.width != "standard":
        extractions = [resize(item, analysis, form.width) for item in extractions]
    if form.prepositions == "argument":
        extractions = [prepositions_in_arguments(item, analysis) for item in extractions]
    return in_reading_order(deduplicate(drop_hollow(extractions)))
