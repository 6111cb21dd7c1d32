"""The only place that opens tuple files: gzip, standard input, checksums, atomic writes."""

from __future__ import annotations

import bz2
import errno
import gzip
import hashlib
import io
import os
import re
import stat
import sys
import tempfile
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, TypeAlias, TypeGuard, cast

from tupelo.core import FormatError, InputError
from tupelo.core.errors import require_items, wrong_type
from tupelo.core.limits import LimitError, Limits
from tupelo.io.lines import Lines

STANDARD_STREAM = "-"
# A path, `-` for standard input, or an open file.
Source: TypeAlias = str | os.PathLike[str] | IO[Any]
_GZIP_MAGIC = b"\x1f\x8b"
_BZIP2_MAGIC = b"BZh"
_PEEK_SIZE = 1 << 16
_BLOCK_SIZE = 1 << 20
# Characters that `surrogateescape` makes of bytes that are not UTF-8.
_ESCAPED_BYTE = re.compile("[\udc80-\udcff]")


def is_source(value: object) -> TypeGuard[Source]:
    """Whether something is a path or an open file, and not objects that are in memory already; else it is refused."""
    if isinstance(value, str | os.PathLike) or hasattr(value, "read"):
        return True
    require_items(value, "a path, an open file, or an iterable of objects")
    return False


class BrokenInputError(InputError):
    """An input that opened but cannot be read to its end. `reason` is the message without the name."""

    def __init__(self, name: str, reason: str) -> None:
        self.reason = reason
        super().__init__(f"{name}: {reason}, expected a complete file")


class InputFile:
    """One input, opened once: its bytes uncompressed, its lines, and the SHA-256 of what was read.

    `source` is a path, `-` for standard input, or an open file, text or binary, which stays open. Gzip and bzip2
    are recognised by their first bytes, not by the name, so they work on standard input too. What unpacks to far
    more than its size (the limit `ratio`) is not read to its end.
    """

    def __init__(self, source: Source, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._given: IO[Any] | None = None
        if isinstance(source, str | os.PathLike):
            self._path = str(source)
            self.name = "<stdin>" if self._path == STANDARD_STREAM else self._path
        elif not hasattr(source, "read"):
            raise wrong_type(source, "a path or an open file")
        else:
            self._given = source
            self._path = self.name = str(getattr(source, "name", "<file>"))
        self._stream: io.BufferedReader | None = None
        self._hash = hashlib.sha256()

    def __enter__(self) -> InputFile:
        with reading_errors(self.name):
            self._raw = raw = self._open()
            head = raw.peek(4)[:4]
        packed = _Counted(raw) if is_packed(head) else None
        plain = _unpacked(cast(IO[bytes], packed or raw), head)
        hashed = _Hashed(plain, self._hash, self.name, packed, self._limits)
        self._stream = io.BufferedReader(hashed, buffer_size=_PEEK_SIZE)
        return self

    def __exit__(self, *_: object) -> None:
        if self._given is None and self._path != STANDARD_STREAM:
            self._raw.close()
        elif self._given is not None and self._raw is not self._given:
            # Otherwise the file of the caller would be closed with our buffer.
            self._raw.detach()

    def _open(self) -> io.BufferedReader:
        if self._given is None and self._path != STANDARD_STREAM:
            return open(self._path, "rb")
        stream: IO[Any] = sys.stdin.buffer if self._given is None else self._given
        if isinstance(stream.read(0), str):
            stream = io.BytesIO(stream.read().encode("utf-8"))
        return stream if isinstance(stream, io.BufferedReader) else io.BufferedReader(cast(io.RawIOBase, stream))

    @property
    def binary(self) -> io.BufferedReader:
        if self._stream is None:
            raise RuntimeError("InputFile is used outside its with block")
        return self._stream

    def peek(self) -> bytes:
        """The first bytes, as many as fit into a buffer, without consuming them."""
        return self.binary.peek(_PEEK_SIZE)

    def head(self) -> str:
        """The first characters after white space, for guessing a format."""
        return self.peek()[:4000].decode("utf-8", "ignore").lstrip("\ufeff \t\r\n")

    def lines(self, collect: Callable[[FormatError], None] | None = None) -> Lines:
        """Text lines: UTF-8, a byte order mark dropped, LF, CR LF or CR as line end."""
        return Lines(self._decoded(collect), self.name, collect)

    def _decoded(self, collect: Callable[[FormatError], None] | None) -> Iterator[str | None]:
        # Bytes that are not UTF-8 pass the decoder as surrogates, so that they can be blamed on their line.
        text = io.TextIOWrapper(self.binary, "utf-8-sig", "surrogateescape")
        count = 0
        try:
            for count, line in enumerate(text, start=1):
                wrong = None if line.isascii() else _ESCAPED_BYTE.search(line)
                if wrong is None:
                    yield line
                    continue
                fault = not_utf8(self.name, count, ord(wrong[0]) - 0xDC00)
                if collect is None:
                    raise fault
                collect(fault)
                yield None
        except BrokenInputError as error:
            raise FormatError(self.name, count + 1, error.reason, "a complete file") from error
        finally:
            # Otherwise our buffer would be closed with it; it may be closed already.
            with suppress(ValueError):
                text.detach()

    def finish(self) -> str:
        """Read what is left and return the SHA-256 of the uncompressed content."""
        while self.binary.read(_BLOCK_SIZE):
            pass
        return self._hash.hexdigest()


class InputBytes(InputFile):
    """The same for bytes that are here already, such as an upload. They are taken as they are, never unpacked."""

    def __init__(self, data: bytes, name: str) -> None:
        super().__init__(name)
        self.name, self._data = name, data
        if is_packed(data):
            raise InputError(f"{name}: compressed, expected a plain file")

    def _open(self) -> io.BufferedReader:
        return io.BufferedReader(cast(io.RawIOBase, io.BytesIO(self._data)))


def decompressed(stream: IO[bytes]) -> IO[bytes]:
    """The bytes within a stream that can be rewound, which is compressed or not."""
    head = stream.read(4)
    stream.seek(0)
    return cast(IO[bytes], _unpacked(stream, head))


def _unpacked(raw: IO[bytes], head: bytes) -> IO[bytes] | gzip.GzipFile | bz2.BZ2File:
    """The bytes within a compressed file."""
    if not is_packed(head):
        return raw
    return gzip.GzipFile(fileobj=raw) if head.startswith(_GZIP_MAGIC) else bz2.BZ2File(raw)


@contextmanager
def reading_errors(name: str | os.PathLike[str], expected: str = "a readable file") -> Generator[None, None, None]:
    """Raise an error of the system about a file that cannot be read as one line."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{name}: {error.strerror or error}, expected {expected}") from error


@contextmanager
def open_seekable(name: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """The bytes of a file as they lie there, for formats that jump about in it."""
    with reading_errors(name):
        stream = open(name, "rb")  # noqa: SIM115, closed below
    with stream:
        yield stream


def split_lines(text: str) -> list[str]:
    """Lines without their ends, split where Python's text mode does and nowhere else."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def is_packed(head: bytes) -> bool:
    """Whether what begins with these bytes is compressed. Four tell: a text may well begin with "BZh"."""
    return head.startswith(_GZIP_MAGIC) or (head.startswith(_BZIP2_MAGIC) and head[3:4].isdigit())


def is_packed_file(name: str | os.PathLike[str]) -> bool:
    return is_packed(next(read_pieces(name, 0, 4, 4), b""))


def read_pieces(name: str | os.PathLike[str], start: int, end: int | None, size: int) -> Iterator[bytes]:
    """The bytes `[start, end)` of a file as they are on disk, `size` at a time."""
    with reading_errors(name), open(name, "rb") as stream:
        stream.seek(start)
        position = start
        while piece := stream.read(size if end is None else min(size, end - position)):
            yield piece
            position += len(piece)


def not_utf8(name: str, line: int, byte: int) -> FormatError:
    hint = "Convert the file, for example with iconv."
    return FormatError(name, line, f"byte 0x{byte:02x} is not UTF-8", "UTF-8 text", hint)


class _Counted:
    """Counts the bytes of a compressed file as they are taken."""

    def __init__(self, stream: io.BufferedReader) -> None:
        self._stream, self.count = stream, 0

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        self.count += len(data)
        return data


class _Hashed(io.RawIOBase):
    """Passes bytes through and hashes them, so that a checksum never needs a second read."""

    def __init__(
        self,
        stream: IO[bytes] | gzip.GzipFile | bz2.BZ2File,
        digest: hashlib._Hash,
        name: str,
        packed: _Counted | None,
        limits: Limits,
    ) -> None:
        self._source, self._digest, self._name = stream, digest, name
        self._packed, self._limits, self._size = packed, limits, 0
        self._kind = "bzip2" if isinstance(stream, bz2.BZ2File) else "gzip"
        self._error: InputError | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        filled = 0
        while filled < len(buffer) and self._error is None:
            data = self._read(len(buffer) - filled)
            if not data:
                break
            buffer[filled : filled + len(data)] = data
            filled += len(data)
        # Content before the place where a file is broken is returned first.
        if self._error is not None and not filled:
            raise self._error
        self._digest.update(memoryview(buffer)[:filled])
        self._size += filled
        if self._packed is not None and self._size > self._limits.allowed(self._packed.count):
            found = f"unpacks to far more than its {self._packed.count:,} bytes"
            self._error = LimitError(self._name, "ratio", found, self._limits.ratio)
        return filled

    def _read(self, size: int) -> bytes:
        try:
            return cast(io.BufferedReader, self._source).read1(size)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            self._error = BrokenInputError(self._name, f"broken {self._kind} data ({error})")
        except OSError as error:
            self._error = BrokenInputError(self._name, error.strerror or str(error))
        return b""


@contextmanager
def open_output(name: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A binary file that appears under its name only when the block ends without an error.

    `-` is standard output. A name that ends in `.gz` is compressed, with no time stamp inside, so that the same
    content gives the same bytes. What is not a file, such as `/dev/null` or a named pipe, is written to directly.
    """
    if str(name) == STANDARD_STREAM:
        with writing_errors("standard output"):
            # Earlier output of the program comes before it.
            sys.stdout.flush()
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        return
    # A link stays a link: what it points at is replaced.
    path = Path(os.path.realpath(name))
    mode = _mode_of(name)
    if stat.S_ISDIR(mode):
        raise InputError(f"{name}: is a directory, expected the name of a file")
    with writing_errors(name):
        if not stat.S_ISREG(mode):
            with open(name, "wb") as raw:
                yield raw
            return
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as raw:
                if path.suffix == ".gz":
                    with gzip.GzipFile(filename="", fileobj=raw, mode="wb", compresslevel=6, mtime=0) as packed:
                        yield cast(IO[bytes], packed)
                else:
                    yield raw
            os.chmod(temporary, stat.S_IMODE(mode))
            os.replace(temporary, path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise


def replaceable(name: str | os.PathLike[str]) -> Path:
    """Target of a link, for a new file to take the place of what is there: a file or nothing, never a device."""
    mode = _mode_of(name)
    if not stat.S_ISREG(mode):
        kind = "a directory" if stat.S_ISDIR(mode) else "a device or a pipe"
        raise InputError(f"{name}: is {kind}, expected the name of a file")
    return Path(os.path.realpath(name))


def check_place(name: str | os.PathLike[str]) -> None:
    """Raise an error now if `open_output` would; long work should not end with one."""
    if str(name) == STANDARD_STREAM:
        return
    if os.path.isdir(name):
        raise InputError(f"{name}: is a directory, expected the name of a file")
    place = Path(os.path.realpath(name)).parent
    with writing_errors(name):
        if not place.is_dir():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        if not os.access(place if stat.S_ISREG(_mode_of(name)) else name, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def drop_output() -> None:
    """Forget what could not be printed; at its end, Python would try again and complain."""
    try:
        sys.stdout.flush()
    except OSError:
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def temporary_folder(inside: str | os.PathLike[str] | None = None) -> Iterator[str]:
    """A folder that is gone when the block ends: in the place for temporary files, or hidden in another folder."""
    with tempfile.TemporaryDirectory(prefix="tupelo-" if inside is None else ".tupelo-", dir=inside) as folder:
        yield folder


def _mode_of(name: str | os.PathLike[str]) -> int:
    """Kind and permissions of what is there, or of a file that would be made there."""
    try:
        return os.stat(name).st_mode
    except OSError:
        umask = os.umask(0)
        os.umask(umask)
        return stat.S_IFREG | (0o666 & ~umask)


@contextmanager
def writing_errors(name: str | os.PathLike[str], expected: str = "a place that can be written") -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise InputError(f"{name}: {error.strerror or error}, expected {expected}") from error


def make_private(name: str | os.PathLike[str]) -> None:
    """Make an empty file that nobody else may read, unless there is a file already."""
    with writing_errors(name), suppress(FileExistsError):
        os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


@contextmanager
def private_output(name: str | os.PathLike[str]) -> Iterator[str]:
    """The path of an empty file that nobody else may read; it gets its name when the block ends without an error.

    For programs that write to a path of their own accord. Everything else is written with `open_output`.
    """
    path = replaceable(name)
    with writing_errors(name):
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        yield temporary
        with writing_errors(name):
            os.fsync(handle)
            os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    finally:
        os.close(handle)


def write_text(name: str | os.PathLike[str], text: str) -> None:
    """Write a whole text file atomically."""
    with open_output(name) as stream:
        stream.write(text.encode("utf-8"))
