"""Files that ship inside the package, by the name of the package that holds them."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable


def packaged_files(package: str, folder: str = "") -> dict[str, bytes]:
    """Every file below a folder of a package, by its path from there; nothing when there is no such folder."""
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
