"""Calibrate the findings about a claim or a sentence to one number between 0 and 1.

The probability of a claim is a logistic curve over its support, its conflicts and the network's judgement.
`python -m tupelo_training.support.calibrate` fits it; the constants are in `calibration.json` beside the weights of
the network, each with the data it was fitted on.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from math import log

from tupelo.core.numeric import sigmoid
from tupelo.facts.network import SHIPPED, Judgement
from tupelo.nlp.folder import ModelFolder, find_model

_SURE = 1e-4
_COST_OF_CONFLICTS = 0.25


@dataclass(frozen=True, slots=True)
class FittedConstants:
    """Weights of the features, and the thresholds for a supported claim, with and without a network."""

    with_network: tuple[float, ...]
    without_network: tuple[float, ...]
    least_probability: float
    least_support: float


@cache
def fitted_constants() -> FittedConstants:
    """The constants fitted for the shipped network."""
    folder = ModelFolder(find_model(SHIPPED), "a support model")
    stored = folder.json("calibration.json")
    with folder.reading("calibration.json"):
        return FittedConstants(
            tuple(stored["with_network"]["value"]),
            tuple(stored["without_network"]["value"]),
            float(stored["least_probability"]["value"]),
            float(stored["least_support"]["value"]),
        )


@dataclass(frozen=True, slots=True)
class Findings:
    """Findings about a claim: support by syntax, whether the source contradicts it, the network's judgement."""

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
        features, fitted = self.features, fitted_constants()
        weights = fitted.without_network if len(features) == len(fitted.without_network) else fitted.with_network
        return sigmoid(sum(weight * feature for weight, feature in zip(weights, features, strict=True)))


@dataclass(frozen=True, slots=True)
class SentenceFindings:
    """Findings about a sentence: support, the share of its claims that are refuted, and the network's judgement.

    `judgement` is `None` without a network.
    """

    support: float
    refuted: float
    judgement: Judgement | None

    @property
    def syntax(self) -> float:
        """Support, lowered by up to a quarter with the share of claims that are refuted."""
        return self.support * (1 - _COST_OF_CONFLICTS * self.refuted)

    @property
    def score(self) -> float:
        """The mean of syntax and network; without a network, syntax alone."""
        return self.syntax if self.judgement is None else (self.syntax + self.judgement.probability) / 2


def odds(probability: float) -> float:
    """Log odds, clipped."""
    safe = min(max(probability, _SURE), 1 - _SURE)
    return log(safe / (1 - safe))


def least_within(judgement: Judgement, characters: Collection[tuple[int, int]]) -> float:
    """The lowest subword probability within some spans; that of the whole claim if none overlaps."""
    inside = [
        probability
        for low, high, probability in judgement.subwords
        if any(start < high and low < end for start, end in characters)
    ]
    return min(inside, default=judgement.least)
