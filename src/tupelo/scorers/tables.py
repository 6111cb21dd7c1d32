"""Figures of several systems as one table: text, Markdown, LaTeX or HTML; and HTML pages that stand alone."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from tupelo.core.results import Tabular
from tupelo.scorers.result import Score
from tupelo.web.page import page_head

_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "–": "--",
        "Δ": r"$\Delta$",
        "±": r"$\pm$",
        **{mark: f"\\{mark}" for mark in "&%$#_{}"},
    }
)


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A header and rows of text. All columns but the first hold numbers."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()

    def text(self) -> str:
        widths = [max(len(row[column]) for row in (self.header, *self.rows)) for column in range(len(self.header))]

        def line(row: Sequence[str]) -> str:
            cells = [
                row[0].ljust(widths[0]),
                *(text.rjust(width) for text, width in zip(row[1:], widths[1:], strict=True)),
            ]
            return "  ".join(cells).rstrip()

        ruler = "  ".join("-" * width for width in widths)
        notes = ["", *self.notes] if self.notes else []
        return "\n".join([line(self.header), ruler, *map(line, self.rows), *notes]) + "\n"

    def markdown(self) -> str:
        def line(row: Sequence[str]) -> str:
            return "| " + " | ".join(text.replace("|", "\\|") for text in row) + " |"

        ruler = "| --- |" + " ---: |" * (len(self.header) - 1)
        notes = [f"`{note}`  " for note in self.notes]
        return "\n".join([line(self.header), ruler, *map(line, self.rows), *([""] if notes else []), *notes]) + "\n"

    def latex(self) -> str:
        """A `tabular` for the package booktabs; notes are comments before it."""

        def line(row: Sequence[str]) -> str:
            return " & ".join(text.translate(_LATEX) for text in row) + r" \\"

        notes = [f"% {note}" for note in self.notes]
        begin = rf"\begin{{tabular}}{{l{'r' * (len(self.header) - 1)}}}"
        body = [r"\toprule", line(self.header), r"\midrule", *map(line, self.rows), r"\bottomrule"]
        return "\n".join([*notes, begin, *body, r"\end{tabular}"]) + "\n"

    def html(self, title: str) -> str:
        return page(title, self.fragment())

    def fragment(self, with_notes: bool = True) -> str:
        """The table as a part of a page; notebooks show it."""
        notes = "".join(f"<p><code>{escape(note)}</code></p>" for note in self.notes) if with_notes else ""
        return table(self.header, self.rows, range(1, len(self.header))) + notes


@dataclass(frozen=True, slots=True)
class Leaderboard(Tabular):
    """The scores of several systems, best first; `skipped` are the faulty lines of all files."""

    scorer: str
    scores: Mapping[str, Score]
    skipped: Sequence[Exception] = field(default=(), repr=False)

    def to_dict(self) -> list[dict[str, Any]]:
        """A summary of each system, in order."""
        return [{"system": name, **Score.to_dict(score)} for name, score in self.scores.items()]

    rows = to_dict

    def remarks(self) -> list[str]:
        """What a reader of the figures should know besides."""
        return [f"{name}: {remark}" for name, score in self.scores.items() for remark in score.remarks()]

    def table(self) -> ReportTable:
        """Percentages with one digit; signatures below."""
        scores = self.scores
        with_auc = any(score.auc is not None for score in scores.values())
        header = ("system", "P", "R", "F1", *(("AUC",) if with_auc else ()), "tuples")
        rows = tuple(
            (
                name,
                percent(score.precision),
                percent(score.recall),
                percent(score.f1),
                *((percent(score.auc),) if with_auc else ()),
                f"{score.predicted:,}",
            )
            for name, score in scores.items()
        )
        return ReportTable(header, rows, tuple(score.signature for score in scores.values()))

    def __str__(self) -> str:
        return self.table().text().rstrip("\n")

    def _repr_html_(self) -> str:
        return self.table().fragment()

    def markdown(self) -> str:
        """The table as Markdown."""
        return self.table().markdown()

    def latex(self) -> str:
        """The table as LaTeX."""
        return self.table().latex()

    def page(self) -> str:
        """The table as a web page."""
        return self.table().html(f"{self.scorer} leaderboard")

    def plot(self, image_type: str = "png", title: str | None = None) -> bytes:
        """All precision-recall curves in one picture: `png`, `svg` or `pdf`."""
        from tupelo.show.plots import draw_curves

        return draw_curves(self.scores, image_type, self.scorer if title is None else title)


def percent(value: float | None) -> str:
    """One digit after the point; `–` for what was not measured."""
    return "–" if value is None else f"{100 * value:.1f}"


_STYLE = """
body.page { max-width: 72rem } table { width: 100% } th, td { padding: .3rem .6rem }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums }
section table { table-layout: fixed } section th:last-child { width: 12rem } section h2 { margin: 0 }
code { font-size: .85rem; overflow-wrap: anywhere }
section { background: var(--card); border: 1px solid var(--line); border-radius: .7rem; padding: .8rem 1rem;
  margin: 1rem 0 }
mark { background: var(--good-tint); color: inherit; padding: 0 .1rem }
.figures { color: var(--soft); font-variant-numeric: tabular-nums }
.slot + .slot::before { content: " ; "; opacity: .5 } .relation { font-weight: 600 }
.error { display: inline-block; border: 1px solid; color: var(--bad); border-radius: 1rem; font-size: .8rem;
  padding: 0 .5rem; margin: 0 .2rem .2rem 0; white-space: nowrap }
.fine { color: var(--good) }
label { display: inline-flex; gap: .35rem; align-items: center; margin-right: .8rem; white-space: nowrap }
"""


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
