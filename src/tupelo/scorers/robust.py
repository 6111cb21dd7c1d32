"""ROBUST (Qi et al., EMNLP 2023): a system is as good as on the worst wording of a fact.

How it works. A *clique* is a set of sentences that say the same: an original and its paraphrases. Every sentence is
scored by itself with CaRB's rule (`carb`); all predictions count, whatever their confidence. That gives each sentence
precision, recall, F1 and the area R * (1 + P) / 2.

* The *CaRB line* averages precision, recall and area over the originals.
* The *ROBUST line* takes from each clique the sentence with the lowest F1 (on
  equal F1 the first one) and averages its precision, recall and area.
* F1 of a line is computed from its averages.

The difference of the two lines is the drop. The score of this scorer is the ROBUST line; the other one and the drop
are in the details, with the variance of F1 within a clique, averaged over the cliques.

A worked example. One clique: the original has one gold tuple and the system finds it (P 1, R 1, F1 1). The paraphrase
has two, one is found word for word and nothing else predicted (P 1, R 1/2, F1 2/3). CaRB line: 1, 1, 1. ROBUST line:
1, 1/2, 2/3. The variance of F1 is ((1 - 5/6)² + (2/3 - 5/6)²) / 2 = 1/36.

Predictions meet gold by the name of the clique and the text of the sentence. Where predictions have no cliques (plain
tuples of any format), the text alone decides. Sentences that the predictions lack are left out where these have
cliques, as the released program does, and score 0 where they are plain tuples, which cannot say that a sentence has
none. `missing` makes this one rule for all formats, and the signature says which one was used. Where the original
stops with an error there is a result here: predicted sentences that gold does not have are left out and counted, and
0/0 is 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, ClassVar, NamedTuple

import numpy as np

from tupelo.core import Extraction, Record, Sentence
from tupelo.core.clique import gather_cliques
from tupelo.core.garbage import without_garbage_collection
from tupelo.core.registry import view
from tupelo.core.results import csv_text
from tupelo.scorers.carb import Unit, sentence_figures
from tupelo.scorers.carb_matchers import MATCHERS, OFFICIAL_NAMES, Matcher, PlainTuple, build_matcher
from tupelo.scorers.result import FIGURES, Floats, Score, harmonic_mean
from tupelo.scorers.scorer import MarkedScorer, choose_fixes, choose_name
from tupelo.scorers.signature import FIXES, Mark
from tupelo.scorers.tables import ReportTable, percent

# Every tuple has the same: the released program knows no confidences.
_CONFIDENCE = 1.0
_DIGITS = 3


class Robust(MarkedScorer):
    """The ROBUST scorer. `matcher` is one of CaRB's."""

    name: ClassVar[str] = "robust"
    gold_format: ClassVar[str] = "robust"
    marks: ClassVar[tuple[Mark, ...]] = (Mark("match", "matcher"), Mark("missing", "missing"), FIXES)

    def __init__(self, *, matcher: str = "binary-lenient", missing: str = "auto", fixes: Iterable[str] = ()) -> None:
        self.matcher = choose_name("CaRB matcher", matcher, MATCHERS, OFFICIAL_NAMES)
        self.fixes = choose_fixes(self.quirks, fixes)
        missing = self.choose("missing", missing, "rule for missing sentences")
        self.missing = "zero" if "missing-left-out" in self.fixes else missing

    @without_garbage_collection()
    def evaluate(self, gold: Iterable[Record], predicted: Iterable[Record]) -> RobustEvaluation:
        matcher = build_matcher(self.matcher, self.fixes)
        wanted_cliques = list(gather_cliques(gold))
        texts = [[sentence.text for sentence in clique.sentences] for clique in wanted_cliques]
        given_tuples = Predictions(predicted, [clique.id for clique in wanted_cliques], texts)
        missing = self.missing
        if missing == "auto":
            missing = "left-out" if given_tuples.have_cliques else "zero"
        used_options = {**self.options(), "missing": missing}
        cliques = []
        for number, clique in enumerate(wanted_cliques):
            sentences = []
            for text, wanted in zip(texts[number], clique.extractions, strict=True):
                given = given_tuples.found[number].get(text)
                if given is None and missing == "left-out":
                    continue
                unit = Unit(text, [_plain(item) for item in wanted], given or ())
                sentences.append(self._rate(unit, matcher, is_original=text == texts[number][0]))
            cliques.append(CliqueResult(clique.id, tuple(sentences)))
        return RobustEvaluation(
            cliques=cliques,
            gold=[sum(map(len, clique.extractions)) for clique in wanted_cliques],
            gold_sentences=sum(map(len, texts)),
            predicted=given_tuples.count,
            unknown_sentences=given_tuples.unknown,
            used_options=used_options,
            signature=self.signature,
        )

    def _rate(self, unit: Unit, matcher: Matcher, *, is_original: bool) -> SentenceResult:
        """One sentence by CaRB's rule, with a single threshold."""
        precision, recall = sentence_figures(unit, matcher)
        if unit.predicted and not unit.gold and "perfect-without-gold" not in self.fixes:
            precision = 1.0
        figures = [precision, recall, harmonic_mean(precision, recall), recall * (1 + precision) / 2]
        if "rounded-sentences" not in self.fixes:
            figures = np.round(figures, _DIGITS).tolist()
        return SentenceResult(unit, is_original, *figures)


def _plain(extraction: Extraction) -> PlainTuple:
    return PlainTuple.of(extraction)._replace(confidence=_CONFIDENCE)


class Predictions:
    """The predictions for each gold clique, by sentence: `found` lacks sentences that the system lacks."""

    def __init__(self, records: Iterable[Record], names: Sequence[str], texts: Sequence[Sequence[str]]) -> None:
        self.count = self.unknown = 0
        self.have_cliques = False
        by_clique: dict[str, dict[str, list[PlainTuple]]] = {}
        for record in records:
            sentence = record.sentence
            name = sentence.document_id if isinstance(record, Sentence) else record.group
            items = by_clique.setdefault(name or "", {}).setdefault(sentence.text, [])
            if isinstance(record, Extraction):
                self.count += 1
                items.append(_plain(record))
        self.found: list[dict[str, list[PlainTuple]]] = [{} for _ in names]
        number_of = {name: number for number, name in enumerate(names)}
        places: dict[str, list[int]] = {}
        for number, members in enumerate(texts):
            for text in members:
                places.setdefault(text, []).append(number)
        for clique_name, sentences in by_clique.items():
            clique = number_of.get(clique_name)
            self.have_cliques |= clique is not None
            for text, items in sentences.items():
                at = [number for number in places.get(text, ()) if clique is None or number == clique]
                for number in at:
                    self.found[number].setdefault(text, []).extend(items)
                self.unknown += not at


class SentenceResult(NamedTuple):
    """One sentence with its tuples and figures."""

    unit: Unit
    is_original: bool
    precision: float
    recall: float
    f1: float
    auc: float

    @property
    def figures(self) -> tuple[float, float, float, float]:
        return self.precision, self.recall, self.f1, self.auc


class CliqueResult(NamedTuple):
    """The sentences of a clique that were scored, the original first where it was."""

    name: str
    sentences: tuple[SentenceResult, ...]

    @property
    def original(self) -> SentenceResult | None:
        """The first sentence, which the released program takes for the original."""
        return self.sentences[0] if self.sentences else None

    @property
    def worst(self) -> SentenceResult | None:
        return min(self.sentences, key=lambda sentence: sentence.f1, default=None)

    @property
    def drop(self) -> float:
        """The difference of F1 on the original and on the worst sentence."""
        return self.sentences[0].f1 - min(sentence.f1 for sentence in self.sentences) if self.sentences else 0.0

    @property
    def variance(self) -> float | None:
        """Of F1 over the sentences; `None` where nothing was scored."""
        if not self.sentences:
            return None
        mean = sum(sentence.f1 for sentence in self.sentences) / len(self.sentences)
        return sum((sentence.f1 - mean) ** 2 for sentence in self.sentences) / len(self.sentences)


def by_drop(cliques: Iterable[CliqueResult]) -> list[CliqueResult]:
    """The cliques that were scored, the largest drop of F1 from the original first."""
    return sorted((clique for clique in cliques if clique.sentences), key=lambda clique: -clique.drop)


class LineFigures(NamedTuple):
    """The averages of one line, and F1 from the first two."""

    precision: float
    recall: float
    f1: float
    auc: float

    @classmethod
    def of(cls, averages: Floats) -> LineFigures:
        precision, recall, _, auc = map(float, averages)
        return cls(precision, recall, harmonic_mean(precision, recall), auc)

    def minus(self, other: LineFigures) -> LineFigures:
        return LineFigures(*(a - b for a, b in zip(self, other, strict=True)))


_CLIQUE_COLUMNS = ("clique", "sentences", "f1_original", "f1_worst", "drop", "variance", "worst_sentence")
_LINES = (("CaRB (originals)", "carb"), ("ROBUST (worst)", "robust"), ("drop", "delta"))


@dataclass(frozen=True, slots=True, kw_only=True)
class RobustScore(Score):
    """The ROBUST line; `details` hold the CaRB line, the drop, and counts of cliques and sentences."""

    def to_dict(self, details: bool = False) -> dict[str, Any]:
        """The figures with all details, which are part of this score."""
        return {**Score.to_dict(self), **self.details}

    def table(self) -> ReportTable:
        """Both lines and the drop."""
        rows = [(title, *(percent(self.details[line][figure]) for figure in FIGURES)) for title, line in _LINES]
        counts = f"{self.details['cliques']:,} cliques, {self.details['sentences']:,} sentences"
        if self.details["sentences_left_out"]:
            counts += f"; {self.details['sentences_left_out']:,} sentences without predictions left out"
        counts += f"; mean variance of F1 {self.details['mean_variance_of_f1']:.4f}"
        notes = (*self.about_gold(), counts, self.signature)
        return ReportTable(("", "P", "R", "F1", "AUC"), tuple(rows), notes)

    def text(self, details: bool = False) -> str:
        return self.table().text().rstrip("\n")

    def failures(
        self, *, min_f1: float | None = None, max_drop: float | None = None, **limits: float | None
    ) -> list[str]:
        drop = self.details["delta"]["f1"]
        too_deep = max_drop is not None and drop > max_drop
        return Score.failures(self, min_f1=min_f1) + (
            [f"F1 drops by {drop:.4f}, more than {max_drop}"] if too_deep else []
        )

    def remarks(self) -> list[str]:
        unknown = self.details["predicted_sentences_not_in_gold"]
        found = Score.remarks(self)
        if unknown and self.coverage is None:
            found.append(f"{unknown:,} predicted sentences are not in the gold cliques and do not count")
        left_out = self.details["sentences_left_out"]
        if left_out:
            found.append(f"{left_out:,} sentences that the predictions lack are left out; --missing zero counts them")
        return found

    def clique_csv(self) -> str:
        """The figures of every clique as CSV, the largest drop first."""
        rows: list[tuple[object, ...]] = []
        for clique in by_drop(self.evaluation.cliques):
            original, worst = clique.sentences[0], clique.worst
            assert worst is not None
            figures = (original.f1, worst.f1, clique.drop, clique.variance)
            rows.append((clique.name, len(clique.sentences), *figures, worst.unit.sentence))
        return csv_text(_CLIQUE_COLUMNS, rows)

    def clique_page(self, worst: int = 100) -> str:
        """An HTML page of the cliques with the largest drops, their sentences, tuples and errors."""
        return view(self, "cliques", f"{self.system} on the cliques of {PurePath(self.gold_name).name}", worst)


@dataclass(eq=False, repr=False)
class RobustEvaluation:
    """One system on one set of cliques. Figures are kept per clique and averaged last.

    `used_options` are those of the scorer, with the rule for missing sentences that was used.
    """

    cliques: Sequence[CliqueResult]
    gold: Sequence[int]
    gold_sentences: int
    predicted: int
    unknown_sentences: int
    used_options: Mapping[str, Any]
    signature: str

    def __post_init__(self) -> None:
        self._gold = np.array(self.gold, dtype=np.float64)
        # Per clique: whether it counts, its size, figures of original and worst, variance.
        self._table = np.array([_row(clique) for clique in self.cliques], dtype=np.float64).reshape(
            len(self.cliques), 11
        )

    @property
    def units(self) -> list[str]:
        return [clique.name for clique in self.cliques]

    def score(self, weights: Floats | None = None) -> RobustScore:
        """Figures over the cliques, or over a resample of them when each has a weight."""
        weights = np.ones(len(self.cliques)) if weights is None else weights
        sums = weights @ self._table
        count = float(sums[0])
        averages = sums / count if count else np.zeros_like(sums)
        carb, robust = LineFigures.of(averages[2:6]), LineFigures.of(averages[6:10])
        return RobustScore(
            scorer=Robust.name,
            **robust._asdict(),
            gold=round(float(weights @ self._gold)) if len(self._gold) else 0,
            predicted=self.predicted,
            details={
                "carb": carb._asdict(),
                "robust": robust._asdict(),
                "delta": carb.minus(robust)._asdict(),
                "cliques": round(count),
                "cliques_left_out": len(self.cliques) - round(count),
                "sentences": round(float(sums[1])),
                "sentences_left_out": self.gold_sentences - round(float(sums[1])),
                "predicted_sentences_not_in_gold": self.unknown_sentences,
                "mean_f1_of_originals": float(averages[4]),
                "mean_f1_of_worst": float(averages[8]),
                "mean_variance_of_f1": float(averages[10]),
            },
            evaluation=self,
            signature=self.signature,
        )


def _row(clique: CliqueResult) -> tuple[float, ...]:
    original, worst, variance = clique.original, clique.worst, clique.variance
    if original is None or worst is None or variance is None:
        return (0.0,) * 11
    return (1.0, len(clique.sentences), *original.figures, *worst.figures, variance)
