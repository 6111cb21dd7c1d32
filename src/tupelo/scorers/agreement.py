"""Agreement between people: Krippendorff's alpha, Cohen's and Fleiss' kappa.

Alpha compares the disagreement that was seen within units with the one to be expected when the same values are dealt
out at random: 1 is perfect agreement, 0 is chance, below 0 is worse. It takes any number of raters and missing
answers. Units with fewer than two answers say nothing and are left out. What counts as a disagreement is the `level`:
`nominal` (any difference), `ordinal` (by how many answers lie between two ranks) or `interval` (the squared
difference). Formulas: Krippendorff (2011), Cohen (1960), Fleiss (1971).

`None` is returned where a figure is not defined: no unit has two answers, or only one value was ever given, so
that no disagreement could have been seen.

An annotator who stands alone against four others disagrees sharply (Levy and Dagan 2016). *Insurgency* is the number
of times that this happens, divided by the number of judged examples and a smoothing constant of 25, so that two early
accidents disqualify no one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tupelo.core import InputError

LEVELS = ("nominal", "ordinal", "interval")
Matrix = NDArray[np.float64]


def krippendorff_alpha(units: Sequence[Sequence[Hashable]], level: str = "nominal") -> float | None:
    """Alpha of units, each a list of the answers it got (missing ones left out), whoever gave them.

    >>> krippendorff_alpha([["a", "a"], ["b", "b"], ["a", "b"], ["a", "a"]])
    0.5333333333333333
    """
    if level not in LEVELS:
        raise InputError(f"level of measurement '{level}', expected one of {', '.join(LEVELS)}")
    values, together = _coincidences(units, level)
    return _alpha(values, together.sum(axis=0), level) if len(values) > 1 else None


def alpha_interval(
    units: Sequence[Sequence[Hashable]], level: str = "nominal", *, samples: int = 1000, seed: int = 12345
) -> tuple[float, float] | None:
    """The middle 95 % of alpha on resampled units; `None` where alpha is not defined."""
    if krippendorff_alpha(units, level) is None:
        return None
    values, together = _coincidences(units, level)
    random = np.random.default_rng(seed)
    resampled = []
    for _ in range(samples):
        drawn = np.bincount(random.integers(len(together), size=len(together)), minlength=len(together))
        alpha = _alpha(values, np.tensordot(drawn, together, axes=1), level)
        if alpha is not None:
            resampled.append(alpha)
    low, high = np.percentile(resampled, [2.5, 97.5])
    return float(low), float(high)


def _coincidences(units: Sequence[Sequence[Hashable]], level: str) -> tuple[list[Any], Matrix]:
    """The values that were given, and the frequencies of their pairs in units with two answers or more."""
    pairable = [unit for unit in units if len(unit) > 1]
    values: list[Any] = sorted({answer for unit in pairable for answer in unit}, key=_order(level))
    place = {value: number for number, value in enumerate(values)}
    together = np.zeros((len(pairable), len(values), len(values)))
    for row, unit in enumerate(pairable):
        counts = np.bincount([place[answer] for answer in unit], minlength=len(values)).astype(float)
        # Every ordered pair of answers of a unit, weighted so that each answer counts once.
        together[row] = (np.outer(counts, counts) - np.diag(counts)) / (len(unit) - 1)
    return values, together


def _alpha(values: Sequence[Hashable], together: Matrix, level: str) -> float | None:
    totals = together.sum(axis=1)
    apart = _differences(values, totals, level)
    observed = float((together * apart).sum())
    expected = float((np.outer(totals, totals) * apart).sum()) / (float(totals.sum()) - 1)
    return 1 - observed / expected if expected else None


def _order(level: str) -> Callable[[Any], Any]:
    # Names have no order of their own; any fixed one will do.
    return (lambda value: (type(value).__name__, repr(value))) if level == "nominal" else (lambda value: value)


def _differences(values: Sequence[Hashable], totals: Matrix, level: str) -> Matrix:
    if level == "nominal":
        return 1 - np.eye(len(values))
    if level == "ordinal":
        ranks = np.cumsum(totals) - totals / 2
        return np.asarray((ranks[:, None] - ranks[None, :]) ** 2)
    numbers = np.array([float(str(value)) for value in values])
    return np.asarray((numbers[:, None] - numbers[None, :]) ** 2)


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> float | None:
    """Kappa of two raters who judged the same units, in the same order."""
    if len(first) != len(second):
        raise InputError(f"{len(first)} and {len(second)} answers, expected equally many from both raters")
    if not first:
        return None
    values = set(first) | set(second)
    agreed = sum(one == other for one, other in zip(first, second, strict=True)) / len(first)
    chance = sum((first.count(value) / len(first)) * (second.count(value) / len(second)) for value in values)
    return (agreed - chance) / (1 - chance) if chance < 1 else None


def fleiss_kappa(units: Sequence[Sequence[Hashable]]) -> float | None:
    """Kappa of units that all got equally many answers, at least two."""
    sizes = {len(unit) for unit in units}
    if not units:
        return None
    if len(sizes) > 1 or min(sizes) < 2:
        raise InputError(f"units with {min(sizes)} to {max(sizes)} answers, expected equally many, two or more")
    (size,) = sizes
    values = sorted({answer for unit in units for answer in unit}, key=_order("nominal"))
    counts = np.array([[sum(answer == value for answer in unit) for value in values] for unit in units], dtype=float)
    agreed = float(((counts**2).sum(axis=1) - size).mean() / (size * (size - 1)))
    chance = float(((counts.sum(axis=0) / counts.sum()) ** 2).sum())
    return (agreed - chance) / (1 - chance) if chance < 1 else None


SMOOTHING = 25
# One against four. An item with fewer than five judgements has no sharp minority.
SHARP = 1 / 5


@dataclass(frozen=True, slots=True)
class AnnotatorJudgement:
    """The label that one annotator gave to one item."""

    annotator: str
    item: str
    label: Hashable


def minority_counts(judgements: Iterable[AnnotatorJudgement], sharp: float = SHARP) -> dict[str, tuple[int, int]]:
    """For each annotator the number of sharp minorities they were in, and of examples they judged.

    A label is in a sharp minority when at most this share of an item's judgements has it. Two judgements
    of one item by one annotator are an error.
    """
    by_item: dict[str, dict[str, Hashable]] = {}
    for judgement in judgements:
        labels = by_item.setdefault(judgement.item, {})
        if judgement.annotator in labels:
            raise ValueError(f"{judgement.annotator} judged {judgement.item!r} twice, expected once")
        labels[judgement.annotator] = judgement.label
    alone: Counter[str] = Counter()
    examples: Counter[str] = Counter()
    for labels in by_item.values():
        votes = Counter(labels.values())
        for annotator, label in labels.items():
            examples[annotator] += 1
            alone[annotator] += votes[label] <= sharp * len(labels)
    return {annotator: (alone[annotator], examples[annotator]) for annotator in sorted(examples)}


def insurgency(minority: int, examples: int, smoothing: int = SMOOTHING) -> float:
    """The smoothed share of examples in which an annotator was in a sharp minority.

    >>> insurgency(30, 100)
    0.24
    """
    return minority / (examples + smoothing)
