"""Arguments of statements: base forms, swapped arguments, and types that refer to an argument of the other side."""

from __future__ import annotations

from functools import lru_cache

from tupelo.core.entailment import EntailmentPair
from tupelo.core.extraction import Triple
from tupelo.nlp.languages.en.grammar import DETERMINERS
from tupelo.relations.phrases import WORD, base_form


@lru_cache(maxsize=200_000)
def base_argument(text: str) -> str:
    """The base form of an argument's last word, mostly its head.

    >>> [base_argument(text) for text in ("the old cities", "Barack Obama", "1991")]
    ['city', 'obama', '1991']
    """
    words = WORD.findall(text.lower())
    return base_form(words[-1]) if words else folded(text)


def bare_argument(text: str) -> str:
    """An argument in lower case without the article or possessive in front.

    >>> [bare_argument(text) for text in ("The  Beatles", "her eldest son", "This")]
    ['beatles', 'eldest son', 'this']
    """
    first, _, rest = folded(text).partition(" ")
    return rest if rest and first in DETERMINERS else folded(text)


def argument_words(text: str) -> frozenset[str]:
    """The words of an argument that identify it."""
    words = [base_form(word) for word in WORD.findall(text.lower())]
    return frozenset(word for word in words if word not in DETERMINERS) or frozenset(words)


def are_swapped(pair: EntailmentPair) -> bool:
    """Whether the hypothesis names the premise's arguments in the opposite order.

    Shared words decide; if an argument is a type on one side ("drug", "kanamycin"), the other argument does.
    """
    premise, hypothesis = pair.premise, pair.hypothesis
    straight = _alike(premise.subject, hypothesis.subject) + _alike(premise.object, hypothesis.object)
    crossed = _alike(premise.subject, hypothesis.object) + _alike(premise.object, hypothesis.subject)
    return crossed > straight


@lru_cache(maxsize=50_000)
def _alike(one: str, other: str) -> float:
    left, right = argument_words(one), argument_words(other)
    return len(left & right) / max(len(left | right), 1)


def with_arguments(pair: EntailmentPair) -> Triple:
    """The hypothesis with the premise's argument in place of a type or another name.

    In Levy/Holt's original form *drug kills infections* is paired with *kanamycin is useful in infections*. The
    shared argument identifies the other one; without a shared argument nothing is changed.
    """
    premise, hypothesis = pair.premise, pair.hypothesis
    wanted = (premise.object, premise.subject) if are_swapped(pair) else (premise.subject, premise.object)
    own = (hypothesis.subject, hypothesis.object)
    shared = [bool(argument_words(a) & argument_words(b)) for a, b in zip(own, wanted, strict=True)]
    if sum(shared) != 1:
        return hypothesis
    first, second = (a if same else b for a, b, same in zip(own, wanted, shared, strict=True))
    return Triple(first, hypothesis.relation, second)


def folded(phrase: str) -> str:
    """A phrase in lower case, with single spaces."""
    return " ".join(phrase.lower().split())
