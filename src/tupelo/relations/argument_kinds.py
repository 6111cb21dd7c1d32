"""Kinds of the two arguments of a relation: a date, an amount, a person, a place.

*was founded in 1990* and *was founded in Oslo* are two relations, and relations are compared only if their arguments
are of compatible kinds. A graph has the kinds of its parser; otherwise dates and amounts are recognized by their
form.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

from tupelo.core.canonical import Kinds
from tupelo.nlp.languages.en.relation_words import AROUND_VALUES, REPEATING, SAME_AFTER_NOUNS, SAME_AFTER_VERBS
from tupelo.nlp.values import Number, values_in, words_of

# Possible kinds of two arguments; empty for any kind.
Expected: TypeAlias = tuple[frozenset[str], frozenset[str]]
ANY: Expected = (frozenset(), frozenset())
DATE, NUMBER, STATEMENT = "datetime", "number", "statement"
_REPEATED = "repeated"
_LITERAL = frozenset([DATE, NUMBER, STATEMENT, _REPEATED])
# Kinds that a parser confuses.
_THING = "thing"
_THINGS = frozenset(["abstract", "object"])
_NAMED = "other"
# Kinds with common wordings: agents, makers of works, and what has a location.
_ACTING = frozenset(["person", "organization", _NAMED])
_MAKERS = frozenset(["person", "organization"])
_BODIES = frozenset(["place", "organization"])


@lru_cache(maxsize=1 << 16)
def kind_of(text: str, given: str | None = None) -> str | None:
    """The kind of an argument: as given, or by its form; `None` if unknown.

    >>> kind_of("May 1990"), kind_of("3,000 people"), kind_of("Oslo"), kind_of("Oslo", "place")
    ('datetime', 'number', None, 'place')
    """
    if given == DATE and not REPEATING.isdisjoint(words_of(text)[:1]):
        return _REPEATED
    if given:
        return _THING if given in _THINGS else given
    words = words_of(text)
    found = values_in(words)
    if not found or not AROUND_VALUES.issuperset(words[: found[0].start]):
        return None
    following = words[found[0].end :]
    if isinstance(found[0].value, Number):
        # *1 Campus Drive* is not an amount.
        return NUMBER if all(word.islower() for word in following) else None
    return DATE if AROUND_VALUES.issuperset(following) else None


def same_kinds(one: Kinds, other: Kinds, *, acting: bool = True, expected: Expected = ANY) -> bool:
    """Whether relations with arguments of these kinds may be the same.

    Persons and organizations are compatible if they are `acting` or made a work, places and organizations as
    locations; so are all kinds that are `expected`, except dates and amounts.
    """
    subjects, objects = {one[0], other[0]}, {one[1], other[1]}
    # Two persons, two organizations.
    if one[0] == one[1] and other[0] == other[1] and (subjects <= _MAKERS or subjects <= _BODIES):
        return True
    known = [
        bool(names) and _LITERAL.isdisjoint(kinds) for names, kinds in zip(expected, (subjects, objects), strict=True)
    ]
    alike = known[0] or _same(one[0], other[0]) or subjects <= _BODIES or (acting and subjects <= _ACTING)
    made = one[0] == other[0] == "work" and objects <= _MAKERS
    return alike and (known[1] or _same(one[1], other[1]) or made or (objects <= _BODIES and subjects <= _ACTING))


def same_prepositions(kinds: Kinds, *, after_noun: bool) -> Sequence[frozenset[str]]:
    """Sets of prepositions that mean the same before an object of such a kind; an empty string is for none."""
    subject, target = kinds
    if subject is None or target is None:
        return ()
    if after_noun:
        return [found] if (found := SAME_AFTER_NOUNS.get((subject, target))) else []
    return SAME_AFTER_VERBS.get(target, ())


def fits(kinds: Kinds, expected: Expected) -> bool:
    """Whether arguments of these kinds can be those that are expected; nothing expected allows any kind."""
    return all(
        kind is None or not names or kind in names or (kind == _NAMED and _THING in names)
        for kind, names in zip(kinds, expected, strict=True)
    )


def _same(one: str | None, other: str | None) -> bool:
    return one == other or (None in (one, other) and _LITERAL.isdisjoint((one, other)))
