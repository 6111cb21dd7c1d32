"""Pairs of statements that are known to say the same of the same two things, without any model.

The words of their relations decide (`tupelo.relations.sameness`). Sentences count if they begin and end with the two
things.
"""

from __future__ import annotations

from tupelo.core.entailment import EntailmentPair, is_whole
from tupelo.core.extraction import Triple
from tupelo.inference.phrases import are_swapped, with_arguments
from tupelo.inference.statements import by_shared_arguments
from tupelo.relations.sameness import PRIORS, SURE, reason_same
from tupelo.relations.wordings import RelationWording, wording_of

# Log odds that this adds to an entailment: as much as to a merge.
KNOWN = PRIORS[SURE]
# Longer statements are not compared; time would grow faster than the number of words.
_MOST_WORDS = 20


def known_reason(pair: EntailmentPair) -> str | None:
    """Reason why the hypothesis must say the same as the premise; `None` if there is none.

    >>> known_reason(EntailmentPair(Triple("Ann", "later founded", "Acme"), Triple("Acme", "was founded by", "Ann")))
    'both are forms of one relation: found'
    """
    premise, hypothesis = _words(pair.premise), _words(pair.hypothesis)
    if max(len(premise), len(hypothesis)) > _MOST_WORDS:
        return None
    if is_whole(pair.premise) or is_whole(pair.hypothesis):
        divided = by_shared_arguments(premise, hypothesis)
        return None if divided is None else known_reason(divided)
    one, other = _wording(pair.premise), _wording(with_arguments(pair))
    return reason_same(one, other, are_swapped(pair))


def _wording(statement: Triple) -> RelationWording:
    return wording_of(statement.subject, statement.relation, statement.object)


def _words(statement: Triple) -> list[str]:
    text = f"{statement.subject} {statement.relation} {statement.object}"
    return text.rstrip(" .!?").split()
