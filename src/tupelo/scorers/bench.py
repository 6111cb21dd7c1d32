"""A system on every benchmark at once: one card with figures, intervals and breakdowns.

A breakdown shows the sentences of one kind by themselves: by their length in words, by the arity of their gold tuples
and by the source they come from, where that is known. All of it, and the table of single sentences, is measured with
the predictions that the best threshold of the whole corpus keeps, so that parts can be compared with each other.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, fields, replace
from typing import Any

from tupelo.core import Extraction, Record, Sentence
from tupelo.core.registry import view
from tupelo.core.results import Tabular, csv_text, values_of
from tupelo.core.version import __version__
from tupelo.scorers.resample import Estimate, bootstrap, interval
from tupelo.scorers.result import FIGURES, Floats, Score
from tupelo.scorers.scorer import Evaluation, Scorer
from tupelo.scorers.signature import Signature
from tupelo.scorers.tables import ReportTable, percent

# The mark of a file that is a card.
CARD = "tupelo bench"
_LENGTHS = ((10, "1–10"), (20, "11–20"), (30, "21–30"), (40, "31–40"))


@dataclass(frozen=True, slots=True)
class BenchPart:
    """The sentences of one kind: the property, its value, and their figures."""

    by: str
    name: str
    sentences: int
    gold: int
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class SentenceRow:
    """One gold sentence with its figures."""

    sentence: str
    length: int
    gold: int
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class BenchResult:
    """A system on one benchmark. A result that was read from a card has no rows of sentences."""

    benchmark: str
    title: str
    score: Score
    intervals: Mapping[str, Estimate]
    parts: Sequence[BenchPart] = ()
    sentences: Sequence[SentenceRow] = ()

    def to_dict(self) -> dict[str, Any]:
        return {
            **values_of(self, "benchmark", "title"),
            **Score.to_dict(self.score),
            "gold_set": self.score.gold_set,
            "intervals": {name: asdict(found) for name, found in self.intervals.items()},
            "parts": [asdict(part) for part in self.parts],
        }


@dataclass(frozen=True, slots=True)
class BenchCard(Tabular):
    """One system on all benchmarks; `missing` says why a benchmark is not among them."""

    system: str
    results: Sequence[BenchResult]
    missing: Mapping[str, str]

    def to_dict(self) -> dict[str, Any]:
        """The card, as `tupelo leaderboard` reads it back."""
        return {
            "card": CARD,
            "version": __version__,
            "system": self.system,
            "benchmarks": [result.to_dict() for result in self.results],
            "missing": dict(self.missing),
        }

    def json(self) -> str:
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2) + "\n"

    def rows(self) -> list[dict[str, Any]]:
        """One row for each benchmark."""
        names = ("precision", "recall", "f1", "auc", "gold", "predicted", "signature")
        return [{"benchmark": r.benchmark, **values_of(r.score, *names)} for r in self.results]

    def remarks(self) -> list[str]:
        """Remarks for a reader of the figures."""
        return [
            f"{result.benchmark}: {remark}"
            for result in self.results
            if result.score.coverage is not None
            # A file may hold the sentences of several benchmarks.
            for remark in result.score.coverage.warnings(of_predictions=False)
        ]

    def table(self) -> ReportTable:
        """Percentages with the 95 % interval of F1; signatures below."""
        rows = [
            (
                result.benchmark,
                *(percent(getattr(result.score, name)) for name in FIGURES),
                _interval(result.intervals.get("f1")),
                f"{result.score.gold:,}",
                f"{result.score.predicted:,}",
            )
            for result in self.results
        ]
        header = ("benchmark", "P", "R", "F1", "AUC", "F1, 95 %", "gold", "tuples")
        return ReportTable(header, tuple(rows), tuple(result.score.signature for result in self.results))

    def breakdown(self) -> ReportTable:
        """The figures of the parts of every benchmark."""
        rows = [
            (
                f"{result.benchmark}, {part.by} {part.name}",
                f"{part.sentences:,}",
                f"{part.gold:,}",
                *map(percent, (part.precision, part.recall, part.f1)),
            )
            for result in self.results
            for part in result.parts
        ]
        return ReportTable(("part", "sentences", "gold", "P", "R", "F1"), tuple(rows))

    def __str__(self) -> str:
        lines = [f"{self.system}\n", self.table().text(), self.breakdown().text()]
        lines += [f"not measured: {name}: {reason}" for name, reason in self.missing.items()]
        return "\n".join(lines).rstrip("\n")

    def markdown(self) -> str:
        return f"# {self.system}\n\n{self.table().markdown()}\n{self.breakdown().markdown()}"

    def latex(self) -> str:
        return f"{self.table().latex()}\n{self.breakdown().latex()}"

    def page(self) -> str:
        """Both tables as a web page."""
        return view(self, "page")

    def sentence_csv(self) -> str:
        """A row for each sentence of each benchmark."""
        columns = ("benchmark", *(each.name for each in fields(SentenceRow)))
        return csv_text(columns, ((r.benchmark, *astuple(each)) for r in self.results for each in r.sentences))


def _interval(found: Estimate | None) -> str:
    return "–" if found is None else f"{100 * found.low:.1f}–{100 * found.high:.1f}"


def intervals(
    evaluation: Evaluation, score: Score, *, samples: int, seed: int, advance: Callable[[int], None]
) -> dict[str, Estimate]:
    """The 95 % bootstrap interval of every figure that the scorer has."""
    drawn = zip(FIGURES, bootstrap([evaluation], samples=samples, seed=seed, advance=advance)[0], strict=True)
    measured = ((name, getattr(score, name), values) for name, values in drawn)
    return {name: Estimate(value, *interval(values)) for name, value, values in measured if value is not None}


def flat(records: Sequence[Record], score: Score) -> list[Record]:
    """The predictions that the best threshold keeps, all with one confidence."""
    values = [record.counted_confidence for record in records if isinstance(record, Extraction)]
    threshold = score.threshold
    if threshold is not None and Signature.parse(score.signature).fields.get("confidence") == "normalized":
        lowest, highest = min(values), max(values)
        # The other way round than `oie2016.normalize`; the slack is far below the distance of two confidences.
        threshold = threshold * (highest - lowest + 0.002) + lowest - 0.001 - 1e-9
    return [
        record if isinstance(record, Sentence) else replace(record, confidence=1.0)
        for record in records
        if threshold is None or isinstance(record, Sentence) or record.counted_confidence >= threshold
    ]


def break_down(
    scorer: Scorer, gold: Sequence[Record], predicted: Sequence[Record], score: Score, source: Callable[[str], str]
) -> tuple[list[BenchPart], list[SentenceRow]]:
    """Parts and single sentences. `source` names where the sentence of a text comes from, or nothing."""
    evaluation = scorer.evaluate(gold, flat(predicted, score))
    units = list(evaluation.units)
    about = _About(gold, source)
    by_kind: dict[tuple[str, str], list[int]] = {}
    rows = []
    for number, unit in enumerate(units):
        alone = values_of(evaluation.score(_weights(len(units), [number])), "gold", "precision", "recall", "f1")
        rows.append(SentenceRow(about.text(unit), about.length(unit), **alone))
        for kind in about.kinds(unit):
            by_kind.setdefault(kind, []).append(number)
    parts = []
    for (by, name), numbers in sorted(by_kind.items(), key=lambda item: (item[0][0], _order(item[0][1]))):
        found = evaluation.score(_weights(len(units), numbers))
        parts.append(BenchPart(by, name, len(numbers), found.gold, found.precision, found.recall, found.f1))
    return parts, rows


def _weights(size: int, chosen: Sequence[int]) -> Floats:
    import numpy as np

    return np.bincount(chosen, minlength=size).astype(np.float64)


def _order(name: str) -> tuple[int, str]:
    digits = "".join(character for character in name.partition("–")[0] if character.isdigit())
    return (int(digits) if digits else 0), name


class _About:
    """Facts about the gold sentences, by the name that a scorer gives its units: a text, an id or a clique."""

    def __init__(self, gold: Iterable[Record], source: Callable[[str], str]) -> None:
        self._texts: dict[str, str] = {}
        self._arity: dict[str, int] = {}
        self._sources: dict[str, str] = {}
        for record in gold:
            sentence = record.sentence
            arity = len(record.arguments) if isinstance(record, Extraction) else 0
            group = record.group if isinstance(record, Extraction) else None
            for name in filter(None, (sentence.text, sentence.id, group)):
                self._texts.setdefault(name, sentence.text)
                self._arity[name] = max(self._arity.get(name, 0), arity)
                self._sources.setdefault(name, source(sentence.text) or sentence.document_id or "")

    def text(self, unit: str) -> str:
        return self._texts.get(unit, unit)

    def length(self, unit: str) -> int:
        return len(self.text(unit).split())

    def kinds(self, unit: str) -> Iterable[tuple[str, str]]:
        length = self.length(unit)
        yield "words", next((name for most, name in _LENGTHS if length <= most), "41–")
        arity = self._arity.get(unit, 0)
        if arity:
            yield "arity", "2 or fewer" if arity <= 2 else "3 or more"
        # A clique is named after its own sentence, which is no source.
        source = self._sources.get(unit, "")
        if source and source not in self._texts:
            yield "source", source


def score_of_card(card: Mapping[str, Any], scorer: str) -> list[Score]:
    """The scores by one scorer that a card holds."""
    found = []
    for entry in card["benchmarks"]:
        if entry["scorer"] == scorer:
            figures = {name: entry[name] for name in ("scorer", *FIGURES, "gold", "predicted", "signature")}
            found.append(Score(**figures, system=str(card["system"]), gold_set=entry.get("gold_set", "")))
    return found
