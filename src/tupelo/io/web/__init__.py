"""Scripts and styles of pages. A page of a graph has all of them inside; applications serve what they share."""

from __future__ import annotations

from importlib.resources import files

_SCRIPTS = ("layout.js", "source.js", "swift.js", "draw.js", "page.js")


def graph_script() -> str:
    """The whole script, in a scope of its own."""
    parts = "\n".join(_read(name) for name in _SCRIPTS)
    return f"'use strict';\n{{\n{parts}\n}}\n"


def graph_style() -> str:
    return _read("page.css")


def shared_files(*names: str) -> dict[str, bytes]:
    """Files that several applications serve, by name."""
    return {name: _read(name).encode("utf-8") for name in names}


def _read(name: str) -> str:
    return files(__name__).joinpath(name).read_text("utf-8")
