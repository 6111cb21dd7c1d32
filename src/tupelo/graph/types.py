"""The types of entities: those of the parser, and finer ones below them, by the nouns that texts use (`types.toml`).

A referent is of a finer type where its descriptions say so (*the singer Rihanna*), or the noun in its own name
(*University of Oslo*). Both must agree with the parser's type: a person named *House* is no building.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from tupelo.core.analysis import ENTITY_TYPES, MENTION_TYPES
from tupelo.graph.schema import stable_id
from tupelo.nlp.lemmas import Lemmatizer

# Types of the parser that shade into each other: a book is a work and an object.
_THINGS = frozenset(["work", "other", "object", "abstract", "animal", "plant", "substance"])
# Types that say nothing about what a thing is.
_OPEN = frozenset(["", "other"])
# First words of names that say what the name is of: *Mount Everest*.
_BEFORE = {
    "mount": "mountain",
    "lake": "lake",
    "river": "river",
    "cape": "coast",
    "fort": "building",
    "hurricane": "storm",
}

# What follows the noun in a name: *Bank | of Norway*, *World War | II*.
_JOINING = frozenset(["of", "for", "in", "at", "on", "and", "&", "de", "du", "des"])
_NUMERALS = frozenset(["i", "ii", "iii", "iv", "v", "vi"])


@dataclass(frozen=True, slots=True)
class EntityType:
    """A type by its name. `root` is the type of the parser above it, `parent` the next one above it."""

    name: str
    parent: str | None
    root: str
    nouns: tuple[str, ...] = ()


def _below(table: Mapping[str, Any], parent: str, root: str) -> Iterator[EntityType]:
    for name, inner in table.items():
        if isinstance(inner, dict):
            yield EntityType(name, parent, root, tuple(inner["nouns"].split()))
            yield from _below(inner, name, root)


def _declared() -> Iterator[EntityType]:
    # Concepts are of a type that mentions can have, names of one that entities can have.
    for root in dict.fromkeys((*ENTITY_TYPES, *MENTION_TYPES)):
        yield EntityType(root, None, root)
    finer = tomllib.loads(files("tupelo.graph").joinpath("types.toml").read_text("utf-8"))
    for root, table in finer.items():
        yield from _below(table, root, root)


# All types by name, each after its parent.
TYPES = {kind.name: kind for kind in _declared()}


def type_rows() -> list[dict[str, str | None]]:
    """The rows of the table `types`."""
    return [
        {
            "type_id": stable_id("type", kind.name),
            "name": kind.name,
            "parent_id": None if kind.parent is None else stable_id("type", kind.parent),
        }
        for kind in TYPES.values()
    ]


def _by_noun() -> dict[str, list[EntityType]]:
    found: dict[str, list[EntityType]] = {}
    for kind in TYPES.values():
        for noun in kind.nouns:
            found.setdefault(noun, []).append(kind)
    return found


_TYPES_OF = _by_noun()
_LEMMATIZER = Lemmatizer()


def finer_types(kind: str, name: str, label: str, descriptions: Sequence[str]) -> tuple[str, ...]:
    """The finer types of a referent: a name or concept of the parser's type `label`.

    >>> finer_types("name", "Rihanna", "person", ["singer", "friend"])
    ('musician',)
    >>> finer_types("name", "University of Oslo", "organization", [])
    ('university',)
    >>> finer_types("name", "Gregory House", "person", [])
    ()
    """
    nouns = [word for text in descriptions for word in text.casefold().split()[-1:]]
    if label != "person" or kind == "concept":
        nouns += _own_noun(name)
    found = {fine.name: fine for noun in nouns for fine in _TYPES_OF.get(noun, ()) if _agrees(label, fine.root)}
    above = {fine.parent for fine in found.values()}
    return tuple(sorted(found.keys() - above))


def _own_noun(name: str) -> list[str]:
    """The noun that a name or concept is built around: *bank* in *Bank of Norway* and in *savings banks*."""
    words = name.casefold().replace(".", "").split()
    if len(words) > 1 and words[0] in _BEFORE:
        return [words[0]]
    head = words[: next((at for at, word in enumerate(words) if at and word in _JOINING), len(words))]
    while len(head) > 1 and (head[-1].isdecimal() or head[-1] in _NUMERALS):
        head = head[:-1]
    return [head[-1], _LEMMATIZER.lemma(head[-1], "NOUN", "NNS")] if head else []


def _agrees(label: str, root: str) -> bool:
    return label == root or label in _OPEN or (label in _THINGS and root in _THINGS)


def finest(where: str = "true") -> str:
    """SQL for the type that says most about each entity, `type`, and the one of the parser above it, `root`.

    The root is the commonest one, the type the commonest below it, and the finest of these. `where` chooses entities.
    """
    return f"""
        WITH RECURSIVE kinds AS (
            SELECT type_id, name, name AS root, 0 AS depth FROM types WHERE parent_id IS NULL
            UNION ALL
            SELECT types.type_id, types.name, root, depth + 1 FROM types JOIN kinds ON types.parent_id = kinds.type_id
        )
        SELECT entity_id, arg_max(root, place) AS root, arg_max(name, place) AS type
        FROM (
            SELECT entity_id, root, name, (
                max(mentions) OVER said, max(depth) OVER said, root, depth > 0, mentions, depth, name
            ) AS place
            FROM entity_types JOIN kinds USING (type_id) WHERE {where}
            WINDOW said AS (PARTITION BY entity_id, root)
        )
        GROUP BY entity_id
    """


# The types that entities have, and those above them.
USED_TYPES = """
    WITH RECURSIVE used AS (
        SELECT type_id FROM entity_types
        UNION SELECT parent_id FROM types JOIN used USING (type_id) WHERE parent_id IS NOT NULL
    )
    SELECT * FROM types WHERE type_id IN (SELECT type_id FROM used) ORDER BY type_id
"""
