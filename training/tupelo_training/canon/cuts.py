"""Clusterings for any threshold from close pairs or without a tree."""

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
