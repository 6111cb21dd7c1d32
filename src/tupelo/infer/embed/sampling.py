"""Drawing numbers with given chances in constant time: the alias method (Walker 1977; Vose 1991)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Aliases:
    """Column i keeps itself with chance `keep[i]` and stands for `other[i]` otherwise."""

    keep: NDArray[np.float64]
    other: NDArray[np.int32]

    def chances(self) -> NDArray[np.float64]:
        """The chance of each number, from the table alone."""
        found = self.keep / len(self.keep)
        np.add.at(found, self.other, (1 - self.keep) / len(self.keep))
        return found

    def draw(self, chance: np.random.Generator, count: int) -> NDArray[np.int32]:
        columns = chance.integers(0, len(self.keep), count)
        return np.where(chance.random(count) < self.keep[columns], columns, self.other[columns]).astype(np.int32)


def smoothed(counts: NDArray[np.int64], power: float) -> NDArray[np.float64]:
    """Chances from counts raised to a power: 0.75 gives rare contexts more than their share."""
    raised = counts.astype(np.float64) ** power
    return np.asarray(raised / raised.sum(), dtype=np.float64)


def alias_table(chances: NDArray[np.float64]) -> Aliases:
    """The table for chances that add up to 1."""
    size = len(chances)
    keep, other = chances * size, np.arange(size, dtype=np.int32)
    small = [column for column in range(size) if keep[column] < 1]
    large = [column for column in range(size) if keep[column] >= 1]
    while small and large:
        poor, rich = small.pop(), large[-1]
        other[poor] = rich
        keep[rich] -= 1 - keep[poor]
        if keep[rich] < 1:
            small.append(large.pop())
    # What is left differs from 1 by rounding only.
    for column in (*small, *large):
        keep[column] = 1.0
    return Aliases(keep, other)
