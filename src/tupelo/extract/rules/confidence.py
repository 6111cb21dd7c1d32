"""How far a rule can be trusted.

The figures are rounded shares: how much of what a rule makes the annotators
of CaRB's development part had written as well. A tuple that tells a part of
what another one tells stands behind it.
"""

from __future__ import annotations

from tupelo.extract.rules.candidate import Candidate

TRUST = {
    "clause": 0.7,
    "conjunct": 0.7,
    "control": 0.7,
    "speech": 0.7,
    "relative": 0.6,
    "copula": 0.55,
    "participle": 0.5,
    "adverbial": 0.47,
    "existential": 0.4,
    "purpose": 0.4,
    "object-control": 0.4,
    "infinitive": 0.3,
    "place": 0.5,
    "title": 0.35,
    "noun-place": 0.3,
    "apposition": 0.27,
    "noun-preposition": 0.22,
    "possessive": 0.17,
    "adjective": 0.1,
}
_PART_OF_ANOTHER = {"piece": 0.35, "nested": 0.3}
_NO_ARGUMENT = 0.1


def confidence_of(candidate: Candidate) -> float:
    """A figure in [0, 1]."""
    if not candidate.complements:
        return _NO_ARGUMENT
    return round(TRUST.get(candidate.rule, 0.2) * _PART_OF_ANOTHER.get(candidate.shape, 1.0), 4)
