"""Tables of results as HTML: rows of values, report tables, and the pages that hold them. Everything is escaped."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from tupelo.core.results import Tabular
from tupelo.show import asset
from tupelo.web.page import page_head

if TYPE_CHECKING:
    from tupelo.graph.build.builder import BuildReport
    from tupelo.scorers.bench import BenchCard
    from tupelo.scorers.result import Result
    from tupelo.scorers.robust import RobustScore
    from tupelo.scorers.tables import Leaderboard, Reported, ReportTable

_STYLE = "\n" + asset("tables.css")


def page(title: str, body: str, script: str = "") -> str:
    """A complete document. `body` must be escaped already; `script` is ours, never data."""
    closing = f"<script>{script}</script>" if script else ""
    return f"{page_head(title, _STYLE)}{body}\n{closing}</body>\n</html>\n"


def table(header: Sequence[str], rows: Iterable[Sequence[str]], numeric: Container[int] = ()) -> str:
    """A table of plain text; columns in `numeric` are aligned to the right."""

    def cell(tag: str, column: int, text: str) -> str:
        style = ' class="number"' if column in numeric else ""
        return f"<{tag}{style}>{escape(text)}</{tag}>"

    head = "".join(cell("th", column, text) for column, text in enumerate(header))
    lines = ["<tr>" + "".join(cell("td", column, text) for column, text in enumerate(row)) + "</tr>" for row in rows]
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n" + "\n".join(lines) + "\n</tbody>\n</table>"


def report_fragment(found: ReportTable, with_notes: bool = True) -> str:
    """A report table as a part of a page."""
    notes = "".join(f"<p><code>{escape(note)}</code></p>" for note in found.notes) if with_notes else ""
    return table(found.header, found.rows, range(1, len(found.header))) + notes


def reported_html(found: Reported | RobustScore | BenchCard) -> str:
    """The report table of a result."""
    return report_fragment(found.table())


def leaderboard_page(board: Leaderboard) -> str:
    """The table of a leaderboard as a page."""
    return page(f"{board.scorer} leaderboard", reported_html(board))


def bench_page(card: BenchCard) -> str:
    """Both tables of a card as a page."""
    return page(f"{card.system} on Open IE benchmarks", reported_html(card) + report_fragment(card.breakdown()))


def rows_html(found: Tabular) -> str:
    """All rows of a result."""
    return table_html(found.rows())


def rows_page(found: Tabular, title: str) -> str:
    """All rows of a result as a page."""
    return page(title, rows_html(found))


def result_html(found: Result) -> str:
    """The figures of a score and its signature."""
    figures = {name: value for name, value in found.to_dict().items() if name not in ("scorer", "signature")}
    return f"{table_html([figures], found.scorer)}<p><code>{escape(found.signature)}</code></p>"


def build_html(found: BuildReport) -> str:
    """The counts of a build."""
    return table_html([{**found.moves(), **found.counts}], caption=found.output)


def table_html(rows: list[dict[str, Any]], caption: str = "") -> str:
    """Rows as an HTML table; every value is escaped.

    >>> table_html([{"name": "<b>", "f1": 0.51239}])
    '<table><thead><tr><th>name</th><th>f1</th></tr></thead><tbody><tr><td>&lt;b&gt;</td><td>0.5124</td></tr></tbody></table>'
    """
    head = "".join(f"<th>{escape(str(name))}</th>" for name in (rows[0] if rows else ()))
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(_cell(value))}</td>' for value in row.values())}</tr>" for row in rows
    )
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)
