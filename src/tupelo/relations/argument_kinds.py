"""What the two things of a relation are: a date, an amount, a person, a place.

*was founded in 1990* and *was founded in Oslo* are two relations, and what one of them is compared with must be said
of the same kinds of things. A graph gives the kinds that its parser found; without one, dates and amounts are known
by their shape.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

from tupelo.core.canonical import Kinds
from tupelo.nlp.languages.en.relation_words import AROUND_VALUES, REPEATING, SAME_AFTER_NOUNS, SAME_AFTER_VERBS
from tupelo.nlp.values import Number, values_in, words_of

# The kinds of two things; none for any.
Expected: TypeAlias = tuple[frozenset[str], frozenset[str]]
ANY: Expected = (frozenset(), frozenset())
DATE, NUMBER, STATEMENT = "datetime", "number", "statement"
_REPEATED = "repeated"
_LITERAL = frozenset([DATE, NUMBER, STATEMENT, _REPEATED])
# Kinds that a parser does not tell apart well.
_THING = "thing"
_THINGS = frozenset(["abstract", "object"])
_NAMED = "other"
# Who acts, and what has a place: what is said of one kind is said of the others in the same words.
_ACTING = frozenset(["person", "organization", _NAMED])
_MAKERS = frozenset(["person", "organization"])
_BODIES = frozenset(["place", "organization"])


@lru_cache(maxsize=1 << 16)
def kind_of(text: str, given: str | None = None) -> str | None:
    """The kind of a thing: as given, or by its shape; `None` if neither says it.

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
        # *1 Campus Drive* is no amount.
        return NUMBER if all(word.islower() for word in following) else None
    return DATE if AROUND_VALUES.issuperset(following) else None


def same_kinds(one: Kinds, other: Kinds, *, acting: bool = True, expected: Expected = ANY) -> bool:
    """Whether the same may be said of things of these kinds.

    Of a person as of an organization, if they are `acting` or made a work, of a place as of an organization that is
    somewhere; and of whatever kinds are `expected`, dates and amounts aside.
    """
    subjects, objects = {one[0], other[0]}, {one[1], other[1]}
    # Of two persons as of two organizations.
    if one[0] == one[1] and other[0] == other[1] and (subjects <= _MAKERS or subjects <= _BODIES):
        return True
    known = [
        bool(names) and _LITERAL.isdisjoint(kinds) for names, kinds in zip(expected, (subjects, objects), strict=True)
    ]
    alike = known[0] or _same(one[0], other[0]) or subjects <= _BODIES or (acting and subjects <= _ACTING)
    made = one[0] == other[0] == "work" and objects <= _MAKERS
    return alike and (known[1] or _same(one[1], other[1]) or made or (objects <= _BODIES and subjects <= _ACTING))


def same_prepositions(kinds: Kinds, *, after_noun: bool) -> Sequence[frozenset[str]]:
    """Sets of prepositions that mean the same before an object of such a kind; an empty one is for none at all."""
    subject, target = kinds
    if subject is None or target is None:
        return ()
    if after_noun:
        return [found] if (found := SAME_AFTER_NOUNS.get((subject, target))) else []
    return SAME_AFTER_VERBS.get(target, ())


def fits(kinds: Kinds, expected: Expected) -> bool:
    """Whether things of these kinds can be those that are expected; nothing expected is anything."""
    return all(
        kind is None or not names or kind in names or (kind == _NAMED and _THING in names)
        for kind, names in zip(kinds, expected, strict=True)
    )


def _same(one: str | None, other: str | None) -> bool:
    return one == other or (None in (one, other) and _LITERAL.isdisjoint((one, other)))
