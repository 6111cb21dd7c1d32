"""The common part of all pages: one style, light and dark, the head of a standalone page, and shared scripts.

A page without a server has all scripts inside; applications serve those that they share. Scripts are modules.
`bundle` makes one script of a module and all that it imports, because a browser loads no module from a file on disk.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Mapping
from functools import partial
from hashlib import sha256
from html import escape
from typing import Any

from tupelo.core.shipped import shipped_text

_read = partial(shipped_text, "tupelo.web")
# The style of the shell: colours, fonts, header, buttons, fields, cards, tables.
SHELL = _read("shell.css")


def page_head(title: str, style: str = "", meta: str = "") -> str:
    """The head and the title of a standalone page. `style` and `meta` are ours, never data."""
    return f'{_head(title, SHELL + style, meta)}<body class="page">\n<header><h1>{escape(title)}</h1></header>\n'


def scripted_page(title: str, body: str, data: Mapping[str, Any], script: str, style: str, policy: str) -> str:
    """A whole page with its script and the data for it; only `title` and `data` may come from elsewhere."""
    meta = f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">\n'
    return (
        f"{_head(title, style, meta)}<body>\n{body}"
        f'<script type="application/json" id="data">{_json_in_html(data)}</script>\n'
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


def page_policy(script: str, style: str, *rules: str) -> str:
    """A content security policy that allows one script and one style, by their hashes, and what `rules` add."""
    allowed = [f"script-src '{content_hash(script)}'", f"style-src '{content_hash(style)}'", "img-src data:", *rules]
    return "; ".join(["default-src 'none'", *allowed, "base-uri 'none'", "form-action 'none'"])


def content_hash(text: str) -> str:
    """The hash by which a content security policy names a script or style."""
    return f"sha256-{b64encode(sha256(text.encode('utf-8')).digest()).decode()}"


def _head(title: str, style: str, meta: str) -> str:
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n{meta}'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n<link rel="icon" href="data:,">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n"
    )


def _json_in_html(data: Mapping[str, Any]) -> str:
    """JSON without characters that are special in HTML."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


_IMPORT = re.compile(r"^import (?:\* as )?(?P<what>\w+|\{[^}]*\}) from '\./(?P<file>[\w.-]+)';\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
# File names as names of variables.
_IN_NAMES = str.maketrans("-.", "__")
_GRAPH = ("dom.js", "entity.js", "marks.js", "source.js", "suggest.js", "view.js", "page.js")


def graph_script() -> str:
    """The whole script of the page of a graph, with the library that draws."""
    return _read("cytoscape.js") + bundle("page.js", {name: _read(name) for name in _GRAPH})


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
