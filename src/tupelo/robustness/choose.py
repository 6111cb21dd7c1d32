"""Choice of the paraphrases of a clique: those whose syntax differs most, from the original and from each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from tupelo.robustness.candidates import Rewording
from tupelo.robustness.settings import SETTINGS
from tupelo.robustness.verify import Verification

# The number of candidates that are compared with each other, the weight of their quality relative to the distance,
# and the penalty for rules that only put a frame around the sentence.
_CHOICE: dict[str, Any] = SETTINGS["choice"]
_QUALITY: float = _CHOICE["quality_weight"]


@dataclass(frozen=True, slots=True)
class VerifiedCandidate:
    """A candidate that passed the checks."""

    candidate: Rewording
    verification: Verification

    @property
    def quality(self) -> float:
        """Fluency times meaning, with a penalty for only putting a few words around the sentence."""
        penalties: dict[str, float] = _CHOICE["frame_penalties"]
        penalty = max((penalties.get(rule, 0.0) for rule in self.candidate.origin.split("+")), default=0.0)
        return self.verification.fluency * self.verification.meaning * (1 - penalty)


def shortlist(candidates: Sequence[VerifiedCandidate], distances: Sequence[float]) -> list[int]:
    """The candidates worth comparing with each other, given their distances to the original."""

    def rank(number: int) -> tuple[float, str]:
        return -distances[number] - _QUALITY * candidates[number].quality, candidates[number].candidate.text

    return sorted(sorted(range(len(candidates)), key=rank)[: _CHOICE["shortlist"]])


def choose(
    candidates: Sequence[VerifiedCandidate],
    distance: Sequence[Sequence[float]],
    *,
    least: int,
    most: int,
    least_distance: float,
) -> list[int]:
    """The best of the largest sets of candidates that keep the mean distance; empty if there are too few.

    `distance` is between all sentences, the original first. Where no set
    reaches `least_distance`, the smallest allowed set that comes closest is taken.
    """
    if len(candidates) < least:
        return []
    best: list[int] = []
    for size in range(min(most, len(candidates)), least - 1, -1):
        best, mean = _best_of_size(candidates, distance, size)
        if mean >= least_distance:
            return best
    return best


def _best_of_size(
    candidates: Sequence[VerifiedCandidate], distance: Sequence[Sequence[float]], size: int
) -> tuple[list[int], float]:
    best: tuple[float, list[int], float] | None = None
    for chosen in combinations(range(len(candidates)), size):
        places = (0, *(number + 1 for number in chosen))
        pairs = [distance[one][other] for one, other in combinations(places, 2)]
        mean = sum(pairs) / len(pairs)
        worth = mean + _QUALITY * sum(candidates[number].quality for number in chosen) / size
        if best is None or worth > best[0] + 1e-12:
            best = (worth, list(chosen), mean)
    assert best is not None
    return best[1], best[2]
