"""Tables of values: CSV, TSV and Excel files, each sheet a table."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from itertools import takewhile, zip_longest
from pathlib import PurePath
from typing import IO, Any

from tupelo.core import FormatError, MissingExtraError
from tupelo.core.blocks import is_number
from tupelo.io.archives import check_parts
from tupelo.io.documents import UTF8, Found, Reading
from tupelo.io.documents.layout import Layout, header_rows
from tupelo.io.documents.markup import decode
from tupelo.io.documents.office import naming_broken

_DELIMITERS = ("\t", ";", ",", "|")
_SAMPLE_LINES = 20
_MARKS = re.compile(r"[_\W]+")
_SEPARATOR = re.compile(r"sep=.?")
_UNKNOWN = re.compile(r"(?i)n/?a|tb[ad]|none|unknown|[\W_]+")
_UNNAMED = re.compile(r"(?:Sheet|Table)\d*")
# More than any row has; a quotation mark that nobody closed takes everything up to it.
_LONGEST_CELL = 1 << 20


def read_csv(stream: IO[bytes], source: str, reading: Reading) -> Iterator[Found]:
    """The whole file as one table; the title is the name of the file."""
    text = decode(reading.whole(stream, source), source, (UTF8, reading.encoding))
    csv.field_size_limit(_LONGEST_CELL)
    delimiter = _delimiter(text, source)
    rows = csv.reader(text.split("\n"), delimiter=delimiter)
    try:
        found = [[cell.strip() for cell in row] for row in rows]
    except csv.Error as error:
        raise FormatError(source, rows.line_num, str(error), "a table with one row a line") from None
    layout = Layout(source, reading)
    _lay_out_sheet(layout, [row for row in found if not (any(row) and _SEPARATOR.fullmatch("".join(row)))])
    yield layout.document("text/csv", title_of(source))


def title_of(source: str) -> str:
    """The name of a file as a title: `price_list-2024.csv` is *price list 2024*."""
    return _MARKS.sub(" ", PurePath(source).name.partition(".")[0]).strip()


def _delimiter(text: str, source: str) -> str:
    """The mark that divides most of the first lines into the same number of cells."""
    lines = [line for line in text[:20_000].split("\n")[:_SAMPLE_LINES] if line.strip()]
    if ".tsv" in PurePath(source).suffixes:
        return "\t"

    def regular(mark: str) -> tuple[int, int]:
        counts = [len(row) for row in csv.reader(lines, delimiter=mark)]
        usual = max(set(counts), key=counts.count, default=1)
        return (counts.count(usual) if usual > 1 else 0, usual)

    try:
        return max(_DELIMITERS, key=regular)
    except csv.Error:
        return ","


def read_xlsx(stream: IO[bytes], source: str, reading: Reading) -> Iterator[Found]:
    """All sheets of a workbook as one document: a heading and a table each. Formulas have their last values."""
    try:
        import openpyxl
    except ImportError as error:
        raise MissingExtraError(f"{source}: Excel", "documents") from error
    with naming_broken(source, "Excel file", "a complete .xlsx"):
        check_parts(stream, source, reading.limits)
        book = openpyxl.load_workbook(stream, read_only=True, data_only=True)
        layout = Layout(source, reading)
        several = len(book.worksheets) > 1
        for sheet in book.worksheets:
            if several or not _UNNAMED.fullmatch(sheet.title):
                layout.heading(sheet.title, 2)
            rows = ([_written(value) for value in row] for row in sheet.iter_rows(values_only=True))
            _lay_out_sheet(layout, list(rows))
        title, created = book.properties.title, book.properties.created
        book.close()
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    yield layout.document(kind, title or title_of(source), created.date().isoformat() if created else None)


def _lay_out_sheet(layout: Layout, rows: list[list[str]]) -> None:
    """The tables of a sheet: below an empty row, there may be a title, or the labels of other columns."""
    filled = [sum(map(bool, row)) for row in rows]
    begin = 0
    for number in range(2, len(rows)):
        first = number - (filled[number - 1] == 1)
        is_apart = first < number or filled[number] != filled[number - 2]
        if is_apart and not filled[first - 1] and _has_labels(rows[number : number + _SAMPLE_LINES]):
            _lay_out_table(layout, [row for row in rows[begin:first] if any(row)])
            begin = first
    _lay_out_table(layout, [row for row in rows[begin:] if any(row)])


def _has_labels(rows: list[list[str]]) -> bool:
    """Whether the first row has words where those below, up to an empty one, have numbers in half of the columns."""
    used = [column for column in zip_longest(*takewhile(any, rows), fillvalue="") if any(column)]
    rows = [list(row) for row in zip(*used, strict=True)]
    numeric = [column for column in used if 2 * sum(map(is_number, column[1:])) > sum(map(bool, column[1:]))]
    is_labelled = len(rows) > 1 and header_rows(rows) > 0 and not any(map(_UNKNOWN.fullmatch, rows[0]))
    return is_labelled and 2 * len(numeric) >= len(used)


def _lay_out_table(layout: Layout, rows: list[list[str]]) -> None:
    """A table, after lines of one cell, which are titles and remarks."""
    first = next((number for number, row in enumerate(rows) if sum(map(bool, row)) > 1), len(rows))
    below = rows[first + 1 : first + _SAMPLE_LINES]
    # A title may have a remark beside it.
    first += _has_labels(below) and 2 * sum(map(bool, rows[first])) < sum(map(bool, below[0]))
    for row in rows[:first]:
        for cell in filter(None, row):
            layout.add("paragraph", cell)
    last = len(rows)
    while last > first and sum(map(bool, rows[last - 1])) == 1 and len(max(rows[last - 1], key=len)) > 30:
        last -= 1
    layout.table(rows[first:last])
    for row in rows[last:]:
        layout.add("paragraph", next(filter(None, row)))


def _written(value: Any) -> str:
    """The value of a cell as people write it."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, float):
        return f"{value:.10g}"
    return str(value).removesuffix(" 00:00:00")
