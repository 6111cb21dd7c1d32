"""The members of zip and tar archives, one by one, with names that cannot leave their folder.

An archive comes from the network or from a stranger: its names, links and sizes are not trusted. What is really
unpacked is counted as it comes and held against `tupelo.core.limits.Limits`, for the documents of users and for
downloaded datasets alike. This module opens nothing; it reads from a stream that is already open.
"""

from __future__ import annotations

import io
import os
import stat
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import IO, cast

from tupelo.core import InputError, TupeloError
from tupelo.core.limits import LimitError, Limits
from tupelo.io.catalogue import Unpack
from tupelo.io.files import decompressed

_TAR_SUFFIXES = (".tar", ".tar.gz", ".tgz", ".tar.bz2")
# The limits that end the reading of an archive; others concern a single member.
WHOLE_ARCHIVE = frozenset(["archive", "ratio", "members"])
_CHUNK = 1 << 16
# The names of a tar member and what else its headers hold; tarfile reads them at once.
_LONGEST_HEADER = 1 << 20
# Bytes of an entry in the directory of a zip file, its name included; zipfile reads the directory at once.
_DIRECTORY_ENTRY = 250


def safe_path(path: str, source: str) -> PurePosixPath:
    """`path` below some folder, or an error when it could lead out of it or hide in it."""
    parts = path.split("/")
    hostile = any(part in ("", ".", "..") or part.startswith(".tupelo") for part in parts)
    if hostile or "\\" in path or ":" in path or not path.isprintable():
        raise InputError(f"{source}: file name {path!r} is not allowed, expected a plain path below a folder")
    return PurePosixPath(path)


class Allowance:
    """Bytes and members that may still come out of an archive, all archives inside it included."""

    def __init__(self, stream: IO[bytes], name: str, limits: Limits) -> None:
        packed = stream.seek(0, os.SEEK_END)
        stream.seek(0)
        self.name, self.limits = name, limits
        self._unpacked, self._members = 0, 0
        self._by_ratio = limits.allowed(packed)

    def take(self, size: int) -> None:
        """Count unpacked bytes."""
        self._unpacked += size
        self.check(self._unpacked)

    def check(self, unpacked: int) -> None:
        """Whether so much may come out in all."""
        if unpacked > self._by_ratio:
            raise LimitError(self.name, "ratio", "unpacks to far more than its size", self.limits.ratio)
        if unpacked > self.limits.archive:
            raise LimitError(self.name, "archive", "unpacks to more bytes", self.limits.archive)

    def count_member(self) -> None:
        self._members += 1
        if self._members > self.limits.members:
            raise LimitError(self.name, "members", "holds more files", self.limits.members)


@dataclass(frozen=True, slots=True)
class Entry:
    """A member of an archive. `is_plain` is false for links and devices, which cannot be opened."""

    name: str
    is_plain: bool
    opened: Callable[[], IO[bytes]]

    def path(self, source: str) -> PurePosixPath:
        return safe_path(self.name.removeprefix("./"), source)


def entries(stream: IO[bytes], name: str, allowance: Allowance) -> Iterator[Entry]:
    """Every member but folders, in order; its content can be read until the next one is asked for.

    Raises `LimitError` where nothing more of the archive should be read. Only `member` concerns a single one.
    """
    found = _tar_entries if name.lower().endswith(_TAR_SUFFIXES) else _zip_entries
    with _faults_named(name):
        yield from found(stream, name, allowance)


def check_parts(stream: IO[bytes], name: str, limits: Limits) -> None:
    """Unpack a zip archive to nothing, to see how large its parts are before a library has them all in memory."""
    for entry in entries(stream, name, Allowance(stream, name, limits)):
        content = entry.opened()
        while content.read(_CHUNK):
            pass
    stream.seek(0)


def chosen_members(stream: IO[bytes], name: str, unpack: Unpack) -> Iterator[tuple[PurePosixPath, IO[bytes]]]:
    """Path and content of every member that is to be unpacked; anything suspicious is an error."""
    seen: set[PurePosixPath] = set()
    limits = Limits(archive=unpack.limit, member=unpack.limit)
    for entry in entries(stream, name, Allowance(stream, name, limits)):
        if not any(fnmatchcase(entry.name, pattern) for pattern in unpack.members):
            continue
        if not entry.is_plain:
            raise InputError(f"{name}: member {entry.name!r} is a link or a device, expected plain files only")
        path = entry.path(name)
        if len(path.parts) <= unpack.strip:
            continue
        path = PurePosixPath(*path.parts[unpack.strip :])
        if path in seen:
            raise InputError(f"{name}: member {entry.name!r} comes twice")
        seen.add(path)
        yield path, entry.opened()
    if not seen:
        raise InputError(f"{name}: no member fits {', '.join(unpack.members)}")


@contextmanager
def _faults_named(name: str) -> Iterator[None]:
    try:
        yield
    except TupeloError:
        raise
    except Exception as error:  # zipfile, tarfile and zlib raise all kinds on damaged files
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise InputError(f"{name}: broken archive ({reason}), expected a complete zip or tar file") from error


def _zip_entries(stream: IO[bytes], name: str, allowance: Allowance) -> Iterator[Entry]:
    _check_directory(stream, name, allowance.limits)
    with zipfile.ZipFile(stream) as archive:
        for info in archive.infolist():
            allowance.count_member()
            if info.is_dir():
                continue

            def opened(info: zipfile.ZipInfo = info) -> IO[bytes]:
                if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                    # zipfile unpacks the others in blocks of any size.
                    raise InputError(f"{name}/{info.filename}: packed by a rare method, expected deflate")
                with _faults_named(f"{name}/{info.filename}"):
                    content = archive.open(info)
                return _member(content, f"{name}/{info.filename}", allowance.limits, allowance.take)

            yield Entry(info.filename, not stat.S_ISLNK(info.external_attr >> 16), opened)


def _check_directory(stream: IO[bytes], name: str, limits: Limits) -> None:
    """Refuse a directory whose size cannot be that of its number of members, before all of it is read."""
    size = stream.seek(0, os.SEEK_END)
    stream.seek(max(0, size - (1 << 16) - 22))
    tail = stream.read()
    stream.seek(0)
    place = tail.rfind(b"PK\x05\x06")
    directory = int.from_bytes(tail[place + 12 : place + 16], "little") if place >= 0 else 0
    if min(directory, size) > _DIRECTORY_ENTRY * limits.members:
        raise LimitError(name, "members", f"a directory of {min(directory, size):,} bytes", limits.members)


def _tar_entries(stream: IO[bytes], name: str, allowance: Allowance) -> Iterator[Entry]:
    unpacked = _Forward(stream, allowance)
    with tarfile.open(fileobj=cast(IO[bytes], unpacked), mode="r:") as archive:
        while (info := archive.next()) is not None:
            # Otherwise it would keep all of them.
            archive.members = []  # type: ignore[attr-defined]
            allowance.count_member()
            if info.isdir():
                continue

            def opened(info: tarfile.TarInfo = info) -> IO[bytes]:
                content = archive.extractfile(info)
                assert content is not None, "a plain file"
                # Every byte is counted as it is unpacked, those of skipped members too.
                return _member(content, f"{name}/{info.name}", allowance.limits, lambda size: None)

            # A sparse file has any size that it likes to have.
            yield Entry(info.name, info.isreg() and not info.issparse(), opened)
        # tarfile stops at the first gap; only the end of the compressed stream shows that nothing is missing.
        while unpacked.read(_CHUNK):
            pass


class _Forward:
    """The bytes of a tar file, counted. It goes forward only, by reading, and does not take a file for a header."""

    def __init__(self, stream: IO[bytes], allowance: Allowance) -> None:
        self._content = decompressed(stream)
        self._allowance = allowance
        self._at = 0

    def read(self, size: int) -> bytes:
        if size > _LONGEST_HEADER:
            raise InputError(f"{self._allowance.name}: a header of {size:,} bytes, expected plain files")
        data = self._content.read(size)
        self._at += len(data)
        self._allowance.take(len(data))
        return data

    def tell(self) -> int:
        return self._at

    def seek(self, place: int) -> int:
        if place < self._at:
            raise tarfile.ReadError("members that lie in each other")
        while self._at < place and self.read(min(_CHUNK, place - self._at)):
            pass
        return self._at


def _member(content: IO[bytes], name: str, limits: Limits, take: Callable[[int], None]) -> IO[bytes]:
    return io.BufferedReader(_Bounded(content, name, limits.member, take), _CHUNK)


class _Bounded(io.RawIOBase):
    """Counts what is really unpacked: the sizes in an archive's headers may lie."""

    def __init__(self, content: IO[bytes], name: str, most: int, take: Callable[[int], None]) -> None:
        self._content, self._name, self._most, self._take = content, name, most, take
        self._unpacked = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        with _faults_named(self._name):
            # In small steps, however much is asked for: the bounds are checked between them.
            data = self._content.read(min(len(buffer), _CHUNK))
        self._take(len(data))
        self._unpacked += len(data)
        if self._unpacked > self._most:
            raise LimitError(self._name, "member", "unpacks to more bytes", self._most)
        buffer[: len(data)] = data
        return len(data)
