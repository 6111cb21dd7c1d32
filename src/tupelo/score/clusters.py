"""Clusters against gold clusters: macro, micro and pairwise figures, and Jaccard figures of hierarchies.

The metrics of open knowledge graph canonicalization (Galárraga et al., CIKM
2014; CESI, WWW 2018; COMBO, EACL 2023), as COMBO's published evaluation
(jeffchy/COMBO) computes them. Clusters may overlap on both sides. G(e) and
P(e) are the gold and predicted clusters that hold element e; an element
without a gold cluster is unknown.

* Macro precision: how many gold clusters hold all known elements of a
  predicted cluster, averaged over predicted clusters. For partitions that is
  the share of pure clusters. Recall exchanges the roles.
* Micro precision: for every predicted cluster the size of its largest overlap with one
  gold cluster; the sum of these over the sum of sizes. Recall exchanges the roles.
* Pair: hits are pairs of elements inside one predicted cluster that share a
  gold cluster. Precision is hits over all pairs inside predicted clusters,
  recall the same hits over all pairs inside gold clusters.
* Jaccard of a hierarchy: J(g, p) is the overlap of two clusters over their
  union. Gold to predicted is the mean over gold clusters of the best J with any
  predicted one, predicted to gold the other way round. Gold clusters of one
  element do not take part, nor do predicted ones of one or of all elements.

A worked example. Gold {a b c} {d e}, predicted {a b} {c d e}. Macro: {a b} is
inside a gold cluster, {c d e} is not: precision 1/2; {d e} is inside a
predicted one: recall 1/2. Micro: (2 + 2) / 5 both ways. Pairs: a-b and d-e are
hits, of 1 + 3 predicted pairs and 3 + 1 gold pairs: precision and recall 2/4.

No pair is ever listed. Everything follows from how many elements each predicted
cluster shares with each gold cluster; where gold clusters overlap, elements with the
same gold clusters are counted together.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tupelo.score.choices import choose_fixes
from tupelo.score.result import harmonic_mean

Integers = NDArray[np.int64]
Clusters = Sequence[Collection[Hashable]]

# What the published evaluation reports when a side has no pair at all.
_NO_PAIRS = 1e-6
_BLOCK = 512
# Up to here it is kept in one table which kinds of elements meet.
_FEW_KINDS = 2048


@dataclass(frozen=True, slots=True)
class Figures:
    """Precision, recall and their harmonic mean, which is taken even when one of them exceeds 1."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        return harmonic_mean(self.precision, self.recall)

    def to_json(self) -> dict[str, float]:
        return {"precision": self.precision, "recall": self.recall, "f1": self.f1}


@dataclass(frozen=True, slots=True)
class FlatScores:
    """Figures of clusters at one threshold. `gold` and `predicted` count clusters, `largest` the elements of one."""

    macro: Figures
    micro: Figures
    pair: Figures
    gold: int
    predicted: int
    largest: int

    @property
    def average(self) -> float:
        """The mean of the three F1; what is reported for entities and types."""
        return (self.macro.f1 + self.micro.f1 + self.pair.f1) / 3

    @property
    def average_of_two(self) -> float:
        """The mean of micro and pair F1; what is reported for relations, whose gold clusters are few and large."""
        return (self.micro.f1 + self.pair.f1) / 2

    def to_json(self) -> dict[str, Any]:
        return {
            "macro": self.macro.to_json(),
            "micro": self.micro.to_json(),
            "pair": self.pair.to_json(),
            "gold_clusters": self.gold,
            "predicted_clusters": self.predicted,
            "largest_cluster": self.largest,
        }


@dataclass(frozen=True, slots=True)
class HierarchyScores:
    """Jaccard figures of a hierarchy. `gold` and `predicted` count the clusters that took part."""

    gold_to_predicted: float
    predicted_to_gold: float
    gold: int
    predicted: int

    @property
    def average(self) -> float:
        return (self.gold_to_predicted + self.predicted_to_gold) / 2

    @property
    def sorensen(self) -> tuple[float, float]:
        """2J / (1 + J) of the two means, which is what the published evaluation calls Sørensen."""
        one, other = self.gold_to_predicted, self.predicted_to_gold
        return 2 * one / (1 + one), 2 * other / (1 + other)

    def to_json(self) -> dict[str, Any]:
        return {
            "gold_to_predicted": self.gold_to_predicted,
            "predicted_to_gold": self.predicted_to_gold,
            "average": self.average,
            "sorensen_gold_to_predicted": self.sorensen[0],
            "sorensen_predicted_to_gold": self.sorensen[1],
            "gold_clusters": self.gold,
            "predicted_clusters": self.predicted,
        }


class ClusterMetric:
    """The scorer. `fixes` correct what the published evaluation does against the paper's definitions."""

    name: ClassVar[str] = "clusters"
    quirks: ClassVar[Mapping[str, str]] = {
        "macro-shared": "macro adds the number of shared clusters, not 1; where clusters overlap it can exceed 1",
        "pairs-per-cluster": "a pair counts once for every cluster that holds it, on the gold side as on the other",
        "no-pairs": "pair precision and recall are 0.000001 instead of 0 when a side has no pair",
    }

    def __init__(self, *, fixes: Iterable[str] = ()) -> None:
        self.fixes = choose_fixes(self.quirks, fixes)

    def options(self) -> Mapping[str, Any]:
        return {"fixes": "+".join(sorted(self.fixes)) or "none"}

    def flat(self, gold: Clusters, predicted: Clusters) -> FlatScores:
        """Macro, micro and pairwise figures; equal clusters count separately, repeated members once."""
        sides = _number_elements(gold, predicted)
        shared = _shared(*sides)
        macro, micro, pair = self._macro(*sides, shared), _micro(*sides, shared), self._pairs(*sides, shared)
        return FlatScores(
            macro, micro, pair, sides[0].count, sides[1].count, int(sides[1].sizes.max()) if sides[1].count else 0
        )

    def hierarchy(self, gold: Clusters, predicted: Clusters, total: int | None = None) -> HierarchyScores:
        """Jaccard figures when the predicted clusters are given one by one, nested or not.

        `total` is the number of all elements, by default that of all predicted ones.
        """
        total = len({element for cluster in predicted for element in cluster}) if total is None else total
        wide = [cluster for cluster in predicted if 2 <= len(set(cluster)) < total]
        gold_side, predicted_side = _number_elements([c for c in gold if len(set(c)) >= 2], wide)
        shared = _shared(gold_side, predicted_side)
        unions = gold_side.sizes[shared.gold] + predicted_side.sizes[shared.predicted] - shared.counts
        values = shared.counts / unions
        return _best_means(
            _largest(gold_side.count, shared.gold, values), _largest(predicted_side.count, shared.predicted, values)
        )

    def tree(self, gold: Clusters, leaves: Sequence[Hashable], children: Integers) -> HierarchyScores:
        """Jaccard figures of all nodes of a binary tree; merge i of `children` makes node len(leaves) + i."""
        intervals, order = _intervals(len(leaves), children)
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
        return _best_means(np.array(of_gold), of_predicted)

    def _macro(self, gold: _Side, predicted: _Side, shared: _Shared) -> Figures:
        def share_inside(count: int, owners: Integers, others: Integers, known: Integers) -> float:
            """How many of the other side's clusters hold all known elements of a cluster, on average."""
            inside = shared.counts == known[owners]
            if "macro-shared" in self.fixes:
                return len(np.unique(owners[inside])) / count if count else 0.0
            return int(inside.sum()) / count if count else 0.0

        known_to_gold = predicted.sizes_among(gold.elements)
        known_to_predicted = gold.sizes_among(predicted.elements)
        return Figures(
            share_inside(predicted.count, shared.predicted, shared.gold, known_to_gold),
            share_inside(gold.count, shared.gold, shared.predicted, known_to_predicted),
        )

    def _pairs(self, gold: _Side, predicted: _Side, shared: _Shared) -> Figures:
        if "pairs-per-cluster" in self.fixes:
            hits = _pairs_in_common(gold, predicted)
            of_gold, of_predicted = _pairs_in_common(gold, gold), _pairs_in_common(predicted, predicted)
        else:
            hits = _hits(gold, predicted, shared)
            of_gold, of_predicted = _choose_two(gold.sizes), _choose_two(predicted.sizes)
        if not of_gold or not of_predicted:
            nothing = 0.0 if "no-pairs" in self.fixes else _NO_PAIRS
            return Figures(nothing, nothing)
        return Figures(hits / of_predicted, hits / of_gold)


def clusters_by_label(labels: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """Elements with the labels that each carries, as one cluster per label."""
    clusters: dict[str, list[str]] = {}
    for element, own in labels.items():
        for label in own:
            clusters.setdefault(label, []).append(element)
    return list(clusters.values())


@dataclass(frozen=True, slots=True)
class _Side:
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
class _Shared:
    """For every gold and predicted cluster that meet: how many elements they share."""

    gold: Integers
    predicted: Integers
    counts: Integers


def _number_elements(*sides: Clusters) -> tuple[_Side, _Side]:
    flat = [[element for cluster in clusters for element in cluster] for clusters in sides]
    numbers = {element: number for number, element in enumerate(dict.fromkeys([*flat[0], *flat[1]]))}
    one, other = (_side(elements, clusters, numbers) for elements, clusters in zip(flat, sides, strict=True))
    return one, other


def _side(elements: list[Hashable], clusters: Clusters, numbers: Mapping[Hashable, int]) -> _Side:
    sizes = np.fromiter(map(len, clusters), dtype=np.int64, count=len(clusters))
    owners = np.repeat(np.arange(len(clusters)), sizes)
    numbered = np.fromiter(map(numbers.__getitem__, elements), dtype=np.int64, count=len(elements))
    # Sorted by cluster, and a member that is listed twice counts once.
    keys = _once(owners * max(1, len(numbers)) + numbered)
    return _Side(keys % max(1, len(numbers)), keys // max(1, len(numbers)), len(clusters), len(numbers))


def _once(values: Integers) -> Integers:
    """Sorted and without repeats; on nearly sorted numbers quicker than the hash table of `np.unique`."""
    ordered = np.sort(values, kind="stable")
    return ordered[np.r_[True, ordered[1:] != ordered[:-1]]] if len(ordered) else ordered


def _shared(gold: _Side, predicted: _Side) -> _Shared:
    owners, starts = gold.by_element()
    repeats = np.diff(starts)[predicted.elements]
    # Every predicted membership meets every gold membership of its element.
    ends = repeats.cumsum()
    within = np.arange(int(repeats.sum())) - np.repeat(ends - repeats, repeats)
    gold_owners = owners[np.repeat(starts[predicted.elements], repeats) + within]
    keys = np.repeat(predicted.owners, repeats) * max(1, gold.count) + gold_owners
    found, counts = np.unique(keys, return_counts=True)
    return _Shared(found % max(1, gold.count), found // max(1, gold.count), counts.astype(np.int64))


def _largest(count: int, owners: Integers, values: NDArray[Any]) -> NDArray[Any]:
    best = np.zeros(count, dtype=values.dtype)
    np.maximum.at(best, owners, values)
    return best


def _best_means(of_gold: NDArray[np.float64], of_predicted: NDArray[np.float64]) -> HierarchyScores:
    return HierarchyScores(
        float(of_gold.mean()) if len(of_gold) else 0.0,
        float(of_predicted.mean()) if len(of_predicted) else 0.0,
        len(of_gold),
        len(of_predicted),
    )


def _micro(gold: _Side, predicted: _Side, shared: _Shared) -> Figures:
    def overlap(side: _Side, owners: Integers) -> float:
        total = len(side.elements)
        return int(_largest(side.count, owners, shared.counts).sum()) / total if total else 0.0

    return Figures(overlap(predicted, shared.predicted), overlap(gold, shared.gold))


def _choose_two(sizes: Integers) -> int:
    return int((sizes * (sizes - 1) // 2).sum())


def _hits(gold: _Side, predicted: _Side, shared: _Shared) -> int:
    """Pairs inside a predicted cluster that share a gold cluster, counted once per predicted cluster."""
    if gold.is_partition:
        return _choose_two(shared.counts)
    kinds = _kinds(gold)
    of_members = kinds.of_element[predicted.elements]
    known = of_members >= 0
    keys, counts = np.unique(predicted.owners[known] * kinds.count + of_members[known], return_counts=True)
    owners, present = keys // kinds.count, keys % kinds.count
    # Elements of one kind meet each other in any case; only clusters of several kinds are looked into.
    hits = _choose_two(counts)
    starts = np.flatnonzero(np.r_[True, owners[1:] != owners[:-1]]) if len(owners) else owners
    ends = np.r_[starts[1:], len(owners)]
    several = ends - starts > 1
    table = kinds.incidence(np.arange(kinds.count)) if kinds.count <= _FEW_KINDS else None
    meet = None if table is None else (table @ table.T > 0).astype(np.float64)
    for start, end in zip(starts[several].tolist(), ends[several].tolist(), strict=True):
        some, number = present[start:end], counts[start:end]
        if meet is None:
            hits += _weighted_pairs(number, kinds.incidence(some)) - _choose_two(number)
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


def _kinds(side: _Side) -> _Kinds:
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


def _pairs_in_common(one: _Side, other: _Side) -> int:
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


def _intervals(count: int, children: Integers) -> tuple[Integers, Integers]:
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
