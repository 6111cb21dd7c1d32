"""Bring a graph up to date with a set of documents, doing no more than what changed asks for.

1. Read all documents and compare their checksums with those in the graph.
2. Extract from the new and changed ones; turn their tuples into rows.
3. Take what is gone out of the graph, put the new rows in, and aggregate again
   every entity, relation and edge that lost or gained a mention.

Reading, extraction, joins and aggregation are the engine's; the graph itself
is changed in one transaction.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from tupelo.core.analysis import ENTITY_TYPES
from tupelo.core.protocols import Canonicalizer, Engine, Partition, Stage, Workspace
from tupelo.core.stages import Failure, Part, Table, fingerprint
from tupelo.graph.joining import Maps, joined_keys, map_schema, stored_keys
from tupelo.graph.rows import GraphRows
from tupelo.graph.schema import stable_id
from tupelo.graph.steps import AGGREGATES, TABLES, aggregate_steps, table_steps
from tupelo.graph.store import Store

# Characters per partition: some ten seconds of work, and what a process loses at most when it is killed.
PARTITION = 100_000
_DOCUMENT = ("document_id", "source", "title", "media_type", "checksum", "characters", "published")

# Shows progress: a label and a total in, a function that takes finished steps out.
Progress = Callable[[str, int], AbstractContextManager[Callable[[int], None]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How documents become a graph. A graph that was made otherwise is made anew from all documents."""

    read: Stage
    extract: Stage
    extractor: str
    canonicalizer: str = "lexical"
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Everything that can change what is in the graph, but the documents."""
        stages = [[stage.name, stage.version, dict(stage.options)] for stage in (self.read, self.extract)]
        rows = GraphRows(self.extract.output)
        return fingerprint(stages, [rows.name, rows.version], self.canonicalizer, dict(self.options))


@dataclass(frozen=True, slots=True)
class Change:
    """What is to be done: documents by id, and where the passages of the new ones lie."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    kept: int
    documents: tuple[Mapping[str, Any], ...]
    passages: tuple[tuple[str, tuple[tuple[str, int, int | None], ...]], ...]

    @property
    def gone(self) -> tuple[str, ...]:
        return (*self.changed, *self.removed)

    @property
    def is_none(self) -> bool:
        return not (self.added or self.gone)


@dataclass(frozen=True, slots=True)
class Report:
    """What a build has done."""

    change: Change
    failures: tuple[Failure, ...]
    sentences: int
    tuples: int
    started_over: bool = False


def build(
    store: Store,
    files: Sequence[Partition],
    recipe: Recipe,
    engine: Engine,
    workspace: Workspace,
    *,
    keep_others: bool,
    now: Callable[[], datetime],
    progress: Progress,
    partition: int = PARTITION,
    canonicalizer: Canonicalizer | None = None,
) -> Report:
    """Update an open graph; with `keep_others` documents that are not among the files stay in it.

    Without a canonicalizer, wordings are one entity or relation when their keys are the same.
    """
    started = now()
    # DuckDB has a bar of its own, on standard output.
    store.connection.execute("SET enable_progress_bar = false").fetchall()
    with progress("reading", len(files)) as advance:
        read = engine.run(recipe.read, files, advance)
    last = store.rows("SELECT options FROM runs ORDER BY started DESC, run_id LIMIT 1")
    otherwise = bool(last) and json.loads(last[0][0] or "{}").get("recipe") != recipe.name
    change = plan(store, read, keep_others=keep_others, start_over=otherwise, partition=partition)
    if change.is_none:
        return Report(change, tuple(read.failures), 0, 0)

    with progress("extracting", len(change.passages)) as advance:
        partitions = [engine.rows(key, pieces) for key, pieces in change.passages]
        tuples = engine.run(recipe.extract, partitions, advance)
    stage = GraphRows(recipe.extract.output)
    parts = [engine.rows(part.name, [(file, 0, None) for file in part.files]) for part in tuples.parts]
    rows = engine.run(stage, parts)
    with progress("joining", len(_STAGES)) as advance:
        if otherwise:
            store.connection.execute("DELETE FROM joined").fetchall()
        joined = joined_keys(rows, store, canonicalizer) if canonicalizer else stored_keys(store)
        maps = {f"{owner}_map": _map_table(workspace, joined[owner]) for owner in joined}
        made = engine.query(table_steps(), {"rows": rows, **maps}, TABLES)
        advance(1)
        run_id = stable_id(
            "run", store.count("runs"), recipe.name, *sorted(row["checksum"] for row in change.documents)
        )
        _mark_touched(store, change, made)
        old = _old_facts(store, workspace, fingerprint(run_id, change.added, change.gone), made)
        new = {"new_mentions": made["mentions"], "new_links": made["links"]}
        totals = engine.query(aggregate_steps(), new | old, AGGREGATES)
        advance(1)
        run = {
            "run_id": run_id,
            "started": started,
            "finished": now(),
            "engine": engine.name,
            "extractor": recipe.extractor,
            "canonicalizer": recipe.canonicalizer,
            "options": json.dumps({**recipe.options, "recipe": recipe.name}, sort_keys=True),
        }
        write(store, change, run, made, totals, joined)
        advance(1)
    failures = (*read.failures, *tuples.failures, *rows.failures)
    return Report(change, failures, made["sentences"].rows, made["tuples"].rows, otherwise)


_STAGES = ("join", "aggregate", "write")


def plan(
    store: Store, read: Table, *, keep_others: bool, start_over: bool = False, partition: int = PARTITION
) -> Change:
    """Compare documents with the graph and divide the passages of those to be read into partitions."""
    stored = dict(store.rows("SELECT document_id, checksum FROM documents"))
    if start_over:
        stored = dict.fromkeys(stored, "")
    documents: dict[str, dict[str, Any]] = {}
    wanted: list[tuple[str, int, dict[str, Any]]] = []
    for file, number, row in _listed(read):
        document_id = row["document_id"]
        documents[document_id] = row
        if stored.get(document_id) != row["checksum"]:
            wanted.append((file, number, row))
    # A document that cannot be read now stays as it was when it could.
    failed = tuple({failure.record for failure in read.failures})
    unreadable = {
        document_id
        for document_id, source in store.rows("SELECT document_id, source FROM documents")
        if any(source == name or source.startswith((f"{name}/", f"{name}#")) for name in failed)
    }
    added = [document_id for document_id in documents if document_id not in stored]
    changed = [key for key, row in documents.items() if key in stored and stored[key] != row["checksum"]]
    removed = [] if keep_others else [key for key in stored if key not in documents and key not in unreadable]
    fresh = {*added, *changed}
    return Change(
        tuple(sorted(added)),
        tuple(sorted(changed)),
        tuple(sorted(removed)),
        len(documents) - len(fresh),
        tuple(documents[key] for key in sorted(fresh)),
        tuple(_divide(wanted, partition)),
    )


def _listed(read: Table) -> Iterable[tuple[str, int, dict[str, Any]]]:
    """File, row number and description of every passage, without its text."""
    import pyarrow.parquet as pq

    for file in read.files:
        columns = [*_DOCUMENT, "number", "start_at"]
        yield from (
            (file, number, row) for number, row in enumerate(pq.read_table(file, columns=columns).to_pylist())
        )


def _divide(
    passages: Sequence[tuple[str, int, Mapping[str, Any]]], partition: int
) -> Iterable[tuple[str, tuple[tuple[str, int, int | None], ...]]]:
    """Partitions of about equal length, each with a key that depends on nothing but its passages."""
    names: list[object] = []
    pieces: list[tuple[str, int, int | None]] = []
    size = 0
    for index, (file, number, row) in enumerate(passages):
        names.append([row["document_id"], row["checksum"], row["number"]])
        if pieces and pieces[-1][0] == file and pieces[-1][2] == number:
            pieces[-1] = (file, pieces[-1][1], number + 1)
        else:
            pieces.append((file, number, number + 1))
        following = passages[index + 1][2] if index + 1 < len(passages) else None
        same = following is not None and following["document_id"] == row["document_id"]
        size += (following["start_at"] if same and following else row["characters"]) - row["start_at"]
        if size >= partition:
            yield fingerprint(names), tuple(pieces)
            names, pieces, size = [], [], 0
    if pieces:
        yield fingerprint(names), tuple(pieces)


def _map_table(workspace: Workspace, joined: Mapping[str, str]) -> Table:
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not joined:
        return Table(map_schema())
    name = fingerprint("map", dict(joined))
    part = workspace.find("maps", name)
    if part is None:
        with workspace.draft("maps", name) as draft:
            columns = {"original": list(joined), "canonical": list(joined.values())}
            pq.write_table(pa.table(columns, schema=map_schema()), draft.path)
            draft.about["rows"] = len(joined)
        part = workspace.finished("maps", name)
    return Table(map_schema(), (part,))


def _mark_touched(store: Store, change: Change, made: Mapping[str, Table]) -> None:
    """Temporary tables of what loses or gains a mention: documents gone, entities, relations, edges."""
    import pyarrow as pa

    run = store.connection.execute
    store.connection.register("gone_ids", pa.table({"document_id": pa.array(change.gone, pa.string())}))
    run("CREATE OR REPLACE TEMP TABLE gone AS SELECT document_id FROM gone_ids").fetchall()
    store.connection.unregister("gone_ids")
    run(
        "CREATE OR REPLACE TEMP TABLE gone_tuples AS SELECT tuple_id FROM tuples JOIN sentences USING (sentence_id) "
        "WHERE document_id IN (SELECT document_id FROM gone)"
    ).fetchall()
    for column, old, new in (
        ("entity_id", "mentions", "mentions"),
        ("relation_id", "mentions", "mentions"),
        ("edge_id", "provenance", "links"),
    ):
        files = made[new].files
        run(
            f"CREATE OR REPLACE TEMP TABLE touched_{column} AS "
            f"SELECT DISTINCT {column} FROM {old} WHERE tuple_id IN (SELECT tuple_id FROM gone_tuples) "
            f"UNION SELECT DISTINCT {column} FROM read_parquet($files) WHERE {column} IS NOT NULL",
            {"files": files},
        ).fetchall()


def _old_facts(store: Store, workspace: Workspace, name: str, made: Mapping[str, Table]) -> dict[str, Table]:
    """What stays in the graph and shares an entity, a relation or an edge with what comes or goes."""
    staying = "tuple_id NOT IN (SELECT tuple_id FROM gone_tuples)"
    queries = {
        "old_mentions": f"""
            SELECT mentions.*, relations.lemma, sentences.document_id
            FROM mentions JOIN tuples USING (tuple_id) JOIN sentences USING (sentence_id)
            LEFT JOIN relations USING (relation_id)
            WHERE {staying} AND (
                entity_id IN (SELECT entity_id FROM touched_entity_id)
                OR relation_id IN (SELECT relation_id FROM touched_relation_id)
                OR tuple_id IN (
                    SELECT tuple_id FROM provenance WHERE edge_id IN (SELECT edge_id FROM touched_edge_id)
                )
            )
            ORDER BY mention_id
            """,
        "old_links": f"""
            SELECT edge_id, tuple_id, sentence_id, document_id, subject_id, relation_id, object_id, edges.negated,
                edges.modality, tuples.confidence,
                speaker IS NULL AND speech_verb IS NULL AND attribution IS NULL AS asserted
            FROM provenance JOIN edges USING (edge_id) JOIN tuples USING (tuple_id, sentence_id)
            WHERE edge_id IN (SELECT edge_id FROM touched_edge_id) AND {staying}
            ORDER BY edge_id, tuple_id
            """,
    }
    tables = {}
    for kind, query in queries.items():
        schema = made["mentions" if kind == "old_mentions" else "links"].schema
        tables[kind] = Table(schema, (_exported(store, workspace, fingerprint(kind, name), query),))
    return tables


def _exported(store: Store, workspace: Workspace, name: str, query: str) -> Part:
    part = workspace.find("old", name)
    if part is not None:
        return part
    with workspace.draft("old", name) as draft:
        store.connection.sql(query).write_parquet(draft.path, compression="zstd")
        draft.about["rows"] = store.rows("SELECT count(*) FROM read_parquet($file)", {"file": draft.path})[0][0]
    return workspace.finished("old", name)


def write(
    store: Store,
    change: Change,
    run: Mapping[str, Any],
    made: Mapping[str, Table],
    totals: Mapping[str, Table],
    joined: Maps,
) -> None:
    """Take out what is gone or counted anew, and put in what was made: all of it or nothing."""
    from tupelo.core.version import __version__

    entities, relations, edges = (f"SELECT {name} FROM touched_{name}" for name in _OWNERS)
    with store.transaction():
        remove = [
            "DELETE FROM provenance WHERE tuple_id IN (SELECT tuple_id FROM gone_tuples)",
            "DELETE FROM mentions WHERE tuple_id IN (SELECT tuple_id FROM gone_tuples)",
            "DELETE FROM tuples WHERE tuple_id IN (SELECT tuple_id FROM gone_tuples)",
            "DELETE FROM sentences WHERE document_id IN (SELECT document_id FROM gone)",
            "DELETE FROM documents WHERE document_id IN (SELECT document_id FROM gone)",
            f"DELETE FROM entities WHERE entity_id IN ({entities})",
            f"DELETE FROM entity_types WHERE entity_id IN ({entities})",
            f"DELETE FROM relations WHERE relation_id IN ({relations})",
            f"DELETE FROM aliases WHERE owner_id IN ({entities}) OR owner_id IN ({relations})",
            f"DELETE FROM edges WHERE edge_id IN ({edges})",
            f"DELETE FROM qualifiers WHERE edge_id IN ({edges})",
        ]
        for statement in remove:
            store.connection.execute(statement).fetchall()
        store.insert(
            "runs",
            [
                {
                    **run,
                    "tupelo_version": __version__,
                    "documents_added": len(change.added),
                    "documents_changed": len(change.changed),
                    "documents_removed": len(change.removed),
                }
            ],
        )
        known = {name for (name,) in store.rows("SELECT name FROM types")}
        store.insert(
            "types",
            [{"type_id": stable_id("type", name), "name": name} for name in ENTITY_TYPES if name not in known],
        )
        store.connection.execute("DELETE FROM joined").fetchall()
        store.insert(
            "joined",
            (
                {"owner": owner, "original": original, "canonical": canonical}
                for owner, keys in joined.items()
                for original, canonical in keys.items()
            ),
        )
        store.insert("documents", ({**_described(row), "run_id": run["run_id"]} for row in change.documents))
        for table, source, where in _INSERTS:
            files = {**made, **totals}[source].files
            columns = _columns(store, table)
            chosen = ", ".join(column for column in columns if column not in _LATER)
            store.connection.execute(
                f"INSERT INTO {table} ({chosen}) SELECT {chosen} FROM read_parquet($files) {where}", {"files": files}
            ).fetchall()
        for statement in _AFTER:
            store.connection.execute(statement).fetchall()
    store.refresh()


_OWNERS = ("entity_id", "relation_id", "edge_id")
# Table of the graph, table that was made, and which of its rows.
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
# Columns that follow from other tables and are filled afterwards.
_LATER = frozenset(["degree", "normal", "first_day", "last_day"])
_AFTER = (
    "UPDATE relations SET edges = counted.n FROM (SELECT relation_id AS id, count(*) AS n FROM edges GROUP BY id) "
    "AS counted WHERE relations.relation_id = counted.id",
)


def _columns(store: Store, table: str) -> list[str]:
    return [row[0] for row in store.rows("SELECT column_name FROM duckdb_columns() WHERE table_name = ?", [table])]


def _described(row: Mapping[str, Any]) -> dict[str, Any]:
    from datetime import date

    published = row["published"]
    return {
        **{name: row[name] for name in _DOCUMENT},
        "published": date.fromisoformat(published) if published else None,
    }
