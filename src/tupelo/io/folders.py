"""Looking for files in folders and in the package itself, and making folders."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from tupelo.io.files import InputFile, open_output, temporary_folder, writing_errors


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


def copy_file(source: str | os.PathLike[str], target: str | os.PathLike[str]) -> None:
    """Copy a file's content, uncompressed; the copy appears when it is complete."""
    with InputFile(source) as original, open_output(target) as stream:
        stream.write(original.binary.read())


def make_folder(name: str | os.PathLike[str]) -> None:
    """Make a folder with its parents, or use the one that is there."""
    with writing_errors(name, "a folder that can be made"):
        Path(name).mkdir(parents=True, exist_ok=True)


@contextmanager
def filling_folder(name: str | os.PathLike[str]) -> Iterator[Path]:
    """A folder to write into, whose files appear in the folder `name` when all of them are written."""
    target = Path(name)
    is_new = not target.is_dir()
    make_folder(target)
    try:
        with writing_errors(name, "a folder that can be written to"), temporary_folder(target) as started:
            yield Path(started)
            for path in sorted(Path(started).iterdir()):
                path.replace(target / path.name)
    finally:
        if is_new:
            with suppress(OSError):  # it is not empty
                target.rmdir()


def packaged_files(package: str, folder: str = "") -> dict[str, bytes]:
    """Every file that ships below a folder of a package, by its path from there; nothing without such a folder."""
    place = files(package)
    for part in filter(None, folder.split("/")):
        place = place.joinpath(part)
    return dict(_walk(place, "")) if place.is_dir() else {}


def _walk(place: Traversable, prefix: str) -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for entry in sorted(place.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            if entry.name != "__pycache__":
                found += _walk(entry, f"{prefix}{entry.name}/")
        elif not entry.name.endswith(".py"):
            found.append((f"{prefix}{entry.name}", entry.read_bytes()))
    return found
