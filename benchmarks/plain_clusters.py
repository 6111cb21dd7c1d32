"""Cluster metrics word for word from their definitions, pairs listed one by one: slow, and easy to check by eye."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from itertools import combinations

Clusters = Sequence[Collection[Hashable]]


def labels_of(clusters: Clusters) -> dict[Hashable, set[int]]:
    labels: dict[Hashable, set[int]] = {}
    for number, cluster in enumerate(clusters):
        for element in cluster:
            labels.setdefault(element, set()).add(number)
    return labels


def macro(gold: Clusters, predicted: Clusters) -> float:
    """Precision; exchange the arguments for recall."""
    labels = labels_of(gold)
    shared = 0
    for cluster in predicted:
        known = [labels[element] for element in cluster if element in labels]
        shared += len(set.intersection(*known)) if known else 0
    return shared / len(predicted) if predicted else 0.0


def micro(gold: Clusters, predicted: Clusters) -> float:
    """Precision; exchange the arguments for recall."""
    overlaps = [max((len(set(p) & set(g)) for g in gold), default=0) for p in predicted]
    total = sum(len(set(cluster)) for cluster in predicted)
    return sum(overlaps) / total if total else 0.0


def pair(gold: Clusters, predicted: Clusters) -> tuple[float, float]:
    """Precision and recall."""
    labels = labels_of(gold)
    predicted_pairs = [two for cluster in predicted for two in combinations(sorted(set(cluster), key=str), 2)]
    gold_pairs = [two for cluster in gold for two in combinations(sorted(set(cluster), key=str), 2)]
    if not predicted_pairs or not gold_pairs:
        return 1e-6, 1e-6
    hits = sum(bool(labels.get(one, set()) & labels.get(other, set())) for one, other in predicted_pairs)
    return hits / len(predicted_pairs), hits / len(gold_pairs)


def distinct_pairs(gold: Clusters, predicted: Clusters) -> tuple[float, float]:
    """Pairwise precision and recall when a pair counts once, however many clusters hold it."""
    gold_pairs, predicted_pairs = (
        {frozenset(two) for cluster in side for two in combinations(set(cluster), 2)} for side in (gold, predicted)
    )
    if not predicted_pairs or not gold_pairs:
        return 1e-6, 1e-6
    hits = len(gold_pairs & predicted_pairs)
    return hits / len(predicted_pairs), hits / len(gold_pairs)


def jaccard(gold: Clusters, predicted: Clusters) -> float:
    """Mean over gold clusters of the best overlap with a predicted one; exchange the arguments for the other way."""
    best = [max((len(set(g) & set(p)) / len(set(g) | set(p)) for p in predicted), default=0.0) for g in gold]
    return sum(best) / len(best) if best else 0.0
