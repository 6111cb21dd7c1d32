"""Groups of nodes that have more edges among themselves: the label propagation of Raghavan and others (2007).

Every node starts in a group of its own and joins, again and again, the group
that most of its neighbours are in, counted by the weight of the edges. Nodes
take their turns in an order that the seed decides, and of equal groups the
smallest number wins, so that the same graph gives the same groups.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_MOST_ROUNDS = 30


def label_communities(
    nodes: int, edges: Sequence[tuple[int, int]], weights: Sequence[float] | None = None, *, seed: int = 0
) -> NDArray[np.int64]:
    """A group per node, numbered from 0 in the order of their first nodes."""
    labels = np.arange(nodes, dtype=np.int64)
    if not nodes or not edges:
        return labels
    ends = np.asarray(edges, dtype=np.int64)
    weight = np.ones(len(edges)) if weights is None else np.asarray(weights, dtype=float)
    ends, weight = ends[ends[:, 0] != ends[:, 1]], weight[ends[:, 0] != ends[:, 1]]
    # Every edge from both ends, in the order of the node: the neighbours of a node are one slice.
    source = np.concatenate([ends[:, 0], ends[:, 1]])
    target = np.concatenate([ends[:, 1], ends[:, 0]])
    order = np.argsort(source, kind="stable")
    source, target, both = source[order], target[order], np.concatenate([weight, weight])[order]
    starts = np.searchsorted(source, np.arange(nodes + 1))
    turns = np.random.default_rng(seed)
    for _ in range(_MOST_ROUNDS):
        changed = 0
        for node in turns.permutation(nodes):
            begin, end = starts[node], starts[node + 1]
            if begin == end:
                continue
            groups, inverse = np.unique(labels[target[begin:end]], return_inverse=True)
            pull = np.bincount(inverse, weights=both[begin:end])
            best = groups[np.flatnonzero(pull >= pull.max() - 1e-12)]
            if labels[node] not in best:
                labels[node] = best[0]
                changed += 1
        if not changed:
            break
    _, first, numbered = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first, kind="stable")] = np.arange(len(first))
    return rank[numbered].astype(np.int64)
