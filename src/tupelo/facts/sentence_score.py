"""From what is known of a sentence to one number between 0 and 1.

The parts: its support by words and links (`tupelo.facts.support`), the share of its claims that the source refutes,
and what a network says of it (`tupelo.facts.network`).
"""

from __future__ import annotations

from dataclasses import dataclass

from tupelo.facts.network import Judgement

_COST_OF_CONFLICTS = 0.25


@dataclass(frozen=True, slots=True)
class Parts:
    """What is known of a sentence; `judgement` is `None` where no network reads along."""

    support: float
    refuted: float
    judgement: Judgement | None

    @property
    def syntax(self) -> float:
        """Support, lowered by up to a quarter with the share of claims that are refuted."""
        return self.support * (1 - _COST_OF_CONFLICTS * self.refuted)


def score_of(parts: Parts) -> float:
    """The mean of what syntax and the network say; without a network what syntax says."""
    return parts.syntax if parts.judgement is None else (parts.syntax + parts.judgement.probability) / 2
