"""Which paraphrases go into a clique: those whose syntax differs most, from the original and from each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from tupelo.cliques.candidates import Candidate
from tupelo.cliques.verify import Verdict

# Candidates that are looked at; the best of them by distance to the original and by quality.
_LOOKED_AT = 14
# How much fluency and meaning count beside the distance.
_QUALITY = 0.15


# Rules that leave the sentence as it is inside another one, and what that costs of its quality.
_AROUND = {"what-happened": 0.4, "what-is-true": 0.8}


@dataclass(frozen=True, slots=True)
class Judged:
    """A candidate that passed the checks."""

    candidate: Candidate
    verdict: Verdict

    @property
    def quality(self) -> float:
        """Fluency times meaning, less for what only puts a few words around the sentence."""
        around = max((_AROUND.get(rule, 0.0) for rule in self.candidate.origin.split("+")), default=0.0)
        return self.verdict.fluency * self.verdict.meaning * (1 - around)


def shortlist(judged: Sequence[Judged], distances: Sequence[float]) -> list[int]:
    """The candidates worth comparing with each other, given their distances to the original."""
    order = sorted(
        range(len(judged)),
        key=lambda number: (-distances[number] - _QUALITY * judged[number].quality, judged[number].candidate.text),
    )
    return sorted(order[:_LOOKED_AT])


def choose(
    judged: Sequence[Judged], distance: Sequence[Sequence[float]], *, least: int, most: int, least_distance: float
) -> list[int]:
    """The largest set of candidates that keeps the mean distance, and of those the best; empty if they are too few.

    `distance` is between all sentences, the original first. Where no set
    reaches `least_distance`, the smallest allowed one that comes nearest is taken.
    """
    if len(judged) < least:
        return []
    best: list[int] = []
    for size in range(min(most, len(judged)), least - 1, -1):
        best, mean = _best_of_size(judged, distance, size)
        if mean >= least_distance:
            return best
    return best


def _best_of_size(
    judged: Sequence[Judged], distance: Sequence[Sequence[float]], size: int
) -> tuple[list[int], float]:
    best: tuple[float, list[int], float] | None = None
    for chosen in combinations(range(len(judged)), size):
        places = (0, *(number + 1 for number in chosen))
        pairs = [distance[one][other] for one, other in combinations(places, 2)]
        mean = sum(pairs) / len(pairs)
        worth = mean + _QUALITY * sum(judged[number].quality for number in chosen) / size
        if best is None or worth > best[0] + 1e-12:
            best = (worth, list(chosen), mean)
    assert best is not None
    return best[1], best[2]
