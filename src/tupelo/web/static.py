"""Scripts and styles of pages: one without a server has all of them inside, applications serve what they share.

Scripts are modules. `bundle` makes one script of a module and all that it imports, because a browser loads no module
from a file on disk.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources import files

from tupelo.web.page import SHELL

_IMPORT = re.compile(r"^import (?:\* as )?(?P<what>\w+|\{[^}]*\}) from '\./(?P<file>[\w.-]+)';\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
# File names as names of variables.
_IN_NAMES = str.maketrans("-.", "__")
_GRAPH = ("dom.js", "marks.js", "layout.js", "source.js", "swift.js", "draw.js", "page.js")


def graph_script() -> str:
    """The whole script of the page of a graph."""
    return bundle("page.js", {name: _read(name) for name in _GRAPH})


def graph_style() -> str:
    return SHELL + _read("page.css")


def shared_files(*names: str) -> dict[str, bytes]:
    """Files that several applications serve, by name; all have the style of the shell."""
    return {"shell.css": SHELL.encode("utf-8")} | {name: _read(name).encode("utf-8") for name in names}


def bundle(entry: str, modules: Mapping[str, str]) -> str:
    """One script of a module and those that it imports, each in a scope of its own.

    It knows the forms that our modules use: named imports, `import * as`, and exported functions, classes and
    constants, one each.
    """
    done: dict[str, str] = {}

    def add(name: str) -> None:
        for found in _IMPORT.finditer(modules[name]):
            if found["file"] not in done:
                add(found["file"])
        text = _IMPORT.sub(lambda one: f"const {one['what']} = {_scope(one['file'])};\n", modules[name])
        exported = ", ".join(_EXPORT.findall(text))
        text = _EXPORT.sub("", text).replace("import.meta.url", "document.baseURI")
        done[name] = f"const {_scope(name)} = (() => {{\n{text}return {{ {exported} }};\n}})();\n"

    add(entry)
    return f"'use strict';\n{{\n{''.join(done.values())}}}\n"


def _scope(name: str) -> str:
    return "_" + name.translate(_IN_NAMES)


def _read(name: str) -> str:
    return files("tupelo.web").joinpath(name).read_text("utf-8")
