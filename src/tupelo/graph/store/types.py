"""The types of entities: those of the parser, and finer ones below them, by the nouns that texts use (`nlp.kinds`).

A referent is of a finer type where its descriptions say so (*the singer Rihanna*), or the noun in its own name
(*University of Oslo*). Both must agree with the parser's type: a person named *House* is no building.
"""

from __future__ import annotations

from collections.abc import Sequence

from tupelo.core.shipped import queries
from tupelo.graph.store.schema import stable_id
from tupelo.nlp.kinds import KINDS, kinds_of, own_nouns

_SQL = queries(__name__)
# Types of the parser that shade into each other: a book is a work and an object.
_THINGS = frozenset(["work", "other", "object", "abstract", "animal", "plant", "substance"])
# Types that say nothing about what a thing is.
_OPEN = frozenset(["", "other"])


def type_rows() -> list[dict[str, str | None]]:
    """The rows of the table `types`."""
    return [
        {
            "type_id": stable_id("type", kind.name),
            "name": kind.name,
            "parent_id": None if kind.parent is None else stable_id("type", kind.parent),
        }
        for kind in KINDS.values()
    ]


def finer_types(kind: str, name: str, label: str, descriptions: Sequence[str]) -> tuple[str, ...]:
    """The finer types of a referent of the parser's type `label`.

    >>> finer_types("entity", "Rihanna", "person", ["singer", "friend"])
    ('musician',)
    >>> finer_types("entity", "University of Oslo", "organization", [])
    ('university',)
    >>> finer_types("entity", "Gregory House", "person", [])
    ()
    """
    nouns = [word for text in descriptions for word in text.casefold().split()[-1:]]
    if label != "person" or kind != "entity":
        nouns += own_nouns(name)
    found = {fine.name: fine for noun in nouns for fine in kinds_of(noun) if _agrees(label, fine.root)}
    above = {fine.parent for fine in found.values()}
    return tuple(sorted(found.keys() - above))


def _agrees(label: str, root: str) -> bool:
    return label == root or label in _OPEN or (label in _THINGS and root in _THINGS)


def finest(where: str = "true") -> str:
    """SQL for the type that says most about each entity, `type`, and the one of the parser above it, `root`.

    The root is the commonest one, the type the commonest below it, and the finest of these. `where` chooses entities.
    """
    return _SQL["finest"].format(where=where)


# The types that entities have, and those above them.
USED_TYPES = _SQL["used_types"]
