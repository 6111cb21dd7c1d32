"""Reading a knowledge base as a stage: byte ranges of files in, names and facts out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tupelo.core import FormatError, TupeloError
from tupelo.core.schemas import rows_to_batches
from tupelo.core.stages import ERROR_COLUMN, fingerprint
from tupelo.io.files import InputFile, is_packed_file, read_pieces, reading_errors
from tupelo_training.facts.knowledge import KNOWLEDGE_BASES, Knowledge, Name, format_of, knowledge_schema

if TYPE_CHECKING:
    import pyarrow as pa

# Uncompressed files are split into ranges of about this size, which are read and retried on their own.
_PIECE = 64 << 20
_BATCH = 50_000
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class KnowledgeFile:
    """The bytes `[start, end)` of a file, moved to the next line end; all of it where there is no end."""

    path: str
    source: str
    format: str
    start: int
    end: int | None
    mark: str

    @property
    def key(self) -> str:
        return fingerprint(self.path, self.source, self.format, self.start, self.end, self.mark)

    def read(self) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        row = {name: getattr(self, name) for name in ("path", "source", "format", "start", "end")}
        yield pa.RecordBatch.from_pylist([row], schema=_piece_schema())


def partition_knowledge(
    names: Iterable[str], format_name: str | None = None, piece: int = _PIECE
) -> list[KnowledgeFile]:
    """Files, large uncompressed ones in several ranges. Without a format the endings decide."""
    parts = []
    for name in names:
        path = Path(name)
        with reading_errors(name, "a knowledge base"):
            state = path.stat()
        kind = KNOWLEDGE_BASES.resolve(format_name) if format_name else format_of(path.name)
        cuts: list[tuple[int, int | None]] = [(0, None)]
        if state.st_size > piece and not is_packed_file(path):
            cuts = [(start, start + piece) for start in range(0, state.st_size, piece)]
        mark = f"{state.st_size}:{state.st_mtime_ns}"
        parts += [KnowledgeFile(str(path.resolve()), path.name, kind, start, end, mark) for start, end in cuts]
    return parts


@dataclass(frozen=True, slots=True)
class ReadKnowledge:
    """The stage. A line that cannot be read is complained about; the others are kept."""

    name: str = "read-knowledge"
    version: str = "1"
    key: str = "source"
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def input(self) -> pa.Schema:
        return _piece_schema()

    @property
    def output(self) -> pa.Schema:
        # Complaints name the file they belong to.
        return knowledge_schema()

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        schema = (
            knowledge_schema().append(pa.field("source", pa.string())).append(pa.field(ERROR_COLUMN, pa.string()))
        )
        rows = (row for batch in batches for piece in batch.to_pylist() for row in _rows(piece))
        yield from rows_to_batches(rows, schema, _BATCH)


def _rows(piece: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    read_line = KNOWLEDGE_BASES.get(piece["format"])
    try:
        for number, line in _lines(piece):
            try:
                for found in read_line(line, piece["source"], number):
                    yield _row(found)
            except FormatError as error:
                yield _complaint(piece, error)
    except TupeloError as error:
        yield _complaint(piece, error)


def _lines(piece: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    """Lines with their numbers; of a range those that begin in it, counted from its start."""
    if piece["end"] is None:
        with InputFile(piece["path"]) as file:
            yield from file.lines()
        return
    # One byte earlier: whether a line begins at the very start can then be seen.
    start, end = max(piece["start"] - 1, 0), piece["end"]
    rest, place, number = b"", start, 0
    skipping = piece["start"] > 0
    for block in read_pieces(piece["path"], start, None, _BLOCK):
        lines = (rest + block).split(b"\n")
        rest = lines.pop()
        for line in lines:
            begins, place = place, place + len(line) + 1
            if skipping:
                skipping = False
                continue
            if begins >= end:
                return
            number += 1
            yield number, line.decode("utf-8", errors="replace").rstrip("\r")
    if rest and not skipping and place < end:
        yield number + 1, rest.decode("utf-8", errors="replace").rstrip("\r")


def _row(found: Knowledge) -> dict[str, Any]:
    if isinstance(found, Name):
        return {"id": found.id, "property": None, "value": found.name, "kind": found.kind}
    kind = "date" if found.is_date else "thing"
    return {"id": found.subject, "property": found.property, "value": found.object, "kind": kind}


def _complaint(piece: Mapping[str, Any], error: TupeloError) -> dict[str, Any]:
    reason = str(error).replace(piece["path"], piece["source"])
    return {"id": "", "value": "", "kind": "", "source": piece["source"], ERROR_COLUMN: reason}


def _piece_schema() -> pa.Schema:
    import pyarrow as pa

    texts = [(name, pa.string()) for name in ("path", "source", "format")]
    return pa.schema([*texts, ("start", pa.int64()), ("end", pa.int64())])
