"""Complete linkage over the close pairs alone, exactly as over all pairs.

Only pairs nearer than the threshold can be in one cluster of a complete-linkage tree that is cut there. So a missing
pair is infinitely far apart, and a merged cluster keeps the neighbours that both parts had, at the larger of the two
distances: the graph only shrinks.

Ties: of pairs at one distance, the one whose clusters have the smallest names goes first, and a cluster is named
after its smallest member. This orders all pairs strictly, and a merge never creates a pair that precedes both pairs
that it was made from. Two clusters that are each other's first choice will therefore be merged whatever happens
elsewhere, so all such pairs are merged at once, with numpy. If few are left per round (many points at one distance
choose the same partner), the rest is merged one by one with a heap. Both give the same merges.

`join_by_mean` is average linkage over such pairs, with vetoes.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.cluster.distances import Integers, Merges, Pairs, Units, merges_in_order
from tupelo.core.errors import require_name

# Two names and their distance; the distances from one name to its neighbours.
Merge = tuple[int, int, float]
Near = dict[int, float]
# A round costs a few per cent of the work one by one.
_LEAST_SHARE = 0.02
_FEW_PAIRS = 2000
# Two names are packed into one number, so they are unsigned while pairs are counted.
Names = NDArray[np.uint64]
_LOW = np.uint64(0xFFFFFFFF)
_SHIFT = np.uint64(32)


def agglomerate(count: int, pairs: Pairs, limit: float) -> Merges:
    """Merge the closest clusters as long as all their members are close to each other."""
    first, second = pairs.first.astype(np.uint64), pairs.second.astype(np.uint64)
    units = pairs.units
    found: list[tuple[Integers, Integers, Integers]] = []
    share = 1.0
    while len(units) > _FEW_PAIRS and share >= _LEAST_SHARE:
        one, other, at = _mutual_choices(count, first, second, units)
        found.append((one, other, at))
        share = 2 * len(one) / len(np.union1d(first, second))
        first, second, units = _join(count, one, other, first, second, units)
    rest = join_closest(zip(first.tolist(), second.tolist(), units.tolist(), strict=True))
    table = np.array(rest, dtype=np.int64).reshape(len(rest), 3)
    found.append((table[:, 0], table[:, 1], table[:, 2]))
    left, right, heights = (np.concatenate(column) for column in zip(*found, strict=True))
    return merges_in_order(count, left, right, heights, limit)


def _mutual_choices(count: int, first: Names, second: Names, units: Units) -> tuple[Integers, Integers, Integers]:
    """Pairs of mutually nearest clusters; of equal distances, the neighbour with the smallest name counts."""
    high = units.astype(np.uint64) << _SHIFT
    nearest = np.full(count, np.iinfo(np.uint64).max, dtype=np.uint64)
    np.minimum.at(nearest, first, high | second)
    np.minimum.at(nearest, second, high | first)
    has_any = np.flatnonzero(nearest != np.iinfo(np.uint64).max)
    choice = np.full(count, -1, dtype=np.int64)
    choice[has_any] = (nearest[has_any] & _LOW).astype(np.int64)
    one = has_any[(choice[choice[has_any]] == has_any) & (has_any < choice[has_any])]
    return one, choice[one], (nearest[one] >> _SHIFT).astype(np.int64)


def _join(
    count: int, one: Integers, other: Integers, first: Names, second: Names, units: Units
) -> tuple[Names, Names, Units]:
    """The pairs after these merges: a pair is kept if all pairs between its parts exist."""
    names = np.arange(count, dtype=np.uint64)
    names[other] = one.astype(np.uint64)
    parts = np.ones(count, dtype=np.int64)
    parts[one] = 2
    first, second = names[first], names[second]
    apart = first != second
    first, second, units = first[apart], second[apart], units[apart]
    changed = (parts[first] == 2) | (parts[second] == 2)
    same = ~changed
    keys = np.minimum(first[changed], second[changed]) << _SHIFT | np.maximum(first[changed], second[changed])
    order = np.argsort(keys)
    keys, heights = keys[order], units[changed][order]
    if not len(keys):
        return first[same], second[same], units[same]
    starts = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]])
    sizes = np.diff(np.r_[starts, len(keys)])
    lower, upper = keys[starts] >> _SHIFT, keys[starts] & _LOW
    whole = sizes == parts[lower] * parts[upper]
    return (
        np.concatenate([first[same], lower[whole]]),
        np.concatenate([second[same], upper[whole]]),
        np.concatenate([units[same], np.maximum.reduceat(heights, starts)[whole]]),
    )


def join_by_mean(
    pairs: Iterable[Merge],
    may_be_one: Callable[[int, int], bool],
    limit: float,
    weights: Sequence[float] | None = None,
) -> list[Merge]:
    """Merges by average linkage up to a distance: that of two clusters is the mean over their pairs.

    The weight of a pair is the product of its `weights`, 1 by default. Distances are from 0 to 1, and 1 for pairs
    that are not listed. Clusters are not merged if `may_be_one` refuses two of their members; only pairs that are not
    listed are asked. Names and ties are as for `join_closest`.
    """
    near = _neighbours(pairs)
    members = {name: [name] for name in near}
    sizes = {name: 1.0 if weights is None else weights[name] for name in near}
    listed = {name: set(others) for name, others in near.items()}

    def may_join(one: int, other: int) -> bool:
        return all(may_be_one(a, b) for a in members[one] for b in members[other] if b not in listed[a])

    def mean(one: int, other: int) -> Near:
        here, there = near[one], near[other]
        own, added = sizes[one], sizes[other]
        members[one] += members.pop(other)
        sizes[one] += added
        return {
            name: (own * here.get(name, 1.0) + added * there.get(name, 1.0)) / sizes[one]
            for name in here.keys() | there.keys()
        }

    return _join_one_by_one(near, mean, may_join, limit)


def join_closest(pairs: Iterable[Merge], linkage: str = "complete") -> list[Merge]:
    """Merges over pairs with distances, the closest pair first; a cluster is named after its smallest member.

    With complete linkage the distance of two clusters is the largest of their pairs, infinite when one pair is not
    listed; with single linkage it is the smallest. Ties go to the pair with the smallest names, so that the order of
    the pairs does not matter.
    """
    near = _neighbours(pairs)

    def largest(one: int, other: int) -> Near:
        return {name: max(height, near[other][name]) for name, height in near[one].items() if name in near[other]}

    def smallest(one: int, other: int) -> Near:
        return near[one] | {name: min(height, near[one].get(name, height)) for name, height in near[other].items()}

    unions = {"complete": largest, "single": smallest}
    require_name("linkage of pairs", linkage, unions)
    return _join_one_by_one(near, unions[linkage])


def _neighbours(pairs: Iterable[Merge]) -> dict[int, Near]:
    """The distances of every name to its neighbours, symmetric; of a pair that is listed twice, the smaller."""
    near: dict[int, Near] = {}
    for one, other, height in pairs:
        if one != other and height <= near.setdefault(one, {}).get(other, height):
            near[one][other] = near.setdefault(other, {})[one] = height
    return near


def _join_one_by_one(
    near: dict[int, Near],
    union: Callable[[int, int], Near],
    may_join: Callable[[int, int], bool] = lambda one, other: True,
    limit: float = math.inf,
) -> list[Merge]:
    """Merge the closest two clusters until none are near; `union` returns the distances of the merged cluster."""
    heap = [(height, one, other) for one, others in near.items() for other, height in others.items() if one < other]
    heapq.heapify(heap)
    merges: list[Merge] = []
    while heap:
        height, one, other = heapq.heappop(heap)
        if height > limit:
            break
        # Entries of changed distances and of merged clusters are stale.
        if near.get(one, {}).get(other) != height:
            continue
        del near[one][other], near[other][one]
        if not may_join(one, other):
            continue
        merges.append((one, other, height))
        merged, kept = union(one, other), near[one]
        for name in near.pop(other):
            del near[name][other]
        for name in kept.keys() - merged.keys():
            del near[name][one]
        for name, height in merged.items():
            if kept.get(name) != height:
                near[name][one] = height
                heapq.heappush(heap, (height, min(one, name), max(one, name)))
        near[one] = merged
    return merges
