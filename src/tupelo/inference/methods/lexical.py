"""Methods that compare the words of two relations: lemma containment and token overlap.

`lemma`: the premise entails what it already says. The score is 1 when all base forms of the hypothesis' relation are
in the premise's, neither is negated alone, and the arguments are in the same order, or in the opposite one where the
voice changes (*wrote*, *was written by*); otherwise 0. The auxiliary *be* and the *by* of the passive are optional.

`overlap`: the weight of the shared words over the weight of all, so it is symmetric. A word in k of the n relations
that are compared weighs log((n + 1) / (k + 1)) + 1; for a single pair all words weigh nearly the same.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import ClassVar

from tupelo.core.entailment import EntailmentPair
from tupelo.core.progress import Advance
from tupelo.inference.methods import ShippedEntailment
from tupelo.inference.phrases import are_swapped
from tupelo.relations.phrases import RelationPhrase, read_phrase


class LemmaContainment(ShippedEntailment):
    """1 for containment, 0 otherwise."""

    name: ClassVar[str] = "lemma"
    title: ClassVar[str] = "the premise has every base form of the hypothesis"

    def _scores(self, pairs: Sequence[EntailmentPair]) -> list[float]:
        return [float(not missing_words(pair) and fits(pair)) for pair in pairs]

    def explain(self, pair: EntailmentPair) -> list[str]:
        missing = missing_words(pair)
        if missing:
            return [f"the premise lacks: {', '.join(missing)}"]
        return [
            "the premise has every word of the hypothesis",
            *([] if fits(pair) else ["but they do not fit together"]),
        ]


def missing_words(pair: EntailmentPair) -> list[str]:
    """Base forms of the hypothesis that the premise lacks."""
    known = set(_required(read_phrase(pair.premise.relation)))
    return [base for base in _required(read_phrase(pair.hypothesis.relation)) if base not in known]


def _required(phrase: RelationPhrase) -> list[str]:
    if not phrase.passive:
        return list(phrase.bases)
    return [base for base in phrase.bases if base not in ("be", "by")]


def fits(pair: EntailmentPair) -> bool:
    """Whether polarity is the same and the order of arguments agrees with the voices."""
    premise, hypothesis = read_phrase(pair.premise.relation), read_phrase(pair.hypothesis.relation)
    return premise.negated == hypothesis.negated and are_swapped(pair) == (premise.passive != hypothesis.passive)


class RelationOverlap(ShippedEntailment):
    """Weighted Jaccard index of the words of two relations."""

    name: ClassVar[str] = "overlap"
    title: ClassVar[str] = "shared words of the relations, rare words counting more; symmetric"
    directional: ClassVar[bool] = False

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
