"""How values are drawn, without knowing who draws them.

A value asks for a view of itself by name (`plot`, `html`, ...); the front door adds the table of views, so that a
value imports no renderer and a program that draws nothing loads none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tupelo.core.registry import import_part

# "Class.view" -> "module:function"; the function takes the value and what the caller adds.
_places: dict[str, str] = {}


def add_views(places: Mapping[str, str]) -> None:
    """Join renderers: `{"Score.plot": "package.module:function"}`."""
    _places.update(places)


def view(value: object, name: str, *arguments: Any) -> Any:
    """A view of a value, by the renderer of its class or of the nearest class that it derives from."""
    return _renderer(type(value), name)(value, *arguments)


def _renderer(kind: type, name: str) -> Callable[..., Any]:
    for owner in kind.__mro__:
        if place := _places.get(f"{owner.__name__}.{name}"):
            found: Callable[..., Any] = import_part(place)
            return found
    raise LookupError(f"{kind.__name__} has no view '{name}'")
