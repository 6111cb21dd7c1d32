"""Update a graph: delete what is gone, insert what is new, and recount everything that either affects."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from tupelo.core.shipped import queries
from tupelo.core.stages import Table
from tupelo.graph.build.keys import Maps, stored_keys
from tupelo.graph.build.plan import DOCUMENT, GraphChange
from tupelo.graph.build.rows import row_schema
from tupelo.graph.store.derive import derive
from tupelo.graph.store.file import Store
from tupelo.graph.store.types import type_rows

_TABLES = queries(__name__, "tables.sql")
_TOTALS = queries(__name__, "totals.sql")
# The derived tables are sorted again once this share of the documents was added or removed since the last time.
REARRANGE = 0.1


def forget(store: Store, change: GraphChange, rows: Table) -> None:
    """Remove documents, and make the new `rows` readable."""
    import pyarrow as pa

    for name, documents in (("gone", change.gone), ("added", (*change.added, *change.changed))):
        store.temporary(name, pa.table({"document_id": pa.array(documents, pa.string())}))
    store.run(_TABLES["mark"])
    if change.gone:
        store.run(_TABLES["forget"])
    if rows.files:
        store.run("SET VARIABLE rows = $1", [rows.patterns])
        store.run("CREATE OR REPLACE TEMP VIEW rows AS SELECT * FROM read_parquet(getvariable('rows'))")
    else:
        store.run("DROP VIEW IF EXISTS rows")
        store.connection.register("rows", row_schema().empty_table())


def write(store: Store, change: GraphChange, run: Mapping[str, Any], joined: Maps) -> tuple[int, int]:
    """Insert the new rows with their entities in `entity_map` and their relations in `relation_map`, and count.

    Return the numbers of new sentences and tuples.
    """
    from tupelo.core.version import __version__

    store.run(_TABLES["move"])
    arranged = _share_out_of_order(store, change) > REARRANGE
    counts = {f"documents_{name}": len(getattr(change, name)) for name in ("added", "changed", "removed")}
    store.insert("runs", [{**run, **counts, "tupelo_version": __version__, "arranged": arranged}])
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
    store.run(_TABLES["insert"])
    for count in _TOTALS.values():
        store.run(count)
    derive(store, touched=not arranged)
    ((sentences, tuples),) = store.rows_within(_TABLES["new"])
    return sentences, tuples


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
