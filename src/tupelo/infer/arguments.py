"""Whose arguments a hypothesis is about."""

from __future__ import annotations

from tupelo.core.entailment import EntailmentPair
from tupelo.core.extraction import Triple
from tupelo.infer.phrases import are_swapped, argument_words


def with_arguments(pair: EntailmentPair) -> Triple:
    """The hypothesis about the premise's arguments, where one of its own is a type or another name of one of these.

    In Levy/Holt's original form *drug kills infections* stands beside *kanamycin is useful in infections*. The shared
    argument says which the other one is meant to be; where none is shared, nothing is changed.
    """
    premise, hypothesis = pair.premise, pair.hypothesis
    wanted = (premise.object, premise.subject) if are_swapped(pair) else (premise.subject, premise.object)
    own = (hypothesis.subject, hypothesis.object)
    shared = [bool(argument_words(a) & argument_words(b)) for a, b in zip(own, wanted, strict=True)]
    if sum(shared) != 1:
        return hypothesis
    first, second = (a if same else b for a, b, same in zip(own, wanted, shared, strict=True))
    return Triple(first, hypothesis.relation, second)
