"""Does a score of factual accuracy agree with people? Correlations, and verdicts at a threshold.

- `pearson`: linear correlation of scores with human scores; `spearman`: that of their ranks, ties sharing the mean
  rank.
- Their intervals are the middle 95 % of resampled collections (texts drawn with replacement).
- `balanced_accuracy`: texts with a score of at least `threshold` are called faithful; the mean of the share of
  faithful texts that are found and the share of unfaithful ones that are. Without a threshold it is the best over all
  thresholds, which flatters; the threshold that was used is reported. It needs texts of both kinds.
- `recall_by_error`: for each type of error, the share of texts with it that are called unfaithful.

Texts without a score (a checker that found nothing to check says so instead of guessing) are left out and counted,
unless `unscored` gives a score for them. A correlation is `None` where one side is constant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tupelo.core import InputError
from tupelo.core.judgement import JudgedText
from tupelo.core.results import values_of
from tupelo.scorers.result import Result
from tupelo.scorers.scorer import MarkedScorer
from tupelo.scorers.signature import Mark

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Correlation:
    """A correlation with its interval; all `None` where it is not defined."""

    value: float | None
    low: float | None
    high: float | None

    def __str__(self) -> str:
        return "–" if self.value is None else f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class FactualityScore(Result):
    """Agreement of scores with people. `n` counts the texts, `left_out` those without a score."""

    pearson: Correlation
    spearman: Correlation
    n: int
    left_out: int
    balanced_accuracy: float | None
    threshold: float | None
    recall_by_error: Mapping[str, float]

    def to_dict(self) -> dict[str, Any]:
        """All figures, in full precision."""
        return {
            "scorer": self.scorer,
            "pearson": self.pearson.value,
            "pearson_interval": [self.pearson.low, self.pearson.high],
            "spearman": self.spearman.value,
            "spearman_interval": [self.spearman.low, self.spearman.high],
            **values_of(self, "n", "left_out", "balanced_accuracy", "threshold"),
            "recall_by_error": dict(self.recall_by_error),
            "signature": self.signature,
        }

    def __str__(self) -> str:
        left_out = f", {self.left_out} without a score left out" if self.left_out else ""
        lines = [f"Pearson {self.pearson}  Spearman {self.spearman}   ({self.n} texts{left_out})"]
        if self.balanced_accuracy is not None:
            lines.append(f"balanced accuracy {100 * self.balanced_accuracy:.1f} at {self.threshold:.4g}")
        lines += [f"  {name}: {100 * share:.1f} called unfaithful" for name, share in self.recall_by_error.items()]
        return "\n".join([*lines, self.signature])


@dataclass(eq=False, kw_only=True)
class FactualityScorer(MarkedScorer):
    """The scorer of factual accuracy. Intervals come from `samples` resampled collections."""

    name: ClassVar[str] = "factuality"
    reads: ClassVar[str] = "judgements"

    marks: ClassVar[tuple[Mark, ...]] = (
        Mark("threshold", "threshold", {None: "best"}, float),
        Mark("unscored", "unscored", {None: "left-out"}, float),
        Mark("samples", "samples", read=int),
        Mark("seed", "seed", read=int),
    )

    threshold: float | None = None
    unscored: float | None = None
    samples: int = 1000
    seed: int = 12345

    def evaluate(self, texts: Sequence[JudgedText], scores: Mapping[str, float | None]) -> FactualityScore:
        """Compare the scores of texts, by id, with the judgements of the same texts."""
        judged = [text for text in texts if text.score is not None]
        if not judged:
            raise InputError("no text has a human score, expected some")
        missing = [text.id for text in judged if text.id not in scores]
        if missing:
            raise InputError(
                f"scores cover {len(judged) - len(missing)} of {len(judged)} texts; first missing: '{missing[0]}', "
                "expected a score for each (null where a text has none)"
            )
        given = [scores[text.id] if scores[text.id] is not None else self.unscored for text in judged]
        kept = [(text, score) for text, score in zip(judged, given, strict=True) if score is not None]
        human = np.array([text.score for text, _ in kept], dtype=float)
        machine = np.array([score for _, score in kept], dtype=float)
        labels = np.array([bool(text.label) for text, _ in kept])
        accuracy, used = balanced_accuracy(machine, labels, self.threshold)
        return FactualityScore(
            scorer=self.name,
            pearson=_with_interval(machine, human, self.samples, self.seed),
            spearman=_with_interval(ranks(machine), ranks(human), self.samples, self.seed),
            n=len(kept),
            left_out=len(judged) - len(kept),
            balanced_accuracy=accuracy,
            threshold=used,
            recall_by_error=_recall_by_error(kept, used),
        )


def correlation(left: Array, right: Array) -> float | None:
    """Pearson's; `None` where it is not defined."""
    if len(left) < 2:
        return None
    # Infinite scores have no correlation: what is not a number here is none below.
    with np.errstate(invalid="ignore"):
        x, y = left - left.mean(), right - right.mean()
        scale = float(np.sqrt((x * x).sum() * (y * y).sum()))
    return float((x * y).sum()) / scale if scale > 0 else None


def ranks(values: Array) -> Array:
    """Ranks from 1; equal values share the mean of theirs."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return np.asarray((ends - (counts - 1) / 2)[place.reshape(-1)], dtype=np.float64)


def _with_interval(left: Array, right: Array, samples: int, seed: int) -> Correlation:
    value = correlation(left, right)
    if value is None:
        return Correlation(None, None, None)
    random = np.random.default_rng(seed)
    drawn = random.integers(len(left), size=(samples, len(left)))
    resampled = [found for rows in drawn if (found := correlation(left[rows], right[rows])) is not None]
    low, high = np.percentile(resampled, [2.5, 97.5]) if resampled else (np.nan, np.nan)
    return Correlation(value, float(low), float(high))


def balanced_accuracy(
    scores: Array, faithful: NDArray[np.bool_], threshold: float | None
) -> tuple[float | None, float | None]:
    """The figure and the threshold it belongs to; the best threshold where none is given, the lowest of equals."""
    good, bad = int(faithful.sum()), int((~faithful).sum())
    if not good or not bad:
        return None, threshold
    candidates = np.unique(scores) if threshold is None else np.array([threshold])
    order = np.argsort(scores, kind="stable")
    before = np.searchsorted(scores[order], candidates, side="left")
    good_before = np.concatenate([[0], np.cumsum(faithful[order])])[before]
    found = 1 - good_before / good
    refused = (before - good_before) / bad
    figures = (found + refused) / 2
    best = int(np.argmax(figures))
    return float(figures[best]), float(candidates[best])


def label_agreement(probabilities: Sequence[float], faithful: Sequence[bool]) -> tuple[float | None, float | None]:
    """Balanced accuracy at 0.5, and the area under the curve: the share of pairs with the faithful text first.

    >>> label_agreement([0.9, 0.4, 0.6], [True, True, False])
    (0.25, 0.5)
    """
    scores, labels = np.array(probabilities, dtype=np.float64), np.array(faithful, dtype=np.bool_)
    accuracy, _ = balanced_accuracy(scores, labels, 0.5)
    if accuracy is None:
        return None, None
    good = int(labels.sum())
    below = float(ranks(scores)[labels].sum()) - good * (good + 1) / 2
    return accuracy, below / (good * (len(labels) - good))


def changed_claims(
    before: Mapping[str, Sequence[Mapping[str, Any]]], after: Mapping[str, Sequence[Mapping[str, Any]]]
) -> list[dict[str, Any]]:
    """Texts of two runs with claims that only fail in the later one, or only in the earlier one, by id.

    >>> one, other = {"text": "It rained.", "verdict": "refuted"}, {"text": "It rained.", "verdict": "supported"}
    >>> changed_claims({"a": [other]}, {"a": [one]})
    [{'id': 'a', 'failing': ['It rained.'], 'mended': []}]
    """
    found = []
    for name in dict.fromkeys([*after, *before]):
        old, new = _failing(before.get(name, ())), _failing(after.get(name, ()))
        failing, mended = [one for one in new if one not in old], [one for one in old if one not in new]
        if failing or mended:
            found.append({"id": name, "failing": failing, "mended": mended})
    return found


def _failing(claims: Sequence[Mapping[str, Any]]) -> list[str]:
    return [str(one.get("text")) for one in claims if one.get("verdict") in ("refuted", "overstated", "unverifiable")]


def _recall_by_error(kept: Sequence[tuple[JudgedText, float]], threshold: float | None) -> dict[str, float]:
    if threshold is None:
        return {}
    refused: dict[str, list[bool]] = {}
    for text, score in kept:
        for name in text.error_types:
            refused.setdefault(name, []).append(score < threshold)
    return {name: sum(found) / len(found) for name, found in sorted(refused.items())}
