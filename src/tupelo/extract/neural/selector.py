"""Selection of candidates, and the confidence of each.

Three small networks on the features of a candidate. The first scores every candidate independently, which gives a
ranking. The second goes through the ranking and predicts how much a candidate adds to the better ones before it: the
confidence. Its training target is the mean of the gains in CaRB precision and recall. The third predicts whether a
candidate is one fact, complete and exactly worded, as BenchIE requires: such a tuple may repeat part of another one
and is still kept, with its low confidence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from tupelo.extract.neural.scores import Array, Masks, sigmoid
from tupelo.extract.rules import TupleCandidate

_ORDER_FEATURES = 9
_WIDEST = 6.0
_ARRAYS = ("mean", "spread", "first", "first_bias", "second", "second_bias", "last", "last_bias")


class Selector:
    """The networks, from the arrays that training wrote."""

    def __init__(self, weights: Mapping[str, NDArray[np.float32]], kind: str = "") -> None:
        """`kind` is the name prefix of the arrays of one of several selectors in a file."""
        self._alone, self._ordered, self._fact = (
            {name: weights[f"{kind}{part}.{name}"] for name in _ARRAYS} for part in ("alone", "ordered", "fact")
        )

    def confidences(self, features: Array, found: Sequence[TupleCandidate], masks: Sequence[Masks]) -> Array:
        """The confidences of the tuples, in [0, 1]."""
        if not found:
            return np.zeros(0, dtype=np.float32)
        alone = self.judge(self._alone, features)
        placed = order_features(found, masks, alone, in_order(alone))
        return self.judge(self._ordered, np.concatenate([features, placed], axis=1))

    def facts(self, features: Array, confidences: Array) -> Array:
        """The probability that each tuple is a complete, exactly worded fact."""
        if not len(confidences):
            return confidences
        return self.judge(self._fact, np.concatenate([features, confidences[:, None]], axis=1))

    @staticmethod
    def judge(weights: Mapping[str, NDArray[np.float32]], features: Array) -> Array:
        """The mean prediction of all members."""
        x = np.clip((features - weights["mean"]) / weights["spread"], -_WIDEST, _WIDEST)
        hidden = np.maximum(x @ weights["first"] + weights["first_bias"], 0)
        hidden = np.maximum(hidden @ weights["second"] + weights["second_bias"], 0)
        return sigmoid((hidden @ weights["last"] + weights["last_bias"])[..., 0].mean(axis=0))


def in_order(alone: Array) -> list[int]:
    """Best first; ties keep their order."""
    return [int(place) for place in np.argsort(-alone, kind="stable")]


def order_features(
    found: Sequence[TupleCandidate], masks: Sequence[Masks], alone: Array, order: Sequence[int]
) -> Array:
    """How a candidate relates to those before it in the order."""
    rows = np.zeros((len(found), _ORDER_FEATURES), dtype=np.float32)
    wholes = [mask.everything for mask in masks]
    sizes = [(m.subject.bit_count() + m.relation.bit_count() + m.arguments.bit_count()) for m in masks]
    for rank, number in enumerate(order):
        own = masks[number]
        row = rows[number]
        row[0], row[1] = alone[number], min(rank, 12) / 4
        closest, nearest, most_inside, same = -1, -1.0, 0.0, 0
        everything = wholes[number]
        words = max(everything.bit_count(), 1)
        for before in order[:rank]:
            other = masks[before]
            common = (
                (own.subject & other.subject).bit_count()
                + (own.relation & other.relation).bit_count()
                + (own.arguments & other.arguments).bit_count()
            )
            share = common / max(sizes[number] + sizes[before] - common, 1)
            if share > nearest:
                closest, nearest = before, share
            most_inside = max(most_inside, (everything & wholes[before]).bit_count() / words)
            same += found[before].predicate == found[number].predicate
        if closest >= 0:
            other = masks[closest]
            row[2:] = (
                nearest,
                _share(own.relation, other.relation),
                _share(own.arguments, other.arguments),
                (everything & wholes[closest]).bit_count() / words,
                alone[closest],
                most_inside,
                same,
            )
    return rows


def _share(own: int, other: int) -> float:
    return (own & other).bit_count() / max((own | other).bit_count(), 1)
