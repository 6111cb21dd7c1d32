"""The common part of all pages: one style, light and dark, and the head of a standalone page."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

# The style of the shell: colours, fonts, header, buttons, fields, cards, tables.
SHELL = files("tupelo.web").joinpath("shell.css").read_text("utf-8")


def page_head(title: str, style: str = "", meta: str = "") -> str:
    """The head and the title of a standalone page. `style` and `meta` are ours, never data."""
    return f'{_head(title, SHELL + style, meta)}<body class="page">\n<h1>{escape(title)}</h1>\n'


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
