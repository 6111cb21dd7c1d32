"""Which files hold the documents that somebody names: files, folders with everything below them, archives."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tupelo.core import InputError
from tupelo.core.errors import shortened
from tupelo.core.stages import fingerprint
from tupelo.io.documents import ENDINGS, UNKNOWN_KIND, NoDocument, format_of
from tupelo.io.files import reading_errors

# Characters of a text that an error shows.
_SHOWN = 40


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
    """Files with documents, sorted by source, and those that were skipped."""

    files: tuple[DocumentFile, ...]
    passed_over: tuple[NoDocument, ...] = ()


def find_documents(names: Iterable[str]) -> Listing:
    """All files with documents. A file that is named must be one; in folders others are skipped."""
    found: dict[str, DocumentFile] = {}
    passed_over: list[NoDocument] = []
    for name in names:
        path = Path(name)
        if not os.path.exists(name):
            raise _missing(name)
        pairs = [(path, path.name)]
        if path.is_dir():
            top = path.resolve().name
            pairs = [(file, f"{top}/{file.relative_to(path).as_posix()}") for file in _below(path)]
        for file, source in pairs:
            kind = format_of(file.name)
            if kind is None and not path.is_dir():
                raise InputError(f"{name}: {UNKNOWN_KIND}, expected a folder or {', '.join(ENDINGS)}")
            reason = _refusal(file, path.resolve()) if path.is_dir() else None
            if kind is None or reason is not None:
                passed_over.append(NoDocument(source, reason or UNKNOWN_KIND))
                continue
            entry = _entry(file, source, kind)
            earlier = found.setdefault(source, entry)
            if not os.path.samefile(earlier.path, entry.path):
                raise InputError(
                    f"{earlier.path} and {entry.path} would both be called '{source}', expected one of each. "
                    "Name the folder above them instead."
                )
    return Listing(tuple(found[source] for source in sorted(found)), tuple(passed_over))


def _missing(name: str) -> InputError:
    """The error for a name that no file has; several words without the ending of a file are a text."""
    if len(name.split()) < 2 or format_of(name) is not None:
        return InputError(f"{name}: No such file or directory, expected documents")
    return InputError(
        f"'{shortened(name, _SHOWN)}': no such file; a list of strings means paths: for texts give {{name: text}}, "
        "Documents, or a data frame with a column 'text'"
    )


def _below(folder: Path) -> Iterator[Path]:
    """Files below a folder, hidden ones apart."""
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(place, name) for name in sorted(files) if not name.startswith("."))


def _refusal(file: Path, top: Path) -> str | None:
    """Why a file in a folder is not opened, whatever its name."""
    try:
        if not file.resolve(strict=True).is_relative_to(top):
            return "a link that leads out of the folder"
        return None if file.is_file() else "not a file"
    except (OSError, RuntimeError):
        # RuntimeError is what a circle of links was before Python 3.13.
        return "a link that leads nowhere"


def _entry(file: Path, source: str, kind: str) -> DocumentFile:
    with reading_errors(file):
        state = file.stat()
    # Absolute, since other processes and machines read it.
    return DocumentFile(str(file.resolve()), source, kind, state.st_size, state.st_mtime_ns)
