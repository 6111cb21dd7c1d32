"""The search for a threshold on data with gold clusters, as COMBO's published evaluation does it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.method import Cuttable
from tupelo.core import InputError

# Around the best value of the first round, in steps of that round.
_OFFSETS = (-1.0, -0.7, -0.4, -0.1, 0.2, 0.5, 0.8)
# The first round ends when fewer clusters than this share of the gold ones are left.
_FEWEST = 0.7

Score = Callable[[NDArray[np.int64]], float]


@dataclass(frozen=True, slots=True)
class Trial:
    """A threshold that was tried, how many clusters it gave and how good they were."""

    threshold: float
    clusters: int
    score: float


@dataclass(frozen=True, slots=True)
class Search:
    """All trials in order, and the best: the first among equals."""

    trials: tuple[Trial, ...]

    @property
    def best(self) -> Trial:
        best = self.trials[0]
        for trial in self.trials[1:]:
            if trial.score > best.score:
                best = trial
        return best


def search_threshold(cut: Cuttable, score: Score, gold_clusters: int) -> Search:
    """Two rounds: the whole grid, rising, until clusters become too few; then seven values around the best one."""
    trials: list[Trial] = []

    def try_out(threshold: float) -> Trial:
        labels = cut.labels(threshold)
        trial = Trial(threshold, len(np.unique(labels)), score(labels))
        trials.append(trial)
        return trial

    for threshold in cut.grid:
        if try_out(threshold).clusters < _FEWEST * gold_clusters:
            break
    best = Search(tuple(trials)).best
    if best.score <= 0:
        raise InputError("no threshold gives a single right cluster; nothing can be tuned on this data")
    if len(cut.grid) > 1:
        step = cut.grid[1] - cut.grid[0]
        for offset in _OFFSETS:
            try_out(round(best.threshold + offset * step, 6))
    return Search(tuple(trials))
