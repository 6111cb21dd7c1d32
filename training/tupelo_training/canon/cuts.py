"""Clusterings for any threshold from close pairs or without a tree, and standardized vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.cluster import Merges
from tupelo.canon.cluster.sparse import join_closest
from tupelo.canon.cuts import in_order_of_appearance, merges_of


def link_edges(count: int, edges: Iterable[tuple[int, int, float]], linkage: str = "complete") -> Merges:
    """The merges of `count` items from their close pairs with distances; see `join_closest`."""
    return merges_of(count, join_closest(edges, linkage))


@dataclass(frozen=True, slots=True)
class FlatCut:
    """A `Cuttable` without a tree: labels by threshold, which need not nest. By default nothing is tuned."""

    at: Callable[[float], NDArray[np.int64]]
    grid: Sequence[float] = (0.5,)

    def labels(self, threshold: float) -> NDArray[np.int64]:
        return in_order_of_appearance(self.at(threshold))


def standardized(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Every dimension with mean 0 and deviation 1 over the rows (Timkey and van Schijndel 2021).

    A constant dimension is only centred. A row that equals the mean has no direction left and is kept as it was, so
    that a single phrase, or many equal ones, are not an error.
    """
    deviation = vectors.std(axis=0)
    moved = (vectors - vectors.mean(axis=0)) / np.where(deviation > 0, deviation, 1)
    lost = np.linalg.norm(moved, axis=1) < 1e-6 * np.sqrt(moved.shape[1])
    moved[lost] = vectors[lost]
    return np.asarray(moved, dtype=np.float32)
