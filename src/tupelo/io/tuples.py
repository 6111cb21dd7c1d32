"""Reading and writing files of tuples in any registered format."""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import PurePath
from typing import IO, BinaryIO, cast

from tupelo.core import FormatError, InputError, Record
from tupelo.core.errors import UnknownFormatError
from tupelo.io.files import InputFile, Source, not_utf8, open_output, split_lines
from tupelo.io.formats import FORMATS, BinaryFormat, Format, TextFormat

AUTO = "auto"
_BYTE_ORDER_MARK = "\ufeff"
_ENDINGS = {".jsonl": "jsonl", ".parquet": "parquet", ".csv": "csv"}


@dataclass(slots=True)
class RecordStream:
    """The records of one open file, read as they are asked for."""

    name: str
    format: Format
    records: Iterator[Record]
    _file: InputFile

    def __iter__(self) -> Iterator[Record]:
        return self.records

    def checksum(self) -> str:
        """SHA-256 of the uncompressed content; reads to the end first."""
        return self._file.finish()


@contextmanager
def open_records(
    source: Source,
    format_name: str = AUTO,
    collect: Callable[[FormatError], None] | None = None,
    option: str = "--format",
) -> Iterator[RecordStream]:
    """Open a file of tuples; `-` is standard input, gzip is recognised by its content.

    Without `collect` the first faulty line raises `FormatError`; with it,
    faulty lines are handed over and left out. `option` is named when the format is not clear.
    """
    with InputFile(source) as file:
        yield stream_records(file, format_name, collect, option)


def stream_records(
    file: InputFile,
    format_name: str = AUTO,
    collect: Callable[[FormatError], None] | None = None,
    option: str = "--format",
) -> RecordStream:
    """The records of a file that is open already."""
    chosen = sniff_format(file, option) if format_name == AUTO else FORMATS.get(format_name)
    if isinstance(chosen, BinaryFormat):
        records = chosen.read(cast(BinaryIO, file.binary), file.name)
    else:
        records = chosen.read(file.lines(collect))
    return RecordStream(file.name, chosen, records, file)


def read_records(source: Source, format_name: str = AUTO) -> list[Record]:
    """All records of a file at once."""
    with open_records(source, format_name) as stream:
        return list(stream.records)


def write_records(name: str | os.PathLike[str], records: Iterable[Record], format_name: str) -> None:
    """Write a file of tuples; it appears only when everything could be written."""
    chosen = FORMATS.get(format_name)
    with open_output(name) as stream:
        write_stream(chosen, records, stream)


def write_stream(chosen: Format, records: Iterable[Record], stream: IO[bytes]) -> None:
    """Write records to a file that is open already."""
    if isinstance(chosen, BinaryFormat):
        chosen.write(records, cast(BinaryIO, stream))
        return
    for position, text in enumerate(chosen.write(records)):
        if position == 0 and text.startswith(_BYTE_ORDER_MARK):
            # A reader drops one mark at the start of a file; this one belongs to the text.
            text = _BYTE_ORDER_MARK + text
        try:
            stream.write(text.encode("utf-8"))
        except UnicodeEncodeError as error:
            found = ascii(text[max(error.start - 20, 0) : error.end])
            raise InputError(f"half of a surrogate pair in {found}, expected whole Unicode characters") from None


def format_of_name(name: str | os.PathLike[str]) -> str | None:
    """The format that the ending of a file name stands for, where it is only one."""
    return _ENDINGS.get(PurePath(str(name).removesuffix(".gz")).suffix)


def require_format_of_name(name: str | os.PathLike[str], option: str) -> str:
    """The format that the ending of a file name stands for; the complaint names the option that says it instead."""
    chosen = format_of_name(name)
    if chosen is None:
        raise InputError(f"the ending of '{name}' does not say which format to write; name one with {option}")
    return chosen


def sniff_format(file: InputFile, option: str = "--format") -> Format:
    """The format whose look fits the first lines best; an error when none fits or two fit alike.

    A blank file is taken for `tab`, in which it holds no tuples; every line format would agree.
    """
    head = file.peek()
    formats = [FORMATS.get(name) for name in FORMATS]
    for candidate in formats:
        if isinstance(candidate, BinaryFormat) and head.startswith(candidate.magic):
            return candidate
    lines = _first_lines(head)
    if not any(line.strip() for line in lines):
        return FORMATS.get("tab")
    fits = [(c.sniff(lines), c.name, c) for c in formats if isinstance(c, TextFormat)]
    fits = sorted((fit for fit in fits if fit[0] > 0), key=lambda fit: (-fit[0], fit[1]))
    if not fits:
        _require_utf8(head, file.name)
        raise UnknownFormatError(
            f"{file.name}: no known format fits its first lines; name one with {option} ({', '.join(FORMATS)})"
        )
    if len(fits) > 1 and fits[0][0] == fits[1][0]:
        alike = " or ".join(name for value, name, _ in fits if value == fits[0][0])
        raise UnknownFormatError(f"{file.name}: could be {alike}; name one with {option}")
    return fits[0][2]


def _first_lines(head: bytes) -> list[str]:
    text = head.decode("utf-8-sig", errors="replace")
    lines = split_lines(text)
    # The last line may be cut where the buffer ends.
    return lines if len(lines) == 1 or text.endswith(("\n", "\r")) else lines[:-1] or lines


def _require_utf8(head: bytes, name: str) -> None:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError as error:
        raise not_utf8(name, len(split_lines(head[: error.start].decode("utf-8") + "?")), head[error.start]) from None
