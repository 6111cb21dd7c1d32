"""Update a graph: delete what is gone, insert what is new, and recount everything that either affects."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from tupelo.core.protocols import Workspace
from tupelo.core.shipped import queries
from tupelo.core.stages import Step, Table, fingerprint
from tupelo.graph.build.keys import Maps, stored_keys
from tupelo.graph.build.plan import DOCUMENT, GraphChange
from tupelo.graph.build.rows import CONTEXTS
from tupelo.graph.store.derive import derive
from tupelo.graph.store.file import Store
from tupelo.graph.store.types import type_rows

# The outputs of each group of steps; totals are computed from those that are counted.
COUNTED = ("referents", "namings", "typings", "links", "qualified", "property_mentions")
TABLES = ("sentences", "tuples", "mentions", *COUNTED)
AGGREGATES = ("nodes", "entity_types", "relations", "aliases", "statements", "qualifiers", "properties")


def table_steps() -> list[Step]:
    """Steps from rows and maps to the tables of a graph; see `tables.sql`."""
    return _steps("tables.sql")


def aggregate_steps() -> list[Step]:
    """Steps from mentions and links to all totals; see `totals.sql`."""
    return _steps("totals.sql")


def _steps(name: str) -> list[Step]:
    return [Step(step, sql) for step, sql in queries(__name__, name).items()]


def kept_table(workspace: Workspace, folder: str, name: str, write: Callable[[str], object]) -> Table:
    """A table for an engine, which `write` puts into a Parquet file unless that was finished earlier."""
    import pyarrow.parquet as pq

    part = workspace.find(folder, name)
    if part is None:
        with workspace.draft(folder, name) as draft:
            write(draft.path)
            draft.about["rows"] = pq.read_metadata(draft.path).num_rows
        part = workspace.finished(folder, name)
    return Table(pq.read_schema(part.files[0]), (part,))


_SQL = queries(__name__)
# The derived tables are sorted again once this share of the documents was added or removed since the last time.
REARRANGE = 0.1


def mark_gone(store: Store, change: GraphChange) -> None:
    """Create temporary tables of removed documents, sentences and tuples."""
    import pyarrow as pa

    store.connection.register("gone_ids", pa.table({"document_id": pa.array(change.gone, pa.string())}))
    store.run(_SQL["mark_gone"])
    store.connection.unregister("gone_ids")


def mark_touched(store: Store, made: Mapping[str, Table]) -> None:
    """Create temporary tables of entities, relations and edges whose mentions change."""
    for name in ("sentences", "referents", "links"):
        store.run(f"SET VARIABLE new_{name} = $1", [made[name].patterns])
    store.run(_SQL["mark_touched"])


def moved_links(store: Store, workspace: Workspace, name: str) -> Table:
    """The links of stored documents that have another entity at one of their ends now."""
    return _exported(store, workspace, fingerprint("moved", name), _SQL["moved_links"])


def _exported(store: Store, workspace: Workspace, name: str, query: str) -> Table:
    return kept_table(
        workspace, "old", name, lambda path: store.connection.sql(query).write_parquet(path, compression="zstd")
    )


def old_facts(store: Store, workspace: Workspace, name: str) -> dict[str, Table]:
    """Rows that stay in the graph and share an entity, a relation or an edge with added, moved or removed ones."""
    store.run(_SQL["mark_staying"])
    contexts = {
        "contexts": " ".join(f"WHEN '{given}' THEN '{role}'" for given, role in CONTEXTS.items()),
        "known": ", ".join(f"'{given}'" for given in CONTEXTS),
    }
    return {
        kind: _exported(store, workspace, fingerprint(kind, name), query.format(**contexts))
        for kind, query in _SQL.items()
        if kind.startswith("old_")
    }


def write(
    store: Store,
    change: GraphChange,
    run: Mapping[str, Any],
    made: Mapping[str, Table],
    totals: Mapping[str, Table],
    joined: Maps,
) -> None:
    """Delete what is gone or was recounted, and insert the new rows, all or nothing."""
    from tupelo.core.version import __version__

    with store.transaction():
        store.run(f"{_SQL['remove_gone'] if change.gone else ''}; {_SQL['move']}; {_SQL['remove_touched']}")
        arranged = _share_out_of_order(store, change) > REARRANGE
        store.insert(
            "runs",
            [
                {
                    **run,
                    "tupelo_version": __version__,
                    "documents_added": len(change.added),
                    "documents_changed": len(change.changed),
                    "documents_removed": len(change.removed),
                    "arranged": arranged,
                }
            ],
        )
        store.run("DELETE FROM types")
        store.insert("types", type_rows())
        before = stored_keys(store)
        store.insert(
            "joined",
            (
                {"owner": owner, "original": original, "canonical": canonical}
                for owner, keys in joined.items()
                for original, canonical in keys.items()
                if original not in before[owner]
            ),
        )
        _write_files(store, change, run["run_id"])
        write_failures(store, change)
        store.insert("documents", ({**_described(row), "run_id": run["run_id"]} for row in change.documents))
        _insert_tables(store, {**made, **totals})
        store.run(_SQL["finish"])
        derive(store.connection, touched=not arranged)
    # Closing does this too, but does not report a full disk.
    store.run("CHECKPOINT")


def _insert_tables(store: Store, made: Mapping[str, Table]) -> None:
    for table, source, where in _INSERTS:
        columns = store.arrow_schema(table).names
        chosen = ", ".join(column for column in columns if column not in _LATER.get(table, ()))
        store.run(
            f"INSERT INTO {table} ({chosen}) SELECT {chosen} FROM read_parquet($files) {where}",
            {"files": made[source].patterns},
        )


# Table of the graph, new table, and the condition on its rows.
_TOUCHED_ENTITY = "WHERE node_id IN (SELECT node_id FROM touched_entity_id)"
_INSERTS = (
    ("sentences", "sentences", ""),
    ("tuples", "tuples", ""),
    ("mentions", "mentions", ""),
    ("referents", "referents", ""),
    ("provenance", "links", ""),
    ("nodes", "nodes", _TOUCHED_ENTITY),
    ("entity_types", "entity_types", _TOUCHED_ENTITY),
    ("relations", "relations", "WHERE relation_id IN (SELECT relation_id FROM touched_relation_id)"),
    (
        "aliases",
        "aliases",
        "WHERE owner_id IN (SELECT node_id FROM touched_entity_id UNION ALL "
        "SELECT relation_id FROM touched_relation_id)",
    ),
    ("statements", "statements", ""),
    ("property_mentions", "property_mentions", ""),
    ("properties", "properties", "WHERE edge_id IN (SELECT edge_id FROM touched_edge_id)"),
    ("qualifiers", "qualifiers", "WHERE edge_id IN (SELECT edge_id FROM touched_edge_id)"),
)
# Columns that are derived from other tables and filled in later.
_LATER = {"nodes": ("degree",), "aliases": ("normal", "form"), "qualifiers": ("first_day", "last_day")}


def _share_out_of_order(store: Store, change: GraphChange) -> float:
    """Share of the documents added or removed since the derived tables were sorted, including this change."""
    rows = store.rows(
        "SELECT arranged, documents_added + documents_changed + documents_removed FROM runs ORDER BY started DESC"
    )
    moved = len(change.added) + len(change.gone)
    for arranged, documents in rows:
        if arranged:
            break
        moved += documents
    return moved / max(store.count("documents"), 1)


def _write_files(store: Store, change: GraphChange, run_id: str) -> None:
    store.run("DELETE FROM files WHERE source IN (SELECT unnest($1))", [[*change.files, *change.files_gone]])
    # Seen from the graph, so that both can be moved together and nothing else is told of this machine.
    folder = os.path.dirname(os.path.abspath(store.name))
    places = {name: os.path.relpath(path, folder) for name, path in change.paths.items() if name in change.files}
    store.insert(
        "files",
        (
            {"source": name, "checksum": checksum, "path": places.get(name), "run_id": run_id}
            for name, checksum in change.files.items()
        ),
    )


def write_failures(store: Store, change: GraphChange) -> None:
    """Failures of this run replace those of the run before."""
    store.run("DELETE FROM failures")
    store.insert("failures", (failure._asdict() for failure in change.failures))


def _described(row: Mapping[str, Any]) -> dict[str, Any]:
    from datetime import date

    published = row["published"]
    return {
        **{name: row[name] for name in DOCUMENT},
        "published": date.fromisoformat(published) if published else None,
    }
