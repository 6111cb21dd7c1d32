"""Figures of several systems as one table: text, Markdown, HTML or LaTeX."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from tupelo.score.html import page, table
from tupelo.score.result import Score


@dataclass(frozen=True, slots=True)
class Table:
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
        return "\n".join([line(self.header), ruler, *map(line, self.rows), *self._notes_after_blank()]) + "\n"

    def markdown(self) -> str:
        def line(row: Sequence[str]) -> str:
            return "| " + " | ".join(text.replace("|", "\\|") for text in row) + " |"

        ruler = "| --- |" + " ---: |" * (len(self.header) - 1)
        notes = [f"`{note}`  " for note in self.notes]
        return "\n".join([line(self.header), ruler, *map(line, self.rows), *([""] if notes else []), *notes]) + "\n"

    def html(self, title: str) -> str:
        numeric = frozenset(range(1, len(self.header)))
        notes = "".join(f"<p><code>{escape(note)}</code></p>" for note in self.notes)
        return page(title, table(list(self.header), [list(row) for row in self.rows], numeric) + notes)

    def _notes_after_blank(self) -> list[str]:
        return ["", *self.notes] if self.notes else []


def leaderboard_table(scores: Mapping[str, Score]) -> Table:
    """Systems in the order given; percentages with one digit; signatures below."""
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
    return Table(header, rows, tuple(score.signature for score in scores.values()))


def percent(value: float | None) -> str:
    """One digit after the point; `–` for what was not measured."""
    return "–" if value is None else f"{100 * value:.1f}"
