"""Counting what clusters share, without ever listing a pair.

Everything follows from how many elements each predicted cluster shares with each gold cluster; where gold clusters
overlap, elements with the same gold clusters (one *kind*) are counted together.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Clusters = Sequence[Collection[Hashable]]

_BLOCK = 512
# Up to this many kinds of elements, one table says which of them meet.
_FEW_KINDS = 2048


@dataclass(frozen=True, slots=True)
class Memberships:
    """Memberships, sorted by cluster: `elements[i]` is in cluster `owners[i]`. Elements are numbered 0 to total-1."""

    elements: Integers
    owners: Integers
    count: int
    total: int

    @property
    def sizes(self) -> Integers:
        return np.bincount(self.owners, minlength=self.count).astype(np.int64)

    def sizes_among(self, elements: Integers) -> Integers:
        """Sizes when only some elements count."""
        known = np.zeros(self.total, dtype=bool)
        known[elements] = True
        return np.bincount(self.owners[known[self.elements]], minlength=self.count).astype(np.int64)

    def by_element(self) -> tuple[Integers, Integers]:
        """Owners sorted by element, and where each element begins."""
        order = np.argsort(self.elements, kind="stable")
        return self.owners[order], np.searchsorted(self.elements[order], np.arange(self.total + 1))

    @property
    def is_partition(self) -> bool:
        return len(_once(self.elements)) == len(self.elements)


@dataclass(frozen=True, slots=True)
class Overlaps:
    """For every gold and predicted cluster that meet: how many elements they share."""

    gold: Integers
    predicted: Integers
    counts: Integers


def number_elements(*sides: Clusters) -> tuple[Memberships, Memberships]:
    flat = [[element for cluster in clusters for element in cluster] for clusters in sides]
    numbers = {element: number for number, element in enumerate(dict.fromkeys([*flat[0], *flat[1]]))}
    one, other = (_side(elements, clusters, numbers) for elements, clusters in zip(flat, sides, strict=True))
    return one, other


def _side(elements: list[Hashable], clusters: Clusters, numbers: Mapping[Hashable, int]) -> Memberships:
    sizes = np.fromiter(map(len, clusters), dtype=np.int64, count=len(clusters))
    owners = np.repeat(np.arange(len(clusters)), sizes)
    numbered = np.fromiter(map(numbers.__getitem__, elements), dtype=np.int64, count=len(elements))
    # Sorted by cluster, and a member that is listed twice counts once.
    keys = _once(owners * max(1, len(numbers)) + numbered)
    return Memberships(keys % max(1, len(numbers)), keys // max(1, len(numbers)), len(clusters), len(numbers))


def _once(values: Integers) -> Integers:
    """Sorted and without repeats; on nearly sorted numbers quicker than the hash table of `np.unique`."""
    ordered = np.sort(values, kind="stable")
    return ordered[np.r_[True, ordered[1:] != ordered[:-1]]] if len(ordered) else ordered


def find_overlaps(gold: Memberships, predicted: Memberships) -> Overlaps:
    owners, starts = gold.by_element()
    repeats = np.diff(starts)[predicted.elements]
    # Every predicted membership meets every gold membership of its element.
    ends = repeats.cumsum()
    within = np.arange(int(repeats.sum())) - np.repeat(ends - repeats, repeats)
    gold_owners = owners[np.repeat(starts[predicted.elements], repeats) + within]
    keys = np.repeat(predicted.owners, repeats) * max(1, gold.count) + gold_owners
    found, counts = np.unique(keys, return_counts=True)
    return Overlaps(found % max(1, gold.count), found // max(1, gold.count), counts.astype(np.int64))


def largest_by_owner(count: int, owners: Integers, values: NDArray[Any]) -> NDArray[Any]:
    best = np.zeros(count, dtype=values.dtype)
    np.maximum.at(best, owners, values)
    return best


def choose_two(sizes: Integers) -> int:
    return int((sizes * (sizes - 1) // 2).sum())


def count_hits(gold: Memberships, predicted: Memberships, shared: Overlaps) -> int:
    """Pairs inside a predicted cluster that share a gold cluster, counted once per predicted cluster."""
    if gold.is_partition:
        return choose_two(shared.counts)
    kinds = _kinds(gold)
    of_members = kinds.of_element[predicted.elements]
    known = of_members >= 0
    keys, counts = np.unique(predicted.owners[known] * kinds.count + of_members[known], return_counts=True)
    owners, present = keys // kinds.count, keys % kinds.count
    # Elements of one kind meet each other in any case; only clusters of several kinds are looked into.
    hits = choose_two(counts)
    starts = np.flatnonzero(np.r_[True, owners[1:] != owners[:-1]]) if len(owners) else owners
    ends = np.r_[starts[1:], len(owners)]
    several = ends - starts > 1
    table = kinds.incidence(np.arange(kinds.count)) if kinds.count <= _FEW_KINDS else None
    meet = None if table is None else (table @ table.T > 0).astype(np.float64)
    for start, end in zip(starts[several].tolist(), ends[several].tolist(), strict=True):
        some, number = present[start:end], counts[start:end]
        if meet is None:
            hits += _weighted_pairs(number, kinds.incidence(some)) - choose_two(number)
        else:
            met = int(number @ (meet[some[:, None], some] @ number))
            # Pairs of different kinds, met from both ends; kinds without a shared label do not meet themselves.
            hits += (met - int((number * number) @ meet[some, some])) // 2
    return hits


@dataclass(frozen=True, slots=True)
class _Kinds:
    """Elements of one kind are in the same clusters. `of_element` is -1 for an element in none.

    `labels` are the clusters of all kinds in a row, those of kind k from `starts[k]` to `starts[k + 1]`.
    """

    of_element: Integers
    labels: Integers
    starts: Integers

    @property
    def count(self) -> int:
        return len(self.starts) - 1

    def incidence(self, chosen: Integers) -> NDArray[np.float32]:
        """A row for each of the chosen kinds, a column for each cluster that at least two of them are in."""
        sizes = self.starts[chosen + 1] - self.starts[chosen]
        rows = np.repeat(np.arange(len(chosen)), sizes)
        within = np.arange(len(rows)) - np.repeat(sizes.cumsum() - sizes, sizes)
        _, columns, uses = np.unique(
            self.labels[np.repeat(self.starts[chosen], sizes) + within], return_inverse=True, return_counts=True
        )
        places = uses[columns] > 1
        numbers = (uses > 1).cumsum() - 1
        table = np.zeros((len(chosen), int((uses > 1).sum())), dtype=np.float32)
        table[rows[places], numbers[columns[places]]] = 1
        return table


def _kinds(side: Memberships) -> _Kinds:
    owners, starts = side.by_element()
    sizes = np.diff(starts)
    of_element = np.full(side.total, -1, dtype=np.int64)
    labels: list[Integers] = []
    lengths: list[Integers] = []
    count = 0
    for size in np.unique(sizes[sizes > 0]).tolist():
        elements = np.flatnonzero(sizes == size)
        sets, numbers = np.unique(owners[starts[elements][:, None] + np.arange(size)], axis=0, return_inverse=True)
        of_element[elements] = numbers.reshape(-1) + count
        count += len(sets)
        labels.append(sets.reshape(-1))
        lengths.append(np.full(len(sets), size))
    nothing = np.empty(0, dtype=np.int64)
    bounds = np.r_[0, np.concatenate([nothing, *lengths]).cumsum()]
    return _Kinds(of_element, np.concatenate([nothing, *labels]), bounds)


def pairs_in_common(one: Memberships, other: Memberships) -> int:
    """Pairs of elements that share a cluster on both sides, each once."""
    left, right = _kinds(one), _kinds(other)
    known = (left.of_element >= 0) & (right.of_element >= 0)
    keys, counts = np.unique(
        left.of_element[known] * max(1, right.count) + right.of_element[known], return_counts=True
    )
    both = left.incidence(keys // max(1, right.count)), right.incidence(keys % max(1, right.count))
    return _weighted_pairs(counts, *both)


def _weighted_pairs(counts: Integers, *tables: NDArray[np.float32]) -> int:
    """Pairs of elements whose kinds share a label in every table, given how many elements each kind has.

    Elements of one kind share all their labels, even those that no other kind has.
    """
    total = 0
    for start in range(0, len(counts), _BLOCK):
        block = counts[start : start + _BLOCK]
        meet = np.ones((len(block), len(counts)), dtype=bool)
        for table in tables:
            meet &= table[start : start + _BLOCK] @ table.T > 0
        meet[np.arange(len(block)), start + np.arange(len(block))] = True
        # Whole numbers, exact up to 2**53, and several times quicker than integers.
        total += int(block @ (meet.astype(np.float64) @ counts.astype(np.float64)))
    # Every element also met itself, and every pair was met from both ends.
    return (total - int(counts.sum())) // 2
