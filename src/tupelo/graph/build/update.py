"""Update a graph: delete what is gone, insert what is new, and recount everything that either affects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tupelo.core.protocols import Workspace
from tupelo.core.stages import Table, fingerprint
from tupelo.graph.build.keys import Maps, stored_keys
from tupelo.graph.build.plan import DOCUMENT, GraphChange
from tupelo.graph.build.rows import CONTEXTS
from tupelo.graph.build.steps import kept_table
from tupelo.graph.store.derive import derive
from tupelo.graph.store.file import Store
from tupelo.graph.store.shipped import queries
from tupelo.graph.store.types import type_rows

_SQL = queries(__name__)
# The derived tables are sorted again once this share of the documents was added or removed since the last time.
REARRANGE = 0.1


def mark_gone(store: Store, change: GraphChange) -> None:
    """Create temporary tables of removed documents, sentences and tuples."""
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


def mark_touched(store: Store, made: Mapping[str, Table]) -> None:
    """Create temporary tables of entities, relations and edges whose mentions change."""
    _keep(store, "new_sentences", "SELECT sentence_id FROM read_parquet($files)", made["sentences"])
    _keep(
        store,
        "touched_entity_id",
        "SELECT entity_id FROM referents WHERE document_id IN (SELECT document_id FROM gone) "
        "UNION SELECT entity_id FROM moved UNION SELECT old_id FROM moved "
        "UNION SELECT entity_id FROM read_parquet($files)",
        made["referents"],
    )
    changed = "tuple_id IN (SELECT tuple_id FROM gone_tuples)"
    for column in ("relation_id", "edge_id"):
        _keep(
            store,
            f"touched_{column}",
            f"SELECT {column} FROM provenance WHERE {changed} AND {column} IS NOT NULL "
            f"UNION SELECT {column} FROM moved_provenance WHERE relation_id IS NOT NULL "
            f"UNION SELECT {column} FROM read_parquet($files)",
            made["links"],
        )
    _keep(
        store,
        "restated",
        "SELECT edge_id, tuple_id, beside FROM read_parquet($files) "
        "WHERE tuple_id IN (SELECT tuple_id FROM moved_provenance)",
        made["links"],
    )
    # Qualifiers of an edge may mean an entity that became another.
    store.run(
        "INSERT INTO touched_edge_id SELECT DISTINCT edge_id FROM qualifiers "
        "WHERE entity_id IN (SELECT old_id FROM moved) AND edge_id NOT IN (SELECT edge_id FROM touched_edge_id)"
    )


def _keep(store: Store, name: str, sql: str, table: Table | None = None) -> None:
    """Create a temporary table from a query, with the files of a table bound to `$files`."""
    store.run(f"CREATE OR REPLACE TEMP TABLE {name} AS {sql}", {"files": table.patterns} if table else ())


def moved_links(store: Store, workspace: Workspace, name: str) -> Table:
    """The links of stored documents that have another entity at one of their ends now."""
    query = """
        SELECT '' AS link_id, tuple_id, sentence_id, document_id, subject_ref, object_ref, literal_id, lemma, wording,
            moved_provenance.confidence, beside, stance, negated, modality
        FROM moved_provenance JOIN tuples USING (tuple_id, sentence_id)
        """
    return _exported(store, workspace, fingerprint("moved", name), query)


def _exported(store: Store, workspace: Workspace, name: str, query: str) -> Table:
    return kept_table(
        workspace, "old", name, lambda path: store.connection.sql(query).write_parquet(path, compression="zstd")
    )


def old_facts(store: Store, workspace: Workspace, name: str) -> dict[str, Table]:
    """Rows that stay in the graph and share an entity, a relation or an edge with added, moved or removed ones."""
    staying = (
        "tuple_id NOT IN (SELECT tuple_id FROM gone_tuples) "
        "AND (edge_id, tuple_id) NOT IN (SELECT (edge_id, tuple_id) FROM moved_provenance)"
    )
    touched = "edge_id IN (SELECT edge_id FROM touched_edge_id)"
    store.run(_SQL["staying_referents"])
    store.run(f"CREATE OR REPLACE TEMP TABLE staying_links AS SELECT * FROM provenance WHERE {touched} AND {staying}")
    store.run(
        "CREATE OR REPLACE TEMP TABLE said_before AS SELECT edge_id, tuple_id, beside FROM staying_links "
        "UNION ALL SELECT edge_id, tuple_id, beside FROM restated"
    )
    contexts = " ".join(f"WHEN '{given}' THEN '{role}'" for given, role in CONTEXTS.items())
    queries = {
        "old_referents": "SELECT entity_id, document_id, kind, name, label, mentions FROM staying_referents",
        "old_namings": """
            SELECT entity_id, text, sum(n)::BIGINT AS n
            FROM (SELECT entity_id, unnest(names) AS text, unnest(counts) AS n FROM staying_referents)
            GROUP BY entity_id, text
            """,
        "old_typings": """
            SELECT entity_id, label, sum(mentions)::BIGINT AS n
            FROM (SELECT entity_id, unnest(types) AS label, mentions FROM staying_referents)
            GROUP BY entity_id, label
            """,
        "old_wordings": _SQL["old_wordings"].format(staying=staying),
        "old_links": _SQL["old_links"],
        "old_qualified": _SQL["old_qualified"].format(
            contexts=contexts, known=", ".join(f"'{given}'" for given in CONTEXTS)
        ),
        "old_property_mentions": """
            SELECT * FROM property_mentions
            WHERE tuple_id IN (SELECT tuple_id FROM staying_links UNION SELECT tuple_id FROM moved_provenance)
            """,
    }
    return {kind: _exported(store, workspace, fingerprint(kind, name), query) for kind, query in queries.items()}


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
        for statement in (*(_REMOVE_GONE if change.gone else ()), *_MOVE, *_remove_touched()):
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
        _write_files(store, change)
        store.insert("documents", ({**_described(row), "run_id": run["run_id"]} for row in change.documents))
        _insert_tables(store, {**made, **totals})
        for statement in _FINISH:
            store.run(statement)
        derive(store.connection, touched=not arranged)
    # Closing does this too, but does not report a full disk.
    store.run("CHECKPOINT")


def _remove_touched() -> Iterator[str]:
    """What deletes the rows that are inserted anew."""
    entities, relations, edges = (f"SELECT {name} FROM touched_{name}" for name in _OWNERS)
    for table in ("entities", "entity_types"):
        yield f"DELETE FROM {table} WHERE entity_id IN ({entities})"
    yield f"DELETE FROM relations WHERE relation_id IN ({relations})"
    yield f"DELETE FROM aliases WHERE owner_id IN ({entities}) OR owner_id IN ({relations})"
    for table in ("edges", "attributes", "properties", "qualifiers"):
        yield f"DELETE FROM {table} WHERE edge_id IN ({edges})"


def _insert_tables(store: Store, made: Mapping[str, Table]) -> None:
    for table, source, where in _INSERTS:
        columns = store.arrow_schema(table).names
        chosen = ", ".join(column for column in columns if column not in _LATER.get(table, ()))
        store.run(
            f"INSERT INTO {table} ({chosen}) SELECT {chosen} FROM read_parquet($files) {where}",
            {"files": made[source].patterns},
        )


_OWNERS = ("entity_id", "relation_id", "edge_id")
# Table of the graph, new table, and the condition on its rows.
_TOUCHED_ENTITY = "WHERE entity_id IN (SELECT entity_id FROM touched_entity_id)"
_INSERTS = (
    ("sentences", "sentences", ""),
    ("tuples", "tuples", ""),
    ("mentions", "mentions", ""),
    ("referents", "referents", ""),
    ("literals", "literals", "WHERE literal_id NOT IN (SELECT literal_id FROM literals)"),
    ("provenance", "links", ""),
    ("set_aside", "set_aside", ""),
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
    ("attributes", "attributes", ""),
    ("property_mentions", "property_mentions", ""),
    ("properties", "properties", "WHERE edge_id IN (SELECT edge_id FROM touched_edge_id)"),
    ("qualifiers", "qualifiers", "WHERE edge_id IN (SELECT edge_id FROM touched_edge_id)"),
)
# Columns that are derived from other tables and filled in later.
_LATER = {"entities": ("degree",), "aliases": ("normal", "form"), "qualifiers": ("first_day", "last_day")}
_FINISH = (
    "UPDATE relations SET edges = counted.n FROM (SELECT relation_id AS id, count(*) AS n FROM statements "
    "WHERE relation_id IN (SELECT relation_id FROM touched_relation_id) GROUP BY id) AS counted "
    "WHERE relations.relation_id = counted.id",
    "DELETE FROM literals WHERE literal_id NOT IN (SELECT literal_id FROM attributes)",
)
_REMOVE_GONE = (
    "DELETE FROM set_aside WHERE tuple_id IN (SELECT tuple_id FROM gone_tuples)",
    "DELETE FROM provenance WHERE tuple_id IN (SELECT tuple_id FROM gone_tuples)",
    "DELETE FROM property_mentions WHERE tuple_id IN (SELECT tuple_id FROM gone_tuples)",
    "DELETE FROM mentions WHERE sentence_id IN (SELECT sentence_id FROM gone_sentences)",
    "DELETE FROM referents WHERE document_id IN (SELECT document_id FROM gone)",
    "DELETE FROM tuples WHERE tuple_id IN (SELECT tuple_id FROM gone_tuples)",
    "DELETE FROM sentences WHERE sentence_id IN (SELECT sentence_id FROM gone_sentences)",
    "DELETE FROM documents WHERE document_id IN (SELECT document_id FROM gone)",
)
# What became another entity. DuckDB deletes and inserts faster than it updates lists.
_MOVE = (
    "DELETE FROM provenance WHERE (edge_id, tuple_id) IN (SELECT (edge_id, tuple_id) FROM moved_provenance)",
    "DELETE FROM set_aside WHERE tuple_id IN (SELECT tuple_id FROM moved_provenance)",
    "UPDATE mentions SET entity_id = moved.entity_id FROM moved WHERE mentions.referent_id = moved.referent_id",
    "UPDATE referents SET entity_id = relinked.entity_id, reason = relinked.reason, "
    "probability = relinked.probability FROM relinked WHERE referents.referent_id = relinked.referent_id",
)


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


def _write_files(store: Store, change: GraphChange) -> None:
    store.run("DELETE FROM files WHERE source IN (SELECT unnest($1))", [[*change.files, *change.files_gone]])
    store.insert("files", ({"source": name, "checksum": checksum} for name, checksum in change.files.items()))


def _described(row: Mapping[str, Any]) -> dict[str, Any]:
    from datetime import date

    published = row["published"]
    return {
        **{name: row[name] for name in DOCUMENT},
        "published": date.fromisoformat(published) if published else None,
    }
