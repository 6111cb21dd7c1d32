"""Which entities of a graph matter most, and which belong together: PageRank and Louvain's communities."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tupelo.graph.query.walk import Network

_DAMPING, _PAGERANK_ROUNDS = 0.85, 50
# A node moves only for a gain above this, so that rounding never makes two groups exchange it for ever.
_LEAST_GAIN, _MOST_ROUNDS = 1e-9, 30
Integers = NDArray[np.int64]
Numbers = NDArray[np.float64]


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


def sums(groups: Integers, amounts: Numbers, count: int) -> Numbers:
    """The sum of the amounts of each group."""
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
