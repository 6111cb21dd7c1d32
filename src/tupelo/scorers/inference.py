"""Relation inference: how well do scores tell pairs that entail from pairs that do not?

How it works. Every pair of triples has a judgement and a score. For each
distinct score, keep the pairs that score at least as much:

* precision = kept pairs that entail / kept pairs,
* recall = kept pairs that entail / all pairs that entail.

Pairs with equal scores come in together, so their order in the file cannot matter. Between two points the curve is
what one would get if the pairs with that score came in a random order: entailing and other pairs enter at a constant
rate (Davis and Goadrich, ICML 2006). So precision falls along a hyperbola; a straight line would give a score with
few distinct values far too much, 0.57 instead of 0.31 for a rule with two values. By the same rule the curve is flat
left of its first point (starting it at precision 1, as is often done, would give a constant score an area of 0.6
instead of the share that entails).

* `auc` is the area under the curve over all recall,
* `auc_p50` the area under those parts of it where precision is at least 0.5,
* `f1` is the largest F1 of any point, with its precision and recall.

The directional part are the couples (p, q) where the file holds both orders and only one of them entails.
`directional_accuracy` is the share of couples whose entailed order has the larger score, an equal score counting one
half; so a symmetric score has exactly 0.5. `directional_auc` is the area under the curve of these pairs alone, half
of which entail.

A worked example. Scores 0.9 (entails), 0.8 (does not), 0.8 (entails), 0.1 (does not): the points are (recall 1/2,
precision 1), (1, 2/3) and (1, 1/2). From the first to the second, x of the 2 entailing pairs are kept together with
x - 1 others, so the precision is x / (2x - 1) and the area (1 + ∫ x / (2x - 1) dx) / 2 = (1 + 1/2 + ln(3)/4) / 2 =
0.887, all of it above precision 0.5. The best F1 is 2 · (2/3) · 1 / (5/3) = 4/5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tupelo.core import InputError
from tupelo.core.entailment import EntailmentPair
from tupelo.scorers.result import Figures, Floats, KeptCounts, Score, best_point, count_kept, signature
from tupelo.scorers.signature import Mark

PRECISE = 0.5


class Inference:
    """The scorer of relation inference."""

    name: ClassVar[str] = "inference"
    title: ClassVar[str] = "Relation inference: precision-recall over pairs of triples."
    reads: ClassVar[str] = "pairs"
    marks: ClassVar[tuple[Mark, ...]] = (Mark("ties"), Mark("precise"))

    def options(self) -> Mapping[str, Any]:
        return {"ties": "random-order", "precise": PRECISE}

    def evaluate(self, pairs: Sequence[EntailmentPair], scores: Sequence[float]) -> InferenceEvaluation:
        """Pairs with judgements, and a score for each of them in the same order."""
        if len(pairs) != len(scores):
            raise InputError(f"{len(scores):,} scores for {len(pairs):,} pairs, expected one each")
        for number, (pair, value) in enumerate(zip(pairs, scores, strict=True), start=1):
            if pair.entailed is None:
                raise InputError(f"pair {number} has no judgement, expected True or False")
            if value != value:
                raise InputError(f"the score of pair {number} is NaN, expected a number")
        labels = np.array([pair.entailed for pair in pairs], dtype=bool)
        return InferenceEvaluation(
            units=[f"{number}" for number in range(1, len(pairs) + 1)],
            labels=labels,
            scores=np.array(scores, dtype=np.float64),
            couples=find_couples(pairs),
            signature=signature(self.name, self.options()),
        )


class Couple(NamedTuple):
    """Positions of the two orders of a pair of which only one entails."""

    entailed: int
    reverse: int


def find_couples(pairs: Sequence[EntailmentPair]) -> list[Couple]:
    """Every pair that entails, with its reverse that does not; of copies, the first with the first."""
    waiting: dict[object, list[int]] = {}
    for number, pair in enumerate(pairs):
        if not pair.entailed:
            waiting.setdefault(pair.key(), []).append(number)
    couples = []
    for number, pair in enumerate(pairs):
        if pair.entailed:
            reverses = waiting.get(pair.reversed().key())
            if reverses:
                couples.append(Couple(number, reverses.pop(0)))
    return couples


@dataclass(frozen=True, slots=True, kw_only=True)
class InferenceScore(Score):
    """The best point of the curve; `details` hold the area above precision 0.5 and the directional figures."""

    def to_dict(self, details: bool = False) -> dict[str, Any]:
        """The figures with all details, which are part of this score; the signature stays last."""
        summary = Score.to_dict(self)
        del summary["signature"]
        return {**summary, **self.details, "signature": self.signature}

    def text(self, details: bool = False) -> str:
        found = self.details
        lines = [
            f"P {100 * self.precision:.1f}  R {100 * self.recall:.1f}  F1 {100 * self.f1:.1f}  "
            f"AUC {100 * (self.auc or 0):.1f}  AUC where P >= 0.5 {100 * found['auc_p50']:.1f}   "
            f"({found['pairs']:,} pairs, {self.gold:,} entailed)"
        ]
        if found["directional_accuracy"] is not None:
            lines.append(
                f"directional: accuracy {100 * found['directional_accuracy']:.1f}  "
                f"AUC {100 * found['directional_auc']:.1f}   ({found['directional_pairs']:,} couples)"
            )
        return "\n".join([*lines, self.signature])


@dataclass(eq=False, repr=False)
class InferenceEvaluation:
    """One set of scores against the judgements; figures divide last."""

    units: Sequence[str]
    labels: NDArray[np.bool_]
    scores: Floats
    couples: Sequence[Couple]
    signature: str

    def score(self, weights: Floats | None = None) -> InferenceScore:
        """Figures of all pairs, or of a resample of them when each has a weight.

        Couples are weighted by their entailed pair.
        """
        given = np.ones(len(self.labels)) if weights is None else np.asarray(weights, dtype=np.float64)
        counts = count_kept(self.labels, self.scores, given)
        curve = counts.curve()
        best = best_point(curve.precision, curve.recall)
        precision, recall = (0.0, 0.0) if best is None else (curve[best].precision, curve[best].recall)
        threshold = None if best is None else curve[best].threshold
        inside = np.array([position for couple in self.couples for position in couple], dtype=np.int64)
        directional = count_kept(self.labels[inside], self.scores[inside], np.repeat(given[inside[::2]], 2))
        return InferenceScore(
            scorer=Inference.name,
            signature=self.signature,
            **Figures.of(precision, recall)._asdict(),
            auc=area_above(counts, 0.0),
            gold=round(float(given[self.labels].sum())),
            predicted=0 if threshold is None else round(float(given[self.scores >= threshold].sum())),
            threshold=threshold,
            curve=curve,
            details={
                "auc_p50": area_above(counts, PRECISE),
                "threshold": threshold,
                "pairs": len(self.labels),
                "directional_pairs": len(self.couples),
                "directional_accuracy": self._directional_accuracy(given),
                "directional_auc": area_above(directional, 0.0) if self.couples else None,
            },
        )

    def _directional_accuracy(self, weights: Floats) -> float | None:
        """`None` when the file has no couple."""
        if not self.couples:
            return None
        entailed, reverse = (np.array(column) for column in zip(*self.couples, strict=True))
        above = self.scores[entailed] - self.scores[reverse]
        # Two infinite scores are equal; their difference is not a number.
        above[self.scores[entailed] == self.scores[reverse]] = 0.0
        total = float(weights[entailed].sum())
        return float((weights[entailed] * (np.sign(above) + 1) / 2).sum()) / total if total else None


def area_above(counts: KeptCounts, floor: float) -> float:
    """Area under the parts of the curve where precision is at least `floor`; 0 when nothing entails.

    Between two points x entailing pairs are kept with `slope · x + shift` pairs in all, so precision is
    x / (slope · x + shift). It rises or falls all the way, so it crosses the floor once at most.
    """
    if not len(counts.right) or counts.right[-1] == 0:
        return 0.0
    right, kept = (np.concatenate(([0.0], column)) for column in (counts.right, counts.kept))
    wide = np.flatnonzero(np.diff(right) > 0)
    start, end = right[wide], right[wide + 1]
    slope = (kept[wide + 1] - kept[wide]) / (end - start)
    shift = kept[wide] - slope * start
    # The point where precision equals the floor: x = floor · (slope · x + shift).
    with np.errstate(divide="ignore", invalid="ignore"):
        crossing = np.clip(floor * shift / (1 - floor * slope), start, end)
    falls = shift < 0
    above_start, above_end = start >= floor * kept[wide], end >= floor * kept[wide + 1]
    first = np.where(above_start, start, np.where(above_end & ~falls, crossing, end))
    last = np.where(above_end, end, np.where(above_start & falls, crossing, first))
    areas = _integral(last, slope, shift) - _integral(first, slope, shift)
    return float(np.where(last > first, areas, 0.0).sum() / counts.right[-1])


def _integral(x: Floats, slope: Floats, shift: Floats) -> Floats:
    """Of x / (slope · x + shift), which is the constant 1 / slope where there is no shift."""
    with np.errstate(divide="ignore", invalid="ignore"):
        curved = x / slope - shift / slope**2 * np.log(slope * x + shift)
    found: Floats = np.where(np.abs(shift) < 1e-12, x / slope, curved)
    return found
