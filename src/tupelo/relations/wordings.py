"""A relation with two arguments: its words, its plain form, its families in the table, the kinds of its arguments.

*was founded in 1990* and *was founded in Oslo* are two relations, and relations are compared only if their arguments
are of compatible kinds: a date, an amount, a person, a place. A graph has the kinds of its parser; otherwise dates
and amounts are recognized by their form. Families (`relations.forms`) may be restricted to some kinds of arguments,
and before some kinds of objects several prepositions mean the same: *died on* a day, *died in* a year.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from tupelo.core.canonical import Kinds, normal_form
from tupelo.nlp.languages import words
from tupelo.nlp.languages.en.grammar import LIGHT_VERBS, PREPOSITIONS
from tupelo.nlp.languages.en.relation_words import AROUND_VALUES, REPEATING, SAME_AFTER_NOUNS, SAME_AFTER_VERBS
from tupelo.nlp.values import Number, values_in, words_of
from tupelo.relations.forms import PlainForm, families, plain_form
from tupelo.relations.phrases import base_relation, read_phrase

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


# Verbs with little meaning without their complement.
_WEAK_VERBS = LIGHT_VERBS | words("relation_words", "weak_verbs")


@dataclass(frozen=True, slots=True)
class RelationWording:
    """The words of a relation and the kinds of its arguments, in the direction of the plain form."""

    text: str
    form: PlainForm
    kinds: Kinds

    @property
    def is_passive(self) -> bool:
        """Whether the first argument is the patient."""
        return self.form.key.startswith("be ") and not self.form.turned and not read_phrase(self.text).copular

    @property
    def families(self) -> set[tuple[int, bool]]:
        """The families that allow such arguments, each with whether this is their exchanged side."""
        # Not *took on* in a year, nor *is an advocate for* of *an advocate from*.
        is_certain = self.is_passive or (self.kinds[1] != DATE and not self.form.key.startswith("be "))
        return {
            (family, exchanged)
            for key in (self.variants if is_certain else (self.form.key,))
            for family, exchanged in families().of.get(key, ())
            if fits(self.kinds, expected_kinds(family, exchanged))
        }

    @property
    def is_symmetric(self) -> bool:
        """Whether it is in a symmetric family."""
        return any(family in families().symmetric for family, _ in self.families)

    @property
    def variants(self) -> tuple[str, ...]:
        """The form with each preposition that means the same before such an object."""
        *stem, last = self.form.key.split() or [self.form.key]
        is_passive = self.is_passive
        after_noun = self.form.key.startswith("be ") and not is_passive
        if last not in PREPOSITIONS:
            stem, last = [*stem, last], ""
        # *went in* a year may be *went public in* it.
        is_truncated = len(stem) == 1 and stem[0] in _WEAK_VERBS
        if len(stem) > after_noun and (last or is_passive) and not is_truncated:
            for group in same_prepositions(self.kinds, after_noun=after_noun):
                if last in group:
                    return tuple(" ".join((*stem, preposition)).strip() for preposition in sorted(group))
        return (self.form.key,)


def wording_of(
    subject: str, relation: str, target: str, kinds: Kinds = (None, None), *, sentence: str = ""
) -> RelationWording:
    """The wording of a triple; kinds that are not given are recognized by the form of the arguments.

    Its sentence may show that the relation was truncated.
    """
    text = normal_form(relation)
    form = plain_form(text)
    if form.turned and any(character.isdigit() for character in target):
        # *by* before a number marks no agent: *was finished by 1990*.
        form = PlainForm(base_relation(text), False)
    elif dropped := _dropped_preposition(text, subject, sentence):
        form = PlainForm(f"{form.key} after {dropped}", False)
    first, second = kind_of(subject, kinds[0]), kind_of(target, kinds[1])
    return RelationWording(text, form, (second, first) if form.turned else (first, second))


def _dropped_preposition(relation: str, subject: str, sentence: str) -> str | None:
    """The preposition after a noun in the sentence, if another than in the relation, and not before the subject.

    Who *is head at* a bank as the *head of trading* there is not the head of it; but it is not the *of* of *the city
    of Oslo in Norway*.
    """
    phrase = read_phrase(relation)
    if not phrase.copular or phrase.preposition in (None, "of"):
        return None
    noun, preposition = phrase.words[-2:]
    text = normal_form(sentence)
    _, found, rest = text.partition(f" {noun} ")
    after, _, named = rest.partition(" ")
    if after not in PREPOSITIONS or f"{found}{preposition} " in text or named.startswith(normal_form(subject)):
        return None
    return after


def expected_kinds(family: int, exchanged: bool) -> Expected:
    """The kinds of the arguments of a family, on one of its sides."""
    first, second = families().kinds.get(family, ANY)
    return (second, first) if exchanged else (first, second)
