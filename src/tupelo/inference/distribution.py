"""Distributions of relations over their arguments, and how far one includes another.

A relation has two slots, x and y. The weight of an argument in a slot is the pointwise mutual information of relation
and argument within that slot, kept where it is positive, as in DIRT (Lin and Pantel 2001). Corpora are small compared
with what can be said, so forms are merged: a relation is counted without tense, modality and auxiliaries (*was born
in*, *had been born in*), an argument as the base form of its last word.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tupelo.core.ngram import Assertion
from tupelo.inference.phrases import base_argument
from tupelo.relations.phrases import base_relation

Slot = Mapping[str, float]
_EMPTY: Slot = {}


@dataclass(frozen=True, slots=True)
class Distribution:
    """Weights of arguments by relation, for the first slot and the second."""

    x: Mapping[str, Slot]
    y: Mapping[str, Slot]

    def slots(self, relation: str, *, swapped: bool = False) -> tuple[Slot, Slot]:
        """Both slots of a relation, empty if unknown; the second one first if `swapped`."""
        name = base_relation(relation)
        found = self.x.get(name, _EMPTY), self.y.get(name, _EMPTY)
        return (found[1], found[0]) if swapped else found


def count_arguments(assertions: Iterable[Assertion]) -> Distribution:
    """Count assertions and weigh their arguments."""
    counts: tuple[dict[str, Counter[str]], dict[str, Counter[str]]] = defaultdict(Counter), defaultdict(Counter)
    for found in assertions:
        relation = base_relation(found.relation)
        counts[0][relation][base_argument(found.subject)] += found.count
        counts[1][relation][base_argument(found.object)] += found.count
    return Distribution(*(dict(_weighted(slot)) for slot in counts))


def _weighted(counts: Mapping[str, Counter[str]]) -> Iterator[tuple[str, Slot]]:
    of_argument: Counter[str] = Counter()
    of_relation = {relation: sum(arguments.values()) for relation, arguments in counts.items()}
    for arguments in counts.values():
        of_argument.update(arguments)
    total = sum(of_relation.values())
    for relation, arguments in counts.items():
        weights = {
            argument: math.log(count * total / (of_relation[relation] * of_argument[argument]))
            for argument, count in arguments.items()
        }
        yield relation, {argument: weight for argument, weight in weights.items() if weight > 0}


def weeds_precision(narrow: Slot, broad: Slot) -> float:
    """The share of the first one's weight that lies on arguments of the second (Weeds and Weir 2003)."""
    whole = sum(narrow.values())
    return sum(weight for argument, weight in narrow.items() if argument in broad) / whole if whole else 0.0


def lin_similarity(one: Slot, other: Slot) -> float:
    """The share of both ones' weight that lies on arguments of both (Lin 1998)."""
    both = sum(one[argument] + other[argument] for argument in one.keys() & other.keys())
    whole = sum(one.values()) + sum(other.values())
    return both / whole if whole else 0.0


def balanced_inclusion(narrow: Slot, broad: Slot) -> float:
    """BInc (Szpektor and Dagan 2008): the geometric mean of inclusion and similarity."""
    return math.sqrt(weeds_precision(narrow, broad) * lin_similarity(narrow, broad))
