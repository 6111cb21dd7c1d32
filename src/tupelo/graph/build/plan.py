"""Plan an update of a graph: which documents are new, changed or gone, and their partitions."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from tupelo.core import InputError
from tupelo.core.stages import Failure, Table, fingerprint
from tupelo.graph.store.file import Store

# Characters per partition: about ten seconds of work, the most that a killed process loses.
PARTITION = 100_000
DOCUMENT = ("document_id", "source", "title", "media_type", "checksum", "characters", "published")


class FailedDocument(NamedTuple):
    """A failure as the graph keeps it: that of a document, or of a file, until it is read without one."""

    source: str
    number: int
    stage: str
    reason: str
    checksum: str
    recipe: str


@dataclass(frozen=True, slots=True)
class GraphChange:
    """The planned changes: documents by id, and the partitions with the passages of the new ones."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    kept: int
    documents: tuple[Mapping[str, Any], ...]
    # Files that were read, with the checksums of their bytes (empty after a failure), and files that no longer exist.
    files: Mapping[str, str]
    files_gone: tuple[str, ...]
    passages: tuple[tuple[str, tuple[tuple[str, int, int | None], ...]], ...]
    # Places of files.
    paths: Mapping[str, str] = field(default_factory=dict)
    # All that has failed since it was last read completely.
    failures: tuple[FailedDocument, ...] = ()
    # Documents among the added and changed ones that lack what failed.
    incomplete: frozenset[str] = frozenset()

    @property
    def gone(self) -> tuple[str, ...]:
        return (*self.changed, *self.removed)

    @property
    def is_none(self) -> bool:
        return not (self.added or self.gone)


def unread(store: Store, checksums: Mapping[str, str], runs: Collection[str]) -> list[str]:
    """Files that are new, changed, were not read completely before, or in none of these runs."""
    rows = store.rows("SELECT source, checksum, run_id FROM files")
    known = {source: checksum for source, checksum, run in rows if run in runs}
    return [source for source, checksum in checksums.items() if not checksum or known.get(source) != checksum]


def namesakes(store: Store, sources: Iterable[str], paths: Mapping[str, str]) -> dict[str, str]:
    """Files that were read from another place under the name of a given one: that place, by their common name."""
    folder = os.path.dirname(os.path.abspath(store.name))
    rows = store.rows("SELECT source, path FROM files WHERE path IS NOT NULL")
    known = {source: os.path.normpath(os.path.join(folder, path)) for source, path in rows}
    return {source: known[source] for source in sources if source in known and known[source] != paths.get(source)}


def past_failures(store: Store) -> list[FailedDocument]:
    columns = ", ".join(FailedDocument._fields)
    return [FailedDocument(*row) for row in store.rows(f"SELECT {columns} FROM failures ORDER BY source, number")]


def settled(
    store: Store, change: GraphChange, failures: Iterable[Failure], unusable: Collection[str]
) -> tuple[GraphChange, frozenset[str]]:
    """The change after failures of documents, and the documents that it leaves as they are.

    A complete version of a document is not replaced by one that lacks what failed. A document that has no complete
    version is taken as far as it could be read, unless its source is among the `unusable` ones.
    """
    ids = {row["source"]: row["document_id"] for row in change.documents}
    incomplete = frozenset(ids[failure.record] for failure in failures if failure.record in ids)
    complete = frozenset(store.column("SELECT document_id FROM documents WHERE checksum <> ''"))
    left = incomplete & (complete | {ids[source] for source in unusable if source in ids})
    broken = {file_of(source, change.files) for source, key in ids.items() if key in incomplete}
    taken = [dict(row) for row in change.documents if row["document_id"] not in left]
    settled_change = replace(
        change,
        added=tuple(key for key in change.added if key not in left),
        changed=tuple(key for key in change.changed if key not in left),
        documents=tuple(row | {"checksum": ""} if row["document_id"] in incomplete else row for row in taken),
        files={name: "" if name in broken else checksum for name, checksum in change.files.items()},
        incomplete=incomplete - left,
    )
    return settled_change, left


def plan(
    store: Store,
    read: Table,
    checksums: Mapping[str, str],
    to_read: Collection[str],
    failed: Collection[str],
    *,
    keep_others: bool,
    runs: Collection[str],
    partition: int = PARTITION,
) -> GraphChange:
    """Compare documents with the graph and divide the passages of those to be read into partitions.

    `checksums` covers all files, `read` those in `to_read` but for the `failed` ones, whose documents keep their last
    version, as those of the other files do. What was read in other `runs` than these is read again.
    """
    rows = store.rows("SELECT document_id, checksum, run_id FROM documents")
    stored = {key: checksum if run in runs else "" for key, checksum, run in rows}
    documents: dict[str, dict[str, Any]] = {}
    wanted: list[tuple[str, int, dict[str, Any]]] = []
    for file, number, row in _listed(read):
        document_id = row["document_id"]
        documents[document_id] = row
        if stored.get(document_id) != row["checksum"]:
            wanted.append((file, number, row))
    untouched = checksums.keys() - frozenset(to_read)
    known_files = {*store.column("SELECT source FROM files")}
    files = known_files | checksums.keys()
    lie_in = {
        document_id: file_of(source, files)
        for document_id, source in store.rows("SELECT document_id, source FROM documents")
    }
    added = [document_id for document_id in documents if document_id not in stored]
    changed = [key for key, row in documents.items() if key in stored and stored[key] != row["checksum"]]
    staying = untouched | frozenset(failed)
    removed = [] if keep_others else [key for key in stored if key not in documents and lie_in[key] not in staying]
    fresh = {*added, *changed}
    return GraphChange(
        tuple(sorted(added)),
        tuple(sorted(changed)),
        tuple(sorted(removed)),
        len(documents) - len(fresh) + sum(file in untouched for file in lie_in.values()),
        tuple(documents[key] for key in sorted(fresh)),
        {name: "" if name in staying else checksums[name] for name in to_read},
        () if keep_others else tuple(sorted(known_files - checksums.keys())),
        tuple(_divide(wanted, partition)),
    )


def plan_removal(store: Store, sources: Collection[str]) -> GraphChange:
    """Plan the removal of documents with these sources, or in files with these names."""
    known = dict(store.rows("SELECT document_id, source FROM documents ORDER BY source"))
    files = {*store.column("SELECT source FROM files")}
    removed: set[str] = set()
    for source in sources:
        found = [key for key, own in known.items() if source in (own, file_of(own, files))]
        if not found:
            raise InputError(f"no document from '{source}' in {store.name}, expected a source of its documents")
        removed.update(found)
    # A file that lost a document is read again the next time it is given.
    lost = {file_of(known[key], files) for key in removed} & files
    failures = tuple(one for one in past_failures(store) if not {one.source, file_of(one.source, files)} & {*sources})
    kept = len(known) - len(removed)
    return GraphChange((), (), tuple(sorted(removed)), kept, (), {}, tuple(sorted(lost)), (), failures=failures)


def file_of(source: str, files: Collection[str]) -> str:
    """The file that contains a document: `news.jsonl` for `news.jsonl#7`, `mail.zip` for `mail.zip/may/1.txt`.

    >>> file_of("a.zip/b.jsonl#1", {"a.zip", "b.jsonl"}), file_of("note.txt", {"note.txt", "note"})
    ('a.zip', 'note.txt')
    """
    end = len(source)
    while end > 0 and source[:end] not in files:
        end = max(source.rfind("#", 0, end), source.rfind("/", 0, end))
    return source[: max(end, 0)]


def _listed(read: Table) -> Iterable[tuple[str, int, dict[str, Any]]]:
    """File, row number and description of every passage, without its text."""
    import pyarrow.parquet as pq

    for file in read.files:
        columns = [*DOCUMENT, "number", "start_at"]
        yield from (
            (file, number, row) for number, row in enumerate(pq.read_table(file, columns=columns).to_pylist())
        )


def _divide(
    passages: Sequence[tuple[str, int, Mapping[str, Any]]], partition: int
) -> Iterable[tuple[str, tuple[tuple[str, int, int | None], ...]]]:
    """Partitions of about equal length, each with a key that depends only on its passages."""
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
