"""Pages that stand alone: one file, no script from elsewhere, everything escaped."""

from __future__ import annotations

from html import escape

_STYLE = """
:root { color-scheme: light dark; --soft: color-mix(in srgb, currentColor 12%, transparent); }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem } h2 { font-size: 1.05rem; margin: 0 }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .3rem .6rem; vertical-align: top }
th { font-weight: 600; border-bottom: 2px solid var(--soft) } td { border-bottom: 1px solid var(--soft) }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums }
section table { table-layout: fixed } section th:last-child { width: 12rem }
code { font-size: .85rem; overflow-wrap: anywhere }
section { border: 1px solid var(--soft); border-radius: .5rem; padding: .8rem 1rem; margin: 1rem 0 }
mark { background: #7bd88f66; color: inherit; border-radius: .2rem; padding: 0 .1rem }
.figures { color: color-mix(in srgb, currentColor 65%, transparent); font-variant-numeric: tabular-nums }
.slot + .slot::before { content: " ; "; opacity: .5 } .relation { font-weight: 600 }
.error { display: inline-block; border: 1px solid #d1495b; color: #d1495b; border-radius: 1rem; font-size: .8rem;
  padding: 0 .5rem; margin: 0 .2rem .2rem 0; white-space: nowrap }
.fine { border-color: #2a9d5c; color: #2a9d5c }
label { margin-right: .8rem; white-space: nowrap }
"""


def page(title: str, body: str, script: str = "") -> str:
    """A complete document. `body` must be escaped already; `script` is ours, never data."""
    closing = f"<script>{script}</script>" if script else ""
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n<h1>{escape(title)}</h1>\n{body}\n{closing}</body>\n</html>\n"
    )


def table(header: list[str], rows: list[list[str]], numeric: frozenset[int] = frozenset()) -> str:
    """A table of plain text; columns in `numeric` are aligned to the right."""

    def cell(tag: str, column: int, text: str) -> str:
        style = ' class="number"' if column in numeric else ""
        return f"<{tag}{style}>{escape(text)}</{tag}>"

    head = "".join(cell("th", column, text) for column, text in enumerate(header))
    lines = ["<tr>" + "".join(cell("td", column, text) for column, text in enumerate(row)) + "</tr>" for row in rows]
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n" + "\n".join(lines) + "\n</tbody>\n</table>"
