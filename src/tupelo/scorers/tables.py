"""Figures of several systems as one table: text, Markdown or LaTeX."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tupelo.core.registry import Shown, picture, view
from tupelo.core.results import Tabular
from tupelo.scorers.result import FIGURES, Score

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
class ReportTable(Shown):
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


class Reported(Tabular):
    """A result that people read as a table."""

    __slots__ = ()

    def table(self) -> ReportTable:
        """The table, with what is to be known besides as notes."""
        raise NotImplementedError  # pragma: no cover

    def __str__(self) -> str:
        return self.table().text().rstrip("\n")


@dataclass(frozen=True, slots=True)
class Leaderboard(Reported):
    """The scores of several systems, best first; `skipped` are the faulty lines of all files."""

    scorer: str
    scores: Mapping[str, Score]
    skipped: Sequence[Exception] = field(default=(), repr=False)

    def to_dict(self) -> list[dict[str, Any]]:
        """A summary of each system, in order."""
        return [{"system": name, **Score.to_dict(score)} for name, score in self.scores.items()]

    rows = to_dict

    def remarks(self) -> list[str]:
        """Remarks for a reader of the figures."""
        return [f"{name}: {remark}" for name, score in self.scores.items() for remark in score.remarks()]

    def table(self) -> ReportTable:
        """Percentages with one digit; signatures below."""
        titles = dict(zip(FIGURES, ("P", "R", "F1", "AUC"), strict=True))
        if all(score.auc is None for score in self.scores.values()):
            del titles["auc"]
        rows = tuple(
            (name, *(percent(getattr(score, figure)) for figure in titles), f"{score.predicted:,}")
            for name, score in self.scores.items()
        )
        signatures = tuple(score.signature for score in self.scores.values())
        return ReportTable(("system", *titles.values(), "tuples"), rows, signatures)

    def markdown(self) -> str:
        """The table as Markdown."""
        return self.table().markdown()

    def latex(self) -> str:
        """The table as LaTeX."""
        return self.table().latex()

    def page(self) -> str:
        """The table as a web page."""
        return view(self, "page")

    def plot(self, image_type: str = "png", title: str | None = None) -> bytes:
        """All precision-recall curves in one picture: `png`, `svg` or `pdf`."""
        return picture(self, image_type, self.scorer if title is None else title)


def percent(value: float | None) -> str:
    """One digit after the point; `–` for what was not measured."""
    return "–" if value is None else f"{100 * value:.1f}"
