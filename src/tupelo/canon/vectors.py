"""A clustering of vectors that can be cut at any threshold."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.cluster import Merges, approximate_linkage, complete_linkage, linkage_tree
from tupelo.canon.cuts import COSINE_GRID, MergeTree
from tupelo.core import InputError

# Up to here the tree of all merges is made at once, and every cut is then free.
_WHOLE_TREE = 6000
# Radii at which rows are first put together when a tree over all of them would be too large.
_RADII = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0)


class VectorCut:
    """Complete linkage on cosine distance, made when it is first needed; `linkage` may also be `average` or `single`.

    With `approximate` only near neighbours are compared, for inputs of many hundred thousand phrases.
    """

    def __init__(
        self,
        vectors: NDArray[np.float32],
        grid: Sequence[float] = COSINE_GRID,
        *,
        linkage: str = "complete",
        approximate: bool = False,
    ) -> None:
        self._vectors = vectors
        self.grid = grid
        self._linkage, self._approximate = linkage, approximate
        self._merges: Merges | None = None

    def labels(self, threshold: float) -> NDArray[np.int64]:
        if len(self._vectors) < 2:
            return np.zeros(len(self._vectors), dtype=np.int64)
        if self._merges is None or threshold > self._merges.limit:
            self._merges = self._link(threshold)
        return self._merges.labels(threshold)

    def tree(self) -> MergeTree | None:
        if len(self._vectors) < 2:
            return MergeTree.of(len(self._vectors), [])
        if self._approximate:
            raise InputError("the full hierarchy needs all pairs of phrases: leave out --approximate")
        if self._merges is None or self._merges.limit != np.inf:
            self._merges = self._tree()
        return MergeTree(self._merges.count, self._merges.children(), self._merges.heights)

    def _tree(self) -> Merges:
        if len(self._vectors) <= _WHOLE_TREE:
            return linkage_tree(self._vectors, self._linkage)
        return condensed_tree(self._vectors, self._linkage)

    def _link(self, threshold: float) -> Merges:
        if self._approximate:
            return approximate_linkage(self._vectors, threshold).merges
        if self._linkage != "complete" or len(self._vectors) <= _WHOLE_TREE:
            return self._tree()
        return complete_linkage(self._vectors, threshold)


def standardized(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Every dimension with mean 0 and deviation 1 over the rows (Timkey and van Schijndel 2021).

    A dimension that never changes is only centred. A row that is the mean itself has no direction left, and keeps the
    one that it had: so one phrase, or many equal ones, are not an error.
    """
    deviation = vectors.std(axis=0)
    moved = (vectors - vectors.mean(axis=0)) / np.where(deviation > 0, deviation, 1)
    lost = np.linalg.norm(moved, axis=1) < 1e-6 * np.sqrt(moved.shape[1])
    moved[lost] = vectors[lost]
    return np.asarray(moved, dtype=np.float32)


def condensed_tree(vectors: NDArray[np.float32], linkage: str) -> Merges:
    """A full tree over more rows than can be compared with each other.

    Rows within a small distance of each other are joined first, exactly; the tree is then made of the means of these
    groups.
    """
    for radius in _RADII:
        close = complete_linkage(vectors, radius)
        labels = close.labels(radius)
        if labels.max() < _WHOLE_TREE:
            break
    groups = int(labels.max()) + 1
    sums = np.zeros((groups, vectors.shape[1]))
    np.add.at(sums, labels, vectors)
    firsts = np.unique(labels, return_index=True)[1].astype(np.int64)
    above = linkage_tree(sums.astype(np.float32), linkage)
    done = int(np.searchsorted(close.heights, radius, side="left"))
    # Groups come first: the heights above must not fall below theirs.
    floor = float(close.heights[done - 1]) if done else 0.0
    return Merges(
        len(vectors),
        np.concatenate([close.first[:done], firsts[above.first]]),
        np.concatenate([close.second[:done], firsts[above.second]]),
        np.concatenate([close.heights[:done], np.maximum(above.heights, floor)]),
    )
