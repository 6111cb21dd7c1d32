"""Clusters against gold clusters: macro, micro and pairwise figures, and Jaccard figures of hierarchies.

The metrics of open knowledge graph canonicalization (Galárraga et al., CIKM 2014; CESI, WWW 2018; COMBO, EACL 2023),
as COMBO's published evaluation (jeffchy/COMBO) computes them. Clusters may overlap on both sides. G(e) and P(e) are
the gold and predicted clusters that hold element e; an element without a gold cluster is unknown.

* Macro precision: how many gold clusters hold all known elements of a predicted cluster, averaged over predicted
  clusters. For partitions that is the share of pure clusters. Recall exchanges the roles.
* Micro precision: for every predicted cluster the size of its largest overlap with one gold cluster; the sum of these
  over the sum of sizes. Recall exchanges the roles.
* Pair: hits are pairs of elements inside one predicted cluster that share a gold cluster. Precision is hits over all
  pairs inside predicted clusters, recall the same hits over all pairs inside gold clusters.
* Jaccard of a hierarchy: J(g, p) is the overlap of two clusters over their union. Gold to predicted is the mean over
  gold clusters of the best J with any predicted one, predicted to gold the other way round. Gold clusters of one
  element do not take part, nor do predicted ones of one or of all elements.

A worked example. Gold {a b c} {d e}, predicted {a b} {c d e}. Macro: {a b} is inside a gold cluster, {c d e} is not:
precision 1/2; {d e} is inside a predicted one: recall 1/2. Micro: (2 + 2) / 5 both ways. Pairs: a-b and d-e are hits,
of 1 + 3 predicted pairs and 3 + 1 gold pairs: precision and recall 2/4.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tupelo.core import InputError
from tupelo.core.canonical import BARE, JOINT, SUBTASKS, ClusterFile
from tupelo.core.results import values_of
from tupelo.scorers.cluster_pairs import (
    Clusters,
    Integers,
    Memberships,
    Overlaps,
    choose_two,
    count_hits,
    find_overlaps,
    largest_by_owner,
    number_elements,
    pairs_in_common,
)
from tupelo.scorers.result import Figures, Result, ratio
from tupelo.scorers.scorer import MarkedScorer, choose_fixes
from tupelo.scorers.signature import FIXES, Mark, members
from tupelo.scorers.tables import Reported, ReportTable, percent

# The value that the published evaluation reports when a side has no pair at all.
_NO_PAIRS = 1e-6
_KINDS = ("macro", "micro", "pair")


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

    def to_dict(self) -> dict[str, Any]:
        return {
            **{kind: getattr(self, kind)._asdict() for kind in _KINDS},
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

    def to_dict(self) -> dict[str, Any]:
        return {
            **values_of(self, "gold_to_predicted", "predicted_to_gold", "average"),
            "sorensen_gold_to_predicted": self.sorensen[0],
            "sorensen_predicted_to_gold": self.sorensen[1],
            "gold_clusters": self.gold,
            "predicted_clusters": self.predicted,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterScores(Reported, Result):
    """The figures of every subtask that was scored."""

    subtasks: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """All figures by subtask, in full precision."""
        return values_of(self, "scorer", "subtasks", "signature")

    def rows(self) -> list[dict[str, Any]]:
        """A flat row per subtask."""
        return [
            {
                "subtask": name,
                **{f"{kind}_{key}": value for kind in _KINDS for key, value in figures[kind].items()},
                "average": figures["average"],
                "jaccard": figures["jaccard"]["average"] if "jaccard" in figures else None,
                "clusters": figures["predicted_clusters"],
                "gold": figures["gold_clusters"],
                "largest": figures["largest_cluster"],
                "covered": figures["covered"] / figures["elements"] if figures["elements"] else None,
            }
            for name, figures in self.subtasks.items()
        ]

    def table(self) -> ReportTable:
        """Percentages and counts, a row per subtask."""
        shares = (
            *(f"{kind}_{key}" for kind in _KINDS for key in ("precision", "recall", "f1")),
            "average",
            "jaccard",
        )
        titles = {"precision": "P", "recall": "R", "f1": "F1"}
        header = tuple(" ".join(titles.get(word, word) for word in name.split("_")) for name in shares[:-1])
        counts = ("clusters", "gold", "largest")
        rows = tuple(
            (
                row["subtask"],
                *(percent(row[name]) for name in shares),
                *(f"{row[name]:,}" for name in counts),
                percent(row["covered"]),
            )
            for row in self.rows()
        )
        return ReportTable(("", *header, "Jaccard", *counts, "covered"), rows, (self.signature,))

    def failures(self, *, min_average: float | None = None, **limits: float | None) -> list[str]:
        """One sentence for each subtask whose average is below the limit."""
        averages = {name: figures["average"] for name, figures in self.subtasks.items()}
        return [
            f"{name}: the average {average:.4f} is below {min_average}"
            for name, average in averages.items()
            if min_average is not None and average < min_average
        ]


class ClusterScorer(MarkedScorer):
    """The scorer of clusters. `fixes` correct what the published evaluation does against the paper's definitions.

    `subtasks` are those to score; by default all that gold and predictions both have.
    """

    name: ClassVar[str] = "clusters"
    reads: ClassVar[str] = "clusters"

    marks: ClassVar[tuple[Mark, ...]] = (Mark("subtasks", "subtasks", {(): "all"}, members), FIXES)

    def __init__(self, *, subtasks: Sequence[str] = (), fixes: Iterable[str] = ()) -> None:
        self.subtasks = tuple(subtasks)
        self.fixes = choose_fixes(self.quirks, fixes)

    def evaluate(self, gold: ClusterFile, predicted: ClusterFile) -> ClusterScores:
        """The figures of all chosen subtasks."""
        chosen = self._choose_subtasks(gold, predicted)
        return ClusterScores(
            scorer=self.name, subtasks={name: self._score_one(name, gold, predicted) for name in chosen}
        )

    def _choose_subtasks(self, gold: ClusterFile, predicted: ClusterFile) -> list[str]:
        """The subtasks asked for, or all that both sides have. Bare clusters fit whatever is asked for."""
        if BARE in gold.clusters and BARE in predicted.clusters:
            if self.subtasks:
                raise InputError("both files hold bare clusters, expected no --subtask")
            return [BARE]
        if BARE in gold.clusters or BARE in predicted.clusters:
            bare, labelled = (gold, predicted) if BARE in gold.clusters else (predicted, gold)
            if len(self.subtasks) != 1:
                raise InputError(
                    f"{bare.name} holds bare clusters, {labelled.name} those of {', '.join(labelled.clusters)}: "
                    "say with --subtask which one is meant"
                )
        both = [
            name
            for name in (*SUBTASKS, *JOINT)
            if name in gold.clusters and (predicted.clusters.get(name) or predicted.joint.get(name))
        ]
        names = list(self.subtasks) or both
        for side in (gold, predicted):
            for name in names:
                if name not in side.clusters and name not in side.joint and BARE not in side.clusters:
                    has = ", ".join(side.clusters) or "none"
                    raise InputError(f"{side.name}: no clusters for '{name}', it has {has}")
        if not names:
            raise InputError(
                f"nothing to score: {gold.name} has {', '.join(gold.clusters) or 'no clusters'}, "
                f"{predicted.name} has {', '.join(predicted.clusters) or 'no clusters'}"
            )
        return names

    def _score_one(self, name: str, gold: ClusterFile, predicted: ClusterFile) -> dict[str, Any]:
        truth = gold.clusters.get(name) or gold.joint.get(name) or gold.clusters.get(BARE) or []
        found = predicted.clusters.get(name) or predicted.joint.get(name) or predicted.clusters.get(BARE) or []
        elements = {element for cluster in truth for element in cluster}
        if found is predicted.clusters.get(BARE):
            found = spread_phrases(found, elements)
        given = {element for cluster in found for element in cluster}
        if given and not given & elements:
            raise InputError(
                f"no element of {predicted.name} is known to {gold.name}; first: {min(map(str, given))!r}, "
                f"expected ids such as {min(map(str, elements), default='')!r}"
            )
        if gold.partial:
            judged = ([element for element in cluster if element in elements] for cluster in found)
            found = [cluster for cluster in judged if cluster]
        flat = self.flat(truth, found)
        figures = flat.to_dict()
        figures["average"] = flat.average_of_two if name == "relation" else flat.average
        if name.endswith("-type"):
            nested = predicted.nested.get(name) or predicted.nested.get(BARE) or []
            figures["jaccard"] = self.hierarchy(truth, nested, total=len(given | elements)).to_dict()
        return figures | {
            "elements": len(elements),
            "covered": len(elements & given),
            "unknown": len(given - elements),
        }

    def flat(self, gold: Clusters, predicted: Clusters) -> FlatScores:
        """Macro, micro and pairwise figures; equal clusters count separately, repeated members once."""
        sides = number_elements(gold, predicted)
        shared = find_overlaps(*sides)
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
        gold_side, predicted_side = number_elements([c for c in gold if len(set(c)) >= 2], wide)
        shared = find_overlaps(gold_side, predicted_side)
        unions = gold_side.sizes[shared.gold] + predicted_side.sizes[shared.predicted] - shared.counts
        values = shared.counts / unions
        return best_means(
            largest_by_owner(gold_side.count, shared.gold, values),
            largest_by_owner(predicted_side.count, shared.predicted, values),
        )

    def _macro(self, gold: Memberships, predicted: Memberships, shared: Overlaps) -> Figures:
        def share_inside(count: int, owners: Integers, others: Integers, known: Integers) -> float:
            """The mean number of clusters of the other side that hold all known elements of a cluster."""
            inside = shared.counts == known[owners]
            if "macro-shared" in self.fixes:
                return ratio(len(np.unique(owners[inside])), count)
            return ratio(int(inside.sum()), count)

        known_to_gold = predicted.sizes_among(gold.elements)
        known_to_predicted = gold.sizes_among(predicted.elements)
        return Figures.of(
            share_inside(predicted.count, shared.predicted, shared.gold, known_to_gold),
            share_inside(gold.count, shared.gold, shared.predicted, known_to_predicted),
        )

    def _pairs(self, gold: Memberships, predicted: Memberships, shared: Overlaps) -> Figures:
        if "pairs-per-cluster" in self.fixes:
            hits = pairs_in_common(gold, predicted)
            of_gold, of_predicted = pairs_in_common(gold, gold), pairs_in_common(predicted, predicted)
        else:
            hits = count_hits(gold, predicted, shared)
            of_gold, of_predicted = choose_two(gold.sizes), choose_two(predicted.sizes)
        if not of_gold or not of_predicted:
            nothing = 0.0 if "no-pairs" in self.fixes else _NO_PAIRS
            return Figures.of(nothing, nothing)
        return Figures.of(hits / of_predicted, hits / of_gold)


def spread_phrases(clusters: Clusters, elements: Collection[Hashable]) -> Clusters:
    """Clusters of phrases as clusters of mentions, `phrase|id`, where gold has those and no phrase.

    >>> spread_phrases([["fiber", "dual"]], {"fiber|1", "fiber|4", "dual|5"})
    [['dual|5', 'fiber|1', 'fiber|4']]
    """
    if any(element in elements for cluster in clusters for element in cluster):
        return clusters
    mentions: dict[Hashable, list[str]] = defaultdict(list)
    for element in map(str, elements):
        mentions[element.rpartition("|")[0]].append(element)
    spread = [sorted(found for phrase in cluster for found in mentions.get(phrase, ())) for cluster in clusters]
    return [cluster for cluster in spread if cluster] or clusters


def best_means(of_gold: NDArray[np.float64], of_predicted: NDArray[np.float64]) -> HierarchyScores:
    return HierarchyScores(
        float(of_gold.mean()) if len(of_gold) else 0.0,
        float(of_predicted.mean()) if len(of_predicted) else 0.0,
        len(of_gold),
        len(of_predicted),
    )


def _micro(gold: Memberships, predicted: Memberships, shared: Overlaps) -> Figures:
    def overlap(side: Memberships, owners: Integers) -> float:
        return ratio(int(largest_by_owner(side.count, owners, shared.counts).sum()), len(side.elements))

    return Figures.of(overlap(predicted, shared.predicted), overlap(gold, shared.gold))
