"""Tables of names: which names stand for which, and which place lies in which.

`aliases.tsv` and `places.tsv` have countries, cities, organizations and wars. Entries of a user are added, and win.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from tupelo.core.stages import fingerprint
from tupelo.core.statement import NEVER, Alias, Correction
from tupelo.names.data import read_table
from tupelo.names.forms import form_of
from tupelo.nlp.languages import words
from tupelo.nlp.languages.en.naming import DEMONYMS

_NOT_LETTERS = re.compile(r"[^\w\s]+")


@dataclass(frozen=True)
class Aliases:
    """The shipped table together with the entries of a user."""

    given: tuple[Alias, ...] = ()

    @property
    def name(self) -> str:
        """Changes whenever a name of the user stands for something else. Empty without any."""
        entries = sorted((one.canonical, one.alias, one.label or "", one.rule or "") for one in self.given)
        return fingerprint("aliases", entries) if entries else ""

    def __reduce__(self) -> tuple[type[Aliases], tuple[tuple[Alias, ...]]]:
        # Workers look names up by themselves.
        return Aliases, (self.given,)

    @cached_property
    def canonical(self) -> Callable[[str, str], str]:
        """The key that a key of a name stands for, for things of a type; perhaps itself.

        >>> names = Aliases()
        >>> names.canonical("US", "place"), names.canonical("US", "work"), names.canonical("LA", "person")
        ('united states', 'US', 'LA')
        """
        return lru_cache(maxsize=1 << 16)(self._canonical)

    @property
    def never(self) -> tuple[Correction, ...]:
        """The pairs of names that never mean the same thing."""
        return tuple(Correction("different", one.canonical, one.alias) for one in self.given if one.rule == NEVER)

    def entry(self, name: str, label: str) -> Alias | None:
        """The entry of the user for a name, as alias or as canonical name: that of its type, else the only one.

        >>> Aliases((Alias("Halden Robotics", "Halden", "organization"),)).entry("Halden", "person").canonical
        'Halden Robotics'
        """
        found = self._entries.get(form_of(name, label).key) or self._entries.get(form_of(name).key, {})
        return found.get(label, found.get(None)) or (next(iter(found.values())) if len(found) == 1 else None)

    @cached_property
    def _entries(self) -> Mapping[str, Mapping[str | None, Alias]]:
        found: dict[str, dict[str | None, Alias]] = {}
        for one in self.given:
            for name in (one.alias, one.canonical) if one.rule is None else ():
                found.setdefault(form_of(name, one.label or "").key, {})[one.label] = one
        return found

    @cached_property
    def _own(self) -> Mapping[str, Mapping[str | None, str]]:
        return _table(one for one in self.given if one.rule is None)

    def _canonical(self, key: str, label: str) -> str:
        found = self._own.get(key)
        if found:
            # The only meaning of an alias wins over a guessed type.
            only = next(iter(found.values())) if len(found) == 1 else key
            key = found.get(label, found.get(None, only))
        for kind, canonical in _shipped().get(key, {}).items():
            if _may_be(label, kind, canonical):
                return canonical
        return key if label in ("person", "event") else body_of_state(key) or _usual_order(key)


_BODIES = frozenset(tuple(body.split()) for body in words("name_words", "bodies_of_states"))


@lru_cache(maxsize=1 << 14)
def body_of_state(key: str) -> str | None:
    """One key for the names of a state's court, parliament or army; `None` for other names.

    >>> body_of_state("pakistani supreme court"), body_of_state("congress of the united states")
    ('supreme court of pakistan', 'congress of united states')
    >>> body_of_state("university of oslo")
    """
    words = tuple(key.casefold().split(" "))
    for size in range(1, len(words)):
        first, rest = words[:size], words[size:]
        if first in _BODIES and rest[0] == "of":
            body, place = first, rest[2:] if rest[1:2] == ("the",) else rest[1:]
        elif rest in _BODIES:
            body, place = rest, first
        else:
            continue
        state = _state(place)
        if state is not None:
            return f"{' '.join(body)} of {state}"
    return None


def _state(words: tuple[str, ...]) -> str | None:
    """A country by its name or its adjective, where that is clear."""
    key = form_of(DEMONYMS[words]).key if words in DEMONYMS else " ".join(words)
    for spelled in (key, key.upper()):
        if None in (found := _shipped().get(spelled, {})) or "place" in found:
            key = found.get("place", found.get(None, key))
            break
    return key.casefold() if is_country(key.casefold()) else None


_KINDS_OF_PLACES = words("name_words", "kinds_of_places")
_TWO_OF_A_PLACE = words("name_words", "two_of_a_place")


def _usual_order(key: str) -> str:
    """*Texas* for the *State of Texas*, *Oslo University* for the *University of Oslo*."""
    kind, joint, place = (*key.split(" ", 2), "", "")[:3]
    if joint != "of" or key in _TWO_OF_A_PLACE:
        return key
    place = place.removeprefix("the ")
    if kind == "university":
        return f"{place} university"
    return place if kind in _KINDS_OF_PLACES and is_known_place(place) else key


def _may_be(label: str, kind: str | None, canonical: str) -> bool:
    """Whether something of a type may have a name that the shipped table has for things of a kind."""
    if label in (kind, "", "other"):
        return True
    return label == "organization" and kind == "place" and is_country(canonical)


def _table(entries: Iterable[Alias]) -> dict[str, dict[str | None, str]]:
    """Key of a name -> type, `None` for every type -> key that it stands for."""
    table: dict[str, dict[str | None, str]] = {}
    for entry in entries:
        label = entry.label or ""
        canonical, alias = form_of(entry.canonical, label).key, form_of(entry.alias, label).key
        if alias != canonical:
            table.setdefault(alias, {})[entry.label] = canonical
    return table


@cache
def _shipped() -> Mapping[str, Mapping[str | None, str]]:
    return _table(Alias(*fields) for *fields, where in read_table("aliases") if where != "within")


@cache
def _usual_names() -> Mapping[str, str]:
    found: dict[str, str] = {}
    for usual, alias, _, where in read_table("aliases"):
        if where != "across":
            found |= {_place_key(usual): usual, _place_key(alias): usual}
    return found


def _place_key(name: str) -> str:
    """A name without case, dots and other marks: *U.S.* and *US* have one key."""
    return " ".join(_NOT_LETTERS.sub("", name.replace("-", " ").replace("–", " ").casefold()).split())


def usual_place_name(words: str) -> str | None:
    """The usual name of a country, union or city, by one of the names that it has within a text.

    >>> usual_place_name("us"), usual_place_name("bosnia herzegovina"), usual_place_name("bangalore")
    ('United States', 'Bosnia and Herzegovina', None)
    """
    return _usual_names().get(words)


@cache
def _wholes() -> Mapping[str, str]:
    """Key of a place -> key of the place that it lies in."""
    return {form_of(part).key: form_of(whole).key for part, whole in read_table("places")}


def places_around(key: str) -> tuple[str, ...]:
    """The places that a place lies in, the nearest first.

    >>> places_around("paris"), places_around("springfield")
    (('france', 'europe'), ())
    """
    found = []
    while (whole := _wholes().get(key)) is not None:
        found.append(whole)
        key = whole
    return tuple(found)


def is_known_place(key: str) -> bool:
    return key in _wholes() or key in _known_wholes()


@cache
def _known_wholes() -> frozenset[str]:
    return frozenset(_wholes().values())


@cache
def is_country(key: str) -> bool:
    """Whether this is a country, a continent or their adjective: names that stand beside everything.

    >>> is_country("france"), is_country("wales"), is_country("french"), is_country("texas")
    (True, True, True, False)
    """
    whole = _wholes().get(key)
    if whole is None:
        return key in _known_wholes() or tuple(key.split(" ")) in DEMONYMS
    return whole not in _wholes() or whole == "united kingdom"
