"""Plan an update of a graph: which documents are new, changed or gone, and their partitions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tupelo.core import InputError
from tupelo.core.stages import Table, fingerprint
from tupelo.graph.store.file import Store

# Characters per partition: about ten seconds of work, the most that a killed process loses.
PARTITION = 100_000
DOCUMENT = ("document_id", "source", "title", "media_type", "checksum", "characters", "published")


@dataclass(frozen=True, slots=True)
class GraphChange:
    """The planned changes: documents by id, and the partitions with the passages of the new ones."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    kept: int
    documents: tuple[Mapping[str, Any], ...]
    # Files that were read completely, with the checksums of their bytes, and files that no longer exist.
    files: Mapping[str, str]
    files_gone: tuple[str, ...]
    passages: tuple[tuple[str, tuple[tuple[str, int, int | None], ...]], ...]

    @property
    def gone(self) -> tuple[str, ...]:
        return (*self.changed, *self.removed)

    @property
    def is_none(self) -> bool:
        return not (self.added or self.gone)


def unread(store: Store, checksums: Mapping[str, str]) -> list[str]:
    """Files that are new, changed, or were not read completely before."""
    known = dict(store.rows("SELECT source, checksum FROM files"))
    return [source for source, checksum in checksums.items() if not checksum or known.get(source) != checksum]


def plan(
    store: Store,
    read: Table,
    checksums: Mapping[str, str],
    to_read: Collection[str],
    *,
    keep_others: bool,
    start_over: bool = False,
    partition: int = PARTITION,
) -> GraphChange:
    """Compare documents with the graph and divide the passages of those to be read into partitions.

    `checksums` covers all files, `read` those in `to_read`; the documents of the other files are unchanged.
    """
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
    # A document that can no longer be read keeps its last version.
    failed = {failure.record for failure in read.failures}
    untouched = checksums.keys() - frozenset(to_read)
    known_files = {source for (source,) in store.rows("SELECT source FROM files")}
    files = known_files | checksums.keys()
    lie_in = {
        document_id: file_of(source, files)
        for document_id, source in store.rows("SELECT document_id, source FROM documents")
    }
    added = [document_id for document_id in documents if document_id not in stored]
    changed = [key for key, row in documents.items() if key in stored and stored[key] != row["checksum"]]
    staying = untouched | failed
    removed = [] if keep_others else [key for key in stored if key not in documents and lie_in[key] not in staying]
    fresh = {*added, *changed}
    # A partition that killed its process does not show which of its files caused it.
    complete = failed <= checksums.keys()
    return GraphChange(
        tuple(sorted(added)),
        tuple(sorted(changed)),
        tuple(sorted(removed)),
        len(documents) - len(fresh) + sum(file in untouched for file in lie_in.values()),
        tuple(documents[key] for key in sorted(fresh)),
        {name: checksums[name] for name in to_read if complete and name not in failed and checksums[name]},
        () if keep_others else tuple(sorted(known_files - checksums.keys())),
        tuple(_divide(wanted, partition)),
    )


def plan_removal(store: Store, sources: Collection[str]) -> GraphChange:
    """Plan the removal of documents with these sources, or in files with these names."""
    known = dict(store.rows("SELECT document_id, source FROM documents ORDER BY source"))
    files = {source for (source,) in store.rows("SELECT source FROM files")}
    removed: set[str] = set()
    for source in sources:
        found = [key for key, own in known.items() if source in (own, file_of(own, files))]
        if not found:
            raise InputError(f"no document from '{source}' in {store.name}, expected a source of its documents")
        removed.update(found)
    # A file that lost a document is read again the next time it is given.
    lost = {file_of(known[key], files) for key in removed} & files
    return GraphChange((), (), tuple(sorted(removed)), len(known) - len(removed), (), {}, tuple(sorted(lost)), ())


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
