"""Documents as they were read, as one page: blocks in order, and what was left out. Everything is escaped."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from tupelo.core.blocks import CELL_SEPARATOR
from tupelo.core.document import Document
from tupelo.show import asset
from tupelo.web.page import page_head


def documents_page(documents: Iterable[Document]) -> str:
    """The whole page."""
    head = page_head("Documents as they are read", asset("documents_page.css"))
    return f"{head}{''.join(map(document_section, documents))}</body>\n</html>\n"


def document_section(document: Document) -> str:
    """A document: one row per block, with its kind; what was left out is pale, with the reason."""
    rows = []
    for kind, text, _, reason in document.in_order():
        content = _cells(text) if kind == "table" and CELL_SEPARATOR in text else escape(text)
        classes = "out" if reason else kind.replace(" ", "-")
        name = escape(reason or kind)
        rows.append(f'<div class="block {classes}"><span>{name}</span><div>{content}</div></div>\n')
    about = " · ".join(filter(None, (document.title, document.published)))
    return f"<section>\n<h2>{escape(document.source)}</h2>\n<p>{escape(about)}</p>\n{''.join(rows)}</section>\n"


def _cells(text: str) -> str:
    rows = ("".join(f"<td>{escape(cell)}</td>" for cell in line.split(CELL_SEPARATOR)) for line in text.split("\n"))
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"
