"""Bring a graph up to date with a set of documents, doing no more than what changed asks for.

1. Read the files that changed and compare the checksums of their documents with those in the graph.
2. Extract from the new and changed ones; turn their tuples into rows.
3. Take what is gone out of the graph, put the new rows in, and aggregate again
   every entity, relation and edge that lost or gained a mention.

Reading, extraction, joins and aggregation are the engine's; the graph itself
is changed in one transaction.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from tupelo.core.protocols import Canonicalizer, DocumentSet, Engine, Stage, Workspace
from tupelo.core.stages import Failure, Table, fingerprint
from tupelo.graph.joining import joined_keys, map_schema, stored_keys
from tupelo.graph.plan import PARTITION, Change, plan, unread
from tupelo.graph.rows import GraphRows
from tupelo.graph.schema import stable_id
from tupelo.graph.steps import AGGREGATES, TABLES, aggregate_steps, table_steps
from tupelo.graph.store import Store, writing_faults
from tupelo.graph.update import mark_touched, old_facts, write

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
class Report:
    """What a build has done."""

    change: Change
    failures: tuple[Failure, ...]
    sentences: int
    tuples: int
    started_over: bool = False


def build(
    store: Store,
    files: DocumentSet,
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
    with writing_faults(store.name):
        return _build(store, files, recipe, engine, workspace, keep_others, now, progress, partition, canonicalizer)


def _build(
    store: Store,
    files: DocumentSet,
    recipe: Recipe,
    engine: Engine,
    workspace: Workspace,
    keep_others: bool,
    now: Callable[[], datetime],
    progress: Progress,
    partition: int,
    canonicalizer: Canonicalizer | None,
) -> Report:
    started = now()
    last = store.rows("SELECT options FROM runs ORDER BY started DESC, run_id LIMIT 1")
    otherwise = bool(last) and json.loads(last[0][0] or "{}").get("recipe") != recipe.name
    checksums = files.checksums()
    to_read = list(checksums) if otherwise else unread(store, checksums)
    partitions = files.partitions(to_read)
    with progress("reading", len(partitions)) as advance:
        read = engine.run(recipe.read, partitions, advance)
    change = plan(store, read, checksums, to_read, keep_others=keep_others, start_over=otherwise, partition=partition)
    if change.is_none:
        return Report(change, tuple(read.failures), 0, 0)

    with progress("extracting", len(change.passages)) as advance:
        passages = [engine.rows(key, pieces) for key, pieces in change.passages]
        tuples = engine.run(recipe.extract, passages, advance)
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
        mark_touched(store, change, made)
        old = old_facts(store, workspace, fingerprint(run_id, change.added, change.gone), made)
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
