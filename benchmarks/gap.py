"""GAP: does a pronoun mean the one name, the other, or neither? (Webster et al., TACL 2018)

An example has a pronoun and two names, A and B, and so two answers: is A meant, is B meant? Of the answers "yes",
precision is the share that is right, recall the share of the right ones that is found. The figures are given over all
examples and for masculine and feminine pronouns; `bias` is the feminine F1 over the masculine one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from tupelo.scorers.result import harmonic_mean

_MASCULINE = frozenset(("he", "him", "his"))


class GapAnswer(NamedTuple):
    """Whether the pronoun means A, and whether it means B."""

    a: bool
    b: bool


@dataclass(frozen=True, slots=True)
class GapFigures:
    precision: float
    recall: float
    f1: float
    examples: int


@dataclass(frozen=True, slots=True)
class GapScore:
    """`bias` is `None` where there is nothing to divide by."""

    overall: GapFigures
    masculine: GapFigures
    feminine: GapFigures

    @property
    def bias(self) -> float | None:
        return self.feminine.f1 / self.masculine.f1 if self.masculine.f1 else None

    def to_dict(self) -> dict[str, Any]:
        return asdict(self) | {"bias": self.bias}


def score_gap(examples: Iterable[tuple[GapAnswer, GapAnswer, str]]) -> GapScore:
    """Figures of examples: the gold answer, the one that is given, and the pronoun."""
    rows = list(examples)
    masculine = [row for row in rows if row[2].lower() in _MASCULINE]
    feminine = [row for row in rows if row[2].lower() not in _MASCULINE]
    return GapScore(_figures(rows), _figures(masculine), _figures(feminine))


def _figures(rows: list[tuple[GapAnswer, GapAnswer, str]]) -> GapFigures:
    pairs = [pair for gold, given, _ in rows for pair in zip(gold, given, strict=True)]
    right = sum(wanted and found for wanted, found in pairs)
    precision, recall = (right / max(1, sum(pair[side] for pair in pairs)) for side in (1, 0))
    return GapFigures(precision, recall, harmonic_mean(precision, recall), len(rows))
