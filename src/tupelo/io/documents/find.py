"""Which files hold the documents that somebody names: files, folders with everything below them, archives."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tupelo.core import InputError
from tupelo.core.stages import fingerprint
from tupelo.io.documents import ENDINGS, format_of
from tupelo.io.files import reading_errors


@dataclass(frozen=True, slots=True)
class DocumentFile:
    """A file, how to read it, and its name on every machine: folder and path below it."""

    path: str
    source: str
    format: str
    size: int
    changed: int

    @property
    def key(self) -> str:
        """The same as long as the file is."""
        return fingerprint(self.path, self.source, self.format, self.size, self.changed)


@dataclass(frozen=True, slots=True)
class Listing:
    """What was found: files with documents, sorted by source, and those that were skipped."""

    files: tuple[DocumentFile, ...]
    passed_over: tuple[str, ...] = ()


def find_documents(names: Iterable[str]) -> Listing:
    """All files with documents. A file that is named must be one; in folders others are skipped."""
    found: dict[str, DocumentFile] = {}
    passed_over: list[str] = []
    for name in names:
        path = Path(name)
        if not path.exists():
            raise InputError(f"{name}: No such file or directory, expected documents")
        pairs = [(path, path.name)]
        if path.is_dir():
            top = path.resolve().name
            pairs = [(file, f"{top}/{file.relative_to(path).as_posix()}") for file in _below(path)]
        for file, source in pairs:
            kind = format_of(file.name)
            if kind is None and path.is_dir():
                passed_over.append(str(file))
                continue
            if kind is None:
                raise InputError(f"{name}: not a known kind of document, expected a folder or {', '.join(ENDINGS)}")
            entry = _entry(file, source, kind)
            earlier = found.setdefault(source, entry)
            if not os.path.samefile(earlier.path, entry.path):
                raise InputError(
                    f"{earlier.path} and {entry.path} would both be called '{source}', expected one of each. "
                    "Name the folder above them instead."
                )
    return Listing(tuple(found[source] for source in sorted(found)), tuple(sorted(passed_over)))


def _below(folder: Path) -> Iterator[Path]:
    """Files below a folder, hidden ones apart. A link that leads out of the folder is not followed."""
    top = folder.resolve()
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            file = Path(place, name)
            if not name.startswith(".") and file.is_file() and file.resolve().is_relative_to(top):
                yield file


def _entry(file: Path, source: str, kind: str) -> DocumentFile:
    with reading_errors(file):
        state = file.stat()
    # Absolute, since other processes and machines read it.
    return DocumentFile(str(file.resolve()), source, kind, state.st_size, state.st_mtime_ns)
