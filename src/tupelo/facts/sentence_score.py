"""From what is known of a sentence to one number between 0 and 1.

The parts: its support by words and links (`tupelo.facts.support`), the share of its claims that the source refutes,
the share of its runs of three words that the source has, and what a network says of it (`tupelo.facts.network`).
"""

from __future__ import annotations

from dataclasses import dataclass

from tupelo.facts.network import Judgement

_COST_OF_CONFLICTS = 0.25
# A network that was trained on clear cases is too sure of itself: its log odds are divided by this.
_TEMPERATURE = 4.0
# Of what is missing, how much a sentence that is copied entirely gets; and how little one that is copied in part.
_COPY, _ENTIRELY = 0.5, 4


@dataclass(frozen=True, slots=True)
class Parts:
    """What is known of a sentence; `judgement` is `None` where no network reads along."""

    support: float
    refuted: float
    copied: float
    judgement: Judgement | None

    @property
    def syntax(self) -> float:
        """Support, lowered by up to a quarter with the share of claims that are refuted."""
        return self.support * (1 - _COST_OF_CONFLICTS * self.refuted)


def score_of(parts: Parts) -> float:
    """Without a network what syntax says; else the mean of both, and what is copied closes a part of the gap."""
    if parts.judgement is None:
        return parts.syntax
    read = (softened(parts.judgement.probability) + softened(parts.judgement.least)) / 2
    return closed((parts.syntax + read) / 2, parts.copied)


def closed(score: float, copied: float) -> float:
    """What is copied word for word closes up to half of what is missing."""
    return score + (1 - score) * _COPY * copied**_ENTIRELY


def softened(probability: float) -> float:
    """A probability of the network, less sure."""
    safe = min(max(probability, 1e-4), 1 - 1e-4)
    odds: float = ((1 - safe) / safe) ** (1 / _TEMPERATURE)
    return 1 / (1 + odds)
