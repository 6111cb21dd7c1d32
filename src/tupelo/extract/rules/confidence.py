"""How far a rule can be trusted."""

from __future__ import annotations

from tupelo.extract.rules.candidates import Candidate
from tupelo.extract.tree import Tree

_BASE = {
    "clause": 0.8, "copula": 0.8, "conjunct": 0.75, "relative": 0.7, "control": 0.7, "participle": 0.6,
    "adverbial": 0.5, "purpose": 0.4, "infinitive": 0.3, "object-control": 0.4, "speech": 0.8, "apposition": 0.5,
    "possessive": 0.3, "title": 0.4, "noun-place": 0.3, "noun-preposition": 0.2, "adjective": 0.1, "place": 0.4,
}  # fmt: skip


def confidence_of(candidate: Candidate, tree: Tree) -> float:
    """A figure in [0, 1]."""
    base = _BASE.get(candidate.rule, 0.3)
    if not candidate.complements:
        return base * 0.2
    return base
