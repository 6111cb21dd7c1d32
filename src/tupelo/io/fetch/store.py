"""The files of a dataset on disk: what is there, is it right, and how it gets its name."""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from html import escape
from pathlib import Path
from typing import IO, Any, cast
from urllib.parse import urlsplit, urlunsplit

from tupelo.core import TupeloError
from tupelo.core.results import aligned_columns
from tupelo.io.archives import chosen_members, safe_path
from tupelo.io.catalogue import DataFile, Dataset, Unpack

# Parts and the lock live in this folder beside the files, so that a rename never crosses file systems.
HIDDEN = ".tupelo"
_CHUNK = 1 << 16


class FetchError(TupeloError, OSError):
    """A file that could not be fetched; nothing was installed under its name."""


class AddressError(FetchError):
    """The server answered, and the answer is no. Other files of the dataset may still be there."""


class UnreachableError(FetchError, ConnectionError):
    """No whole answer, however often we asked."""


def without_secrets(address: str) -> str:
    """The address without user name and password, for people to read."""
    pieces = urlsplit(address)
    return urlunsplit(pieces._replace(netloc=pieces.netloc.rpartition("@")[2]))


@dataclass(frozen=True, slots=True)
class FileState:
    """A file of the catalogue as it is on disk. `verified` is `None` when the catalogue states no checksum."""

    file: DataFile
    path: Path
    present: bool
    verified: bool | None

    @property
    def usable(self) -> bool:
        return self.present and self.verified is not False

    def row(self) -> tuple[str, ...]:
        """Name, split, format, size, condition and address, for people."""
        condition = "optional" if self.file.optional else ""
        if self.present:
            condition = {True: "verified", False: "DAMAGED", None: "there"}[self.verified]
        address = without_secrets(self.file.address) + ("" if self.file.verified else " (not verified)")
        return (*self.file.cells(), condition, address)


@dataclass(frozen=True, slots=True)
class DatasetInfo:
    """A dataset of the catalogue and its local files, whose sums are checked. `str` returns a readable summary."""

    entry: Dataset
    folder: Path
    files: tuple[FileState, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "files", tuple(file_state(file, self.folder) for file in self.entry.files))

    @property
    def complete(self) -> bool:
        """Whether all required files are present with the right checksum."""
        return all(state.usable for state in self.files if not state.file.optional)

    def to_dict(self) -> dict[str, Any]:
        return {
            **self.entry.to_dict(),
            "folder": str(self.folder),
            "complete": self.complete,
            "files": [
                {
                    **asdict(state.file),
                    "address": without_secrets(state.file.address),
                    "cached": str(state.path) if state.present else None,
                    "checksum_right": state.verified,
                }
                for state in self.files
            ],
        }

    def __str__(self) -> str:
        entry = self.entry
        there = sum(state.usable for state in self.files)
        head = [
            ("name", entry.name),
            ("title", entry.title),
            ("for", f"{', '.join(entry.tasks)}: {entry.purpose}"),
            ("licence", entry.licence),
            *(("cite", citation) for citation in entry.citation),
            ("home", entry.homepage),
            ("version", entry.version),
            *([("note", entry.note)] if entry.note else []),
            ("cache", f"{self.folder} ({there} of {len(self.files)} files)"),
        ]
        header = ("file", "split", "format", "bytes", "cache", "address")
        notes = [f"{state.file.path}: {state.file.note}" for state in self.files if state.file.note]
        tables = [aligned_columns(head), aligned_columns([header, *self._rows()])]
        return "\n\n".join(filter(None, [*tables, "\n".join(notes)]))

    def _rows(self) -> Iterator[tuple[str, ...]]:
        """One row per file, or per split of a dataset with hundreds of files, with the address of the first."""
        if not self.entry.choose:
            yield from (state.row() for state in self.files)
            return
        for split in self.entry.splits:
            group = [state for state in self.files if state.file.split == split]
            name, *middle, _, address = group[0].row()
            there = f"{sum(state.usable for state in group)} of {len(group)}"
            yield f"{name} to {group[-1].file.path}", *middle, there, address

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def file_state(file: DataFile, folder: Path) -> FileState:
    path, present = folder / file.path, is_present(file, folder)
    verified = file_sum(path) == file.sha256 if present and file.sha256 is not None else None
    return FileState(file, path, present, verified)


def is_present(file: DataFile, folder: Path) -> bool:
    """Is the file there, whole and unpacked? Its content is not looked at."""
    path = folder / safe_path(file.path, "catalogue")
    if not path.is_file() or (file.size is not None and path.stat().st_size != file.size):
        return False
    return file.unpack is None or (folder / file.unpack.into).is_dir()


def complaint(part: Path, file: DataFile) -> str | None:
    """The fault of a complete part, if there is one."""
    size = part.stat().st_size
    if file.size is not None and size != file.size:
        return f"{size:,} bytes, expected {file.size:,}"
    if file.sha256 is not None and (found := file_sum(part)) != file.sha256:
        return f"SHA-256 {found}, expected {file.sha256}"
    return None


def file_sum(path: Path) -> str:
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def part_of(file: DataFile, folder: Path) -> Path:
    """Path of the growing file. The name holds the address: a part is never continued from another place."""
    key = hashlib.sha256(f"{file.path}\n{file.address}".encode()).hexdigest()[:16]
    return folder / HIDDEN / f"{key}.part"


def validator_of(part: Path) -> Path:
    """The file beside a part that keeps the server's name for that version of the content."""
    return part.with_suffix(".validator")


def discard(part: Path) -> None:
    part.unlink(missing_ok=True)
    validator_of(part).unlink(missing_ok=True)


def install(part: Path, file: DataFile, folder: Path) -> None:
    """Give a verified part its name; unpack an archive first, so that a bad one leaves nothing behind."""
    target = folder / file.path
    target.parent.mkdir(parents=True, exist_ok=True)
    if file.unpack is not None:
        try:
            _unpack(part, file.path, file.unpack, folder)
        except TupeloError:
            discard(part)
            raise
    os.replace(part, target)
    discard(part)


def _unpack(archive: Path, name: str, unpack: Unpack, folder: Path) -> None:
    """Unpack into a fresh folder and rename it into place as a whole."""
    target = folder / safe_path(unpack.into, name)
    fresh = Path(tempfile.mkdtemp(dir=folder / HIDDEN))
    try:
        contents = fresh / "new"
        with open(archive, "rb") as stream:
            for path, content in chosen_members(stream, name, unpack):
                place = contents / path
                place.parent.mkdir(parents=True, exist_ok=True)
                with open(place, "xb") as output:
                    shutil.copyfileobj(content, output, _CHUNK)
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists():
            os.replace(target, fresh / "old")
        os.replace(contents, target)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def clear_leftovers(hidden: Path) -> None:
    """Remove what a process that was killed while unpacking left behind; only for who holds the lock."""
    for item in hidden.iterdir():
        if item.is_dir():
            shutil.rmtree(item, ignore_errors=True)


def find_originals(source: Path, entry: Dataset, files: Sequence[DataFile]) -> dict[DataFile, Path]:
    """Paths of the files in a local folder: by path, below the dataset's name, or by file name if that is unique."""
    if not source.is_dir():
        raise FetchError(f"{source}: no such folder, expected one with the files of {entry.name}")
    names = Counter(Path(file.path).name for file in entry.files)
    found: dict[DataFile, Path] = {}
    for file in files:
        name = Path(file.path).name
        places = [file.path, f"{entry.name}/{file.path}", *([name] if names[name] == 1 else [])]
        # Text is often kept compressed; the checksum in the catalogue is that of the plain file.
        # The other way round the bytes depend on the compressor, so a .gz file is taken only as it is.
        suffixes = [""] if name.endswith(".gz") else ["", ".gz"]
        candidates = (source / f"{place}{suffix}" for place in places for suffix in suffixes)
        original = next((candidate for candidate in candidates if candidate.is_file()), None)
        if original is not None:
            found[file] = original
    missing = [file.path for file in files if file not in found]
    if missing:
        raise FetchError(
            f"{source}: {len(missing)} of {len(files)} files of {entry.name} are not there, "
            f"first missing: {missing[0]}. Choose what is there with --split or --file"
        )
    return found


def copy_original(original: Path, part: Path, file: DataFile) -> None:
    """Copy a local file to the part, decompressed when only its compressed form is there."""
    discard(part)
    compressed = original.suffix == ".gz" and not file.path.endswith(".gz")
    try:
        with open(original, "rb") as raw, open(part, "wb") as output:
            content = cast(IO[bytes], gzip.GzipFile(fileobj=raw)) if compressed else raw
            shutil.copyfileobj(content, output, _CHUNK)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        discard(part)
        raise FetchError(f"{original}: broken gzip data ({error}), expected a complete file") from error
