"""Relations of a graph that entail an asked one, so that a question is answered by differently worded facts.

Every relation of the graph is a premise, as it stands and with its arguments swapped. The arguments are the names of
their types where these are known (*person founded organization*), variables otherwise. Where the asked relation is
one of the graph's own, relations between things of other types are discarded at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tupelo.core.entailment import EntailmentPair, RelationSignature
from tupelo.core.extraction import Triple
from tupelo.core.protocols import Entailing
from tupelo.infer.methods import EntailmentMethod
from tupelo.infer.phrases import folded

if TYPE_CHECKING:
    from tupelo.nlp.encoder import Encoder

THRESHOLD = 0.5
MOST = 20
# A slow method compares only this many relations: those nearest to the asked one.
_READ = 300
_VARIABLES = ("x", "y")


class _Candidate(NamedTuple):
    pair: EntailmentPair
    name: str
    reversed: bool


class MethodExpander:
    """Asks an entailment method about every relation that a graph has."""

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
            candidate
            for known in self._nearest(relation)
            for turned in (False, True)
            if (candidate := _candidate(known, asked, relation, turned)) is not None
        ]
        if not candidates:
            return []
        scores = self._method.scores([candidate.pair for candidate in candidates])
        ranked = sorted(
            zip(scores, candidates, strict=True), key=lambda item: (-item[0], item[1].name, item[1].reversed)
        )
        best: dict[str, Entailing] = {}
        for score, candidate in ranked:
            if score < self._threshold or len(best) == self._most:
                break
            # Whichever way round a relation entails better is the way it is meant.
            best.setdefault(candidate.name, self._entailing(score, candidate, relation))
        return list(best.values())

    def _nearest(self, relation: str) -> list[RelationSignature]:
        known = [signature for name, signature in self._relations.items() if name != folded(relation)]
        if len(known) <= _READ:
            return known
        vectors = self._encoder.encode([relation, *(signature.name for signature in known)])
        order = np.argsort(-(vectors[1:] @ vectors[0]), kind="stable")[:_READ]
        return [known[place] for place in order.tolist()]

    def _entailing(self, score: float, candidate: _Candidate, relation: str) -> Entailing:
        premise, hypothesis = candidate.pair.premise, candidate.pair.hypothesis
        reason = (
            f"'{premise.subject} {premise.relation} {premise.object}' entails "
            f"'{hypothesis.subject} {hypothesis.relation} {hypothesis.object}' ({self._method.name} {score:.2f})"
        )
        why = self._method.explain(candidate.pair)
        return Entailing(candidate.name, min(max(score, 0.0), 1.0), "; ".join([reason, *why[:2]]), candidate.reversed)


def _candidate(known: RelationSignature, asked: RelationSignature, words: str, turned: bool) -> _Candidate | None:
    """The question whether a known relation entails the asked one; `None` where their types are incompatible."""
    ends = (known.object_types, known.subject_types) if turned else (known.subject_types, known.object_types)
    arguments = []
    for own, wanted, variable in zip(ends, (asked.subject_types, asked.object_types), _VARIABLES, strict=True):
        if own and wanted and not own & wanted:
            return None
        shared = sorted(own & wanted or own or wanted)
        arguments.append(shared[0] if len(shared) == 1 else variable)
    if arguments[0] == arguments[1]:
        # Two persons need two names.
        arguments = list(_VARIABLES)
    first, second = arguments
    premise = Triple(second, known.name, first) if turned else Triple(first, known.name, second)
    return _Candidate(EntailmentPair(premise, Triple(first, words, second)), known.name, turned)
