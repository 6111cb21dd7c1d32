"""Kinds of things, and the nouns by which texts call them (`languages/en/kinds.toml`): a *soprano* is a musician.

The widest kinds are those of the parser: person, organization, place and so on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tupelo.core.analysis import ENTITY_TYPES, MENTION_TYPES
from tupelo.nlp.languages import language_data, words
from tupelo.nlp.lemmas import Lemmatizer

# First words of names that say what the name is of: *Mount Everest*.
_BEFORE: Mapping[str, str] = language_data("kinds")["before"]
# Words after the noun in a name: *Bank | of Norway*, *World War | II*.
_JOINING = words("kinds", "joining")
_NUMERALS = words("kinds", "numerals")


@dataclass(frozen=True, slots=True)
class ThingKind:
    """A kind by its name. `root` is the type of the parser above it, `parent` the next kind above it."""

    name: str
    parent: str | None
    root: str
    nouns: tuple[str, ...] = ()


def _below(table: Mapping[str, Any], parent: str, root: str) -> Iterator[ThingKind]:
    for name, inner in table.items():
        if isinstance(inner, dict):
            yield ThingKind(name, parent, root, tuple(inner["nouns"].split()))
            yield from _below(inner, name, root)


def _declared() -> Iterator[ThingKind]:
    # Concepts are of a type that mentions can have, names of one that entities can have.
    for root in dict.fromkeys((*ENTITY_TYPES, *MENTION_TYPES)):
        yield ThingKind(root, None, root)
    for root, table in language_data("kinds")["kinds"].items():
        yield from _below(table, root, root)


# All kinds by name, each after its parent.
KINDS = {kind.name: kind for kind in _declared()}


def _by_noun() -> dict[str, tuple[ThingKind, ...]]:
    found: dict[str, tuple[ThingKind, ...]] = {}
    for kind in KINDS.values():
        for noun in kind.nouns:
            found[noun] = (*found.get(noun, ()), kind)
    return found


_KINDS_OF = _by_noun()
_LEMMATIZER = Lemmatizer()


def kinds_of(noun: str) -> tuple[ThingKind, ...]:
    """The kinds of things that a noun is used for.

    >>> [kind.name for kind in kinds_of("soprano")], kinds_of("curie")
    (['musician'], ())
    """
    return _KINDS_OF.get(noun, ())


def kind_and_wider(name: str) -> Iterator[str]:
    """A kind and all those above it, the nearest first.

    >>> list(kind_and_wider("musician"))
    ['musician', 'artist', 'person']
    """
    above: str | None = name
    while above is not None:
        yield above
        above = KINDS[above].parent


def singular(noun: str) -> str:
    return _LEMMATIZER.lemma(noun, "NOUN", "NNS")


def own_nouns(name: str) -> list[str]:
    """The noun that a name or concept is built around: *bank* in *Bank of Norway* and in *savings banks*."""
    words = name.casefold().replace(".", "").split()
    if len(words) > 1 and words[0] in _BEFORE:
        return [words[0]]
    head = words[: next((at for at, word in enumerate(words) if at and word in _JOINING), len(words))]
    while len(head) > 1 and (head[-1].isdecimal() or head[-1] in _NUMERALS):
        head = head[:-1]
    return [head[-1], singular(head[-1])] if head else []
