"""Ways to turn the parts of a sentence into one number: those that were compared."""

from __future__ import annotations

from collections.abc import Callable

from tupelo.facts.network import Judgement
from tupelo.facts.sentence_score import Parts, closed, score_of, softened

SHIPPED = "shipped"


def _network(parts: Parts) -> Judgement:
    if parts.judgement is None:
        raise ValueError("expected a network that reads along")
    return parts.judgement


def whole(parts: Parts) -> float:
    return softened(_network(parts).probability)


def least(parts: Parts) -> float:
    return softened(_network(parts).least)


def both(parts: Parts) -> float:
    return (whole(parts) + least(parts)) / 2


def thirds(parts: Parts) -> float:
    return (parts.syntax + whole(parts) + least(parts)) / 3


FORMS: dict[str, Callable[[Parts], float]] = {
    SHIPPED: score_of,
    "syntax": lambda parts: parts.syntax,
    "whole": whole,
    "least piece": least,
    "whole and least": both,
    "syntax and whole": lambda parts: (parts.syntax + whole(parts)) / 2,
    "syntax, whole and least": lambda parts: (parts.syntax + both(parts)) / 2,
    "a third each": thirds,
    "a third each, and copies": lambda parts: closed(thirds(parts), parts.copied),
}
