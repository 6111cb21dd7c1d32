"""Confidence of clusters: the changes that a slightly lower or higher threshold would make."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.clusters import Kind, forms_by_frequency
from tupelo.core.canonical import Doubt
from tupelo.core.numeric import sigmoid

Labels = NDArray[np.int64]
Cut = Callable[[float], Labels]

# Thresholds that are compared, as shares of the one in use: lower ones for the cohesion of clusters, higher ones for
# clusters that were nearly merged.
_LEVELS = (0.25, 0.5, 0.65, 0.8, 0.9, 0.96, 1.0, 1.04, 1.1, 1.2)
# Distance from the threshold, as a share of it, at which the odds fall by a factor of e; methods may have a fitted
# one.
DEFAULT_SLOPE = 0.12


def probability(height: float, threshold: float, slope: float = DEFAULT_SLOPE) -> float:
    """Probability that a merge at this height is right; 0.5 at the threshold."""
    if threshold <= 0:
        return 1.0 if height <= 0 else 0.5
    return sigmoid((threshold - height) / (slope * threshold), limit=50.0)


class Confidence:
    """A clustering at several thresholds."""

    def __init__(self, cut: Cut, threshold: float, slope: float = DEFAULT_SLOPE) -> None:
        self._threshold, self._slope = threshold, slope
        self._levels = [(share * threshold, cut(share * threshold)) for share in _LEVELS]

    def of(self, items: Sequence[int]) -> float:
        """Probability of the weakest merge of a cluster, by the lowest level that has all its items together."""
        if len(items) == 1:
            return 1.0
        for height, labels in self._levels:
            if len(np.unique(labels[list(items)])) == 1:
                return probability(height * 0.9, self._threshold, self._slope)
        return 0.5

    def doubts(self, kind: Kind, forms: Sequence[str], most: int = 200) -> list[Doubt]:
        """Pairs of groups that were merged, or kept apart, with little margin; the least certain first."""
        found: list[Doubt] = []
        here = _LEVELS.index(1.0)
        for level in range(here - 3, len(_LEVELS) - 1):
            (low, finer), (high, coarser) = self._levels[level], self._levels[level + 1]
            joined = level < here
            likelihood = probability((low + high) / 2, self._threshold, self._slope)
            for parts in _splits(finer, coarser):
                texts = [forms_by_frequency([forms[item] for item in part]) for part in parts]
                for other in texts[1:]:
                    if set(other) != set(texts[0]):
                        found.append(Doubt(kind, texts[0], other, likelihood, joined))
        found.sort(key=lambda doubt: (abs(doubt.probability - 0.5), doubt.left, doubt.right))
        return found[:most]


def _splits(finer: Labels, coarser: Labels) -> list[list[list[int]]]:
    """Clusters of the coarser level that are several clusters of the finer one, largest part first."""
    size = int(finer.max(initial=0)) + 1
    inside = np.unique(coarser * size + finer) // size
    split = np.flatnonzero((np.bincount(inside) > 1)[coarser])
    parts: dict[int, dict[int, list[int]]] = {}
    for item, small, large in zip(split.tolist(), finer[split].tolist(), coarser[split].tolist(), strict=True):
        parts.setdefault(large, {}).setdefault(small, []).append(item)
    return [sorted(found.values(), key=lambda part: (-len(part), part[0])) for found in parts.values()]
