"""Files of vectors: word2vec (text and binary), GloVe (text) and safetensors.

* word2vec text: a line with the number of vectors and their size, then a line per name: the name and its numbers,
  separated by spaces. Names may hold no space; relations are written with `_` for it, and read back so on request.
* GloVe: the same without the first line.
* word2vec binary: the same first line, then for each name the name, a space and the numbers as 4-byte floats.
* safetensors: `vectors` (names × size), `names` (UTF-8 bytes, a line each) and, where known, `counts`. Any text may
  be a name here, except a line break.

A fault is reported with the line it is on. In a binary file the first line counts as 1 and every vector as one more.
"""

from __future__ import annotations

import io
import os

import numpy as np

from tupelo.core import FormatError, InputError
from tupelo.core.results import is_number
from tupelo.core.vectors import Floats32, Vectors, looks_like_tensors, parse_tensors
from tupelo.io.files import InputFile
from tupelo.io.lines import Lines

AUTO = "auto"
FORMATS = ("word2vec", "word2vec-binary", "glove", "safetensors")
_LONGEST_NAME = 10_000
# Digits of the numbers of a first line.
_LONGEST_COUNT = 12


def read_vectors(name: str | os.PathLike[str], format_name: str = AUTO) -> Vectors:
    """All vectors of a file; the format is detected by its first bytes unless it is named."""
    check_format(format_name)
    with InputFile(name) as file:
        chosen = guess_format(file.peek()) if format_name == AUTO else format_name
        if chosen == "safetensors":
            return _read_safetensors(file)
        if chosen == "word2vec-binary":
            return _read_binary(file.binary, file.name)
        return read_text_vectors(file.lines(), header=chosen == "word2vec")


def guess_format(head: bytes) -> str:
    """The format of a file by its first bytes."""
    if looks_like_tensors(head):
        return "safetensors"
    first, _, rest = head.removeprefix(b"\xef\xbb\xbf").partition(b"\n")
    fields = first.split()
    if len(fields) != 2 or not all(field.isdigit() and len(field) <= _LONGEST_COUNT for field in fields):
        return "glove"
    # Text has as many numbers in its second line as the first one says; bytes of floats hardly do.
    line = rest.partition(b"\n")[0].rstrip().rsplit(b" ", int(fields[1]))
    return "word2vec" if len(line) == int(fields[1]) + 1 and all(map(is_number, line[1:])) else "word2vec-binary"


def read_text_vectors(lines: Lines, *, header: bool) -> Vectors:
    """Vectors from lines of text, with or without the first line of word2vec."""
    names: list[str] = []
    rows: list[Floats32] = []
    size = count = None
    last = 0
    for number, line in lines:
        last = number
        if header and number == 1:
            count, size = _header(line, lines.source)
            continue
        # From the right: some files hold names with spaces inside.
        fields = line.rstrip().split(" ") if size is None else line.rstrip().rsplit(" ", size)
        if len(fields) < 2 or (size is not None and len(fields) != size + 1):
            expected = "a name and its numbers" if size is None else f"a name and {size} numbers, separated by spaces"
            raise FormatError(lines.source, number, f"{max(len(line.split()) - 1, 0)} number(s)", expected)
        size = len(fields) - 1
        try:
            row = np.array(fields[1:], dtype=np.float32)
        except ValueError:
            wrong = next(field for field in fields[1:] if not is_number(field))
            raise FormatError(lines.source, number, f"{wrong[:40]!r}", "a number") from None
        if not np.isfinite(row).all():
            raise FormatError(lines.source, number, "a number that is not finite", "finite numbers")
        names.append(fields[0])
        rows.append(row)
    if count is not None and count != len(names):
        raise FormatError(lines.source, last + 1, f"{len(names):,} vectors", f"{count:,}, as the first line says")
    if not rows:
        raise FormatError(lines.source, last + 1, "no vectors", "at least one")
    return Vectors(tuple(names), np.stack(rows))


def _header(line: str, source: str) -> tuple[int, int]:
    fields = line.split()
    numbers = [field for field in fields if field.isascii() and field.isdigit() and len(field) <= _LONGEST_COUNT]
    if len(fields) != 2 or len(numbers) != 2 or int(fields[1]) == 0:
        raise FormatError(source, 1, f"{line[:40]!r}", "the number of vectors and their size")
    return int(fields[0]), int(fields[1])


def _read_binary(stream: io.BufferedReader, source: str) -> Vectors:
    count, size = _header(stream.readline(200).decode("utf-8", "replace"), source)
    names: list[str] = []
    rows: list[Floats32] = []
    for line in range(2, count + 2):
        names.append(_binary_name(stream, source, line))
        data = stream.read(4 * size)
        if len(data) != 4 * size:
            raise FormatError(source, line, f"the file ends after {len(names) - 1:,} vectors", f"{count:,}")
        row = np.frombuffer(data, dtype="<f4")
        if not np.isfinite(row).all():
            raise FormatError(source, line, "a number that is not finite", "finite numbers")
        rows.append(row)
    if stream.read(2).strip():
        raise FormatError(source, count + 2, "more bytes after the last vector", f"{count:,} vectors")
    return Vectors(tuple(names), np.stack(rows) if rows else np.empty((0, size), np.float32))


def _binary_name(stream: io.BufferedReader, source: str, line: int) -> str:
    letters = bytearray()
    while (letter := stream.read(1)) != b" ":
        if not letter or len(letters) > _LONGEST_NAME:
            raise FormatError(source, line, "no end of a name", "a name, a space and the numbers of its vector")
        # The original program ends a vector with a line break, which so comes before the next name.
        if letter != b"\n" or letters:
            letters += letter
    try:
        return letters.decode("utf-8")
    except UnicodeDecodeError:
        raise FormatError(source, line, "a name that is not UTF-8", "UTF-8 text") from None


def _read_safetensors(file: InputFile) -> Vectors:
    try:
        arrays, _ = parse_tensors(file.binary.read())
        matrix, names = arrays["vectors"], bytes(arrays["names"]).decode("utf-8").split("\n")
        counts = tuple(arrays["counts"].tolist()) if "counts" in arrays else None
        if matrix.ndim != 2 or len(matrix) != len(names) or (counts is not None and len(counts) != len(names)):
            raise ValueError(f"{len(names)} names and vectors of shape {matrix.shape}")
    except KeyError as error:
        raise FormatError(file.name, 1, f"no tensor {error}", "'vectors' and 'names'") from error
    except ValueError as error:
        raise FormatError(file.name, 1, str(error), "a complete safetensors file of vectors") from error
    return Vectors(tuple(names), matrix.astype(np.float32), counts)


def check_format(name: str) -> None:
    """Refuse the name of a format that is not known."""
    if name not in (AUTO, *FORMATS):
        raise InputError(f"no vector format named '{name}'. Known: {', '.join((AUTO, *FORMATS))}")
