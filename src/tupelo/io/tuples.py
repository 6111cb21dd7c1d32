"""Reading and writing files of tuples in any registered format."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO, cast

from tupelo.core import FormatError, InputError, Record
from tupelo.io.files import InputFile, open_output
from tupelo.io.formats import FORMATS, BinaryFormat, Format, TextFormat

AUTO = "auto"
_SNIFFED_LINES = 40


@dataclass(slots=True)
class RecordStream:
    """The records of one open file, read as they are asked for."""

    name: str
    format: Format
    records: Iterator[Record]
    _file: InputFile

    def checksum(self) -> str:
        """SHA-256 of the uncompressed content; reads to the end first."""
        return self._file.finish()


@contextmanager
def open_records(
    name: str | os.PathLike[str],
    format_name: str = AUTO,
    collect: Callable[[FormatError], None] | None = None,
) -> Iterator[RecordStream]:
    """Open a file of tuples; `-` is standard input, gzip is told by its content.

    Without `collect` the first faulty line raises `FormatError`; with it,
    faulty lines are handed over and left out.
    """
    with InputFile(name) as file:
        chosen = sniff_format(file) if format_name == AUTO else FORMATS.get(format_name)
        if isinstance(chosen, BinaryFormat):
            records = chosen.read(cast(BinaryIO, file.binary), file.name)
        else:
            records = chosen.read(file.lines(collect))
        yield RecordStream(file.name, chosen, records, file)


def read_records(name: str | os.PathLike[str], format_name: str = AUTO) -> list[Record]:
    """All records of a file at once."""
    with open_records(name, format_name) as stream:
        return list(stream.records)


def write_records(name: str | os.PathLike[str], records: Iterable[Record], format_name: str) -> None:
    """Write a file of tuples; it appears only when everything could be written."""
    chosen = FORMATS.get(format_name)
    with open_output(name) as stream:
        if isinstance(chosen, BinaryFormat):
            chosen.write(records, cast(BinaryIO, stream))
        else:
            for text in chosen.write(records):
                stream.write(text.encode("utf-8"))


def sniff_format(file: InputFile) -> Format:
    """The format whose look fits the first lines best; an error when none fits or two fit alike."""
    head = file.peek()
    formats = [FORMATS.get(name) for name in FORMATS]
    for candidate in formats:
        if isinstance(candidate, BinaryFormat) and head.startswith(candidate.magic):
            return candidate
    lines = head.decode("utf-8-sig", errors="replace").splitlines()[:_SNIFFED_LINES]
    fits = [(c.sniff(lines), c.name, c) for c in formats if isinstance(c, TextFormat)]
    fits = sorted((fit for fit in fits if fit[0] > 0), key=lambda fit: (-fit[0], fit[1]))
    if not fits:
        raise InputError(
            f"{file.name}: no known format fits its first lines; name one with --format ({', '.join(FORMATS)})"
        )
    if len(fits) > 1 and fits[0][0] == fits[1][0]:
        alike = " or ".join(name for value, name, _ in fits if value == fits[0][0])
        raise InputError(f"{file.name}: could be {alike}; name one with --format")
    return fits[0][2]
