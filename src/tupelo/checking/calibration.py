"""From the findings about a claim to one probability, and from it to a verdict that always agrees with it.

The probability is a logistic curve over named features. `python -m tupelo_training.support.calibrate` fits it to
judged claims of texts that a network was not trained on; the weights are in `calibration.json` beside those of the
network.

| feature | meaning |
| --- | --- |
| `constant` | 1 |
| `supported` | log odds that the best sentences of the source, read together, support the claim |
| `refuted` | log odds that they refute it |
| `least` | log odds of the claim's least likely subword |
| `confirmed` | 1 if a calculation gives a value that the source does not have literally |

A computed contradiction is no feature: it is hard, and scales the probability below the threshold of refuted claims.
A dispute scales it below that of supported ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from math import log

from tupelo.core.numeric import sigmoid

FEATURES = ("constant", "supported", "refuted", "least", "confirmed")
SUPPORTED_FROM, REFUTED_UP_TO = 0.5, 0.3
_DISPUTED_UP_TO = 0.49
_SURE = 1e-4


class Verdict(Enum):
    """The verdict on a claim; `abstained` is for a sentence that says that it does not know."""

    SUPPORTED = "supported"
    REFUTED = "refuted"
    UNVERIFIABLE = "unverifiable"
    ABSTAINED = "abstained"


@dataclass(frozen=True, slots=True)
class Findings:
    """Findings about a claim, as probabilities.

    `refutes`: the evidence refutes the claim rather than saying nothing about it. `contradicted`: a calculation gives
    another value. `disputed`: the source has another value that may be about something else.
    """

    supported: float
    refuted: float
    least: float
    confirmed: bool = False
    refutes: bool = False
    contradicted: bool = False
    disputed: bool = False

    @property
    def features(self) -> tuple[float, ...]:
        """The values of `FEATURES`."""
        return (1.0, odds(self.supported), odds(self.refuted), odds(self.least), float(self.confirmed))


@dataclass(frozen=True, slots=True)
class Curve:
    """The fitted weights of `FEATURES`."""

    weights: Mapping[str, float]

    def __post_init__(self) -> None:
        if set(self.weights) != set(FEATURES):
            raise ValueError(f"weights of {', '.join(self.weights) or 'nothing'}, expected {', '.join(FEATURES)}")

    def probability(self, findings: Findings) -> float:
        """The probability that a claim is supported."""
        total = sum(self.weights[name] * value for name, value in zip(FEATURES, findings.features, strict=True))
        most = REFUTED_UP_TO if findings.contradicted else _DISPUTED_UP_TO if findings.disputed else 1.0
        return sigmoid(total) * most


def verdict_of(probability: float, findings: Findings) -> Verdict:
    """Supported from 0.5 on, refuted up to 0.3 where something contradicts the claim, else unverifiable."""
    if probability >= SUPPORTED_FROM:
        return Verdict.SUPPORTED
    is_refuted = probability <= REFUTED_UP_TO and (findings.refutes or findings.contradicted)
    return Verdict.REFUTED if is_refuted else Verdict.UNVERIFIABLE


def odds(probability: float) -> float:
    """Log odds, clipped."""
    safe = min(max(probability, _SURE), 1 - _SURE)
    return log(safe / (1 - safe))
