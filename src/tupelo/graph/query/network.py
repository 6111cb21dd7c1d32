"""Networks in columns: random walks and their paths, PageRank, and communities.

Links are followed in both directions, each as often as its weight says. Sums go over links in a fixed order, so that
the same network gives the same numbers.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Numbers = NDArray[np.float64]
_DAMPING, _PAGERANK_ROUNDS = 0.85, 50
# A node moves only for a gain above this, so that rounding never makes two groups exchange it for ever.
_LEAST_GAIN, _MOST_ROUNDS = 1e-9, 30
_TINY = 1e-300
# The share of nodes or links up to which following these alone is faster than following all.
_FEW = 0.25


class Network:
    """Nodes 0 … `size` - 1 and the links between them: `ends` has a row per link."""

    def __init__(self, ends: Integers, weights: Numbers, size: int) -> None:
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
        # The first link to each node. Links to a node are also those from it, as every link goes both ways.
        self._first = np.searchsorted(self._target, np.arange(size + 1))

    def rank(self, jump: Numbers, *, damping: float, rounds: int) -> Numbers:
        """The stationary probability of each node for a walk that restarts with probability 1 - `damping`.

        `jump` has the weight of each node as a place of restart, not all of them 0. The result sums to 1.
        """
        start = jump / max(jump.sum(), _TINY)
        rank = start
        # One for all rounds: with millions of links, clearing new memory takes as long as the sums.
        room = np.empty(len(self._source))
        for _ in range(rounds):
            rank = (1 - damping) * start + damping * (self._flow(rank, room) + start * rank[self._dead_end].sum())
        return np.asarray(rank, dtype=np.float64)

    def _flow(self, rank: Numbers, room: Numbers) -> Numbers:
        """The probability that reaches each node in one step, over all links, or over the few from where the walk is.

        Both are the same sums in the same order, if all links between two nodes are given the same way round.
        """
        places = np.flatnonzero(rank)
        links = self._links_of(places) if len(places) < _FEW * self.size else None
        if links is None or len(links) > _FEW * len(self._source):
            np.take(rank, self._source, out=room, mode="clip")
            return sums(self._target, np.multiply(self._share, room, out=room), self.size)
        here = self._target[links]
        return sums(self._source[links], self._weight[links] / self._out[here] * rank[here], self.size)

    def _links_of(self, nodes: Integers) -> Integers:
        """The places of the links of some nodes, node by node."""
        first, counts = self._first[nodes], self._first[nodes + 1] - self._first[nodes]
        before = np.cumsum(counts) - counts
        return np.asarray(np.arange(counts.sum()) + np.repeat(first - before, counts), dtype=np.int64)

    def distances(self, starts: Collection[int], longest: int, ends: Collection[int] = ()) -> Integers:
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

    def path(self, node: int, rank: Numbers, distance: Integers) -> list[int]:
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


def page_rank(ends: Integers, weights: Numbers, jump: Numbers) -> Numbers:
    """The PageRank of every node (Brin and Page 1998), over edges taken both ways; together they make 1.

    `ends` has a row for each edge. `jump` says for every node how probable a fresh start there is, up to a factor.
    """
    return Network(ends, weights, len(jump)).rank(jump, damping=_DAMPING, rounds=_PAGERANK_ROUNDS)


def find_communities(
    nodes: int,
    edges: Sequence[tuple[int, int]] | Integers,
    weights: Sequence[float] | Numbers | None = None,
    *,
    resolution: float = 1.0,
    seed: int = 0,
) -> Integers:
    """A group per node, numbered from 0 in the order of their first nodes.

    The method of Blondel et al. (2008), called Louvain's: nodes move to the group of a neighbour as long as that
    raises the modularity, then every group becomes a node, and so on. A higher `resolution` gives smaller groups
    (Reichardt and Bornholdt 2006). The seed decides the order of the nodes, and ties go to the smallest number, so
    that the same graph gives the same groups.
    """
    ends = np.asarray(edges, dtype=np.int64).reshape(-1, 2)
    weight = np.ones(len(ends)) if weights is None else np.asarray(weights, dtype=np.float64)
    group = np.arange(nodes, dtype=np.int64)
    links = _Links(ends.T.ravel(), ends[:, ::-1].T.ravel(), np.concatenate([weight, weight])).joined(group, nodes)
    strength = sums(links.source, links.weight, nodes)
    total = float(strength.sum()) / resolution
    turns = np.random.default_rng(seed)
    while total > 0:
        moved = _move(links, strength, total, turns.permutation(len(strength)))
        names, numbered = np.unique(moved, return_inverse=True)
        if len(names) == len(strength):
            break
        group = numbered[group]
        links, strength = links.joined(numbered, len(names)), sums(numbered, strength, len(names))
    _, first, numbered = np.unique(group, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first, kind="stable")] = np.arange(len(first))
    return rank[numbered].astype(np.int64)


def communities_of(keys: Sequence[str], edges: Sequence[tuple[str, str, float]]) -> list[list[str]]:
    """The communities of keys that weighted edges connect, in the order of their first keys."""
    number = {key: at for at, key in enumerate(keys)}
    ends = [(number[one], number[other]) for one, other, _ in edges]
    groups: dict[int, list[str]] = {}
    for key, label in zip(keys, find_communities(len(keys), ends, [edge[2] for edge in edges]).tolist(), strict=True):
        groups.setdefault(label, []).append(key)
    return list(groups.values())


def sums(groups: Integers, amounts: Numbers, count: int) -> Numbers:
    """The sum of the amounts of each group, added up in order."""
    return np.asarray(np.bincount(groups, amounts, count), dtype=np.float64)


class _Links:
    """Links between different nodes, each in both directions, in columns: a graph may have millions of them."""

    def __init__(self, source: Integers, target: Integers, weight: Numbers) -> None:
        self.source, self.target, self.weight = source, target, weight

    def joined(self, group: Integers, count: int) -> _Links:
        """The links between groups, sorted by where they start."""
        source, target = group[self.source], group[self.target]
        apart = source != target
        pairs, place = np.unique(source[apart] * count + target[apart], return_inverse=True)
        return _Links(pairs // count, pairs % count, sums(place, self.weight[apart], len(pairs)))


def _move(links: _Links, strength: Numbers, total: float, order: Integers) -> Integers:
    """The group of every node after all have moved to where the modularity gains most."""
    firsts = np.searchsorted(links.source, np.arange(len(strength) + 1)).tolist()
    group, own_strength, weight = list(range(len(strength))), strength.tolist(), strength.tolist()
    for _ in range(_MOST_ROUNDS):
        changed = False
        for node in order.tolist():
            near = slice(firsts[node], firsts[node + 1])
            here, own = group[node], own_strength[node]
            pull: dict[int, float] = {here: 0.0}
            for other, amount in zip(links.target[near].tolist(), links.weight[near].tolist(), strict=True):
                pull[group[other]] = pull.get(group[other], 0.0) + amount
            weight[here] -= own
            gains = {at: amount - own * weight[at] / total for at, amount in pull.items()}
            best = min(gains, key=lambda at: (-gains[at], at))
            if gains[best] <= gains[here] + _LEAST_GAIN:
                best = here
            weight[best] += own
            group[node] = best
            changed |= best != here
        if not changed:
            break
    return np.asarray(group, dtype=np.int64)
