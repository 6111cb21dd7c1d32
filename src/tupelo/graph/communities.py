"""Which entities of a graph matter most, and which belong together: PageRank and Louvain's communities."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tupelo.graph.walk import Network

_DAMPING, _PAGERANK_ROUNDS = 0.85, 50
# A node moves only for a gain above this, so that rounding never makes two groups exchange it for ever.
_LEAST_GAIN, _MOST_ROUNDS = 1e-9, 30


def page_rank(
    ends: NDArray[np.int64], weights: NDArray[np.float64], jump: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The PageRank of every node (Brin and Page 1998), over edges taken both ways; together they make 1.

    `ends` has a row for each edge. `jump` says for every node how probable a fresh start there is, up to a factor.
    """
    return Network(ends, weights, len(jump)).rank(jump, damping=_DAMPING, rounds=_PAGERANK_ROUNDS)


def find_communities(
    nodes: int, edges: Sequence[tuple[int, int]], weights: Sequence[float] | None = None, *, seed: int = 0
) -> NDArray[np.int64]:
    """A group per node, numbered from 0 in the order of their first nodes.

    The method of Blondel et al. (2008), called Louvain's: nodes move to the group of a neighbour as long as that
    raises the modularity, then every group becomes a node, and so on. The seed decides the order of the nodes, and
    ties go to the smallest number, so that the same graph gives the same groups.
    """
    links: list[dict[int, float]] = [{} for _ in range(nodes)]
    for (a, b), weight in zip(edges, [1.0] * len(edges) if weights is None else weights, strict=True):
        if a != b:
            links[a][b] = links[a].get(b, 0.0) + weight
            links[b][a] = links[b].get(a, 0.0) + weight
    strength = [sum(near.values()) for near in links]
    total = sum(strength)
    turns = np.random.default_rng(seed)
    group = np.arange(nodes, dtype=np.int64)
    while total > 0:
        moved = _move(links, strength, total, turns.permutation(len(links)).tolist())
        names, numbered = np.unique(moved, return_inverse=True)
        if len(names) == len(links):
            break
        group = numbered[group]
        links, strength = _joined(links, strength, numbered.tolist(), len(names))
    _, first, numbered = np.unique(group, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first, kind="stable")] = np.arange(len(first))
    return rank[numbered].astype(np.int64)


def _move(links: list[dict[int, float]], strength: list[float], total: float, order: list[int]) -> list[int]:
    """The group of every node after all have moved to where the modularity gains most."""
    group = list(range(len(links)))
    weight = list(strength)
    for _ in range(_MOST_ROUNDS):
        changed = False
        for node in order:
            here, own = group[node], strength[node]
            pull: dict[int, float] = {here: 0.0}
            for other, amount in links[node].items():
                if other != node:
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
    return group


def _joined(
    links: list[dict[int, float]], strength: list[float], group: list[int], count: int
) -> tuple[list[dict[int, float]], list[float]]:
    """The graph with a node for every group; what holds within a group is a link to itself."""
    joined: list[dict[int, float]] = [{} for _ in range(count)]
    whole = [0.0] * count
    for node, near in enumerate(links):
        whole[group[node]] += strength[node]
        inner = joined[group[node]]
        for other, amount in near.items():
            inner[group[other]] = inner.get(group[other], 0.0) + amount
    return joined, whole
