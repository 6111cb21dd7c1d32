"""The probability that a tuple of a line or a row is right, by the look of its parts and of its place.

A logistic regression on pairs of a rule and what is true of the tuple. Its weights are in `trust.json`;
`training/tupelo_training/structure` fits them on tuples that readers judged in their documents.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import exp

from tupelo.core import Argument
from tupelo.core.blocks import is_number
from tupelo.core.shipped import declared
from tupelo.nlp.languages import words
from tupelo.nlp.values import Date, values_in, words_of

GENERAL, CALENDAR, VERBS = (words("structure", name) for name in ("general_headings", "calendar", "verbs"))
_WORD = re.compile(r"[^\W\d_]+")
_ADDRESS = re.compile(r"@\w|https?:|www\.")
_MARKS = re.compile(r"[|·•›»>\[\]{}=_#*]")
_SIZES = (1, 2, 3, 5, 8, 13, 21, 40)
_SHARES = (0.3, 0.5, 0.7, 0.9)


def size(count: int) -> int:
    return next((size for size in _SIZES if count <= size), 99)


def look(text: str) -> str:
    """The kind of words that a part consists of.

    >>> [look(text) for text in ("12.5 t", "Ann Lee", "Opening hours", "in the hall")]
    ['number', 'name', 'phrase', 'lower']
    """
    if _ADDRESS.search(text):
        return "address"
    if any(map(str.isdigit, text)):
        if is_number(text):
            return "number"
        return "date" if is_dated(text) else "amount" if text[:1].isdigit() else "digits"
    said = text.split()
    if text.isupper():
        return "capitals"
    capitals = sum(word[:1].isupper() for word in said)
    if capitals > 1 and capitals >= 0.6 * len(said):
        return "name"
    return "phrase" if text[:1].isupper() else "lower"


def is_dated(text: str) -> bool:
    return any(isinstance(one.value, Date) for one in values_in(words_of(text)))


def about(name: str, text: str) -> Iterator[str]:
    """The signs of a part, of a heading or of a line."""
    low = _WORD.findall(text.lower())
    yield f"{name} {look(text)}"
    yield f"{name} words {size(len(text.split()))}"
    yield f"{name} ends {text[-1:] if not text[-1:].isalnum() else ''}"
    if low and low[-1] in GENERAL:
        yield f"{name} general"
    if low and low[0] in CALENDAR:
        yield f"{name} calendar"
    if not VERBS.isdisjoint(low):
        yield f"{name} verb"
    if _MARKS.search(text):
        yield f"{name} marks"
    if text.count("(") != text.count(")"):
        yield f"{name} brackets"


def signs(rule: str, parts: Sequence[Argument], line_words: int, place: Iterable[str]) -> list[str]:
    """The signs of a tuple, given the number of words of its line and the signs of the line and the place."""
    subject, relation, *objects = parts
    found = {f"rule {rule}", *place, *about("subject", subject.text)}
    if objects:
        found |= {*about("object", objects[0].text)}
    found.add(f"relation {relation.text.split()[0].lower()}")
    found.add(f"relation words {size(len(relation.text.split()))}")
    found.add(f"others {' '.join(part.role or '-' for part in objects[1:])}")
    written = [name for name, part in (("subject", subject), ("relation", relation)) if part.tokens]
    found.add(f"written {' '.join(written)}")
    said = sum(len(part.tokens or ()) for part in parts)
    share = said / max(1, line_words)
    found.add(f"share {next((limit for limit in _SHARES if share < limit), 1)}")
    return sorted(found)


def with_pairs(rule: str, found: Iterable[str]) -> list[str]:
    """The signs of a tuple by themselves and beside its rule."""
    return [name for sign in found for name in (sign, f"{rule}: {sign}")]


def confidence(found: Iterable[str], weights: Mapping[str, float] | None = None) -> float:
    """The probability that a tuple with some signs is right."""
    weights = weights or _weights()
    score = weights[""] + sum(weights.get(sign, 0.0) for sign in found)
    return round(1 / (1 + exp(-score)), 3)


@cache
def _weights() -> dict[str, float]:
    return {str(name): float(weight) for name, weight in declared(__name__, "trust.json")["weights"].items()}
