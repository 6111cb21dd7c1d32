"""Lemma containment: the premise entails what it already says.

The score is 1 when all base forms of the hypothesis' relation are in the premise's, neither is negated alone, and the
arguments stand in the same order, or in the opposite one where the voice changes (*wrote*, *was written by*);
otherwise 0. The auxiliary *be* and the *by* of the passive are not asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from tupelo.core.entailment import EntailmentPair
from tupelo.core.progress import Advance
from tupelo.infer.phrases import Phrase, are_swapped, read_phrase
from tupelo.infer.resources import Resources


class LemmaContainment:
    """1 for containment, 0 otherwise."""

    name: ClassVar[str] = "lemma"
    directional: ClassVar[bool] = True
    needs: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, resources: Resources) -> None:
        pass

    def scores(self, pairs: Sequence[EntailmentPair], advance: Advance | None = None) -> list[float]:
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
    known = set(asked(read_phrase(pair.premise.relation)))
    return [base for base in asked(read_phrase(pair.hypothesis.relation)) if base not in known]


def asked(phrase: Phrase) -> list[str]:
    if not phrase.passive:
        return list(phrase.bases)
    return [base for base in phrase.bases if base not in ("be", "by")]


def fits(pair: EntailmentPair) -> bool:
    """Same polarity, and arguments in the order that the voices ask for."""
    premise, hypothesis = read_phrase(pair.premise.relation), read_phrase(pair.hypothesis.relation)
    return premise.negated == hypothesis.negated and are_swapped(pair) == (premise.passive != hypothesis.passive)
