"""Clusterings that can be cut at any threshold: trees of merges over items, many of which are the same phrase."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.cluster.sparse import join_closest
from tupelo.canon.method import Hierarchy

# Fourteen steps, as the published search of the COMBO benchmark takes them.
COSINE_GRID: tuple[float, ...] = tuple(round(0.1 * step, 1) for step in range(1, 15))


@dataclass(frozen=True, slots=True)
class MergeTree:
    """A binary tree, or a forest when there are fewer merges than items less one; see `core.protocols.Hierarchy`."""

    count: int
    children: NDArray[np.int64]
    heights: NDArray[np.float64]

    def labels(self, threshold: float) -> NDArray[np.int64]:
        """A cluster number per item when all merges below the threshold are done, numbered by first item."""
        return labels_below(self, threshold)

    @classmethod
    def of(cls, count: int, merges: Sequence[tuple[int, int, float]]) -> MergeTree:
        children = np.array([merge[:2] for merge in merges], dtype=np.int64).reshape(-1, 2)
        return cls(count, children, np.array([merge[2] for merge in merges], dtype=np.float64))


def link_edges(count: int, edges: Iterable[tuple[int, int, float]], linkage: str = "complete") -> MergeTree:
    """The tree of `count` items from their close pairs with distances; see `join_closest`."""
    node = list(range(count))
    merges = []
    for number, (left, right, height) in enumerate(join_closest(edges, linkage)):
        merges.append((node[left], node[right], height))
        node[left] = count + number
    return MergeTree.of(count, merges)


def labels_below(tree: Hierarchy, threshold: float) -> NDArray[np.int64]:
    """Cut a tree: merges with a height strictly below the threshold are done, as the reference does."""
    count, nodes = tree.count, tree.count + len(tree.heights)
    # Children come before their parents, so that one pass from the top hands every node its cluster.
    cluster = np.arange(nodes)
    for merge in range(len(tree.heights) - 1, -1, -1):
        node = count + merge
        for child in tree.children[merge]:
            cluster[child] = cluster[node] if tree.heights[merge] < threshold else child
    return in_order_of_appearance(cluster[:count])


def in_order_of_appearance(labels: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int64]:
    """The same partition with clusters numbered 0, 1, … by their first item."""
    _, first, inverse = np.unique(np.asarray(labels), return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first, kind="stable")] = np.arange(len(first))
    return rank[inverse.reshape(-1)]


def distinct(items: Sequence[Hashable]) -> tuple[list[int], NDArray[np.int64]]:
    """The first item of every kind, and for every item the number of its kind."""
    numbers: dict[Hashable, int] = {}
    firsts: list[int] = []
    inverse = np.empty(len(items), dtype=np.int64)
    for position, item in enumerate(items):
        number = numbers.setdefault(item, len(numbers))
        if number == len(firsts):
            firsts.append(position)
        inverse[position] = number
    return firsts, inverse


def finished(tree: MergeTree, height: float) -> MergeTree:
    """A forest made one tree: what was never joined is joined one by one, in order, at the given height."""
    merged = set(tree.children.reshape(-1).tolist())
    roots = [node for node in range(tree.count + len(tree.heights)) if node not in merged]
    children, heights = tree.children.tolist(), tree.heights.tolist()
    if roots:
        top = roots[0]
        for root in roots[1:]:
            children.append([top, root])
            heights.append(max(height, heights[-1] if heights else height))
            top = tree.count + len(children) - 1
    return MergeTree(
        tree.count, np.array(children, dtype=np.int64).reshape(-1, 2), np.array(heights, dtype=np.float64)
    )


def spread(tree: MergeTree, inverse: NDArray[np.int64]) -> MergeTree:
    """A tree over distinct phrases as a tree over all their occurrences.

    Occurrences of a phrase join one by one into a growing cluster at height zero, which is the shape of the
    reference's trees. Phrases without an occurrence leave no trace.
    """
    items = len(inverse)
    children: list[tuple[int, int]] = []
    node_of: dict[int, int] = {}
    for item, kind in enumerate(inverse.tolist()):
        if kind in node_of:
            children.append((node_of[kind], item))
            node_of[kind] = items + len(children) - 1
        else:
            node_of[kind] = item
    heights = [0.0] * len(children)
    for merge, ((left, right), height) in enumerate(zip(tree.children.tolist(), tree.heights.tolist(), strict=True)):
        here = [node_of[child] for child in (left, right) if child in node_of]
        if len(here) == 2:
            children.append((here[0], here[1]))
            heights.append(height)
            node_of[tree.count + merge] = items + len(children) - 1
        elif here:
            # The other side has no occurrence among these items.
            node_of[tree.count + merge] = here[0]
    return MergeTree(items, np.array(children, dtype=np.int64).reshape(-1, 2), np.array(heights, dtype=np.float64))


@dataclass(frozen=True, slots=True)
class TreeCut:
    """A `Cuttable` from a tree over distinct phrases and the phrase number of every item.

    `top` is the height at which unrelated clusters join when the full hierarchy is asked for; it must not lie below
    any height of the tree.
    """

    kinds: MergeTree
    inverse: NDArray[np.int64]
    grid: Sequence[float] = COSINE_GRID
    top: float = 2.0

    def labels(self, threshold: float) -> NDArray[np.int64]:
        return in_order_of_appearance(labels_below(self.kinds, threshold)[self.inverse])

    def tree(self) -> MergeTree | None:
        return spread(finished(self.kinds, self.top), self.inverse)


@dataclass(frozen=True, slots=True)
class FixedCut:
    """A `Cuttable` with one clustering and nothing to tune."""

    partition: NDArray[np.int64]
    grid: Sequence[float] = (0.5,)

    def labels(self, threshold: float) -> NDArray[np.int64]:
        return in_order_of_appearance(self.partition)

    def tree(self) -> MergeTree | None:
        return None
