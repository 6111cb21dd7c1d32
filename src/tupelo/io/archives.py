"""The members of zip and tar archives, one by one, with names that cannot leave their folder.

An archive comes from the network: its names, links and sizes are not trusted.
This module opens nothing; it reads from a stream that is already open.
"""

from __future__ import annotations

import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import IO, cast

from tupelo.core import InputError
from tupelo.io.catalogue import Unpack

_TAR_SUFFIXES = (".tar", ".tar.gz", ".tgz")


def safe_path(path: str, source: str) -> PurePosixPath:
    """`path` below some folder, or an error when it could lead out of it or hide in it."""
    parts = path.split("/")
    hostile = any(part in ("", ".", "..") or part.startswith(".tupelo") for part in parts)
    if hostile or "\\" in path or ":" in path or not path.isprintable():
        raise InputError(f"{source}: file name {path!r} is not allowed, expected a plain path below a folder")
    return PurePosixPath(path)


def members(stream: IO[bytes], name: str, unpack: Unpack) -> Iterator[tuple[PurePosixPath, IO[bytes]]]:
    """Path and content of every chosen member; the content is valid until the next one is asked for."""
    seen: set[PurePosixPath] = set()
    left = unpack.limit
    with _faults_named(name):
        for raw_name, content in _raw_members(stream, name, unpack.members):
            path = _target(raw_name, name, unpack.strip)
            if path is None:
                continue
            if path in seen:
                raise InputError(f"{name}: member {raw_name!r} comes twice")
            seen.add(path)
            bounded = _Bounded(content, left, name)
            yield path, cast(IO[bytes], bounded)
            left = bounded.left
    if not seen:
        raise InputError(f"{name}: no member fits {', '.join(unpack.members)}")


@contextmanager
def _faults_named(name: str) -> Iterator[None]:
    try:
        yield
    except (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        # RuntimeError is what zipfile raises for encrypted members.
        raise InputError(f"{name}: broken archive ({error}), expected a complete zip or tar file") from error


def _raw_members(stream: IO[bytes], name: str, patterns: tuple[str, ...]) -> Iterator[tuple[str, IO[bytes]]]:
    def chosen(member: str) -> bool:
        return any(fnmatchcase(member, pattern) for pattern in patterns)

    if name.endswith(_TAR_SUFFIXES):
        with tarfile.open(fileobj=stream, mode="r:*") as tar:
            for info in tar:
                if info.isdir() or not chosen(info.name):
                    continue
                content = tar.extractfile(info) if info.isreg() else None
                if content is None:
                    raise InputError(f"{name}: member {info.name!r} is a link or a device, expected plain files only")
                yield info.name, content
            # tarfile stops at the first gap; only the end of the compressed stream shows that nothing is missing.
            while tar.fileobj is not None and tar.fileobj.read(1 << 20):
                pass
        return
    with zipfile.ZipFile(stream) as archive:
        for entry in archive.infolist():
            if entry.is_dir() or not chosen(entry.filename):
                continue
            if stat.S_ISLNK(entry.external_attr >> 16):
                raise InputError(f"{name}: member {entry.filename!r} is a link, expected plain files only")
            with archive.open(entry) as member:
                yield entry.filename, member


def _target(member: str, name: str, strip: int) -> PurePosixPath | None:
    """Where the member goes; `None` when nothing of its name is left after stripping."""
    path = safe_path(member.removeprefix("./"), name)
    return PurePosixPath(*path.parts[strip:]) if len(path.parts) > strip else None


class _Bounded:
    """Counts what is really unpacked: the sizes in an archive's headers may lie."""

    def __init__(self, content: IO[bytes], left: int, name: str) -> None:
        self._content, self.left, self._name = content, left, name

    def read(self, size: int = -1) -> bytes:
        with _faults_named(self._name):
            data = self._content.read(size)
        self.left -= len(data)
        if self.left < 0:
            raise InputError(f"{self._name}: unpacks to more than its limit, expected a smaller archive")
        return data
