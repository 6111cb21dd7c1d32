"""Large line-based files as partitions for an engine: cut at line ends, read where the work is done.

A plain file is split into ranges of some 64 MB, which are read in any order and
by any process. A compressed file cannot be entered in the middle, so it is
one partition; Google's collections come in 99 files each.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tupelo.core import FormatError, InputError
from tupelo.core.ngram import block_schema
from tupelo.core.stages import fingerprint
from tupelo.io.files import (
    STANDARD_STREAM,
    BrokenInputError,
    InputFile,
    is_packed_file,
    open_output,
    read_pieces,
    read_unpacked,
    reading_errors,
)

if TYPE_CHECKING:
    import pyarrow as pa

PARTITION_BYTES = 64 << 20
BLOCK_BYTES = 4 << 20
# No line of a sensible file comes near this; what does is no text file.
LONGEST_LINE = 64 << 20


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
