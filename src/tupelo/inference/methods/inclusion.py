"""Distributional inclusion: a relation entails another when it is seen only with arguments of the other.

`inclusion` is the precision of Weeds and Weir (2003): how much of the premise's weight lies on arguments that the
hypothesis has too. It is 1 for rare relations whose few arguments happen to be shared; `binc` (Szpektor and Dagan
2008) balances it with a symmetric similarity. Both take the geometric mean over the two slots. Where the arguments of
a pair are swapped, the first slot of one relation is compared with the second of the other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

from tupelo.core.entailment import EntailmentPair
from tupelo.inference.methods import InferenceResources, ShippedEntailment
from tupelo.inference.phrases import Distribution, Slot, are_swapped


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

    def __init__(self, resources: InferenceResources) -> None:
        self._distribution: Distribution = resources.require("distribution", self.name)

    def _scores(self, pairs: Sequence[EntailmentPair]) -> list[float]:
        return [self._score(pair) for pair in pairs]

    def _slots(self, pair: EntailmentPair) -> tuple[tuple[Slot, Slot], tuple[Slot, Slot]]:
        premise = self._distribution.slots(pair.premise.relation)
        hypothesis = self._distribution.slots(pair.hypothesis.relation, swapped=are_swapped(pair))
        return (premise[0], hypothesis[0]), (premise[1], hypothesis[1])

    def _measure(self, narrow: Slot, broad: Slot) -> float:
        return weeds_precision(narrow, broad)

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

    def _measure(self, narrow: Slot, broad: Slot) -> float:
        return balanced_inclusion(narrow, broad)
