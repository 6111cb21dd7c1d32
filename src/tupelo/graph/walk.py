"""A random walk over a network: PageRank (Brin and Page 1998), also from chosen nodes, and the paths that it takes.

Links are followed in both directions, each as often as its weight says. Sums go over links in a fixed order, so that
the same network gives the same numbers.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

_TINY = 1e-300


class Network:
    """Nodes 0 … `size` - 1 and the links between them: `ends` has a row per link."""

    def __init__(self, ends: NDArray[np.int64], weights: NDArray[np.float64], size: int) -> None:
        self.size = size
        source, target = ends.T.ravel(), ends[:, ::-1].T.ravel()
        weight = np.concatenate([weights, weights])
        order = np.lexsort((source, target))
        self._source, self._target = source[order], target[order]
        out = np.bincount(source, weight, size)
        self._share = weight[order] / np.maximum(out[self._source], _TINY)
        self._dead_end = out == 0

    def rank(self, jump: NDArray[np.float64], *, damping: float, rounds: int) -> NDArray[np.float64]:
        """How often a walk is at each node that starts afresh, where `jump` says, with probability 1 - `damping`.

        `jump` is a weight per node, not all of them 0. The result sums to 1.
        """
        start = jump / max(jump.sum(), _TINY)
        rank = start
        for _ in range(rounds):
            flow = np.bincount(self._target, self._share * rank[self._source], self.size)
            rank = (1 - damping) * start + damping * (flow + start * rank[self._dead_end].sum())
        return np.asarray(rank, dtype=np.float64)

    def distances(self, starts: Collection[int], longest: int) -> NDArray[np.int64]:
        """The number of links from the nearest start; `longest` + 1 for nodes further away."""
        found = np.full(self.size, longest + 1, dtype=np.int64)
        found[list(starts)] = 0
        for distance in range(1, longest + 1):
            reached = self._target[found[self._source] == distance - 1]
            found[reached] = np.minimum(found[reached], distance)
        return found

    def path(self, node: int, rank: NDArray[np.float64], distance: NDArray[np.int64]) -> list[int]:
        """Nodes from a start to this one: backwards, at each step the nearer neighbour that the walk comes from most.

        Empty if no start is near.
        """
        path = [node]
        while distance[path[-1]] > 0:
            here = path[-1]
            first, last = self._first[here], self._first[here + 1]
            near = self._source[first:last]
            flow = np.where(distance[near] < distance[here], self._share[first:last] * rank[near], -1.0)
            if not len(near) or flow.max() < 0:
                return []
            path.append(int(near[flow.argmax()]))
        return path[::-1]

    @cached_property
    def _first(self) -> NDArray[np.int64]:
        """Where the links to each node begin."""
        return np.searchsorted(self._target, np.arange(self.size + 1))
