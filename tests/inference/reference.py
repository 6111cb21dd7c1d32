"""Steps 8 to 10 in plain Python, for comparison with the stages and the SQL that run at scale."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from tupelo.core.assertion import Assertion
from tupelo_training.assertions.lines import Token
from tupelo_training.assertions.steps import LEAST_PAIRS, find_parts


def assertion_of(tokens: Sequence[Token], count: int) -> Assertion | None:
    """Steps 2 to 8."""
    parts = find_parts(tokens)
    if parts is None:
        return None
    subject, relation, object_ = (" ".join(token.word for token in tokens[start:end]) for start, end in parts)
    return Assertion(subject, relation, object_, count)


def aggregate(assertions: Iterable[Assertion]) -> list[Assertion]:
    """Step 9: one assertion for all that are equal, with their counts together; sorted."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for assertion in assertions:
        counts[assertion.relation, assertion.subject, assertion.object] += assertion.count
    return [
        Assertion(subject, relation, object_, count) for (relation, subject, object_), count in sorted(counts.items())
    ]


def remove_rare_relations(assertions: Sequence[Assertion], min_pairs: int = LEAST_PAIRS) -> list[Assertion]:
    """Step 10: only assertions whose relation has at least so many different pairs of subject and object."""
    pairs: dict[str, set[tuple[str, str]]] = {}
    for assertion in assertions:
        pairs.setdefault(assertion.relation, set()).add((assertion.subject, assertion.object))
    return [assertion for assertion in assertions if len(pairs[assertion.relation]) >= min_pairs]
