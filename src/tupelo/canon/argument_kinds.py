"""What the two things of a relation are: a date, an amount, a person, a place.

*was founded in 1990* and *was founded in Oslo* are two relations, and what one of them is compared with must be said of
the same kinds of things. A graph gives the kinds that its parser found; without one, dates and amounts are known by
their shape.
"""

from __future__ import annotations

from tupelo.core.canonical import Kinds
from tupelo.nlp.values import Number, values_in, words_of

DATE, NUMBER, STATEMENT = "datetime", "number", "statement"
_LITERAL = frozenset([DATE, NUMBER, STATEMENT])
# Kinds that a parser does not tell apart well.
_THING = "thing"
_THINGS = frozenset(["abstract", "object", "other"])
_SEATED = frozenset(["place", "organization", _THING])
_SMALL_WORDS = frozenset(["the", "of", "year", "early", "late", "mid", "about", "around", "some", "more", "than", ","])


def kind_of(text: str, given: str | None = None) -> str | None:
    """The kind of a thing: as given, or by its shape; `None` if neither says it.

    >>> kind_of("May 1990"), kind_of("3,000 people"), kind_of("Oslo"), kind_of("Oslo", "place")
    ('datetime', 'number', None, 'place')
    """
    if given:
        return _THING if given in _THINGS else given
    words = words_of(text)
    found = values_in(words)
    if not found or not _SMALL_WORDS.issuperset(words[: found[0].start]):
        return None
    following = words[found[0].end :]
    if isinstance(found[0].value, Number):
        # *1 Campus Drive* is no amount.
        return NUMBER if all(word.islower() for word in following) else None
    return DATE if _SMALL_WORDS.issuperset(following) else None


def same_kinds(one: Kinds, other: Kinds) -> bool:
    """Whether the same may be said of things of these kinds; where an organization is, a place may be as well."""
    return (_same(one[0], other[0]) or (one[0] in _SEATED and other[0] in _SEATED)) and _same(one[1], other[1])


def fits(kinds: Kinds, expected: tuple[frozenset[str], frozenset[str]]) -> bool:
    """Whether things of these kinds can be those that are expected; nothing expected is anything."""
    return all(kind is None or not names or kind in names for kind, names in zip(kinds, expected, strict=True))


def _same(one: str | None, other: str | None) -> bool:
    return one == other or (None in (one, other) and _LITERAL.isdisjoint((one, other)))
