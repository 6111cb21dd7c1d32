"""Script and style of the pages that show graphs. They are put into the page; nothing is loaded from elsewhere."""

from __future__ import annotations

from importlib.resources import files

_SCRIPTS = ("layout.js", "source.js", "swift.js", "draw.js", "page.js")


def graph_script() -> str:
    """The whole script, in a scope of its own."""
    parts = "\n".join(_read(name) for name in _SCRIPTS)
    return f"'use strict';\n{{\n{parts}\n}}\n"


def graph_style() -> str:
    return _read("page.css")


def _read(name: str) -> str:
    return files(__name__).joinpath(name).read_text("utf-8")
