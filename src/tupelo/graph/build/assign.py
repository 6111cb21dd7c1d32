"""Assign referents to entities: linked again wherever a change of documents or corrections can matter.

Names are linked by `names.linking`, together with all that share a key with them; which depends on the documents of
the graph alone, not on the order in which they came. Concepts and values are the same everywhere, things belong to
their document.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from tupelo.core.garbage import without_garbage_collection
from tupelo.core.shipped import queries
from tupelo.graph.build.rows import REFERENT_COLUMNS
from tupelo.graph.store.file import Store
from tupelo.graph.store.schema import stable_id
from tupelo.names.linking import Aliases, Assigned, Correction, StoredReferent, correction_keys, link
from tupelo.names.linking.profiles import ASK, OFFER

_SQL = queries(__name__)
FIELDS = ", ".join(REFERENT_COLUMNS)
_ROW_COLUMNS = ", ".join(f'"{column}"' for column in REFERENT_COLUMNS.values())


@without_garbage_collection()
def assign(
    store: Store, aliases: Aliases, corrections: Iterable[Correction], relink: Collection[str] = ()
) -> dict[str, Assigned]:
    """The entities of the new referents in `rows`, and of stored ones that the change concerns.

    Reads the temporary table `frontier` with the keys of removed names. `relink` are keys of names that are linked
    again although their documents have not changed.
    """
    found = _names(store, aliases, tuple(corrections), relink)
    # Each new concept, thing and value is what its key says.
    others = "SELECT referent_id, keys[1] FROM rows WHERE kind = 'referent' AND \"of\" <> 'entity'"
    return found | {referent: Assigned(key) for referent, key in store.rows_within(others)}


def entity_map(store: Store, assigned: Mapping[str, Assigned], joined: Mapping[str, str]) -> None:
    """Create the temporary table of referents with the ids of their entities, `joined` keys replaced."""
    import pyarrow as pa

    table: dict[str, list[Any]] = {
        "referent_id": list(assigned),
        "node_id": [stable_id("entity", joined.get(entity.key, entity.key)) for entity in assigned.values()],
        "reason": [entity.reason for entity in assigned.values()],
        "probability": [entity.probability for entity in assigned.values()],
    }
    types = {name: pa.float64() if name == "probability" else pa.string() for name in table}
    store.temporary("entity_map", pa.table(table, schema=pa.schema(types)))


def _names(
    store: Store, aliases: Aliases, corrections: tuple[Correction, ...], relink: Collection[str]
) -> dict[str, Assigned]:
    """Names that are new, and stored ones that share a key with them, with removed ones or with those in turn."""
    corrections = (*corrections, *aliases.never)
    store.run(_SQL["begin"].format(marks=OFFER + ASK), {"relink": sorted(relink)})
    # A correction connects its names as a referent with both would.
    bridges = [
        (f"correction {at}", key) for at, one in enumerate(corrections) for key in correction_keys(one, aliases)
    ]
    given = {"owners": [owner for owner, _ in bridges], "keys": [key for _, key in bridges]}
    store.run(_SQL["known_keys"].format(marks=OFFER + ASK), given)
    store.run(_SQL["reached"])
    stored = f"SELECT {FIELDS} FROM referents WHERE referent_id IN (SELECT referent_id FROM reached)"
    known = list(referents_of(store.each_within(stored)))
    documents = dict(store.rows_within(_SQL["names_of_documents"]))
    new = f"SELECT {_ROW_COLUMNS} FROM rows WHERE kind = 'referent' AND \"of\" = 'entity'"
    for referent in referents_of(store.each_within(new)):
        known.append(referent)
        documents.setdefault(referent.document_id, []).append(referent.name)
    return link(known, aliases, corrections, documents)


def referents_of(rows: Iterable[tuple[Any, ...]]) -> Iterator[StoredReferent]:
    for row in rows:
        values: list[Any] = [tuple(value) if isinstance(value, list) else value for value in row]
        yield StoredReferent(*values)
