"""Token overlap: the share of the words of both relations that both have, rare words counting more.

The weight of a word is its inverse frequency among the relations that are asked about, log((n + 1) / (k + 1)) + 1 for
a word in k of n phrases; for a single pair all words weigh nearly the same. The score is the weight of the shared
words over the weight of all, so it is symmetric.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import ClassVar

from tupelo.core.entailment import EntailmentPair
from tupelo.core.progress import Advance
from tupelo.infer.phrases import read_phrase
from tupelo.infer.resources import Resources


class TokenOverlap:
    """Weighted Jaccard index of the words of two relations."""

    name: ClassVar[str] = "overlap"
    directional: ClassVar[bool] = False
    needs: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, resources: Resources) -> None:
        pass

    def scores(self, pairs: Sequence[EntailmentPair], advance: Advance | None = None) -> list[float]:
        weights = word_weights(pairs)
        return [weighted_overlap(*bases(pair), weights) for pair in pairs]

    def explain(self, pair: EntailmentPair) -> list[str]:
        premise, hypothesis = bases(pair)
        shared = ", ".join(sorted(premise & hypothesis)) or "nothing"
        return [f"shared words: {shared}; others: {', '.join(sorted(premise ^ hypothesis)) or 'none'}"]


def bases(pair: EntailmentPair) -> tuple[frozenset[str], frozenset[str]]:
    """Base forms of the words of both relations."""
    return frozenset(read_phrase(pair.premise.relation).bases), frozenset(read_phrase(pair.hypothesis.relation).bases)


def word_weights(pairs: Sequence[EntailmentPair]) -> Mapping[str, float]:
    """Inverse frequencies over the distinct relations of the pairs."""
    phrases = {triple.relation.lower() for pair in pairs for triple in (pair.premise, pair.hypothesis)}
    counts = Counter(base for phrase in phrases for base in set(read_phrase(phrase).bases))
    return {base: math.log((len(phrases) + 1) / (count + 1)) + 1 for base, count in counts.items()}


def weighted_overlap(one: frozenset[str], other: frozenset[str], weights: Mapping[str, float]) -> float:
    # Sorted: a sum of floats depends on its order, and sets have none.
    whole = sum(weights[base] for base in sorted(one | other))
    return sum(weights[base] for base in sorted(one & other)) / whole if whole else 0.0
