"""The files of a dataset on disk: what is there, is it right, and how it gets its name."""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
import tempfile
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from tupelo.core import TupeloError
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


def dataset_state(entry: Dataset, folder: Path) -> tuple[FileState, ...]:
    """State of a dataset in the cache; reads the files to check their sums."""
    return tuple(file_state(file, folder) for file in entry.files)


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
