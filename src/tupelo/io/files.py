"""The only place that opens tuple files: gzip, standard input, checksums, atomic writes."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO, cast

from tupelo.core import FormatError, InputError
from tupelo.io.lines import Lines

STANDARD_STREAM = "-"
_GZIP_MAGIC = b"\x1f\x8b"


class InputFile:
    """One input, opened once: its bytes uncompressed, its lines, and the SHA-256 of what was read.

    Gzip is told by its first two bytes, not by the name, so it works on
    standard input too.
    """

    def __init__(self, name: str | os.PathLike[str]) -> None:
        self.name = "<stdin>" if str(name) == STANDARD_STREAM else str(name)
        self._path = str(name)
        self._stream: io.BufferedReader | None = None
        self._hash = hashlib.sha256()

    def __enter__(self) -> InputFile:
        raw = self._open()
        head = raw.peek(2)[:2]
        plain = cast(BinaryIO, gzip.GzipFile(fileobj=raw)) if head == _GZIP_MAGIC else cast(BinaryIO, raw)
        self._raw = raw
        self._stream = io.BufferedReader(_Hashed(plain, self._hash, self.name), buffer_size=1 << 16)
        return self

    def __exit__(self, *_: object) -> None:
        if self._path != STANDARD_STREAM:
            self._raw.close()

    def _open(self) -> io.BufferedReader:
        if self._path == STANDARD_STREAM:
            return cast(io.BufferedReader, sys.stdin.buffer)
        try:
            return open(self._path, "rb")
        except OSError as error:
            raise InputError(f"{self.name}: {error.strerror or error}, expected a readable file") from error

    @property
    def binary(self) -> io.BufferedReader:
        if self._stream is None:
            raise RuntimeError("InputFile is used outside its with block")
        return self._stream

    def peek(self, size: int = 1 << 16) -> bytes:
        """The first bytes (at most a buffer full) without consuming them."""
        return self.binary.peek(size)[:size]

    def lines(self, collect: Callable[[FormatError], None] | None = None) -> Lines:
        """Text lines: UTF-8, a byte order mark dropped, LF, CR LF or CR as line end."""
        return Lines(self._decoded(), self.name, collect)

    def _decoded(self) -> Iterator[str]:
        # Decoded line by line rather than by a TextIOWrapper, so that a byte that is not UTF-8
        # can be blamed on its line. A lone CR ends a line too, as in Python's text mode.
        number = 0
        for chunk in self.binary:
            try:
                text = chunk.decode("utf-8-sig" if number == 0 else "utf-8")
            except UnicodeDecodeError as error:
                line = number + 1 + chunk[: error.start].replace(b"\r\n", b"\n").count(b"\r")
                raise FormatError(
                    self.name, line, f"byte 0x{chunk[error.start]:02x} is not UTF-8", "UTF-8 text",
                    "Convert the file, for example with iconv.",
                ) from None  # fmt: skip
            for line_text in _split_on_carriage_returns(text):
                number += 1
                yield line_text

    def finish(self) -> str:
        """Read what is left and return the SHA-256 of the uncompressed content."""
        while self.binary.read(1 << 20):
            pass
        return self._hash.hexdigest()


def _split_on_carriage_returns(text: str) -> list[str]:
    if "\r" not in text:
        return [text]
    pieces = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    ended = pieces[-1] == ""
    return [piece + "\n" for piece in pieces[:-1]] + ([] if ended else [pieces[-1]])


class _Hashed(io.RawIOBase):
    """Passes bytes through and hashes them, so that a checksum never needs a second read."""

    def __init__(self, stream: BinaryIO, digest: hashlib._Hash, name: str) -> None:
        self._source, self._digest, self._name = stream, digest, name

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        try:
            data = self._source.read(len(buffer))
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise InputError(f"{self._name}: broken gzip data ({error}), expected a complete file") from error
        except IsADirectoryError as error:
            raise InputError(f"{self._name}: is a directory, expected a file") from error
        buffer[: len(data)] = data
        self._digest.update(data)
        return len(data)


@contextmanager
def open_output(name: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A binary file that appears under its name only when the block ends without an error.

    `-` is standard output. A name that ends in `.gz` is compressed, with no
    time stamp inside, so that the same content gives the same bytes.
    """
    if str(name) == STANDARD_STREAM:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(name)
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}, expected a place that can be written") from error
    try:
        with os.fdopen(handle, "wb") as raw:
            if path.suffix == ".gz":
                with gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as packed:
                    yield cast(IO[bytes], packed)
            else:
                yield raw
        # mkstemp makes private files; what we write is as readable as any other output.
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(temporary, 0o666 & ~umask)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def write_text(name: str | os.PathLike[str], text: str) -> None:
    """Write a whole text file atomically."""
    with open_output(name) as stream:
        stream.write(text.encode("utf-8"))


def list_files(name: str | os.PathLike[str]) -> list[str]:
    """The files directly in a folder, sorted and without hidden ones; a file name stands for itself."""
    path = Path(name)
    if not path.is_dir():
        return [str(name)]
    return sorted(str(item) for item in path.iterdir() if item.is_file() and not item.name.startswith("."))


def find_file(folder: str | os.PathLike[str], patterns: list[str]) -> str | None:
    """The first file below a folder that fits one of the patterns, earlier patterns first; names in order."""
    for pattern in patterns:
        for path in sorted(Path(folder).glob(pattern)):
            if path.is_file():
                return str(path)
    return None


def make_folder(name: str | os.PathLike[str]) -> None:
    """Make a folder with its parents, or use the one that is there."""
    try:
        Path(name).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{name}: {error.strerror}, expected a folder that can be made") from error
