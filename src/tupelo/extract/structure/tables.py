"""Tables: which column names what a row is about, what the other columns say of it, and which rows sum up."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from tupelo.core import SentenceTuples
from tupelo.core.blocks import CELL_SEPARATOR, Block, is_number
from tupelo.extract.structure.labels import (
    column_relation,
    is_amount,
    is_name,
    is_naming,
    is_price,
    label_relation,
    time_relation,
    values_of,
)
from tupelo.extract.structure.sentences import (
    EMPTY,
    TOTALS,
    Line,
    Place,
    StructuredText,
    Wording,
    in_context,
    is_sentence,
)
from tupelo.nlp.languages import words

Row = list[tuple[str, Place]]
_TIME = re.compile(
    r"(?:FY\s?)?(?:19|20)\d\d(?:[/–-]\d{2,4})?|Q[1-4](?:\s(?:19|20)\d\d)?|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?"
    r"(?:\s(?:19|20)\d\d)?|H[12](?:[\s/](?:(?:19|20)\d\d|\d\d))?",
    re.IGNORECASE,
)
_YEARS = re.compile(r"(?:\w{3,9}\.? )?(?:19|20)\d\d(?: ?[/–-] ?(?:(?:\w{3,9}\.? )?(?:19|20)?\d\d|\w{3,9})?)?")
_RULER = re.compile(r"[\s:|+=_-]*")
_NUMBERING, _KEYS, _COMPARED = (words("structure", name) for name in ("numbering", "key_columns", "compared"))
_YES, _NO = words("structure", "yes"), words("structure", "no")
# Columns are judged by the first rows.
_SAMPLE = 30
_LEAST_ALIGNED, _LEAST_ROWS, _REPEATED = 3, 4, 0.3
_LONGEST_CODE, _MOST_CAPTION_WORDS = 3, 8
_TABLE_NUMBER = re.compile(r"(?i)^(?:table|tab\.?|figure|fig\.?) ?[\d.]*[:.]? *")
# A column names rows if this share of its cells differ.
_DISTINCT = 0.9
_DAY = re.compile(
    r"\d{4}-\d\d(?:-\d\d)?(?:[T ]\d\d:\d\d(?::\d\d)?)?|\d{1,2}[./]\d{1,2}[./](?:\d{2,4})?"
    r"|(?:\w{3,9}\.?,? )?\d{1,2}\.? (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?(?: \d{4})?"
)
_DATE = re.compile(r"\d{4}-\d\d(?:-\d\d)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}")


def table_tuples(text: StructuredText, block: Block) -> Iterator[SentenceTuples]:
    """One sentence per row; the header and rows that state nothing have no tuples.

    Beside a cell that is prose, each other cell of a row that states nothing is a sentence of its own.
    """
    if _is_list_of_pairs(block):
        block = replace(block, header=0, labels=())
    written = list(text.rows(block))
    every = _aligned(text, written)
    rows = [row for row in every[block.header :] if _says_something(row)]
    units = rows.pop(0) if len(rows) > _LEAST_ROWS and _is_of_units(rows) else None
    about = text.about(block.path)
    reader = _Table(text, block, rows, about) if rows else None
    for number, (row, cells) in enumerate(zip(every, written, strict=True)):
        if not _says_something(cells):
            continue
        filled = [place for cell, place in cells if cell]
        line = text.line(filled[0][0], filled[-1][1])
        if reader is not None and number >= block.header and row is not units:
            reader.read(line, row)
        if line or not any(is_sentence(cell) for cell, _ in cells):
            yield line.sentence()
        else:
            yield from (text.line(*place).sentence() for cell, place in cells if cell and not is_sentence(cell))


def _says_something(row: Row) -> bool:
    return not all(_RULER.fullmatch(cell) for cell, _ in row)


def _is_of_units(rows: Sequence[Row]) -> bool:
    """Whether the first row has words where the others have numbers: the units of the columns."""
    numbers = [place for place, is_numeric in enumerate(_shape(rows[1:])) if is_numeric]
    first = [rows[0][place][0] for place in numbers if place < len(rows[0])]
    return len(numbers) > 1 and all(cell and not any(map(str.isdigit, cell)) for cell in first) and bool(first)


def _aligned(text: StructuredText, rows: list[Row]) -> list[Row]:
    """The rows of a table in plain text, where short ones have empty cells below the columns that they leave out."""
    width = max(map(len, rows))
    full = next((row for row in reversed(rows) if len(row) == width), None)
    if full is None or width < _LEAST_ALIGNED or CELL_SEPARATOR in text.at(*text.place):
        return rows
    lines = {row[0][1][0]: text.line_start(row[0][1][0]) for row in rows}
    ends = [place[1] - lines[full[0][1][0]] for _, place in full]
    starts = [place[0] - lines[full[0][1][0]] for _, place in full]
    found: list[Row] = []
    for row in rows:
        if not 1 < len(row) < width:
            found.append(row)
            continue
        aligned: Row = [("", (row[-1][1][1], row[-1][1][1]))] * width
        least = 0
        for cell, (start, end) in row:
            begin = lines[row[0][1][0]]
            if least < width:
                best = min(
                    range(least, width),
                    key=lambda at: min(abs(starts[at] - start + begin), abs(ends[at] - end + begin)),
                )
                aligned[best] = (cell, (start, end))
                least = best + 1
        found.append(aligned)
    return found


def _shape(rows: Sequence[Row]) -> tuple[bool, ...]:
    """For each column whether its cells are numbers."""
    width = max(map(len, rows))
    return tuple(
        all(is_number(row[place][0]) for row in rows[:_SAMPLE] if place < len(row) and row[place][0])
        for place in range(width)
    )


def _is_list_of_pairs(block: Block) -> bool:
    """Whether the header of two columns is a label and its value, as the rows below it are."""
    if len(block.labels) != 2:
        return False
    first, second = block.labels
    names = [word for word in second.split() if word[:1].isupper()]
    return not first or (not second and bool(first)) or len(names) > 1 or any(map(str.isdigit, second))


class _Table:
    """The reading of a table: the labels of its columns, and the column that names what rows are about."""

    def __init__(self, text: StructuredText, block: Block, rows: Sequence[Row], about: str | None) -> None:
        self._text = text
        width = max(map(len, rows))
        self._labels = [label.strip() for label in block.labels or text.columns.get(_shape(rows), ())]
        if block.labels:
            # Further tables of this shape without labels, in other sections, have the same columns.
            text.columns[_shape(rows)] = block.labels
        self._about = about
        # Whether a row has named it.
        self._is_named = False
        self._path = block.path
        # The relation of a row of a period and a remark to the subject of the table.
        self._event = f"has {block.path[-1].lower()}" if block.path else "has event"
        self._labels += [""] * (width - len(self._labels))
        self._times = [place for place, label in enumerate(self._labels) if place and _TIME.fullmatch(label)]
        self._key = self._key_column(rows[:_SAMPLE], width)
        self._labels.append("")
        self._is_numbered = self._is_numeric(rows[:_SAMPLE], self._key)
        keys = [row[self._key][0] for row in rows[:_SAMPLE] if self._key < len(row)]
        self._repeats = len(set(keys)) < _DISTINCT * len(keys)
        self._time_column = self._time_of(rows[:_SAMPLE])
        first = self._labels[0].lower() if self._labels else ""
        others = [label for label in self._labels[1:] if label]
        self._is_compared = (
            any(self._labels)
            and (first in _COMPARED or (not first and not self._times))
            and len(others) > 1
            and all(label[:1].isupper() or label[:1].isdigit() for label in others)
        )

    def _key_column(self, rows: Sequence[Row], width: int) -> int:
        """The first column of words that does not number the rows; one of which most cells differ comes first."""
        named = [
            place
            for place in range(width)
            if self._labels[place].lower() not in _NUMBERING and not self._is_numeric(rows, place, is_amount)
        ]
        for place in named[:3]:
            cells = [row[place][0] for row in rows if place < len(row) and row[place][0]]
            if len(set(cells)) >= _DISTINCT * len(cells):
                return place
        if named and len(rows) > _LEAST_ROWS:
            cells = [row[named[0]][0] for row in rows if named[0] < len(row)]
            if len(set(cells)) < _REPEATED * len(cells):
                # The same on most rows: another column has to tell them apart, by words.
                for place in named[1:]:
                    cells = [row[place][0] for row in rows if place < len(row) and row[place][0]]
                    if len(set(cells)) >= _DISTINCT * len(cells):
                        return place
                return width
        return named[0] if named else 0

    def _subject(self, row: Row) -> Wording:
        """The cell that names a row, with the one after it where the first does not tell rows apart."""
        key = row[self._key][1]
        code = row[self._key][0]
        is_code = len(code) <= _LONGEST_CODE and not any(map(str.islower, code))
        if self._labels[self._key] and (is_code or (self._is_numbered and is_number(code))):
            return [self._labels[self._key].lower(), key]
        second = self._key + 1
        if self._repeats and second < len(row) and row[second][0] and not is_number(row[second][0]):
            return [key, row[second][1]]
        return key

    def _time_of(self, rows: Sequence[Row]) -> int | None:
        """The first column, if it has years or periods and the table is about something."""
        cells = [row[0][0] for row in rows if row and row[0][0]]
        width = max(map(len, rows))
        forms = [_YEARS, _DAY] if all(self._is_numeric(rows, place) for place in range(1, width)) else [_YEARS]
        times = sum(any(form.fullmatch(cell) for form in forms) for cell in cells)
        is_time = self._labels[0] and times > len(cells) / 2 and len(set(cells)) >= _REPEATED * len(cells)
        return 0 if is_time else None

    @staticmethod
    def _is_numeric(rows: Sequence[Row], place: int, form: Callable[[str], bool] = is_number) -> bool:
        cells = [row[place][0] for row in rows if place < len(row) and row[place][0]]
        return bool(cells) and sum(map(form, cells)) > len(cells) / 2

    def read(self, line: Line, row: Row) -> None:
        """Add the tuples of a row."""
        if not any(self._labels):
            self._read_pairs(line, row)
        elif self._is_compared:
            self._read_compared(line, row)
        elif self._time_column is not None and self._time_column < len(row) and row[self._time_column][0]:
            self._read_event(line, row)
        elif self._key < len(row) and row[self._key][0]:
            key, place = row[self._key]
            is_total = key.lower().strip(" :") in TOTALS
            if len(self._times) > 1:
                self._read_series(line, row, key, place, is_total)
            elif is_total:
                self._read_total(line, row, place)
            else:
                self._read_cells(line, row, self._subject(row))

    def _read_pairs(self, line: Line, row: Row) -> None:
        """A table without labels of columns: the first cell of a row is a label."""
        cells = [(value, place) for value, place in row[1:] if value and value.lower() not in EMPTY]
        label, label_place = row[0]
        if not label or not cells or is_sentence(cells[0][0]) or len(label.split()) > 6:
            return
        if self._about is not None and _YEARS.fullmatch(label):
            line.add("table/cell", self._about, self._event, *(place for _, place in cells), (label_place, "time"))
            return
        if self._about is not None and self._text.is_cv and _YEARS.fullmatch(cells[-1][0]):
            *others, (_, when) = cells
            line.add(
                "table/cell", self._about, self._event, label_place, *(place for _, place in others), (when, "time")
            )
            return
        if is_number(label) and not (_TIME.fullmatch(label) or any(map(str.isalpha, label))):
            return
        value, value_place = cells[0]
        if len(cells) == 1 and is_price(label, value, self._path):
            line.add("price", label_place, "costs", value_place)
            return
        about, places = self._about, [place for _, place in cells]
        relation_of_time = None if about is None else time_relation(label, about, self._path)

        def alone() -> None:
            form = "is" if len(cells) == 1 else "is listed with"
            line.add(
                "label/alone" if len(cells) == 1 else "table/cell", label_place, form, *places, in_context(about)
            )

        def of_subject() -> None:
            if about is None:
                return
            if relation_of_time is not None:
                line.add("label", about, relation_of_time, *places, (label_place, "time"))
                return
            relation, unit = label_relation(label, label_place)
            if len(cells) > 1 and self._text.is_cv:
                line.add("cv", about, self._event, label_place, *places)
            elif len(cells) > 1:
                line.add("label", about, relation, *places)
            else:
                for place in values_of(label, value, value_place[0]):
                    line.add("label", about, relation, [place, unit] if unit else place)

        least = 0.0 if self._is_named else self._text.trusted(about, relation_of_time)
        line.likeliest(of_subject, alone, least=least)
        if is_naming(label.rstrip(": ")) and is_name(value):
            # The rows below are about what has the name.
            self._text.narrow(self._about)
            self._about, self._is_named = value, True

    def _read_event(self, line: Line, row: Row) -> None:
        """A row with a time first, in a table about somebody: *2011–2013, cook, Le Petit Four*."""
        others = [
            (number, place)
            for number, (value, place) in enumerate(row)
            if number != self._time_column and value and value.lower() not in EMPTY and self._labels[number]
        ]
        if not others or self._time_column is None:
            return
        time = (row[self._time_column][1], "time")
        numbers = [number for number, _ in others if not is_number(row[number][0])]
        if self._about is None:
            # The thing counted is the subject, since nothing else is.
            for number, place in others:
                unit = column_relation(self._labels[number])[1]
                measure = self._labels[number].removesuffix(f"({unit})").strip()
                line.add("table/series", measure, "is", self._with_unit(row[number][0], place, unit), time)
        elif numbers:
            relation = column_relation(self._labels[numbers[0]])[0]
            ordered = sorted(others, key=lambda item: item[0] != numbers[0])
            line.add("table/cell", self._about, relation, *(place for _, place in ordered), time)
        else:
            for number, place in others:
                relation, unit = column_relation(self._labels[number])
                line.add("table/series", self._about, relation, self._with_unit(row[number][0], place, unit), time)

    def _read_cells(self, line: Line, row: Row, subject: Wording) -> None:
        for number, (value, place) in enumerate(row):
            label = self._labels[number]
            if number == self._key or not label or not value or value.lower() in EMPTY or is_sentence(value):
                continue
            if label.lower() in _NUMBERING and label.lower() not in ("sku", "code", "id"):
                continue
            relation, unit = column_relation(label)
            if value.lower() in _YES | _NO:
                has = relation if relation.startswith(("is ", "was ")) else "has"
                said = label if has == "has" else None
                line.add("table/cell", subject, has, said, negated=value.lower() in _NO or None)
                continue
            wording = self._with_unit(value, place, unit)
            when = next((((at, "time")) for cell, at in row if _DATE.fullmatch(cell) and at != place), None)
            for one in values_of(label, value, place[0]) if wording == place else [wording]:
                line.add("table/cell", subject, relation, one, when)

    def _read_total(self, line: Line, row: Row, key: Place) -> None:
        for number, (value, place) in enumerate(row):
            label = self._labels[number]
            if number != self._key and label and value and is_number(value):
                relation, unit = column_relation(label)
                relation = relation.removeprefix("has ")
                subject = self._about or f"all {self._labels[self._key].lower() or 'rows'}"
                line.add("table/total", subject, ["has", key, relation], self._with_unit(value, place, unit))

    def _read_series(self, line: Line, row: Row, key: str, key_place: Place, is_total: bool) -> None:
        """Columns that are years: a measure of what the table is about, or of what the row names."""
        head = self._labels[self._key]
        measure, unit_of_all = self._measure()
        is_measure = self._about is not None and (key[1:].islower() or is_total) and head.lower() not in _KEYS
        # A caption with a unit says what is measured, and the rows are things.
        is_measure = is_measure and not (head and unit_of_all and not is_total)
        for number in self._times:
            if number >= len(row) or not row[number][0] or row[number][0].lower() in EMPTY:
                continue
            value, place = row[number]
            time = ([self._labels[number]], "time")
            if is_measure and self._about is not None:
                relation, unit = label_relation(key, key_place)
                line.add("table/series", self._about, relation, self._with_unit(value, place, unit), time)
            else:
                line.add("table/series", key_place, measure, self._with_unit(value, place, unit_of_all), time)

    def _measure(self) -> tuple[str, str]:
        """The quantity that the caption says is measured, and its unit: *Table 1: Goods handled (tonnes)*."""
        caption = _TABLE_NUMBER.sub("", self._text.lead or "").strip(" .:")
        if not 0 < len(caption.split()) < _MOST_CAPTION_WORDS:
            return "is", ""
        return column_relation(caption)

    def _read_compared(self, line: Line, row: Row) -> None:
        """Columns that are things, rows that are their properties."""
        label, label_place = row[0]
        if not label:
            return
        relation, unit = label_relation(label, label_place)
        for number, (value, place) in enumerate(row[1:], start=1):
            thing = self._labels[number]
            if not thing or not value or (value.lower() in EMPTY and value.lower() not in _NO):
                continue
            if value.lower() in _YES | _NO:
                line.add("table/compared", thing, "has", label_place, negated=value.lower() in _NO or None)
            else:
                line.add("table/compared", thing, relation, self._with_unit(value, place, unit))

    @staticmethod
    def _with_unit(value: str, place: Place, unit: str) -> Place | list[Place | str]:
        return [place, unit] if unit and is_number(value) and not value.endswith(unit) else place
