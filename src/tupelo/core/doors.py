"""Calls that a room offers under its own name although another room defines them.

`tupelo.robustness.build` combines rooms, so `api` defines it; the room it is named after may not import `api`. The
front door adds the table of such calls, and a room looks up the names that it does not define itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tupelo.core.registry import import_part

# Room -> name -> "module:attribute".
_places: dict[str, Mapping[str, str]] = {}


def add_calls(room: str, places: Mapping[str, str]) -> None:
    """Offer calls in a room: `add_calls("package.room", {"build": "package.api.room:build"})`."""
    _places[room] = places


def call_of(room: str, name: str) -> Any:
    """The call that a room offers by this name, for its `__getattr__`."""
    if name not in _places.get(room, {}):
        raise AttributeError(f"module '{room}' has no attribute '{name}'")
    return import_part(_places[room][name])


def calls_of(room: str) -> list[str]:
    """The names that a room offers, for its `__dir__`."""
    return sorted(_places.get(room, {}))
