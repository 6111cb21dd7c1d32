"""Update a graph: delete what is gone, insert what is new, and recount everything that either affects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tupelo.core.analysis import ENTITY_TYPES
from tupelo.core.protocols import Workspace
from tupelo.core.stages import FinishedPart, Table, file_pattern, fingerprint
from tupelo.graph.derive import derive, derive_touched
from tupelo.graph.keys import Maps, stored_keys
from tupelo.graph.plan import DOCUMENT, Change
from tupelo.graph.schema import stable_id
from tupelo.graph.store import Store

# The derived tables are sorted again once this share of the documents was added or removed since the last time.
REARRANGE = 0.1


def mark_touched(store: Store, change: Change, made: Mapping[str, Table]) -> None:
    """Create temporary tables of removed documents and of entities, relations and edges whose mentions change."""
    import pyarrow as pa

    store.connection.register("gone_ids", pa.table({"document_id": pa.array(change.gone, pa.string())}))
    _keep(store, "gone", "SELECT document_id FROM gone_ids")
    store.connection.unregister("gone_ids")
    _keep(
        store,
        "gone_sentences",
        "SELECT sentence_id FROM sentences WHERE document_id IN (SELECT document_id FROM gone)",
    )
    _keep(
        store,
        "gone_tuples",
        "SELECT tuple_id FROM tuples WHERE sentence_id IN (SELECT sentence_id FROM gone_sentences)",
    )
    _keep(store, "new_sentences", "SELECT sentence_id FROM read_parquet($files)", made["sentences"])
    for column, old, new in (
        ("entity_id", "mentions", "mentions"),
        ("relation_id", "mentions", "mentions"),
        ("edge_id", "provenance", "links"),
    ):
        _keep(
            store,
            f"touched_{column}",
            f"SELECT DISTINCT {column} FROM {old} WHERE tuple_id IN (SELECT tuple_id FROM gone_tuples) "
            f"UNION SELECT DISTINCT {column} FROM read_parquet($files) WHERE {column} IS NOT NULL",
            made[new],
        )


def _keep(store: Store, name: str, sql: str, table: Table | None = None) -> None:
    """Create a temporary table from a query, with the files of a table bound to `$files`."""
    store.run(f"CREATE OR REPLACE TEMP TABLE {name} AS {sql}", {"files": table.patterns} if table else ())


def old_facts(store: Store, workspace: Workspace, name: str, made: Mapping[str, Table]) -> dict[str, Table]:
    """The rows that stay in the graph and share an entity, a relation or an edge with added or removed ones."""
    staying = "tuple_id NOT IN (SELECT tuple_id FROM gone_tuples)"
    queries = {
        "old_mentions": f"""
            SELECT {_COUNTED}
            FROM mentions JOIN tuples USING (tuple_id) JOIN sentences USING (sentence_id)
            LEFT JOIN relations USING (relation_id)
            WHERE {staying} AND (
                entity_id IN (SELECT entity_id FROM touched_entity_id)
                OR relation_id IN (SELECT relation_id FROM touched_relation_id)
                OR tuple_id IN (
                    SELECT tuple_id FROM provenance WHERE edge_id IN (SELECT edge_id FROM touched_edge_id)
                )
            )
            """,
        "old_links": f"""
            SELECT edge_id, tuple_id, sentence_id, document_id, subject_id, relation_id, object_id, edges.negated,
                edges.modality, tuples.confidence,
                speaker IS NULL AND speech_verb IS NULL AND attribution IS NULL AS asserted
            FROM provenance JOIN edges USING (edge_id) JOIN tuples USING (tuple_id, sentence_id)
            WHERE edge_id IN (SELECT edge_id FROM touched_edge_id) AND {staying}
            """,
    }
    tables = {}
    for kind, query in queries.items():
        schema = made["mentions" if kind == "old_mentions" else "links"].schema
        tables[kind] = Table(schema, (_exported(store, workspace, fingerprint(kind, name), query),))
    return tables


# The columns of a mention that aggregation needs.
_COUNTED = (
    "tuple_id, role, mentions.text, resolved, entity_type, entity_id, relation_id, relations.lemma, "
    "sentences.document_id"
)


def _exported(store: Store, workspace: Workspace, name: str, query: str) -> FinishedPart:
    part = workspace.find("old", name)
    if part is not None:
        return part
    with workspace.draft("old", name) as draft:
        store.connection.sql(query).write_parquet(draft.path, compression="zstd")
        draft.about["rows"] = store.rows(
            "SELECT count(*) FROM read_parquet($file)", {"file": file_pattern(draft.path)}
        )[0][0]
    return workspace.finished("old", name)


def write(
    store: Store,
    change: Change,
    run: Mapping[str, Any],
    made: Mapping[str, Table],
    totals: Mapping[str, Table],
    joined: Maps,
) -> None:
    """Delete what is gone or was recounted, and insert the new rows, all or nothing."""
    from tupelo.core.version import __version__

    entities, relations, edges = (f"SELECT {name} FROM touched_{name}" for name in _OWNERS)
    with store.transaction():
        remove = [
            *(_REMOVE_GONE if change.gone else ()),
            f"DELETE FROM entities WHERE entity_id IN ({entities})",
            f"DELETE FROM entity_types WHERE entity_id IN ({entities})",
            f"DELETE FROM relations WHERE relation_id IN ({relations})",
            f"DELETE FROM aliases WHERE owner_id IN ({entities}) OR owner_id IN ({relations})",
            f"DELETE FROM edges WHERE edge_id IN ({edges})",
            f"DELETE FROM qualifiers WHERE edge_id IN ({edges})",
        ]
        for statement in remove:
            store.run(statement)
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
        known = {name for (name,) in store.rows("SELECT name FROM types")}
        store.insert(
            "types",
            [{"type_id": stable_id("type", name), "name": name} for name in ENTITY_TYPES if name not in known],
        )
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
        _write_files(store, change)
        store.insert("documents", ({**_described(row), "run_id": run["run_id"]} for row in change.documents))
        for table, source, where in _INSERTS:
            files = {**made, **totals}[source].patterns
            columns = _columns(store, table)
            chosen = ", ".join(column for column in columns if column not in _LATER)
            store.run(
                f"INSERT INTO {table} ({chosen}) SELECT {chosen} FROM read_parquet($files) {where}", {"files": files}
            )
        store.run(_COUNT_EDGES)
        (derive if arranged else derive_touched)(store.connection)
    # Closing does this too, but does not report a full disk.
    store.run("CHECKPOINT")


_OWNERS = ("entity_id", "relation_id", "edge_id")
# Table of the graph, new table, and the condition on its rows.
_TOUCHED_ENTITY = "WHERE entity_id IN (SELECT entity_id FROM touched_entity_id)"
_INSERTS = (
    ("sentences", "sentences", ""),
    ("tuples", "tuples", ""),
    ("mentions", "mentions", ""),
    ("provenance", "links", ""),
    ("entities", "entities", _TOUCHED_ENTITY),
    ("entity_types", "entity_types", _TOUCHED_ENTITY),
    ("relations", "relations", "WHERE relation_id IN (SELECT relation_id FROM touched_relation_id)"),
    (
        "aliases",
        "aliases",
        "WHERE owner_id IN (SELECT entity_id FROM touched_entity_id UNION ALL "
        "SELECT relation_id FROM touched_relation_id)",
    ),
    ("edges", "edges", ""),
    ("qualifiers", "qualifiers", "WHERE edge_id IN (SELECT edge_id FROM touched_edge_id)"),
)
# Columns that are derived from other tables and filled in later.
_LATER = frozenset(["degree", "normal", "first_day", "last_day"])
_COUNT_EDGES = (
    "UPDATE relations SET edges = counted.n FROM (SELECT relation_id AS id, count(*) AS n FROM edges "
    "WHERE relation_id IN (SELECT relation_id FROM touched_relation_id) GROUP BY id) AS counted "
    "WHERE relations.relation_id = counted.id"
)
_REMOVE_GONE = (
    "DELETE FROM provenance WHERE tuple_id IN (SELECT tuple_id FROM gone_tuples)",
    "DELETE FROM mentions WHERE tuple_id IN (SELECT tuple_id FROM gone_tuples)",
    "DELETE FROM tuples WHERE tuple_id IN (SELECT tuple_id FROM gone_tuples)",
    "DELETE FROM sentences WHERE sentence_id IN (SELECT sentence_id FROM gone_sentences)",
    "DELETE FROM documents WHERE document_id IN (SELECT document_id FROM gone)",
)


def _share_out_of_order(store: Store, change: Change) -> float:
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


def _write_files(store: Store, change: Change) -> None:
    store.run("DELETE FROM files WHERE source IN (SELECT unnest($1))", [[*change.files, *change.files_gone]])
    store.insert("files", ({"source": name, "checksum": checksum} for name, checksum in change.files.items()))


def _columns(store: Store, table: str) -> list[str]:
    return [row[0] for row in store.rows("SELECT column_name FROM duckdb_columns() WHERE table_name = ?", [table])]


def _described(row: Mapping[str, Any]) -> dict[str, Any]:
    from datetime import date

    published = row["published"]
    return {
        **{name: row[name] for name in DOCUMENT},
        "published": date.fromisoformat(published) if published else None,
    }
