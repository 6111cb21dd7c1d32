"""Senses of a phrase: entities with the same name in different triples.

Triples give evidence that occurrences are distinct: a person and not a person (*Jordan, a basketball player*,
*Jordan, a country*), towns in different places (*a town in Texas*, *the capital of France*), a name and a common noun
(*Apple*, *the apple*). Occurrences without evidence get the sense with the most similar contexts.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.context import Array, unit
from tupelo.canon.type_names import kind_votes, said_nouns
from tupelo.core.canonical import Member, Slot, TripleMention
from tupelo.names.aliases import is_known_place, places_around
from tupelo.names.same import canonical_key
from tupelo.nlp.kinds import KINDS, kinds_of
from tupelo.nlp.languages import words
from tupelo.nlp.languages.en.grammar import ARTICLES

_IN_PLACE = re.compile(r"\b(?:in|of)$")
_SETTLEMENT = "city"
_PERSON = "person"
_LEAST_SHARE = 0.1
# Roles of people, and also of teams, firms and countries.
_ANYBODY = words("nouns", "roles_of_groups")


@dataclass(frozen=True, slots=True)
class SenseEvidence:
    """Evidence about an occurrence, `None` if unknown: whether it is a person, its place, whether it is a name."""

    is_person: bool | None = None
    place: str | None = None
    is_name: bool | None = None

    def contradicts(self, other: SenseEvidence) -> bool:
        return (
            _differ(self.is_person, other.is_person)
            or _differ(self.is_name, other.is_name)
            or (self.place is not None and other.place is not None and _apart(self.place, other.place))
        )

    def with_(self, other: SenseEvidence) -> SenseEvidence:
        """The evidence of both."""
        return SenseEvidence(
            self.is_person if other.is_person is None else other.is_person,
            self.place or other.place,
            self.is_name if other.is_name is None else other.is_name,
        )


def _differ(one: bool | None, other: bool | None) -> bool:
    return one is not None and other is not None and one != other


def _apart(one: str, other: str) -> bool:
    """Whether neither of two places lies in the other."""
    return one != other and one not in places_around(other) and other not in places_around(one)


def evidence_of(mention: TripleMention, slot: Slot, cased: bool = True) -> SenseEvidence:
    """Evidence of a triple about its subject or object; `cased` if names are capitalized.

    >>> from tupelo.core.canonical import Phrase
    >>> evidence_of(TripleMention("1", Phrase("Paris"), Phrase("is a town in"), Phrase("Texas")), "subject")
    SenseEvidence(is_person=False, place='texas', is_name=None)
    """
    member = Member(mention.id, slot)
    nouns = said_nouns(mention, member)
    said = frozenset(noun for noun in nouns if noun not in _ANYBODY)
    roots = {kind.root for noun in said for kind in kinds_of(noun)}
    text = mention.phrase(slot).text
    if not nouns and text != text.lower():
        # A name may itself give the kind.
        roots = {KINDS[kind].root for kind in kind_votes(mention, member) if kind in KINDS}
    is_person = None
    if roots == {_PERSON}:
        is_person = True
    elif roots and _PERSON not in roots:
        is_person = False
    place = None
    if slot == "subject" and any(kind.name == _SETTLEMENT for noun in said for kind in kinds_of(noun)):
        key = canonical_key(mention.object.text)
        place = key if _IN_PLACE.search(mention.relation.text) and is_known_place(key) else None
    return SenseEvidence(is_person, place, _is_name(mention, slot) if cased else None)


def _is_name(mention: TripleMention, slot: Slot) -> bool | None:
    """Whether a phrase is capitalized; unknown at the start of a sentence."""
    phrase = mention.phrase(slot)
    words = phrase.text.split()
    plain = [word for word in words if word.casefold() not in ARTICLES]
    if plain and not any(letter.isupper() for word in plain for letter in word):
        return False
    begins = (phrase.span is None and slot == "subject") or (phrase.span is not None and not phrase.span.start)
    inner = words[1:] if begins else plain
    return True if any(word[:1].isupper() for word in inner) else None


def senses(
    texts: Sequence[str], evidence: Sequence[SenseEvidence], vectors: Callable[[Sequence[int]], Array]
) -> NDArray[np.int64]:
    """For every occurrence the number of its sense among those of its text, from 0.

    `vectors` returns unit vectors of the contexts of some occurrences.
    """
    by_text: dict[str, list[int]] = defaultdict(list)
    for place, text in enumerate(texts):
        by_text[text].append(place)
    found = np.zeros(len(texts), dtype=np.int64)
    for places in by_text.values():
        groups: list[tuple[SenseEvidence, list[int]]] = []
        rest = []
        for place in places:
            if evidence[place] == SenseEvidence():
                rest.append(place)
                continue
            number = next((n for n, (own, _) in enumerate(groups) if not own.contradicts(evidence[place])), None)
            if number is None:
                groups.append((evidence[place], [place]))
            else:
                known, members = groups[number]
                members.append(place)
                groups[number] = (known.with_(evidence[place]), members)
        least = _LEAST_SHARE * sum(len(members) for _, members in groups)
        # Evidence of few among many triples is taken for an error.
        rest += [place for _, members in groups if len(members) < least for place in members]
        groups = [(own, members) for own, members in groups if len(members) >= least]
        if len(groups) > 1:
            for number, (_, members) in enumerate(groups):
                found[members] = number
            centres = unit(np.stack([vectors(members).mean(axis=0) for _, members in groups]))
            if rest:
                found[rest] = np.argmax(vectors(rest) @ centres.T, axis=1)
    return found
