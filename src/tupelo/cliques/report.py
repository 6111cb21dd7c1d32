"""One page with every table and figure of an analysis; it stands alone, pictures included."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from tupelo.score.tables import Table, page
from tupelo.score.tables import table as html_table

_TYPES = {"png": "image/png", "svg": "image/svg+xml"}


@dataclass(frozen=True, slots=True)
class Part:
    """A section: what it shows, what one can read from it, a table, and a picture in every kind of file."""

    name: str
    title: str
    text: str
    table: Table | None = None
    images: Mapping[str, bytes] = field(default_factory=dict)


def report_page(title: str, parts: Sequence[Part], notes: Sequence[str] = ()) -> str:
    """HTML of all parts; `notes` are signatures."""
    contents = "".join(
        f'<li><a href="#{escape(part.name, quote=True)}">{escape(part.title)}</a></li>' for part in parts
    )
    signatures = "".join(f"<p><code>{escape(note)}</code></p>" for note in notes)
    body = [f"<ul>{contents}</ul>", *(_section(part) for part in parts), "<h2>How it was measured</h2>", signatures]
    return page(title, "\n".join(body))


def _section(part: Part) -> str:
    pieces = [f'<section id="{escape(part.name, quote=True)}">', f"<h2>{escape(part.title)}</h2>"]
    pieces.append(f"<p>{escape(part.text)}</p>")
    if part.images:
        pieces.append(_picture(part))
    if part.table is not None:
        numeric = frozenset(range(1, len(part.table.header)))
        pieces.append(html_table(list(part.table.header), [list(row) for row in part.table.rows], numeric))
        pieces += [f"<p>{escape(note)}</p>" for note in part.table.notes]
    return "\n".join([*pieces, "</section>"])


def _picture(part: Part) -> str:
    """The SVG where there is one, on white because drawings have dark lines; all kinds to save."""
    addresses = {
        kind: f"data:{_TYPES[kind]};base64,{b64encode(content).decode('ascii')}"
        for kind, content in part.images.items()
    }
    shown = addresses.get("svg") or next(iter(addresses.values()))
    links = " ".join(
        f'<a download="{escape(part.name, quote=True)}.{kind}" href="{address}">{kind.upper()}</a>'
        for kind, address in addresses.items()
    )
    return (
        f'<p><img alt="{escape(part.title, quote=True)}" src="{shown}" '
        'style="max-width: 100%; background: white"></p>'
        f'<p class="figures">Save as {links}</p>'
    )
