"""Agglomeration over a list of close pairs; whatever is not listed is too far apart to be joined."""

from __future__ import annotations

import heapq
from collections.abc import Iterable

from tupelo.canon.cuts import MergeTree
from tupelo.core import UnknownNameError

Edge = tuple[int, int, float]


def link_edges(count: int, edges: Iterable[Edge], linkage: str = "complete") -> MergeTree:
    """Merges of `count` items from pairs with distances.

    With complete linkage the distance of two clusters is the largest of their
    pairs, infinite when one pair is not listed; with single linkage it is the
    smallest. Ties go to the pair with the smallest numbers, so that the order
    of the edges does not matter.
    """
    if linkage not in ("complete", "single"):
        raise UnknownNameError.among("linkage of pairs", linkage, ("complete", "single"))
    neighbours: list[dict[int, float]] = [{} for _ in range(count)]
    for left, right, distance in edges:
        if left == right:
            continue
        known = neighbours[left].get(right)
        if known is None or distance < known:
            neighbours[left][right] = neighbours[right][left] = distance
    heap = [
        (distance, left, right)
        for left in range(count)
        for right, distance in neighbours[left].items()
        if left < right
    ]
    heapq.heapify(heap)
    # Current node of every live cluster and its smallest item, by which ties are broken.
    node = list(range(count))
    alive = [True] * count
    merges: list[Edge] = []
    while heap:
        distance, left, right = heapq.heappop(heap)
        if not (alive[left] and alive[right]) or neighbours[left].get(right) != distance:
            continue
        merges.append((node[left], node[right], distance))
        node[left] = count + len(merges) - 1
        alive[right] = False
        mine, others = neighbours[left], neighbours[right]
        del mine[right], others[left]
        if linkage == "complete":
            joined = {other: max(mine[other], others[other]) for other in mine.keys() & others.keys()}
        else:
            joined = {
                other: min(mine.get(other, 9e9), others.get(other, 9e9)) for other in mine.keys() | others.keys()
            }
        for other in mine.keys() | others.keys():
            neighbours[other].pop(right, None)
            if other in joined:
                if neighbours[other].get(left) != joined[other]:
                    heapq.heappush(heap, (joined[other], min(left, other), max(left, other)))
                neighbours[other][left] = joined[other]
            else:
                neighbours[other].pop(left, None)
        neighbours[left], neighbours[right] = joined, {}
    return MergeTree.of(count, merges)
