"""Finished partitions in a folder: each appears at once and whole, with a manifest that says what it is.

A partition is there when its manifest is. The data is written under another name, flushed to the disk and renamed;
then the same is done with the manifest, so a process that is killed at any moment leaves a partition that is finished
or none, and some litter with a dot in front of its name.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from uuid import uuid4

from tupelo.core import InputError
from tupelo.core.stages import Failure, FinishedPart, UnfinishedPart
from tupelo.io.files import STANDARD_STREAM, replaceable, temporary_folder, write_text, writing_errors
from tupelo.io.folders import make_folder

# Failures and notes of a stage.
_COMPLAINTS = ("failures", "notes")


@dataclass(frozen=True, slots=True)
class FolderWorkspace:
    """A workspace on a disk that every process of the engine sees: that of this machine, or a shared one."""

    root: str

    def find(self, folder: str, name: str) -> FinishedPart | None:
        data = Path(self.root, folder, f"{name}.parquet")
        try:
            about = json.loads(data.with_suffix(".json").read_bytes())
            if _sizes(data) != about["sizes"]:
                return None
            failures, notes = (tuple(Failure(**item) for item in about.get(kind, ())) for kind in _COMPLAINTS)
            return FinishedPart(name, tuple(map(str, _data_files(data))), about["rows"], failures, notes)
        except (OSError, ValueError, KeyError, TypeError):
            # Not there, or not as we write it: the work is done again and the file replaced.
            return None

    def finished(self, folder: str, name: str) -> FinishedPart:
        part = self.find(folder, name)
        if part is None:
            raise InputError(
                f"{self.root}/{folder}/{name}: a finished partition is gone, expected a folder that every worker sees"
            )
        return part

    @contextmanager
    def draft(self, folder: str, name: str) -> Iterator[UnfinishedPart]:
        place = Path(self.root, folder)
        data = place / f"{name}.parquet"
        draft = UnfinishedPart(str(place / f".{name}.{uuid4().hex}.parquet"))
        try:
            with writing_errors(self.root, _ROOM):
                place.mkdir(parents=True, exist_ok=True)
                yield draft
                _flush(Path(draft.path))
                about = {"rows": 0, **draft.about, "sizes": _sizes(Path(draft.path))}
                about |= {kind: [asdict(item) for item in draft.about.get(kind, ())] for kind in _COMPLAINTS}
                _remove(data.with_suffix(".json"))
                if data.is_dir() or Path(draft.path).is_dir():
                    # A folder cannot be replaced in one step; without a manifest nobody takes it for finished.
                    _remove(data)
                os.replace(draft.path, data)
                write_text(data.with_suffix(".json"), json.dumps(about, ensure_ascii=False, indent=1) + "\n")
        finally:
            _remove(Path(draft.path))

    def scratch(self) -> str:
        folder = Path(self.root, "scratch")
        make_folder(folder)
        return str(folder)

    def sweep(self) -> None:
        """Remove what killed runs left behind. Only for the holder of a lock on this workspace."""
        root = Path(self.root)
        _remove(root / "scratch")
        for litter in list(root.glob("*/.*")):
            _remove(litter)

    def remove(self) -> None:
        """Remove everything."""
        _remove(Path(self.root))


def work_folder(output: str | os.PathLike[str]) -> str:
    """Default folder for the unfinished work of an output."""
    target = Path(os.path.realpath(output))
    return str(target.with_name(f".{target.name}.work"))


RESUME = "What is finished is kept: run the same command again to go on."
_ROOM = f"room to write. {RESUME}"


def _data_files(path: Path) -> list[Path]:
    return sorted(path.glob("*.parquet")) if path.is_dir() else [path]


def _sizes(path: Path) -> list[int]:
    return [file.stat().st_size for file in _data_files(path)]


def _flush(path: Path) -> None:
    for file in _data_files(path):
        handle = os.open(file, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    elif path.exists():
        path.unlink(missing_ok=True)


@dataclass(slots=True)
class Replacement:
    """A copy of a file to work on, or the name of a new one. It takes the file's place unless it is not `wanted`."""

    path: str
    exists: bool
    wanted: bool = True


@contextmanager
def replacement(name: str | os.PathLike[str]) -> Iterator[Replacement]:
    """Work on a copy of a file that nobody else works on; readers of the old one are not disturbed.

    The copy takes the place of the file in one step, when the block ends without an error.
    """
    target = replaceable(name)
    if not target.parent.is_dir():
        raise InputError(f"{target.parent}: No such directory, expected a place that can be written")
    copy = target.with_name(f".{target.name}.new")
    with alone(name):
        draft = Replacement(str(copy), target.exists())
        try:
            with writing_errors(name, _ROOM):
                _remove_with_log(copy)
                if draft.exists:
                    shutil.copyfile(target, copy)
                yield draft
                if draft.wanted:
                    if copy.with_name(f"{copy.name}.wal").exists():
                        raise InputError(f"{name}: what was written is not complete, expected {_ROOM}")
                    _flush(copy)
                    os.replace(copy, target)
        except InputError as error:
            # Nobody knows the copy by its name.
            if str(copy) not in str(error):
                raise
            raise InputError(str(error).replace(str(copy), os.fspath(name))) from error
        finally:
            _remove_with_log(copy)


@contextmanager
def alone(name: str | os.PathLike[str]) -> Iterator[None]:
    """Nobody else can be inside a block of this kind for the same file. The lock ends with the process."""
    from filelock import FileLock, Timeout

    target = Path(os.path.realpath(name))
    lock = FileLock(target.with_name(f".{target.name}.lock"))
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise InputError(
            f"{name}: another process is building it, expected to be alone. Wait for its end, or choose another name."
        ) from None
    except OSError as error:
        raise InputError(f"{name}: {error.strerror or error}, expected a place that can be written") from error
    try:
        yield
    finally:
        Path(lock.lock_file).unlink(missing_ok=True)
        lock.release()


def _remove_with_log(path: Path) -> None:
    """A database, and the log and the folder that a killed process may have left beside it."""
    for name in (path.name, f"{path.name}.wal", f"{path.name}.tmp"):
        _remove(path.with_name(name))


@contextmanager
def open_workspace(folder: str | os.PathLike[str] | None, output: str) -> Iterator[FolderWorkspace]:
    """A workspace in a named folder, which is kept, or beside the output, which goes when all is done.

    After an error, or when the process is killed, both stay. Output to standard output has no place beside it.
    """
    if folder is not None:
        yield FolderWorkspace(os.fspath(folder))
    elif output == STANDARD_STREAM:
        with temporary_folder() as place:
            yield FolderWorkspace(place)
    else:
        workspace = FolderWorkspace(work_folder(output))
        yield workspace
        workspace.remove()
