"""What the words of a pair tell about entailment, as numbers: overlap, and every reason for a direction."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tupelo.core.entailment import EntailmentPair
from tupelo.infer.phrases import PREPOSITIONS, Phrase, are_swapped, read_phrase, word_set

Floats = NDArray[np.float64]

# Relations that say little follow from many others.
_VAGUE = word_set(
    "be have include involve associate relate connect concern affect know find use see make do get take go come "
    "contain possess appear occur exist part common kind important popular"
)

NAMES = (
    "covered",  # share of the hypothesis' content words that the premise has
    "covering",  # share of the premise's content words that the hypothesis has
    "surplus",  # content words of the premise alone
    "missing",  # content words of the hypothesis alone
    "equal_content",
    "same_head",  # the first content word is the same
    "negation_differs",
    "negated_premise",
    "negated_hypothesis",
    "weaker_premise",  # only the premise says may, can, could
    "weaker_hypothesis",
    "past_premise_only",
    "past_hypothesis_only",
    "staged_premise_only",  # began to, tried to
    "staged_hypothesis_only",
    "swapped",
    "voice_fits",  # arguments are swapped exactly where the voice changes
    "copular_premise_only",
    "copular_hypothesis_only",
    "same_preposition",
    "other_preposition",
    "vague_premise",
    "vague_hypothesis",
    "longer_premise",  # in words
    "longer_hypothesis",
)


def word_features(pair: EntailmentPair) -> list[float]:
    """One number for each of `NAMES`."""
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


def _vagueness(phrase: Phrase) -> float:
    words = [base for base in phrase.content if base not in PREPOSITIONS]
    return sum(base in _VAGUE for base in words) / len(words) if words else 1.0


def feature_table(pairs: Sequence[EntailmentPair]) -> Floats:
    """A row of `NAMES` for each pair."""
    return np.array([word_features(pair) for pair in pairs], dtype=np.float64).reshape(len(pairs), len(NAMES))
