"""The seam by which a value asks for a drawing of itself without importing a renderer.

A value names the view (`html`, `page`, `plot`, ...); the table of renderers is added once, by the package itself, so
that a program that draws nothing loads no renderer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tupelo.core.registry import import_part

# "Class.view" -> "module:function"; the function takes the value and the arguments of the caller.
_places: dict[str, str] = {}


def add_views(places: Mapping[str, str]) -> None:
    """Add renderers: `{"Score.plot": "package.module:function"}`."""
    _places.update(places)


def view(value: object, name: str, *arguments: object) -> str:
    """A view of a value as text, by the renderer of its class or of the nearest class that it derives from."""
    return str(_renderer(type(value), name)(value, *arguments))


def picture(value: object, image_type: str, *arguments: object) -> bytes:
    """The plot of a value as an image file: `png`, `svg` or `pdf`."""
    return bytes(_renderer(type(value), "plot")(value, image_type, *arguments))


def _renderer(kind: type, name: str) -> Callable[..., Any]:
    for owner in kind.__mro__:
        if place := _places.get(f"{owner.__name__}.{name}"):
            found: Callable[..., Any] = import_part(place)
            return found
    raise LookupError(f"{kind.__name__} has no view '{name}'")
