"""Assign referents to entities: linked again wherever a change of documents or corrections can matter.

Names are linked by `names.linking`, together with all that share a key with them; which depends on the documents of
the graph alone, not on the order in which they came. Concepts and values are the same everywhere, things belong to
their document.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from tupelo.core.protocols import Workspace
from tupelo.core.shipped import queries
from tupelo.core.stages import Table
from tupelo.graph.build.rows import REFERENT_COLUMNS
from tupelo.graph.build.update import kept_table
from tupelo.graph.store.file import Store
from tupelo.graph.store.schema import stable_id
from tupelo.names.linking import Aliases, Assigned, Correction, StoredReferent, correction_keys, link
from tupelo.names.linking.profiles import OFFER

if TYPE_CHECKING:
    import pyarrow as pa

_SQL = queries(__name__)
FIELDS = ", ".join(REFERENT_COLUMNS)
_ROW_COLUMNS = ", ".join(f'"{column}"' for column in REFERENT_COLUMNS.values())
_Rows: TypeAlias = dict[str, tuple[str, str | None, float | None]]
_STAYING = "document_id NOT IN (SELECT document_id FROM gone)"


def assign(
    store: Store,
    rows: Table,
    aliases: Aliases,
    corrections: Iterable[Correction],
    relink: Collection[str] = (),
) -> dict[str, Assigned]:
    """The entities of the new referents in `rows`, and of stored ones that the change concerns.

    Reads the temporary table `gone` of removed documents. `relink` are keys of names that are linked again although
    their documents have not changed.
    """
    files = {"files": rows.patterns} if rows.files else None
    found = _names(store, files, aliases, tuple(corrections), relink)
    found.update(_others(store, files))
    return found


def entity_map(
    store: Store, assigned: Mapping[str, Assigned], joined: Mapping[str, str], workspace: Workspace, name: str
) -> Table:
    """Referents with the ids of their entities, `joined` keys replaced.

    Leaves three temporary tables: `relinked`, the stored referents whose entity or its reason is another one now,
    `moved`, those of them whose entity is, and `moved_provenance`, what these took part in.
    """
    import pyarrow.parquet as pq

    table: _Rows = {
        referent: (stable_id("entity", joined.get(entity.key, entity.key)), entity.reason, entity.probability)
        for referent, entity in assigned.items()
    }
    _keep_relinked(store, table)
    # A link that moved has another end, which did not.
    table.update(_ends_of_moved_links(store, table))
    return kept_table(workspace, "entities", name, lambda path: pq.write_table(_arrow(table), path))


def _names(
    store: Store,
    files: Mapping[str, Any] | None,
    aliases: Aliases,
    corrections: tuple[Correction, ...],
    relink: Collection[str],
) -> dict[str, Assigned]:
    """Names that are new, and stored ones that share a key with them, with removed ones or with those in turn."""
    corrections = (*corrections, *aliases.never)
    new = "FROM read_parquet($files) WHERE kind = 'referent' AND \"of\" = 'entity'"
    store.run(
        "CREATE OR REPLACE TEMP TABLE frontier AS SELECT unnest($keys::VARCHAR[]) AS key", {"keys": sorted(relink)}
    )
    if files is not None:
        store.run(f"INSERT INTO frontier SELECT DISTINCT unnest(keys) {new}", files)
    # A correction connects its names as a referent with both would.
    bridges = [
        (f"correction {at}", key) for at, one in enumerate(corrections) for key in correction_keys(one, aliases)
    ]
    store.run(
        _SQL["known_keys"].format(staying=_STAYING, offer=OFFER),
        {"owners": [owner for owner, _ in bridges], "keys": [key for _, key in bridges]},
    )
    store.run(_SQL["reached"])
    stored = f"SELECT {FIELDS} FROM referents WHERE referent_id IN (SELECT referent_id FROM reached)"
    known = list(referents_of(store.each_within(stored)))
    documents = dict(store.rows_within(_SQL["names_of_documents"]))
    if files is not None:
        added = list(referents_of(store.each_within(f"SELECT {_ROW_COLUMNS} {new}", files)))
        known += added
        for referent in added:
            documents.setdefault(referent.document_id, []).append(referent.name)
    return link(known, aliases, corrections, documents)


def referents_of(rows: Iterable[tuple[Any, ...]]) -> Iterator[StoredReferent]:
    for row in rows:
        values: list[Any] = [tuple(value) if isinstance(value, list) else value for value in row]
        yield StoredReferent(*values)


def _others(store: Store, files: Mapping[str, Any] | None) -> dict[str, Assigned]:
    """New concepts, things and values: each is what its key says."""
    if files is None:
        return {}
    new = "SELECT referent_id, keys[1] FROM read_parquet($files) WHERE kind = 'referent' AND \"of\" <> 'entity'"
    return {referent: Assigned(key) for referent, key in store.rows_within(new, files)}


def _keep_relinked(store: Store, table: _Rows) -> None:
    store.connection.register("linked", _arrow(table))
    store.run(_SQL["relinked"].format(staying=_STAYING))
    store.connection.unregister("linked")
    store.run(
        "CREATE OR REPLACE TEMP TABLE moved AS "
        "SELECT referent_id, node_id, old_id FROM relinked WHERE node_id <> old_id"
    )
    # One tuple may say the same of two referents that are one now, or were: all that it says is looked at again.
    store.run(_SQL["moved_tuples"])
    store.run(_SQL["moved_provenance"])


def _ends_of_moved_links(store: Store, table: _Rows) -> _Rows:
    rows = store.rows_within(
        """
        SELECT DISTINCT referent_id, node_id, reason, probability FROM referents WHERE referent_id IN (
            SELECT subject_ref FROM moved_provenance UNION SELECT object_ref FROM moved_provenance
        )
        """
    )
    return {row[0]: row[1:] for row in rows if row[0] not in table}


def _arrow(table: _Rows) -> pa.Table:
    import pyarrow as pa

    text = pa.string()
    schema = [("referent_id", text), ("node_id", text), ("reason", text), ("probability", pa.float64())]
    columns = [list(table), *([row[place] for row in table.values()] for place in range(3))]
    return pa.table(columns, schema=pa.schema(schema))
