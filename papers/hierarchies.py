"""Full hierarchies of clusterings, and the fit of all their nodes to gold clusters: the Jaccard columns of COMBO."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.cluster import Merges
from tupelo.canon.cuts import TreeCut, VectorCut, merges_of, whole_tree
from tupelo.canon.methods import Cuttable
from tupelo.core import InputError
from tupelo.scorers.cluster_pairs import Clusters, Integers
from tupelo.scorers.clusters import HierarchyScores, best_means

# The height at which unrelated clusters are merged.
TOP = 1.0


def tree_of(cut: Cuttable, top: float = TOP) -> Merges | None:
    """All merges of all items up to one root; `None` if a clustering has no hierarchy."""
    if isinstance(cut, TreeCut):
        return spread(finished(cut.kinds, top), cut.inverse)
    if not isinstance(cut, VectorCut) or (cut.approximate and cut.inverse is not None):
        return None
    if cut.approximate and cut.linkage == "complete" and len(cut.vectors) > 1:
        raise InputError("the full hierarchy needs all pairs of phrases: leave out --approximate")
    few = len(cut.vectors) < 2
    tree = merges_of(len(cut.vectors), []) if few else whole_tree(cut.vectors, cut.linkage)
    return tree if cut.inverse is None else spread(tree, cut.inverse)


def finished(tree: Merges, height: float) -> Merges:
    """One tree from a forest: remaining roots are merged one by one, in order, at the given height."""
    merges = list(zip(tree.first.tolist(), tree.second.tolist(), tree.heights.tolist(), strict=True))
    height = max(height, merges[-1][2] if merges else height)
    made_by = {first: number for number, (first, _, _) in enumerate(merges)}
    # Single items first, then clusters in the order in which they were made.
    roots = sorted(set(range(tree.count)) - set(tree.second.tolist()), key=lambda root: (made_by.get(root, -1), root))
    top = roots[0] if roots else 0
    for root in roots[1:]:
        merges.append((min(top, root), max(top, root), height))
        top = min(top, root)
    return merges_of(tree.count, merges)


def spread(tree: Merges, inverse: NDArray[np.int64]) -> Merges:
    """A tree over distinct phrases as a tree over all their occurrences.

    Occurrences of a phrase are merged one by one at height zero, as in the trees of the reference. Phrases without an
    occurrence are dropped.
    """
    merges: list[tuple[int, int, float]] = []
    # The first occurrence of every phrase, which names its cluster.
    names: dict[int, int] = {}
    for item, kind in enumerate(inverse.tolist()):
        if names.setdefault(kind, item) != item:
            merges.append((names[kind], item, 0.0))
    for left, right, height in zip(tree.first.tolist(), tree.second.tolist(), tree.heights.tolist(), strict=True):
        here = sorted(names[kind] for kind in (left, right) if kind in names)
        if len(here) == 2:
            merges.append((here[0], here[1], height))
        if here:
            names[left] = here[0]
    return merges_of(len(inverse), merges)


def tree_scores(gold: Clusters, leaves: Sequence[Hashable], children: Integers) -> HierarchyScores:
    """Jaccard figures of all nodes of a binary tree; merge i of `children` makes node len(leaves) + i."""
    intervals, order = tree_intervals(len(leaves), children)
    sizes = intervals[:, 1] - intervals[:, 0]
    intervals = intervals[(sizes >= 2) & (sizes < len(leaves))]
    sizes = intervals[:, 1] - intervals[:, 0]
    place = {leaves[leaf]: position for position, leaf in enumerate(order.tolist())}
    of_predicted = np.zeros(len(intervals))
    of_gold = []
    for cluster in map(set, gold):
        if len(cluster) < 2:
            continue
        before = np.zeros(len(leaves) + 1, dtype=np.int64)
        before[[place[element] + 1 for element in cluster if element in place]] = 1
        before = before.cumsum()
        overlaps = before[intervals[:, 1]] - before[intervals[:, 0]]
        values = overlaps / (sizes + len(cluster) - overlaps)
        np.maximum(of_predicted, values, out=of_predicted)
        of_gold.append(values.max() if len(values) else 0.0)
    return best_means(np.array(of_gold), of_predicted)


def tree_intervals(count: int, children: Integers) -> tuple[Integers, Integers]:
    """Leaves in an order in which every node is a stretch of them, and the stretch of every merge."""
    sizes = np.ones(count + len(children), dtype=np.int64)
    for merge, (left, right) in enumerate(children.tolist()):
        sizes[count + merge] = sizes[left] + sizes[right]
    starts = np.zeros(count + len(children), dtype=np.int64)
    is_root = np.ones(count + len(children), dtype=bool)
    is_root[children.reshape(-1)] = False
    position = 0
    for root in np.flatnonzero(is_root).tolist():
        starts[root] = position
        position += int(sizes[root])
    for merge in range(len(children) - 1, -1, -1):
        left, right = children[merge].tolist()
        starts[left] = starts[count + merge]
        starts[right] = starts[left] + sizes[left]
    nodes = np.stack([starts[count:], starts[count:] + sizes[count:]], axis=1)
    return nodes, np.argsort(starts[:count], kind="stable")
