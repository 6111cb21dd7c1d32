"""Files of n-grams and of text with counts, read in parts by a stage, and files of assertions that are written.

Text is read as blocks (`tupelo_training.assertions.stage`), so files may be larger than memory: a plain file is split
at line ends into ranges of some 64 MB, which are read in any order and by any process. A compressed file cannot be
entered in the middle, so it is one partition; Google's collections come in 99 files each.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tupelo.core import FormatError, InputError
from tupelo.core.assertion import assertion_schema
from tupelo.core.stages import Table, fingerprint
from tupelo.io.assertions import is_parquet
from tupelo.io.files import (
    STANDARD_STREAM,
    BrokenInputError,
    InputFile,
    is_packed_file,
    open_output,
    read_pieces,
    reading_errors,
)
from tupelo.io.folders import list_files
from tupelo.io.lines import Fault

if TYPE_CHECKING:
    import pyarrow as pa

PARTITION_BYTES = 64 << 20
BLOCK_BYTES = 4 << 20
# No line of a sensible file comes near this; what does is no text file.
LONGEST_LINE = 64 << 20
_QUESTION_FORM = "argument, relation and type of the answer, separated by tabs"


def block_schema() -> pa.Schema:
    """Blocks of whole lines of a file: far quicker through Arrow than the same lines row by row."""
    import pyarrow as pa

    return pa.schema(
        [
            pa.field("source", pa.string(), nullable=False),
            pa.field("first_line", pa.int64(), nullable=False),
            pa.field("block", pa.binary(), nullable=False),
        ]
    )


@dataclass(frozen=True, slots=True)
class LineBlocks:
    """Implements `tupelo.core.protocols.Partition` for the bytes `[start, end)` of a file; no `end` is all the rest.

    The key holds path, size and time of the file: a changed file has another key.
    """

    path: str
    key: str
    start: int = 0
    end: int | None = None
    first_line: int = 1

    def read(self) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        line = self.first_line
        for block in self._blocks():
            yield pa.record_batch([[self.path], [line], [block]], schema=block_schema())
            line += block.count(b"\n")

    def _blocks(self) -> Iterator[bytes]:
        """Pieces that end where a line ends; the last one may lack its line end."""
        pending: list[bytes] = []
        size, line = 0, self.first_line
        try:
            for piece in self._pieces():
                cut = piece.rfind(b"\n") + 1
                if cut:
                    block = b"".join([*pending, piece[:cut]])
                    yield block
                    line += block.count(b"\n")
                    pending, size = [], 0
                pending.append(piece[cut:])
                size += len(piece) - cut
                if size > LONGEST_LINE:
                    raise FormatError(self.path, line, f"a line of more than {LONGEST_LINE >> 20} MB", "a text file")
        except BrokenInputError as error:
            # Everything before the place where the file is broken is whole lines, the rest is not.
            raise FormatError(self.path, line, error.reason, "a complete file") from error
        if size:
            yield b"".join(pending)

    def _pieces(self) -> Iterator[bytes]:
        if self.end is None:
            return read_unpacked(self.path, BLOCK_BYTES)
        return read_pieces(self.path, self.start, self.end, BLOCK_BYTES)


def read_unpacked(name: str | os.PathLike[str], size: int) -> Iterator[bytes]:
    """A file uncompressed, at most `size` bytes at a time."""
    with InputFile(name) as file:
        while piece := file.binary.read1(size):
            yield piece


def partition_files(names: Sequence[str], partition_bytes: int = PARTITION_BYTES) -> list[LineBlocks]:
    """Partitions of files in order."""
    return [partition for name in names for partition in _partition(name, partition_bytes)]


def _partition(name: str, partition_bytes: int) -> Iterator[LineBlocks]:
    with reading_errors(name):
        state = os.stat(name)
    about = (os.path.realpath(name), state.st_size, state.st_mtime_ns)
    if state.st_size <= partition_bytes or is_packed_file(name):
        yield LineBlocks(name, fingerprint(*about))
        return
    start, position, first_line, lines = 0, 0, 1, 1
    for piece in read_pieces(name, 0, None, BLOCK_BYTES):
        cut = piece.rfind(b"\n") + 1
        if cut and position + cut - start >= partition_bytes:
            end = position + cut
            yield LineBlocks(name, fingerprint(*about, start, end), start, end, first_line)
            lines += piece.count(b"\n")
            start, first_line = end, lines
        else:
            lines += piece.count(b"\n")
        position += len(piece)
    if start < position:
        yield LineBlocks(name, fingerprint(*about, start, position), start, position, first_line)


def spool_standard_input(names: Sequence[str], spool: str) -> list[str]:
    """The names with `-` replaced by a file that standard input was copied to: it can be read only once."""
    if names.count(STANDARD_STREAM) > 1:
        raise InputError("standard input (-) was named twice, expected once")
    if STANDARD_STREAM in names:
        with InputFile(STANDARD_STREAM) as file, open_output(spool) as stream:
            while piece := file.binary.read(BLOCK_BYTES):
                stream.write(piece)
    return [spool if name == STANDARD_STREAM else name for name in names]


def write_batches(name: str, batches: Iterable[pa.RecordBatch]) -> int:
    """Write assertions as they come, as Parquet or as text by the ending of the name; returns how many."""
    if is_parquet(name):
        return _write_parquet(name, batches)
    rows = 0
    with open_output(name) as stream:
        for batch in batches:
            columns = [batch.column(column).to_pylist() for column in assertion_schema().names]
            stream.write("".join([f"{s}\t{r}\t{o}\t{n}\n" for s, r, o, n in zip(*columns, strict=True)]).encode())
            rows += batch.num_rows
    return rows


def write_ngram_table(name: str, table: Table) -> None:
    """A table of head words, tokens and counts as lines of n-grams."""
    import pyarrow.parquet as pq

    with open_output(name) as stream:
        for part in table.files:
            with pq.ParquetFile(part) as file:
                for batch in file.iter_batches():
                    rows = zip(*(column.to_pylist() for column in batch.columns), strict=True)
                    stream.write("".join([f"{head}\t{tokens}\t{count}\n" for head, tokens, count in rows]).encode())


def _write_parquet(name: str, batches: Iterable[pa.RecordBatch]) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = 0
    with open_output(name) as stream, pq.ParquetWriter(stream, assertion_schema(), compression="zstd") as writer:
        for batch in batches:
            table = pa.Table.from_batches([batch]).cast(assertion_schema())
            writer.write_table(table)
            rows += batch.num_rows
    return rows


def read_questions(name: str | os.PathLike[str]) -> list[tuple[str, str, str]]:
    """Argument, relation and type of every question of a file."""
    with InputFile(name) as file:
        lines = file.lines()
        return list(lines.values(lines, _question))


def _question(line: str) -> tuple[str, str, str]:
    fields = [field.strip() for field in line.split("\t")]
    if len(fields) != 3 or not all(fields):
        raise Fault(f"{len(fields)} field(s)" if len(fields) != 3 else "an empty field", _QUESTION_FORM)
    argument, relation, kind = fields
    return argument, relation, kind


def choose_files(names: Sequence[str], wanted: Callable[[str], bool]) -> list[str]:
    """Files as they are named, and of folders those that are wanted; a folder without any is an error."""
    chosen: list[str] = []
    for name in names:
        if not Path(name).is_dir():
            chosen.append(name)
            continue
        found = [file for file in list_files(name) if wanted(file)]
        if not found:
            raise InputError(f"{name}: no file of the right name in this folder, expected at least one")
        chosen += found
    return chosen
