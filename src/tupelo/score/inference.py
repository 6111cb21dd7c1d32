"""Relation inference: how well do scores tell pairs that entail from pairs that do not?

How it works. Every pair of triples has a judgement and a score. For each
distinct score, keep the pairs that score at least as much:

* precision = kept pairs that entail / kept pairs,
* recall = kept pairs that entail / all pairs that entail.

These points, joined by straight lines, are the curve. Pairs with equal scores
come in together, so their order in the file cannot matter. Left of its first
point the curve is flat: a precision that nobody has shown earns nothing (the
habit of starting at precision 1 would give a constant score an area of 0.6).

* `auc` is the area under the curve over all recall,
* `auc_p50` the area under those parts of it where precision is at least 0.5;
  where a line crosses 0.5, only the part above counts,
* `f1` is the largest F1 of any point, with its precision and recall.

The directional part are the couples (p, q) where the file holds both orders
and only one of them entails. `directional_accuracy` is the share of couples
whose entailed order has the larger score, an equal score counting one half; so
a symmetric score has exactly 0.5. `directional_auc` is the area under the curve
of these pairs alone, half of which entail.

A worked example. Scores 0.9 (entails), 0.8 (does not), 0.8 (entails), 0.1 (does
not): the points are (recall 1/2, precision 1), (1, 2/3) and (1, 1/2). The area
is 1/2 · 1 + 1/2 · (1 + 2/3)/2 = 11/12, all of it above precision 0.5, and the
best F1 is 2 · (2/3) · 1 / (5/3) = 4/5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from tupelo.core import InputError
from tupelo.core.entailment import EntailmentPair
from tupelo.score.curves import Curve, Floats, best_point
from tupelo.score.result import Score, harmonic_mean
from tupelo.score.signature import signature

PRECISE = 0.5


class Inference:
    """The yardstick of relation inference."""

    name: ClassVar[str] = "inference"

    def options(self) -> Mapping[str, Any]:
        return {"ties": "together", "start": "flat", "precise": PRECISE}

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


class InferenceEvaluation:
    """One set of scores against the judgements; figures divide last."""

    def __init__(
        self, *, units: Sequence[str], labels: Any, scores: Floats, couples: Sequence[Couple], signature: str
    ) -> None:
        self.units = units
        self.couples = couples
        self._labels, self._scores, self._signature = labels, scores, signature

    def score(self, weights: Floats | None = None) -> Score:
        """Figures of all pairs, or of a resample of them when each has a weight.

        Couples are weighted by their entailed pair.
        """
        given = np.ones(len(self._labels)) if weights is None else np.asarray(weights, dtype=np.float64)
        curve = precision_recall(self._labels, self._scores, given)
        best = best_point(curve.precision, curve.recall)
        precision, recall = (0.0, 0.0) if best is None else (curve[best].precision, curve[best].recall)
        threshold = None if best is None else curve[best].threshold
        inside = np.array([position for couple in self.couples for position in couple], dtype=np.int64)
        directional = precision_recall(self._labels[inside], self._scores[inside], np.repeat(given[inside[::2]], 2))
        return Score(
            scorer=Inference.name,
            signature=self._signature,
            precision=precision,
            recall=recall,
            f1=harmonic_mean(precision, recall),
            auc=area_above(curve, 0.0),
            gold=round(float(given[self._labels].sum())),
            predicted=0 if threshold is None else round(float(given[self._scores >= threshold].sum())),
            threshold=threshold,
            curve=curve,
            details={
                "auc_p50": area_above(curve, PRECISE),
                "threshold": threshold,
                "pairs": len(self._labels),
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
        above = self._scores[entailed] - self._scores[reverse]
        # Two infinite scores are equal; their difference is not a number.
        above[self._scores[entailed] == self._scores[reverse]] = 0.0
        total = float(weights[entailed].sum())
        return float((weights[entailed] * (np.sign(above) + 1) / 2).sum()) / total if total else None


def precision_recall(labels: Any, scores: Floats, weights: Floats) -> Curve:
    """A point for each distinct score, the largest score first. Empty when nothing entails or nothing counts."""
    order = np.argsort(-scores, kind="stable")
    kept = np.cumsum(weights[order])
    right = np.cumsum(weights[order] * labels[order])
    if not len(order) or right[-1] == 0:
        nothing = np.empty(0)
        return Curve(nothing, nothing, nothing)
    ordered = scores[order]
    # Equal scores enter together; a prefix of weight 0 keeps nothing and has no precision.
    ends = np.append(ordered[1:] != ordered[:-1], True) & (kept > 0)
    return Curve(right[ends] / kept[ends], right[ends] / right[-1], ordered[ends])


def area_above(curve: Curve, floor: float) -> float:
    """Area under the parts of the curve where precision is at least `floor`; 0 for an empty curve."""
    if not len(curve):
        return 0.0
    precision = np.concatenate(([curve.precision[0]], curve.precision))
    widths = np.diff(np.concatenate(([0.0, *curve.recall[:1]], curve.recall[1:])))
    left, right = precision[:-1], precision[1:]
    low, high = np.minimum(left, right), np.maximum(left, right)
    # The share of a falling or rising line that is above, and the mean precision of that part.
    span = np.where(high > low, high - low, 1.0)
    share = np.where(low >= floor, 1.0, np.clip((high - floor) / span, 0.0, 1.0))
    mean = np.where(low >= floor, (low + high) / 2, (high + floor) / 2)
    return float((widths * share * np.where(high >= floor, mean, 0.0)).sum())
