"""Inclusion of arguments: a relation entails another when it is seen only with arguments of the other.

`inclusion` is the precision of Weeds and Weir (2003): how much of the premise's weight lies on arguments that the
hypothesis has too. It is 1 for rare relations whose few arguments happen to be shared; `binc` (Szpektor and Dagan
2008) balances it with a symmetric similarity. Both take the geometric mean over the two slots. Where the arguments of
a pair are swapped, the first slot of one relation is compared with the second of the other.

In a `Distribution`, the weight of an argument in a slot is the pointwise mutual information of relation and argument
within that slot, kept where it is positive, as in DIRT (Lin and Pantel 2001). Corpora are small compared with what
can be said, so forms are merged: a relation is counted without tense, modality and auxiliaries (*was born in*, *had
been born in*), an argument as the base form of its last word.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar

from tupelo.core.assertion import Assertion
from tupelo.core.entailment import EntailmentPair
from tupelo.inference.methods import InferenceResources, ShippedEntailment
from tupelo.inference.statements import are_swapped, folded
from tupelo.relations.phrases import WORD, base_form, base_relation


@lru_cache(maxsize=200_000)
def base_argument(text: str) -> str:
    """The base form of an argument's last word, mostly its head.

    >>> [base_argument(text) for text in ("the old cities", "Barack Obama", "1991")]
    ['city', 'obama', '1991']
    """
    words = WORD.findall(text.lower())
    return base_form(words[-1]) if words else folded(text)


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


class FeatureInclusion(ShippedEntailment):
    """Weighted inclusion of the premise's arguments in the hypothesis'."""

    name: ClassVar[str] = "inclusion"
    title: ClassVar[str] = "the premise's arguments are arguments of the hypothesis (--assertions)"
    needs: ClassVar[frozenset[str]] = frozenset({"assertions"})
    _measure = staticmethod(weeds_precision)

    def __init__(self, resources: InferenceResources) -> None:
        self._assertions: Iterable[Assertion] = resources.require("assertions", self.name)

    @cached_property
    def _distribution(self) -> Distribution:
        return count_arguments(self._assertions)

    def _slots(self, pair: EntailmentPair) -> tuple[tuple[Slot, Slot], tuple[Slot, Slot]]:
        premise = self._distribution.slots(pair.premise.relation)
        hypothesis = self._distribution.slots(pair.hypothesis.relation, swapped=are_swapped(pair))
        return (premise[0], hypothesis[0]), (premise[1], hypothesis[1])

    def _score(self, pair: EntailmentPair) -> float:
        x, y = (self._measure(*slot) for slot in self._slots(pair))
        return math.sqrt(x * y)

    def explain(self, pair: EntailmentPair) -> list[str]:
        lines = []
        for label, (narrow, broad) in zip("xy", self._slots(pair), strict=True):
            shared = sorted(narrow.keys() & broad.keys(), key=lambda name: (-min(narrow[name], broad[name]), name))
            lines.append(
                f"{label}: {len(shared)} of the premise's {len(narrow)} arguments are shared"
                + (f" ({', '.join(shared[:5])})" if shared else "")
                + f", score {self._measure(narrow, broad):.3f}"
            )
        return lines


class BalancedInclusion(FeatureInclusion):
    """BInc: inclusion and similarity together."""

    name: ClassVar[str] = "binc"
    title: ClassVar[str] = "the same, balanced with similarity: BInc (--assertions)"
    _measure = staticmethod(balanced_inclusion)
