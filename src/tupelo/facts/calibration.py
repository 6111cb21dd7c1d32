"""How likely is a claim supported? A logistic curve over what is known of it, fitted on judged claims.

`python -m tupelo_training.support.calibrate` fits it on claims of held-out texts, and reports how well it is
calibrated there (see the benchmarks page).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from math import exp, log

from tupelo.facts.network import Judgement

# Constant, support, conflict; where a network reads along, log odds of the sentence and of the least likely piece.
WITHOUT_NETWORK = (-2.75, 5.1, -1.48)
WITH_NETWORK = (0.45, 0.48, -0.36, 0.45, 0.97)
_SURE = 1e-4


@dataclass(frozen=True, slots=True)
class Findings:
    """What is known of a claim: support by syntax, whether the source contradicts it, what a network says."""

    support: float
    in_conflict: bool
    whole: float | None = None
    least: float | None = None

    @property
    def features(self) -> tuple[float, ...]:
        known = (1.0, self.support, float(self.in_conflict))
        return known if self.whole is None or self.least is None else (*known, odds(self.whole), odds(self.least))

    @property
    def probability(self) -> float:
        features = self.features
        constants = WITHOUT_NETWORK if len(features) == len(WITHOUT_NETWORK) else WITH_NETWORK
        return 1 / (1 + exp(-sum(one * other for one, other in zip(constants, features, strict=True))))


def odds(probability: float) -> float:
    """Log odds, within bounds."""
    safe = min(max(probability, _SURE), 1 - _SURE)
    return log(safe / (1 - safe))


def least_within(judgement: Judgement, characters: Collection[tuple[int, int]]) -> float:
    """The least likely piece that shares a character with some words; that of all where none does."""
    chances = [
        chance
        for low, high, chance in judgement.pieces
        if any(start < high and low < end for start, end in characters)
    ]
    return min(chances, default=judgement.least)
