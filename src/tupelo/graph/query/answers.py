"""Query results as a table: for people, as plain values, as CSV, in a notebook."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tupelo.core.registry import view
from tupelo.core.results import ResultList, Tabular, csv_text, printable, values_of

_WIDEST = 60
# The role of the mark of an answer in the sentence that states it.
ANSWER = "answer"


def quoted(sentence: str, source: str, position: int) -> str:
    """A sentence and where it is, sentences counted from 1."""
    return f"“{sentence}” ({source}:{position + 1})"


@dataclass(frozen=True, slots=True)
class Evidence:
    """A sentence that states an edge. `marks` are characters `[start, end)` of the sentence with their role."""

    edge_id: str
    tuple_id: str
    sentence: str
    source: str
    position: int
    confidence: float | None
    speaker: str | None
    speech_verb: str | None
    marks: tuple[tuple[int, int, str], ...] = ()

    @property
    def quotation(self) -> str:
        """The sentence and its place; the words of an answer in it stand between ‹ and ›."""
        said = self.sentence
        for start, end in (mark[:2] for mark in self.marks if mark[2] == ANSWER):
            said = f"{said[:start]}‹{said[start:end]}›{said[end:]}"
        return quoted(said, self.source, self.position)

    def __str__(self) -> str:
        return f"{self.quotation[:-1]}, says {self.speaker})" if self.speaker else self.quotation

    def to_dict(self) -> dict[str, Any]:
        marks = [{"start": start, "end": end, "role": role} for start, end, role in self.marks]
        said = values_of(self, "sentence", "source", "position", "confidence", "speaker", "speech_verb")
        return {**said, "marks": marks}


class PlainValue:
    """A dataclass as a dictionary of its fields: values in it as theirs, tuples as lists."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        return {name: _listed(getattr(self, name)) for name in getattr(self, "__dataclass_fields__", ())}


def _listed(value: object) -> object:
    if isinstance(value, PlainValue):
        return value.to_dict()
    return [_listed(part) for part in value] if isinstance(value, tuple) else value


Value = TypeVar("Value", bound=PlainValue)


class PlainList(ResultList[Value]):
    """A result that is a list of plain values, under `name`; `nothing` is printed where it is empty."""

    __slots__ = ()
    name = ""
    nothing = ""

    def to_dict(self) -> dict[str, Any]:
        return {self.name: [one.to_dict() for one in self]}

    def page(self, title: str) -> str:
        """All rows as one HTML document without script."""
        return view(self, "page", title)

    def __str__(self) -> str:
        return "\n\n".join(map(str, self)) or self.nothing


class AnswerItem:
    """One answer: a row of cells, the sentences behind it, notes printed below it, and all of it as plain values."""

    __slots__ = ()

    @property
    def cells(self) -> tuple[object, ...]:
        raise NotImplementedError  # pragma: no cover

    @property
    def sentences(self) -> Sequence[Evidence]:
        return ()

    @property
    def notes(self) -> Sequence[str]:
        return ()

    @property
    def details(self) -> Mapping[str, Any]:
        """Columns of a data frame besides the cells."""
        return {}

    def to_dict(self) -> dict[str, Any]:
        raise NotImplementedError  # pragma: no cover


@dataclass(frozen=True, slots=True)
class PlainRow(AnswerItem):
    """A row of a SQL or SPARQL result."""

    columns: tuple[str, ...]
    values: tuple[Any, ...]

    @property
    def cells(self) -> tuple[object, ...]:
        return self.values

    def __getitem__(self, column: str) -> Any:
        return self.values[self.columns.index(column)]

    def to_dict(self) -> dict[str, Any]:
        return {name: _plain(value) for name, value in zip(self.columns, self.values, strict=True)}


@dataclass(frozen=True, slots=True, repr=False)
class AnswerTable(Tabular):
    """All answers to one question, in order.

    `about` holds information about the whole table, `remarks` what somebody who asked should know: that a name means
    several things, or what the graph knows instead of an answer.
    """

    columns: tuple[str, ...]
    items: tuple[AnswerItem, ...]
    about: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Any]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, place: int) -> Any:
        return self.items[place]

    def rows(self) -> list[dict[str, Any]]:
        return [
            {name: _plain(cell) for name, cell in zip(self.columns, item.cells, strict=True)} for item in self.items
        ]

    def frame_rows(self) -> list[dict[str, Any]]:
        return [{**row, **item.details} for row, item in zip(self.rows(), self.items, strict=True)]

    def __repr__(self) -> str:
        return f"<AnswerTable: {len(self.items):,} of {', '.join(self.columns)}>"

    def to_dict(self) -> dict[str, Any]:
        answers = [item.to_dict() for item in self.items]
        remarks = {"remarks": list(self.remarks)} if self.remarks else {}
        return {**self.about, "columns": list(self.columns), "answers": answers, **remarks}

    def page(self, title: str) -> str:
        """All rows as one HTML document without script."""
        return view(self, "page", title)

    def to_csv(self) -> str:
        """One line per answer; with evidence, one line per sentence. Formulas are text: see `csv_text`."""
        with_sentences = any(item.sentences for item in self.items)
        columns = [*self.columns, *(("sentence", "source") if with_sentences else ())]
        rows: list[tuple[object, ...]] = []
        for item in self.items:
            for said in item.sentences or (None,):
                where = (said.sentence, said.source) if said else (None, None)
                rows.append((*item.cells, *(where if with_sentences else ())))
        return csv_text(columns, rows)

    def __str__(self) -> str:
        remarks = [printable(remark) for remark in self.remarks]
        if not self.items:
            return "\n".join(["no answer", *remarks])
        rows = [item.cells for item in self.items]
        # An empty column would only waste space.
        kept = [at for at in range(len(self.columns)) if any(cells[at] not in (None, "") for cells in rows)]
        header = [self.columns[at] for at in kept]
        shown = [[_shown(cells[at]) for at in kept] for cells in rows]
        numeric = [all(type(cells[at]) in (int, float) for cells in rows) for at in kept]
        widths = [max(len(name), *(len(row[at]) for row in shown)) for at, name in enumerate(header)]

        def text(row: Sequence[str]) -> str:
            columns = zip(row, widths, numeric, strict=True)
            padded = (cell.rjust(width) if right else cell.ljust(width) for cell, width, right in columns)
            return "  ".join(padded).rstrip()

        lines = [text(header), "  ".join("-" * width for width in widths)]
        printed: set[str] = set()
        for row, item in zip(shown, self.items, strict=True):
            lines.append(text(row))
            # Several rows may be of one sentence, which is printed once.
            lines += (f"    {printable(note)}" for note in item.notes if note not in printed)
            printed.update(item.notes)
            lines += (f"    {printable(str(said))}" for said in item.sentences)
        return "\n".join([*lines, *([""] if remarks else []), *remarks])


def _plain(cell: object) -> object:
    return cell if isinstance(cell, int | float | str | bool | list | dict | None) else str(cell)


def _shown(cell: object) -> str:
    if cell is None:
        return ""
    text = printable(f"{cell:.3f}".rstrip("0").rstrip(".") if isinstance(cell, float) else str(cell))
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"
