"""Clusterings for any threshold: trees over vectors or pairs that are cut there."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.cluster import Merges, approximate_linkage, complete_linkage, linkage_tree
from tupelo.canon.cluster.linkage import linkage_in_cells, stacked

# Fourteen steps, as the published search of the COMBO benchmark takes them.
COSINE_GRID: tuple[float, ...] = tuple(round(0.1 * step, 1) for step in range(1, 15))
# Up to this number of rows the full tree is over single rows.
_WHOLE_TREE = 6000


def merges_of(count: int, merges: Sequence[tuple[int, int, float]]) -> Merges:
    """Merges from rows of two names and a height."""
    names = np.array([merge[:2] for merge in merges], dtype=np.int64).reshape(-1, 2)
    return Merges(count, names[:, 0], names[:, 1], np.array([merge[2] for merge in merges], dtype=np.float64))


def in_order_of_appearance(labels: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int64]:
    """The same partition with clusters numbered 0, 1, … by their first item."""
    _, first, inverse = np.unique(np.asarray(labels), return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first, kind="stable")] = np.arange(len(first))
    return rank[inverse.reshape(-1)]


def distinct(items: Sequence[Hashable]) -> tuple[list[int], NDArray[np.int64]]:
    """The position of the first of equal items, and for every item the number of its kind."""
    numbers: dict[Hashable, int] = {}
    firsts: list[int] = []
    inverse = np.empty(len(items), dtype=np.int64)
    for position, item in enumerate(items):
        number = numbers.setdefault(item, len(numbers))
        if number == len(firsts):
            firsts.append(position)
        inverse[position] = number
    return firsts, inverse


@dataclass(frozen=True, slots=True)
class TreeCut:
    """A `Cuttable` from a tree over distinct phrases and the phrase number of every item."""

    kinds: Merges
    inverse: NDArray[np.int64]
    grid: Sequence[float] = COSINE_GRID

    def labels(self, threshold: float) -> NDArray[np.int64]:
        return in_order_of_appearance(self.kinds.labels(threshold)[self.inverse])


@dataclass(slots=True, eq=False)
class VectorCut:
    """Linkage on cosine distance, computed on first use: `complete`, `average` or `single`.

    With `approximate` only near neighbours are compared, for inputs of many hundred thousand phrases. `average` and
    `single` always have a tree, over groups of near rows if there are too many rows. With `inverse`, rows are those
    of distinct phrases, and it has the row of every item.
    """

    vectors: NDArray[np.float32]
    _: KW_ONLY
    linkage: str = "complete"
    approximate: bool = False
    inverse: NDArray[np.int64] | None = None
    grid: Sequence[float] = COSINE_GRID
    _merges: Merges | None = field(default=None, init=False)

    def labels(self, threshold: float) -> NDArray[np.int64]:
        labels = self._labels(threshold)
        return labels if self.inverse is None else in_order_of_appearance(labels[self.inverse])

    def _labels(self, threshold: float) -> NDArray[np.int64]:
        if len(self.vectors) < 2:
            return np.zeros(len(self.vectors), dtype=np.int64)
        if self._merges is None or threshold > self._merges.limit:
            self._merges = self._link(threshold)
        return self._merges.labels(threshold)

    def _link(self, threshold: float) -> Merges:
        if self.linkage == "complete" and self.approximate:
            return approximate_linkage(self.vectors, threshold)
        if self.linkage == "complete" and len(self.vectors) > _WHOLE_TREE:
            return complete_linkage(self.vectors, threshold)
        return whole_tree(self.vectors, self.linkage)


def whole_tree(vectors: NDArray[np.float32], linkage: str) -> Merges:
    """The full tree, computed once for all thresholds; over groups of near rows if there are too many rows."""
    return linkage_tree(vectors, linkage) if len(vectors) <= _WHOLE_TREE else condensed_tree(vectors, linkage)


def condensed_tree(vectors: NDArray[np.float32], linkage: str) -> Merges:
    """A full tree over more rows than can be compared with each other.

    Near rows are merged first, the closest first, until few enough groups are left; the tree above is that of the
    means of these groups.
    """
    close = linkage_in_cells(vectors, linkage)
    # Fewer groups than rows of a whole tree, because all rows are in memory too.
    done = max(0, len(vectors) - _WHOLE_TREE * 2 // 3)
    below = Merges(len(vectors), close.first[:done], close.second[:done], close.heights[:done])
    labels = below.labels(np.inf)
    sums = np.zeros((int(labels.max()) + 1, vectors.shape[1]), dtype=np.float32)
    for start in range(0, len(vectors), _WHOLE_TREE):
        add_rows(sums, labels[start : start + _WHOLE_TREE], vectors[start : start + _WHOLE_TREE])
    firsts = np.unique(labels, return_index=True)[1].astype(np.int64)
    above = linkage_tree(sums, linkage)
    # Heights above the groups must not be lower than those within.
    floor = float(below.heights[-1]) if done else 0.0
    return stacked(below, replace(above, heights=np.maximum(above.heights, floor)), firsts)


def add_rows(total: NDArray[np.float32], numbers: NDArray[np.int64], rows: NDArray[np.float32]) -> None:
    """Add every row to the row of `total` with its number."""
    order = np.argsort(numbers, kind="stable")
    owners, starts = np.unique(numbers[order], return_index=True)
    total[owners] += np.add.reduceat(rows[order], starts, axis=0)
