"""Features of the words of a pair for entailment: overlap, negation, tense, voice, prepositions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tupelo.core.entailment import EntailmentPair
from tupelo.inference.phrases import are_swapped
from tupelo.nlp.languages.en.grammar import PREPOSITIONS, VAGUE_RELATION_WORDS
from tupelo.relations.phrases import RelationPhrase, read_phrase

Floats = NDArray[np.float64]

# Name -> meaning, in the order of the weights.
FEATURES = {
    "covered": "words of the hypothesis that the premise has",
    "covering": "words of the premise that the hypothesis has",
    "surplus": "words of the premise alone",
    "missing": "words of the hypothesis alone",
    "equal_content": "the same content words",
    "same_head": "the same first content word",
    "negation_differs": "only one is negated",
    "negated_premise": "the premise is negated",
    "negated_hypothesis": "the hypothesis is negated",
    "weaker_premise": "only the premise is hedged (may, can)",
    "weaker_hypothesis": "only the hypothesis is hedged (may, can)",
    "past_premise_only": "only the premise is past",
    "past_hypothesis_only": "only the hypothesis is past",
    "staged_premise_only": "only the premise is about a beginning or an attempt",
    "staged_hypothesis_only": "only the hypothesis is about a beginning or an attempt",
    "swapped": "the arguments change places",
    "voice_fits": "voice and order of arguments fit",
    "copular_premise_only": "only the premise says what something is",
    "copular_hypothesis_only": "only the hypothesis says what something is",
    "same_preposition": "the same preposition",
    "other_preposition": "another preposition",
    "vague_premise": "the premise is vague",
    "vague_hypothesis": "the hypothesis is vague",
    "longer_premise": "the premise is longer",
    "longer_hypothesis": "the hypothesis is longer",
}
NAMES = tuple(FEATURES)


def word_features(pair: EntailmentPair) -> list[float]:
    """One number for each of `FEATURES`."""
    premise, hypothesis = read_phrase(pair.premise.relation), read_phrase(pair.hypothesis.relation)
    known, wanted = set(premise.content), set(hypothesis.content)
    both = known & wanted
    swapped = are_swapped(pair)
    longer = len(premise.words) - len(hypothesis.words)
    prepositions = premise.preposition, hypothesis.preposition
    return [
        _share(both, wanted),
        _share(both, known),
        min(len(known - wanted), 3) / 3,
        min(len(wanted - known), 3) / 3,
        float(known == wanted),
        float(bool(premise.content) and premise.content[:1] == hypothesis.content[:1]),
        float(premise.negated != hypothesis.negated),
        float(premise.negated),
        float(hypothesis.negated),
        float(premise.weak and not hypothesis.weak),
        float(hypothesis.weak and not premise.weak),
        float(premise.past and not hypothesis.past),
        float(hypothesis.past and not premise.past),
        float(premise.staged and not hypothesis.staged),
        float(hypothesis.staged and not premise.staged),
        float(swapped),
        float(swapped == (premise.passive != hypothesis.passive)),
        float(premise.copular and not hypothesis.copular),
        float(hypothesis.copular and not premise.copular),
        float(None not in prepositions and prepositions[0] == prepositions[1]),
        float(None not in prepositions and prepositions[0] != prepositions[1]),
        _vagueness(premise),
        _vagueness(hypothesis),
        min(max(longer, 0), 4) / 4,
        min(max(-longer, 0), 4) / 4,
    ]


def _share(part: set[str], whole: set[str]) -> float:
    return len(part) / len(whole) if whole else 0.0


def _vagueness(phrase: RelationPhrase) -> float:
    words = [base for base in phrase.content if base not in PREPOSITIONS]
    return sum(base in VAGUE_RELATION_WORDS for base in words) / len(words) if words else 1.0


def feature_table(pairs: Sequence[EntailmentPair]) -> Floats:
    """A row of `FEATURES` for each pair."""
    return np.array([word_features(pair) for pair in pairs], dtype=np.float64).reshape(len(pairs), len(NAMES))
