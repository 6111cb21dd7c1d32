"""A random walk over a network: PageRank (Brin and Page 1998), also from chosen nodes, and the paths that it takes.

Links are followed in both directions, each as often as its weight says. Sums go over links in a fixed order, so that
the same network gives the same numbers.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

_TINY = 1e-300
# The share of nodes or links up to which following these alone is faster than following all.
_FEW = 0.25


class Network:
    """Nodes 0 … `size` - 1 and the links between them: `ends` has a row per link."""

    def __init__(self, ends: NDArray[np.int64], weights: NDArray[np.float64], size: int) -> None:
        self.size = size
        source, target = ends.T.ravel(), ends[:, ::-1].T.ravel()
        weight = np.concatenate([weights, weights])
        order = np.lexsort((source, target))
        self._source, self._target = source[order], target[order]
        self._weight = weight[order]
        out = np.bincount(source, weight, size)
        self._dead_end = out == 0
        self._out = np.maximum(out, _TINY)
        self._share = self._weight / self._out[self._source]
        # Where the links to each node begin. They are also those from it, as every link goes both ways.
        self._first = np.searchsorted(self._target, np.arange(size + 1))

    def rank(self, jump: NDArray[np.float64], *, damping: float, rounds: int) -> NDArray[np.float64]:
        """How often a walk is at each node that starts afresh, where `jump` says, with probability 1 - `damping`.

        `jump` is a weight per node, not all of them 0. The result sums to 1.
        """
        start = jump / max(jump.sum(), _TINY)
        rank = start
        # One for all rounds: with millions of links, clearing new memory takes as long as the sums.
        room = np.empty(len(self._source))
        for _ in range(rounds):
            rank = (1 - damping) * start + damping * (self._flow(rank, room) + start * rank[self._dead_end].sum())
        return np.asarray(rank, dtype=np.float64)

    def _flow(self, rank: NDArray[np.float64], room: NDArray[np.float64]) -> NDArray[np.float64]:
        """What reaches each node in one step, over all links, or over few: those from where the walk is.

        Both are the same sums in the same order, if all links between two nodes are given the same way round.
        """
        places = np.flatnonzero(rank)
        links = self._links_of(places) if len(places) < _FEW * self.size else None
        if links is None or len(links) > _FEW * len(self._source):
            np.take(rank, self._source, out=room, mode="clip")
            return _sums(self._target, np.multiply(self._share, room, out=room), self.size)
        here = self._target[links]
        return _sums(self._source[links], self._weight[links] / self._out[here] * rank[here], self.size)

    def _links_of(self, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
        """The places of the links of some nodes, node by node."""
        first, counts = self._first[nodes], self._first[nodes + 1] - self._first[nodes]
        before = np.cumsum(counts) - counts
        return np.asarray(np.arange(counts.sum()) + np.repeat(first - before, counts), dtype=np.int64)

    def distances(self, starts: Collection[int], longest: int, ends: Collection[int] = ()) -> NDArray[np.int64]:
        """The number of links from the nearest start; `longest` + 1 for nodes further away.

        Given `ends`, nodes further away than all of these count as such, too.
        """
        found = np.full(self.size, longest + 1, dtype=np.int64)
        reached = np.array(sorted(starts), dtype=np.int64)
        found[reached] = 0
        wanted = list(ends)
        for distance in range(1, longest + 1):
            if not len(reached) or (wanted and found[wanted].max() <= longest):
                break
            near = self._source[self._links_of(reached)]
            found[near[found[near] > longest]] = distance
            reached = np.flatnonzero(found == distance)
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


def _sums(places: NDArray[np.int64], values: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """The sums of the values at each place, added up in order."""
    return np.asarray(np.bincount(places, values, size), dtype=np.float64)
