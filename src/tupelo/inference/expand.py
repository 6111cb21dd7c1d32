"""Relations of a graph that entail the relation of a question, for answers from differently worded facts.

Every relation of the graph is a premise, in the directions that `tupelo.relations.roles` allows. The arguments are
the names of their types where these are known (*person founded organization*), variables otherwise. The model is
asked in both directions of entailment: a relation that is entailed far more than it entails is only more general. A
relation whose arguments could be in either order answers only if the model clearly prefers one order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tupelo.core.entailment import EntailmentPair, RelationSignature
from tupelo.core.extraction import Triple
from tupelo.core.protocols import Entailing
from tupelo.inference.methods import EntailmentMethod
from tupelo.inference.statements import folded
from tupelo.relations.roles import directions

if TYPE_CHECKING:
    from tupelo.nlp.encoder import Encoder

THRESHOLD = 0.5
MOST = 20
# Maximum number of relations that are compared: those nearest to the asked one.
_READ = 300
# Minimum cosine of relations that are compared. A graph has thousands of relations, nearly all of them unrelated: in
# the development part of Levy/Holt, 37 % of the entailing pairs are at least as near, and 2 % of random pairs. The
# learned method was fitted to pairs that people had thought related.
_NEAR = 0.5
# Weight of a score if the types of the asked relation are unknown, so that the arguments cannot be checked.
_UNCHECKED = 0.75
_VARIABLES = ("x", "y")
# Minimum difference of two scores that decides between two directions.
_MARGIN = 0.2


class _Candidate(NamedTuple):
    pair: EntailmentPair
    name: str
    reversed: bool
    open: bool


class MethodExpander:
    """Applies an entailment method to the relations of a graph."""

    def __init__(
        self,
        method: EntailmentMethod,
        relations: Sequence[RelationSignature],
        encoder: Encoder,
        *,
        threshold: float = THRESHOLD,
        most: int = MOST,
    ) -> None:
        self._method, self._encoder = method, encoder
        self._relations = {folded(relation.name): relation for relation in relations}
        self._threshold, self._most = threshold, most

    def expand(self, relation: str) -> list[Entailing]:
        """Relations that entail this one, best first."""
        asked = self._relations.get(folded(relation), RelationSignature(relation))
        candidates = [
            _candidate(known, asked, relation, turned, other)
            for known in self._nearest(relation)
            for turned, other in directions(known, asked)
        ]
        if not candidates:
            return []
        weight = 1.0 if asked.subject_types and asked.object_types else _UNCHECKED
        scores = self._method.scores([candidate.pair for candidate in candidates])
        likely = [item for item in zip(scores, candidates, strict=True) if weight * item[0] >= self._threshold]
        backward = self._method.scores([candidate.pair.reversed() for _, candidate in likely])
        rivals = {
            (candidate.name, candidate.reversed): score for score, candidate in zip(scores, candidates, strict=True)
        }
        kept = [
            (score, candidate)
            for (score, candidate), back in zip(likely, backward, strict=True)
            if back <= score + _MARGIN
            and (not candidate.open or score > rivals[candidate.name, not candidate.reversed] + _MARGIN)
        ]
        ranked = sorted(kept, key=lambda item: (-item[0], item[1].name, item[1].reversed))
        return [self._entailing(score, weight, candidate) for score, candidate in ranked[: self._most]]

    def _nearest(self, relation: str) -> list[RelationSignature]:
        known = [signature for name, signature in self._relations.items() if name != folded(relation)]
        vectors = self._encoder.encode([relation, *(signature.name for signature in known)])
        near = vectors[1:] @ vectors[0]
        order = np.argsort(-near, kind="stable")[: min(_READ, int((near >= _NEAR).sum()))]
        return [known[place] for place in order.tolist()]

    def _entailing(self, score: float, weight: float, candidate: _Candidate) -> Entailing:
        premise, hypothesis = candidate.pair.premise, candidate.pair.hypothesis
        reason = (
            f"'{premise.subject} {premise.relation} {premise.object}' entails "
            f"'{hypothesis.subject} {hypothesis.relation} {hypothesis.object}' ({self._method.name} {score:.2f})"
        )
        why = self._method.explain(candidate.pair)
        return Entailing(
            candidate.name, min(max(weight * score, 0.0), 1.0), "; ".join([reason, *why[:2]]), candidate.reversed
        )


def _candidate(
    known: RelationSignature, asked: RelationSignature, words: str, turned: bool, open_: bool
) -> _Candidate:
    """The pair with a known relation as premise and the asked one as hypothesis."""
    ends = (known.object_types, known.subject_types) if turned else (known.subject_types, known.object_types)
    arguments = []
    for own, wanted, variable in zip(ends, (asked.subject_types, asked.object_types), _VARIABLES, strict=True):
        shared = sorted(own & wanted or own or wanted)
        arguments.append(shared[0] if len(shared) == 1 else variable)
    if arguments[0] == arguments[1]:
        # Two persons need two names.
        arguments = list(_VARIABLES)
    first, second = arguments
    premise = Triple(second, known.name, first) if turned else Triple(first, known.name, second)
    return _Candidate(EntailmentPair(premise, Triple(first, words, second)), known.name, turned, open_)
