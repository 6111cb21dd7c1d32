"""Formulas that turn the findings about a sentence into one number: those that were compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp

from tupelo.facts.calibration import SentenceFindings, odds
from tupelo.facts.network import Judgement

SHIPPED = "shipped: syntax and whole"
# Of what is missing, how much a sentence that is copied entirely gets; and how little one that is copied in part.
_COPY, _ENTIRELY = 0.5, 4
# A network that is too sure of itself has its log odds divided by this in the softened forms.
TEMPERATURE = 4.0


def softened(probability: float) -> float:
    """A probability of the network, less sure."""
    return 1 / (1 + exp(-odds(probability) / TEMPERATURE))


@dataclass(frozen=True, slots=True)
class Sentence:
    """The findings about a sentence, and the share of its runs of three words that the source has."""

    findings: SentenceFindings
    copied: float

    @property
    def syntax(self) -> float:
        return self.findings.syntax

    @property
    def judgement(self) -> Judgement:
        if self.findings.judgement is None:
            raise ValueError("expected a network that reads along")
        return self.findings.judgement

    def closed(self, score: float) -> float:
        """What is copied word for word closes up to half of what is missing."""
        return score + (1 - score) * _COPY * self.copied**_ENTIRELY


@dataclass(frozen=True, slots=True)
class Forms:
    """Ways to use what the network says: as it says it, or `softened`."""

    told: Callable[[float], float]

    def whole(self, one: Sentence) -> float:
        return self.told(one.judgement.probability)

    def least(self, one: Sentence) -> float:
        return self.told(one.judgement.least)

    def both(self, one: Sentence) -> float:
        return (self.whole(one) + self.least(one)) / 2

    def half_whole(self, one: Sentence) -> float:
        return (one.syntax + self.whole(one)) / 2

    def half_both(self, one: Sentence) -> float:
        return (one.syntax + self.both(one)) / 2

    def thirds(self, one: Sentence) -> float:
        return (one.syntax + self.whole(one) + self.least(one)) / 3

    def half_both_and_copies(self, one: Sentence) -> float:
        return one.closed(self.half_both(one))

    def thirds_and_copies(self, one: Sentence) -> float:
        return one.closed(self.thirds(one))


_PLAIN, _SOFTENED = Forms(lambda probability: probability), Forms(softened)
FORMS: dict[str, Callable[[Sentence], float]] = {
    SHIPPED: lambda one: one.findings.score,
    "syntax": lambda one: one.syntax,
    "whole": _PLAIN.whole,
    "least piece": _PLAIN.least,
    "whole and least": _PLAIN.both,
    "syntax, whole and least": _PLAIN.half_both,
    "syntax, whole, least and copies": _PLAIN.half_both_and_copies,
    "a third each": _PLAIN.thirds,
    "a third each, and copies": _PLAIN.thirds_and_copies,
    "whole, softened": _SOFTENED.whole,
    "least piece, softened": _SOFTENED.least,
    "whole and least, softened": _SOFTENED.both,
    "syntax and whole, softened": _SOFTENED.half_whole,
    "syntax, whole and least, softened": _SOFTENED.half_both,
    "the same, and copies, softened": _SOFTENED.half_both_and_copies,
    "a third each, softened": _SOFTENED.thirds,
    "a third each, and copies, softened": _SOFTENED.thirds_and_copies,
}
