"""Bring a graph up to date with a set of documents, processing only what has changed.

1. Read the files that changed and compare the checksums of their documents with those in the graph.
2. Extract from the new and changed ones; turn what they say into rows.
3. Link the referents of each document to entities.
4. Delete what is gone from the graph, insert the new rows, and aggregate again
   every entity, relation and edge that lost or gained a mention.

The engine does the reading, extraction, joins and aggregation; the graph itself
is changed in one transaction.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import groupby
from typing import Any, NamedTuple

from tupelo.core import InputError
from tupelo.core.document import PassedOver
from tupelo.core.progress import Progress, track
from tupelo.core.protocols import Canonicalizer, DocumentSet, Engine, Partition, Stage
from tupelo.core.registry import Shown
from tupelo.core.stages import Failure, FinishedPart, Table, fingerprint
from tupelo.graph.build.assign import assign, entity_map
from tupelo.graph.build.keys import joined_keys, relation_map, stored_keys
from tupelo.graph.build.plan import (
    PARTITION,
    FailedDocument,
    GraphChange,
    file_of,
    past_failures,
    plan,
    plan_removal,
    settled,
    unread,
)
from tupelo.graph.build.review import corrections_of, keep_corrections, keep_verdicts
from tupelo.graph.build.rows import GraphRows, row_schema
from tupelo.graph.build.update import forget, write, write_failures
from tupelo.graph.store.file import Store, writing_faults
from tupelo.graph.store.schema import stable_id
from tupelo.names.linking import Alias, Aliases, Correction, correction_keys

# Linking, counting, writing.
_STEPS = 3
_COUNTED = ("documents", "sentences", "tuples", "nodes", "relations", "statements")


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """The stages that turn documents into a graph. A document that was read with another recipe is read again."""

    read: Stage
    extract: Stage
    extractor: str
    canonicalizer: str = "lexical"
    aliases: Aliases = field(default_factory=Aliases)
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """A name for everything that affects the graph, except the documents."""
        stages = [[stage.name, stage.version, dict(stage.options)] for stage in (self.read, self.extract)]
        rows = GraphRows(self.extract.output, self.aliases)
        return fingerprint(
            stages, [rows.name, rows.version, dict(rows.options)], self.canonicalizer, dict(self.options)
        )

    @property
    def about(self) -> str:
        """The options of a run: what later changes of the graph need to know of it."""
        aliases = [[alias.canonical, alias.alias, alias.label, alias.rule] for alias in self.aliases.given]
        known = {"aliases": aliases} if aliases else {}
        return json.dumps({**self.options, **known, "recipe": self.name}, sort_keys=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """Everything that a build runs with; none of it affects the graph. `partition` is in characters."""

    engine: Engine
    now: Callable[[], datetime]
    progress: Progress | None = None
    partition: int = PARTITION


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureOptions:
    """The treatment of documents that cannot be read, or not completely; see `tupelo.BuildOptions`."""

    on_error: str = "keep"
    retry: str = "always"


@dataclass(frozen=True, slots=True)
class BuildReport(Shown):
    """The result of a build: documents added, changed and removed, what was read, the graph's counts, failures."""

    change: GraphChange
    failures: tuple[Failure, ...]
    sentences: int
    tuples: int
    # Documents that were read again since they had been read with other options.
    reread: int = 0
    # Documents that were read with other options and are not among the given ones.
    outdated: int = 0
    # Files that hold no document, by reason.
    passed_over: tuple[PassedOver, ...] = ()
    # Sentences that were longer than the limit, as often as they were split, by file.
    split_sentences: tuple[Failure, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    output: str = ""
    # Corrections that were taken in, replaced or forgotten.
    corrections: int = 0
    # Passages that were encoded.
    vectors: int = 0
    # Pairs of sentences of the documents that were read that contradict others.
    conflicts: int = 0
    # Whether other failures are known now than before.
    failures_changed: bool = False

    @property
    def skipped(self) -> tuple[Failure, ...]:
        """Documents that could not be read."""
        return self.failures

    @property
    def nothing_read(self) -> bool:
        """Whether not one of the documents could be read. Then the graph does not change."""
        return not (self.change.added or self.change.changed or self.change.kept)

    @property
    def changes_nothing(self) -> bool:
        return self.change.is_none and not (self.corrections or self.vectors or self.failures_changed)

    def to_dict(self) -> dict[str, Any]:
        return {
            **self.moves(),
            "passed_over": [group.to_dict() for group in self.passed_over],
            "split_sentences": len(self.split_sentences),
            "read": {"sentences": self.sentences, "tuples": self.tuples},
            "graph": dict(self.counts),
            "conflicts": self.conflicts,
            "failures": [{"record": failure.record, "reason": failure.reason} for failure in self.failures],
            "output": self.output,
        }

    def moves(self) -> dict[str, int]:
        """Numbers of documents by what happened to them."""
        change = self.change
        return {
            "added": len({*change.added} - change.incomplete),
            "changed": len({*change.changed} - change.incomplete),
            "removed": len(change.removed),
            "unchanged": change.kept,
            "failed": len({failure.record for failure in self.failures}),
        }

    def __str__(self) -> str:
        moves = ", ".join(f"{count} {name}" for name, count in self.moves().items())
        counts = ", ".join(f"{count:,} {name}" for name, count in self.counts.items())
        lines = [f"documents: {moves}", *map(str, self.passed_over)]
        if self.split_sentences:
            first, times = self.split_sentences[0], f"{len(self.split_sentences):,} times"
            lines.append(f"sentences split {times}, {first.reason}: the first in {first.record}")
        if self.conflicts:
            lines.append(f"conflicts: {self.conflicts:,} pairs of sentences; see tupelo graph conflicts")
        return "\n".join([*lines, f"{self.output}: {counts}"])


def counts_of(store: Store) -> dict[str, int]:
    """The counts that a build reports."""
    return {name: store.count(name) for name in _COUNTED}


def build(
    store: Store,
    files: DocumentSet,
    recipe: Recipe,
    resources: Resources,
    *,
    keep_others: bool,
    passed_over: Iterable[tuple[str, str]] = (),
    canonicalizer: Canonicalizer | None = None,
    failing: FailureOptions | None = None,
) -> BuildReport:
    """Update an open graph; with `keep_others`, documents that are not among the files stay in it.

    A canonicalizer merges entities and relations that are distinct without it.
    """
    started, engine, progress = resources.now(), resources.engine, resources.progress
    failing = failing or FailureOptions()
    with writing_faults(store.name):
        past_runs = store.rows("SELECT run_id, options FROM runs")
        runs = {run for run, about in past_runs if json.loads(about or "{}").get("recipe") == recipe.name}
        checksums, past = files.checksums(), past_failures(store)
        waiting = {
            one.source: one
            for one in past
            if failing.retry == "changed"
            and one.recipe == recipe.name
            and checksums.get(file_of(one.source, checksums)) == one.checksum
        }
        left_alone = {file_of(source, checksums) for source in waiting}
        to_read = [source for source in unread(store, checksums, runs) if source not in left_alone]
        partitions = files.partitions(to_read)
        read = engine.run(recipe.read, partitions, track(progress, "reading", len(partitions)))
        failures = _by_record(read, recipe.read, partitions)
        change = plan(
            store,
            read,
            checksums,
            to_read,
            {failure.record for failure in failures},
            keep_others=keep_others,
            runs=runs,
            partition=resources.partition,
        )
        stored = store.rows("SELECT document_id, run_id FROM documents")
        outdated = {key for key, run in stored if run not in runs}
        reread = outdated & {*change.changed}
        groups = PassedOver.by_reason([*passed_over, *((note.record, note.reason) for note in read.notes)])
        if not (change.added or change.changed or change.kept):
            # An empty or unreadable folder is more likely a mistake than a wish to empty the graph.
            change = replace(change, removed=(), files_gone=())
        passages = [engine.rows(key, pieces) for key, pieces in change.passages]
        tuples = engine.run(recipe.extract, passages, track(progress, "extracting", len(passages)))
        failures += _by_record(tuples, recipe.extract, passages)
        unusable = _empty(tuples, change, failures)
        if failing.on_error == "skip":
            unusable = {failure.record for failure in failures}
        settled_change, left = settled(store, change, failures, unusable)
        rows, broken = _rows(recipe, tuples, engine, left)
        if broken:
            # Rows refer to each other, so that a document without one of them is none.
            sources = {row["document_id"]: row["source"] for row in change.documents}
            failures += [replace(failure, record=sources[failure.record]) for failure in broken]
            unusable |= {sources[failure.record] for failure in broken}
            settled_change, left = settled(store, change, failures, unusable)
            rows, _ = _rows(recipe, tuples, engine, left)
        if failures and failing.on_error == "stop":
            raise InputError(f"{failures[0]}, expected documents without failures (--on-error stop)")
        change = replace(
            settled_change,
            paths=files.paths(),
            failures=_kept_failures(failures, past, checksums, recipe.name, waiting, keep_others=keep_others),
        )
        failures += [Failure(one.stage, one.source, one.reason) for one in waiting.values()]
        changed_failures = list(change.failures) != past
        if change.is_none:
            if changed_failures:
                write_failures(store, change)
            return BuildReport(change, tuple(failures), 0, 0, passed_over=groups, failures_changed=changed_failures)
        if not {*store.column("SELECT document_id FROM documents")} - {*change.gone}:
            store.run("DELETE FROM joined")
        run: dict[str, Any] = {
            "run_id": _run_id(store, recipe.name, change),
            "started": started,
            "extractor": recipe.extractor,
            "canonicalizer": recipe.canonicalizer,
            "options": recipe.about,
        }
        linking = _Linking(recipe.aliases, canonicalizer)
        sentences, found = _apply(store, change, rows, run, resources, linking)
    return BuildReport(
        change,
        tuple(failures),
        sentences,
        found,
        len(reread & {*change.changed}),
        len(outdated - {*change.gone}),
        groups,
        tuple(tuples.notes),
    )


def _rows(recipe: Recipe, tuples: Table, engine: Engine, left: Collection[str]) -> tuple[Table, list[Failure]]:
    """The rows of all documents but those that are left as they are, and failures by the ids of documents."""
    stage = GraphRows(recipe.extract.output, recipe.aliases)
    parts = [engine.rows(*_without(part, left)) for part in tuples.parts]
    rows = engine.run(stage, parts)
    return rows, _by_record(rows, stage, parts)


def _without(part: FinishedPart, left: Collection[str]) -> tuple[str, list[tuple[str, int, int | None]]]:
    """The pieces of a partition that do not belong to some documents, and a name for them."""
    if not left:
        return part.name, [(file, 0, None) for file in part.files]
    pieces: list[tuple[str, int, int | None]] = []
    for file in part.files:
        start = 0
        for owner, group in groupby(_owners(file)):
            end = start + sum(1 for _ in group)
            if owner not in left:
                pieces.append((file, start, end))
            start = end
    return fingerprint(part.name, [piece[1:] for piece in pieces]), pieces


def _empty(tuples: Table, change: GraphChange, failures: Iterable[Failure]) -> set[str]:
    """The sources of documents of which nothing but failures is left."""
    failed = Counter(failure.record for failure in failures)
    if not failed:
        return set()
    sentences = Counter(key for file in tuples.files for key in _owners(file))
    return {row["source"] for row in change.documents if sentences[row["document_id"]] <= failed[row["source"]]}


def _owners(file: str) -> list[str]:
    """The document of each row of a file."""
    import pyarrow.parquet as pq

    found: list[str] = pq.read_table(file, columns=["document_id"]).column(0).to_pylist()
    return found


def _by_record(table: Table, stage: Stage, partitions: Iterable[Partition]) -> list[Failure]:
    """The failures of a stage; that of a whole partition is one of every record in it."""
    lost = {failure.record: failure for failure in table.failures}
    found = []
    for partition in partitions:
        if (failure := lost.pop(partition.key, None)) is not None:
            records = (record for batch in partition.read() for record in batch.column(stage.key).to_pylist())
            found += [replace(failure, record=str(record)) for record in dict.fromkeys(records)]
    return found + [failure for failure in table.failures if failure.record in lost]


def _kept_failures(
    failures: Iterable[Failure],
    past: Iterable[FailedDocument],
    checksums: Mapping[str, str],
    recipe: str,
    waiting: Collection[str],
    *,
    keep_others: bool,
) -> tuple[FailedDocument, ...]:
    """The failures of this build, and those of documents that it did not try."""
    numbers: Counter[str] = Counter()
    found = []
    for failure in dict.fromkeys(failures):
        source = failure.record
        checksum = checksums.get(file_of(source, checksums), "")
        found.append(FailedDocument(source, numbers[source], failure.stage, failure.reason, checksum, recipe))
        numbers[source] += 1
    untried = [
        one
        for one in past
        if one.source in waiting or (keep_others and file_of(one.source, checksums) not in checksums)
    ]
    return tuple(sorted([*found, *untried]))


def remove(store: Store, sources: Collection[str], resources: Resources) -> BuildReport:
    """Delete documents by source, or by the file that holds them, and recount everything they stated."""
    with writing_faults(store.name):
        change = plan_removal(store, sources)
        _apply_again(store, change, "removal", resources)
    return BuildReport(change, (), 0, 0)


def correct(
    store: Store,
    corrections: Iterable[Correction],
    resources: Resources,
    *,
    forgotten: Iterable[Correction] = (),
    settled: Iterable[tuple[str, str]] = (),
) -> BuildReport:
    """Store corrections of entity links, and link again the names that they concern; and verdicts on conflicts."""
    none = GraphChange((), (), (), store.count("documents"), (), {}, (), (), failures=tuple(past_failures(store)))
    with writing_faults(store.name):
        aliases = aliases_of(store)
        changed = keep_corrections(store, corrections, forgotten, resources.now())
        if changed and store.count("runs"):
            keys = {key for correction in changed for key in correction_keys(correction, aliases)}
            _apply_again(store, none, "correction", resources, keys)
        verdicts = keep_verdicts(store, settled, resources.now())
    return BuildReport(none, (), 0, 0, corrections=len(changed) + verdicts)


def aliases_of(store: Store) -> Aliases:
    """The table of names that the user gave for the graph."""
    last = _last_run(store)
    return Aliases(tuple(Alias(*entry) for entry in last.options.get("aliases", ()))) if last else Aliases()


class _Run(NamedTuple):
    """A run of the past, `about` being its options as JSON."""

    extractor: str
    canonicalizer: str
    about: str | None

    @property
    def options(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.about or "{}")
        return found


def _last_run(store: Store) -> _Run | None:
    rows = store.rows("SELECT extractor, canonicalizer, options FROM runs ORDER BY started DESC, run_id LIMIT 1")
    return _Run(*rows[0]) if rows else None


@dataclass(frozen=True, slots=True)
class _Linking:
    """The linking of referents. `relink` are keys of names that are linked again although nothing changed."""

    aliases: Aliases
    canonicalizer: Canonicalizer | None = None
    relink: Collection[str] = ()


def _apply_again(
    store: Store, change: GraphChange, kind: str, resources: Resources, relink: Collection[str] = ()
) -> None:
    """Change a graph without new documents; the remaining ones keep their recipe."""
    rows = resources.engine.run(GraphRows(row_schema()), [])
    last = _last_run(store)
    assert last is not None, "there is a run, as there are documents"
    run = {"run_id": _run_id(store, kind, change), "started": resources.now()}
    run |= {"extractor": last.extractor, "canonicalizer": last.canonicalizer, "options": last.about}
    linking = _Linking(aliases_of(store), relink=relink)
    _apply(store, change, rows, run, replace(resources, progress=None), linking)


def _run_id(store: Store, recipe: str, change: GraphChange) -> str:
    return stable_id("run", store.count("runs"), recipe, *sorted(row["checksum"] for row in change.documents))


def _apply(
    store: Store,
    change: GraphChange,
    rows: Table,
    run: Mapping[str, Any],
    resources: Resources,
    linking: _Linking,
) -> tuple[int, int]:
    """Change the graph, all or nothing; return the numbers of new sentences and tuples."""
    engine, method = resources.engine, linking.canonicalizer
    # The memory of idle processes is of more use to DuckDB.
    engine.close()
    advance = track(resources.progress, "joining", _STEPS)
    with store.transaction():
        forget(store, change, rows)
        assigned = assign(store, linking.aliases, corrections_of(store), linking.relink)
        joined = joined_keys(rows, assigned, store, method) if method else stored_keys(store)
        entity_map(store, assigned, joined["entity"])
        relation_map(store, rows, joined)
        # As large as the map, which is in a table now.
        del assigned
        advance(1)
        made = write(store, change, {**run, "finished": resources.now(), "engine": engine.name}, joined)
        advance(1)
    # Closing does this too, but does not report a full disk.
    store.run("CHECKPOINT")
    advance(1)
    return made
