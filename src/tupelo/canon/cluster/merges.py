"""What an agglomeration did: which clusters were joined, in which order, at which distance."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tupelo.core import InputError

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

# Cosine distances are kept as whole multiples of 2**-30 in four bytes. Equal distances are so equal numbers, in
# whatever order their terms were added up, and the rule for ties decides instead of the noise in the last digit.
GRID = float(2**30)
NOT_CLOSE = np.iinfo(np.uint32).max


@dataclass(frozen=True, slots=True, eq=False)
class Merges:
    """The merges of one run over `count` points, from the closest pair on.

    A cluster is called by its smallest member, so the i-th merge joins cluster
    `second[i]` to cluster `first[i]`, which keeps its name. `heights` never
    fall. Every merge below `limit` is there; a full tree has no limit.
    """

    count: int
    first: Integers
    second: Integers
    heights: Floats
    limit: float = math.inf

    def labels(self, threshold: float) -> Integers:
        """The clusters when all merges strictly below the threshold are done, numbered by first appearance."""
        if math.isnan(threshold) or threshold > self.limit:
            raise InputError(f"the cut at {threshold} was asked of merges that are known below {self.limit} only")
        done = int(np.searchsorted(self.heights, threshold, side="left"))
        parents = np.arange(self.count)
        parents[self.second[:done]] = self.first[:done]
        while not np.array_equal(parents, grandparents := parents[parents]):
            parents = grandparents
        # A cluster is called by its smallest member, so the order of names is that of first appearance.
        return np.unique(parents, return_inverse=True)[1].astype(np.int64).reshape(-1)

    def children(self) -> Integers:
        """A row per merge with the two nodes that it joins; points are 0 to n-1, the i-th merge makes node n+i."""
        nodes = list(range(self.count))
        rows = np.empty((len(self.first), 2), dtype=np.int64)
        for number, (first, second) in enumerate(zip(self.first.tolist(), self.second.tolist(), strict=True)):
            rows[number] = nodes[first], nodes[second]
            nodes[first] = self.count + number
        return rows


def merges_in_order(count: int, first: Integers, second: Integers, units: Integers, limit: float) -> Merges:
    """Merges found in any order, as they follow from taking the closest pair first, ties by smallest names."""
    order = np.lexsort((second, first, units))
    return Merges(count, first[order], second[order], units[order] / GRID, limit)
