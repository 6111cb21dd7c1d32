"""Tables: which column names what a row is about, what the other columns say of it, and which rows sum up."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile

from tupelo.core import SentenceTuples
from tupelo.core.blocks import CELL_SEPARATOR, Block, is_number
from tupelo.extract.structure.headings import has_word, is_person, is_sentence
from tupelo.extract.structure.labels import (
    add_label,
    column_relation,
    is_name,
    is_naming,
    is_unit,
    label_relation,
    says_of,
    values_of,
)
from tupelo.extract.structure.prices import MONEY_LABELS, PRICE_LISTS, is_amount, is_money, is_price
from tupelo.extract.structure.sentences import EMPTY, PRICE_RELATION, Labelled, Line, Place, StructuredText, Wording
from tupelo.extract.structure.trust import CALENDAR, GENERAL, look
from tupelo.nlp.languages import labels, words

Row = list[tuple[str, Place]]
_YEARS = re.compile(
    r"(?:\w{3,9}\.? )?(?:19|20)\d\d(?: ?[/–-] ?(?:(?:\w{3,9}\.? )?(?:19|20)?\d\d|(?:till |to )?\w{3,9})?)?"
)
_RULER = re.compile(r"[\s:|+=_-]*")
_NUMBERING, _COMPARED = words("structure", "numbering"), words("structure", "compared")
_YES, _NO = words("structure", "yes"), words("structure", "no")
_CODES, _NOBODY = words("structure", "labels_of_codes"), words("structure", "nobody")
_UNIT_COLUMNS, _SPANS = words("structure", "unit_columns"), labels("structure", "spans")
# Numbers and names of plots, rooms and students; not decimals, dates or hours.
_CODE = re.compile(r"[A-Z]{0,3}[-. ]?\d{1,8}(?:[/-]?[A-Za-z]|/\d{1,3})?")
# Parts of one value: *maize, bags*.
_LOWER = re.compile(r"^[a-z]|[,;/] [a-z]")
# Columns are judged by the first rows.
_SAMPLE = 30
_LEAST_ALIGNED, _LEAST_ROWS, _REPEATED, _ALIKE = 3, 4, 0.3, 0.2
_LONGEST_CODE, _MOST_CAPTION_WORDS = 3, 8
_TABLE_NUMBER = re.compile(r"(?i)^(?:table|tab\.?|figure|fig\.?) ?[\d.]*[:.]? *")
# A column names rows if this share of its cells differ and this one has words; else up to three columns do.
_DISTINCT, _FILLED, _MOST_KEYS = 0.9, 0.7, 3
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?"
_DAY = re.compile(
    r"(?:19|20)\d\d-\d\d(?:-\d\d)?(?:[T ]\d\d:\d\d(?::\d\d)?)?|\d{1,2}[./]\d{1,2}[./](?:\d{2,4})?"
    rf"|(?:\w{{3,9}}\.?,? )?\d{{1,2}}\.? {_MONTH}(?: \d{{4}})?"
)
_TIME = re.compile(
    rf"(?:FY\s?)?(?:19|20)\d\d(?:[/–-]\d{{2,4}})?|(?:Q[1-4]|{_MONTH})(?:\s(?:19|20)\d\d)?|{_DAY.pattern}"
    r"|H[12](?:[\s/](?:(?:19|20)\d\d|\d\d))?|before|after|now|day|night|(?:last|this|next) year",
    re.IGNORECASE,
)
_WHEN = re.compile(
    rf"{_YEARS.pattern}|1[5-8]\d\d|{_DAY.pattern}"
    r"|\d{1,2}(?:[:.h]\d\d)?(?: ?[ap]\.?m\.?)?|\d{1,2}[./](?:19|20)?\d\d"
)
_PART_OF = re.compile(r"(?i)[-– ]*(?:of (?:these|which|this)|thereof|including)\b")
_DAYS = CALENDAR | {"date", "when"}
_DATE = re.compile(r"(?:19|20)\d\d-\d\d(?:-\d\d)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}")


def table_tuples(text: StructuredText, block: Block) -> Iterator[SentenceTuples]:
    """One sentence per row; the header and rows that state nothing have no tuples.

    Beside a cell that is prose, each other cell of a row that states nothing is a sentence of its own.
    """
    written: list[Row] = []
    for row in text.rows(block):
        if written and len(row) == 1 and written[-1][-1][0].endswith(","):
            # The line goes on with the last cell of the one above.
            cell, (start, _) = written[-1][-1]
            written[-1][-1] = f"{cell} {row[0][0]}", (start, row[0][1][1])
        else:
            written.append(row)
    is_form = _is_form(block.labels or [cell for cell, _ in written[0]], written)
    if is_form or _is_list_of_pairs(block):
        block = replace(block, header=0, labels=())
    every = _aligned(text, written)
    rows = [row for row in every[block.header :] if _says_something(row)]
    units = rows.pop(0) if len(rows) > _LEAST_ROWS and _is_of_units(rows) else None
    about = text.about(block.path)
    readers = [
        (part, _Table(text, block, [row[part] for row in rows], about, block.labels[part]))
        for part in (_side_by_side(block.labels, rows, is_form) if rows else ())
    ]
    contexts = own = text.contexts
    above = ""
    for number, (row, cells) in enumerate(zip(every, written, strict=True)):
        if not _says_something(cells):
            continue
        filled = [place for cell, place in cells if cell]
        group = _group(cells) if number >= block.header else None
        if group is not None:
            own, row = (group, *contexts), []
        # *of these at night* belongs to the row above.
        is_part = number > block.header and _PART_OF.match(cells[0][0]) is not None
        text.contexts, above = ((above, *own), above) if is_part else (own, cells[0][0])
        line = text.line(filled[0][0], filled[-1][1])
        for part, reader in readers if number >= block.header and row is not units else ():
            if row[part]:
                reader.read(line, row[part])
        if line or not any(is_sentence(cell) for cell, _ in cells):
            yield line.sentence()
        else:
            yield from (text.line(*place).sentence() for cell, place in cells if cell and not is_sentence(cell))


def _group(cells: Row) -> str | None:
    """The words that rows below belong to: the only ones of a row, but no person, or those of all its cells."""
    said = {cell for cell, _ in cells if cell}
    first = cells[0][0]
    is_group = len(cells) > 2 and said == {first} and not (is_number(first) or is_sentence(first))
    return first.strip(" :") if is_group and not is_person(first.split()[0]) else None


def _is_form(labels: Sequence[str], rows: Sequence[Row]) -> bool:
    """Whether labels and values alternate in a row, also in the first one: *Plate, TK-55, Colour, white*."""
    named = [cell for row in rows for cell, _ in row[::2]]
    is_alternating = len(labels) in (4, 6, 8) and len(named) == len(set(named)) and all(map(_has_no_digit, named))
    are_values = all(look(label) not in ("phrase", "lower") and not _TIME.fullmatch(label) for label in labels[1::2])
    return is_alternating and are_values and not _is_by_columns(rows)


def _side_by_side(labels: Sequence[str], rows: Sequence[Row], is_form: bool) -> list[slice]:
    """The columns of the tables that are side by side in one: *Tool, Level, Language, Level*; else all of them."""
    if is_form:
        return [slice(place, place + 2) for place in range(0, max(map(len, rows)), 2)]
    low = [label.strip().lower() for label in labels]
    half = len(low) // 2
    is_double = half > 1 and all(low) and low[1:half] == low[half + 1 :] and max(map(len, rows)) == len(low)
    names = is_double and not any(_is_column_of(rows, place, is_amount) for place in (0, half))
    # If they begin otherwise, a row is also about both: *Buyer, Country, Seller, Country*.
    return [slice(0, half + (low[0] != low[half])), slice(half, None)] if names else [slice(None)]


def _is_column_of(rows: Sequence[Row], place: int, form: Callable[[str], object]) -> bool:
    """Whether most cells of a column have a form."""
    cells = _column(rows, place)
    return bool(cells) and sum(map(bool, map(form, cells))) > len(cells) / 2


def _has_no_digit(cell: str) -> bool:
    return not any(map(str.isdigit, cell))


def _column(rows: Sequence[Row], place: int) -> list[str]:
    return [row[place][0] for row in rows if place < len(row) and row[place][0]]


def _says_something(row: Row) -> bool:
    return not all(_RULER.fullmatch(cell) for cell, _ in row)


def _is_of_units(rows: Sequence[Row]) -> bool:
    """Whether the first row has words where the others have numbers: the units of the columns."""
    numbers = [place for place, is_numeric in enumerate(_shape(rows[1:])) if is_numeric]
    first = [rows[0][place][0] for place in numbers if place < len(rows[0])]
    return len(numbers) > 1 and all(cell and _has_no_digit(cell) for cell in first) and bool(first)


def _aligned(text: StructuredText, rows: list[Row]) -> list[Row]:
    """The rows of a table in plain text, where short ones have empty cells below the columns that they leave out."""
    width = max(map(len, rows))
    full = next((row for row in reversed(rows) if len(row) == width), None)
    if full is None or width < _LEAST_ALIGNED or CELL_SEPARATOR in text.at(*text.place):
        return rows
    columns = list(_edges(text, full))
    found: list[Row] = []
    for row in rows:
        if not 1 < len(row) < width:
            found.append(row)
            continue
        aligned: Row = [("", (row[-1][1][1], row[-1][1][1]))] * width
        least = 0
        for cell, (start, end) in zip(row, _edges(text, row), strict=True):
            if least < width:
                near = [min(abs(first - start), abs(last - end)) for first, last in columns[least:]]
                least += near.index(min(near)) + 1
                aligned[least - 1] = cell
        found.append(aligned)
    return found


def _edges(text: StructuredText, row: Row) -> Iterator[Place]:
    """The characters of their line at which cells begin and end."""
    begin = text.line_start(row[0][1][0])
    yield from ((start - begin, end - begin) for _, (start, end) in row)


def _shape(rows: Sequence[Row]) -> tuple[bool, ...]:
    """For each column whether its cells are numbers."""
    width = max(map(len, rows))
    return tuple(
        all(is_number(row[place][0]) for row in rows[:_SAMPLE] if place < len(row) and row[place][0])
        for place in range(width)
    )


def _is_by_columns(rows: Sequence[Row]) -> bool:
    """Whether cells are alike within columns rather than within rows: columns are properties, not things compared."""
    looks = [[look(cell) for cell, _ in row[1:] if cell] for row in rows]
    across = [first == second for row in looks for first, second in pairwise(row)]
    down = [first == second for row, below in pairwise(looks) for first, second in zip(row, below, strict=False)]
    return bool(across and down) and sum(down) / len(down) > sum(across) / len(across) + _ALIKE


def _is_list_of_pairs(block: Block) -> bool:
    """Whether the header of two columns is a label and its value, as the rows below it are."""
    if len(block.labels) != 2:
        return False
    names = [word for word in block.labels[1].split() if word[:1].isupper()]
    return not all(block.labels) or len(names) > 1 or not _has_no_digit(block.labels[1])


class _Table:
    """The reading of a table: the labels of its columns, and the column that names what rows are about."""

    def __init__(
        self, text: StructuredText, block: Block, rows: Sequence[Row], about: str | None, labels: Sequence[str]
    ) -> None:
        self._text = text
        width = max(map(len, rows))
        self._labels = [label.strip() for label in labels or text.columns.get(_shape(rows), ())]
        if labels and any(_shape(rows)):
            # Further tables of this shape without labels, in other sections, have the same columns.
            text.columns[_shape(rows)] = tuple(labels)
        self._about = about
        self._is_named = False
        is_priced = has_word(" ".join((text.lead or "", *block.path, *text.contexts)), PRICE_LISTS)
        self._path = block.path
        # The relation of a row of a period and a remark to the subject of the table.
        self._event = f"has {block.path[-1].lower()}" if block.path and block.path[-1] != about else None
        self._labels += [""] * (width - len(self._labels))
        self._times = [place for place, label in enumerate(self._labels) if place and _TIME.fullmatch(label)]
        sample = rows[:_SAMPLE]
        self._keys = self._key_columns(sample, width)
        self._key = self._keys[0]
        self._names = Counter(row[self._key][0] for row in rows if self._key < len(row))
        self._is_numbered = _is_column_of(sample, self._key, is_number)
        low = [label.lower().replace("_", " ") for label in self._labels]
        # Columns of prices for a number of something, of a size, in a season: *1–9 packs*, *each*.
        cells = [(_column(sample, place) or [""])[0] if is_priced else "" for place in range(width)]
        self._prices = {place for place, cell in enumerate(cells) if is_price(self._labels[place], cell)}
        # Columns of units and currencies by the columns of numbers before them.
        numeric = [at for at in range(width) if _is_column_of(sample, at, is_number)]
        if is_priced and not self._prices and not any(has_word(label, MONEY_LABELS) for label in low):
            # The last columns of a price list have prices: *Weekend*, *Week*.
            is_one = [label[-1:] != "s" or any(map(str.isdigit, label)) for label in low]
            last = takewhile(lambda at: at in numeric and is_one[at], range(width - 1, self._key, -1))
            self._prices = {at for at in last if not any(":" in cell for cell in _column(sample, at))}
        free = [at for at in numeric if not column_relation(low[at])[1]]
        self._units = {
            at: place
            for place, label in enumerate(low)
            for at in ([place - 1] if place - 1 in numeric else [at for at in free if at > place])
            if label in _UNIT_COLUMNS and place not in self._keys
        }
        self._time_column = self._time_of(sample)
        first = low[0] if low else ""
        others = [label for label in self._labels[1:] if label]
        self._is_compared = (
            any(self._labels)
            and (first in _COMPARED or (not first and not self._times))
            and len(others) > 1
            and all(label[:1].isupper() or label[:1].isdigit() for label in others)
            and not any(has_word(label, GENERAL) for label in others)
            and not (is_priced and _is_column_of(sample, 1, is_money))
            and not any(map(says_of, others))
            and not _is_by_columns(sample)
        )

    def _key_columns(self, rows: Sequence[Row], width: int) -> tuple[int, ...]:
        """The columns that name what a row is about.

        The first one of words that tells rows apart and has few empty cells; else the first one of words, with
        those after it that tell apart what it does not. A first column of codes with a label names rows, too.
        """
        if self._labels[0] and self._labels[0].lower() not in _NUMBERING and self._is_of_codes(rows):
            return (0,)
        named = [
            place
            for place in range(width)
            if self._labels[place].lower() not in _UNIT_COLUMNS
            and (self._labels[place].lower() not in _NUMBERING or all(map(_has_no_digit, _column(rows, place))))
            and not _is_column_of(rows, place, is_amount)
            and _column(rows, place)
        ]
        if len(named) > 1 and not self._labels[named[0]] and self._labels[named[1]] and self._is_of_codes(rows):
            named = named[1:]
        if not named:
            return (0,)

        def apart(*places: int) -> int:
            found = {tuple(row[place][0] for place in places if place < len(row)) for row in rows}
            return len(found - {()} - {("",) * len(places)})

        least = _DISTINCT * len(rows)
        for place in named[:3]:
            is_filled = len(_column(rows, place)) >= _FILLED * len(rows)
            names = place == named[0] or _is_column_of(rows, place, lambda cell: cell[:1].isupper())
            if is_filled and names and apart(place) >= _DISTINCT * len(_column(rows, place)):
                return (place,)
        found = [named[0]]
        days = [place for place in range(width) if _is_column_of(rows, place, _WHEN.fullmatch)]
        for place in [*(day for day in days if day < named[0]), *range(named[0] + 1, width)]:
            if apart(*found) >= least or len(found) == _MOST_KEYS or len(rows) < _LEAST_ROWS:
                break
            if apart(*found, place) > apart(*found) + len(rows) / 10:
                found.append(place)
        is_vague = len(rows) > _LEAST_ROWS and apart(named[0]) < _REPEATED * len(rows) and apart(*found) < least
        return (width,) if is_vague else tuple(found)

    def _is_of_codes(self, rows: Sequence[Row]) -> bool:
        """Whether the first cells are different numbers or names of plots, rooms, students: *112/3*, *407113*."""
        cells = _column(rows, 0)
        low = self._labels[0].lower().split()
        mixed = not all(map(str.isdigit, cells)) or (bool(low) and low[-1] in _CODES)
        return len(cells) == len(set(cells)) > 2 and mixed and all(map(_CODE.fullmatch, cells))

    def _subject(self, row: Row) -> Wording:
        """The cells that name a row."""
        code, key = row[self._key]
        is_code = len(code) <= _LONGEST_CODE and not any(map(str.islower, code))
        is_code = is_code or (_CODE.fullmatch(code) is not None and not any(map(str.isalpha, code)))
        label = self._labels[self._key].lower()
        if label and (is_code or (self._is_numbered and is_number(code))):
            return [label.removesuffix("no.").rstrip() or label, key]
        others = [row[place][1] for place in self._further(row) if place < len(row) and row[place][0]]
        return [key, *others] if others else key

    def _further(self, row: Row) -> tuple[int, ...]:
        """The columns that tell a row apart from those with the same first name."""
        return self._keys[1:] if self._names[row[self._key][0]] > 1 else ()

    def _time_of(self, rows: Sequence[Row]) -> int | None:
        """The first column, if it has years or periods and the table is about something."""
        cells = [row[0][0] for row in rows if row and row[0][0]]
        width = max(map(len, rows))
        is_measured = all(_is_column_of(rows, place, is_number) for place in range(1, width))
        forms = [_YEARS, _DAY] if is_measured else [_YEARS]
        times = sum(any(form.fullmatch(cell) for form in forms) for cell in cells)
        is_time = self._labels[0] and times > len(cells) / 2 and len(set(cells)) >= _REPEATED * len(cells)
        return 0 if is_time else None

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
            if key.strip("()?").lower() in _NOBODY | {""}:
                return
            if len(self._times) > 1:
                self._read_series(line, row, key, place)
            else:
                self._read_cells(line, row, self._subject(row))

    def _read_pairs(self, line: Line, row: Row) -> None:
        """A table without labels of columns: the first cell of a row is a label."""
        cells = [(value, place) for value, place in row[1:] if value and value.lower() not in EMPTY]
        label, label_place = row[0]
        label_place = (label_place[0], label_place[1] - len(label) + len(label.rstrip(" :")))
        says = any(map(str.isalnum, "".join(cell for cell, _ in cells))) and not is_sentence(cells[0][0])
        if not says or not 0 < len(label.split()) < 7 or any(cell.endswith(":") for cell, _ in cells):
            return
        if len(cells) == 2 and is_number(cells[0][0]) and is_unit(cells[1][0]):
            cells = [(f"{cells[0][0]} {cells[1][0]}", (cells[0][1][0], cells[1][1][1]))]
        places = [place for _, place in cells]
        is_event = _YEARS.fullmatch(label) or (len(cells) > 1 and _DAY.fullmatch(label))
        if self._about is not None and self._event is not None and is_event:
            line.add("table/cell", self._about, self._event, *places, (label_place, "time"))
            return
        if is_number(label) and not (_TIME.fullmatch(label) or any(map(str.isalpha, label))):
            return
        item = Labelled(label, label_place, places[0])
        add_label(line, item, self._text, self._about, self._path, self._is_named, places[1:])
        value = cells[0][0]
        if is_naming(label.rstrip(": ")) and is_name(value):
            # The rows below are about what has the name.
            self._text.narrow(self._about)
            self._about, self._is_named = value, True

    def _read_event(self, line: Line, row: Row) -> None:
        """A row with a time, in a table about somebody: *2011–2013, cook, Le Petit Four*."""
        others = [(number, place) for number, _, _, place in self._filled(row, (self._time_column,))]
        if not others or self._time_column is None:
            return
        time = row[self._time_column][1], "time"
        numbers = [number for number, _ in others if not is_number(row[number][0])]
        if self._about is None:
            # The thing counted is the subject, since nothing else is.
            for number, place in others:
                unit = column_relation(self._labels[number])[1]
                measure = self._labels[number].removesuffix(f"({unit})").strip()
                line.add("table/series", measure, "is", self._with_unit(row[number][0], place, unit), time)
        elif numbers:
            relation = column_relation(self._labels[numbers[0]])[0]
            named = row[numbers[0]][1]
            beside = [(number, place) for number, place in others if number != numbers[0]]
            is_whole = self._text.is_cv or any(place != named and place[0] < named[0] for _, place in beside)
            line.add("table/cell", self._about, relation, named, *(place for _, place in beside if is_whole), time)
            for number, place in beside if not is_whole else ():
                relation, unit = column_relation(self._labels[number])
                line.add("table/cell", named, relation, self._with_unit(row[number][0], place, unit), time)
        else:
            for number, place in others:
                relation, unit = column_relation(self._labels[number])
                line.add("table/series", self._about, relation, self._with_unit(row[number][0], place, unit), time)

    def _filled(self, row: Row, passed: Container[int | None]) -> Iterator[tuple[int, str, str, Place]]:
        """The cells that say something, with their columns and labels."""
        for number, (value, place) in enumerate(row):
            if number not in passed and self._labels[number] and value and value.lower() not in EMPTY:
                yield number, self._labels[number], value, place

    def _read_cells(self, line: Line, row: Row, subject: Wording) -> None:
        passed = {self._key, *self._further(row), *self._units.values()}
        for number, label, value, place in self._filled(row, passed):
            is_numbering = label.lower() in _NUMBERING - {"sku", "code", "id"} and any(map(str.isdigit, value))
            if is_numbering or is_sentence(value):
                continue
            relation, unit = column_relation(label)
            if _WHEN.fullmatch(value) and not self._text.is_cv:
                relation = _SPANS.get(label.lower(), relation)
            if relation == f"was {label.lower()}" and is_number(value) and not _WHEN.fullmatch(value):
                relation = f"has {label.lower()}"
            is_priced = number in self._prices
            if relation == f"has {label.lower()}" and (is_priced or is_money(value)) and value[-1:] != "%":
                is_rate = label.lower().startswith("per ")
                relation = f"costs {label.lower()}" if is_rate else relation + " price" * is_priced
            if value.lower() in _YES | _NO:
                state = ("has", label) if relation.startswith("has ") else (relation,)
                line.add("table/cell", subject, *state, negated=value.lower() in _NO or None)
                continue
            wording = self._with_unit(value, place, unit)
            unit_of_row = row[self._units[number]] if self._units.get(number, len(row)) < len(row) else ("", place)
            if unit_of_row[0].lower() not in ("", *EMPTY) and is_number(value):
                is_rate = PRICE_RELATION.search(relation) is not None and unit_of_row[0].islower()
                wording = [place, *(["per"] if is_rate else []), unit_of_row[1]]
            days = ((at, name) for (cell, at), name in zip(row, self._labels, strict=False) if _DATE.fullmatch(cell))
            dates = (at for at, name in days if at != place and (not name or has_word(name, _DAYS)))
            when = next(((at, "time") for at in dates), None)
            is_list = wording == place and not _LOWER.search(value)
            for one in values_of(label, value, place[0]) if is_list else [wording]:
                line.add("table/cell", subject, relation, one, when)

    def _read_series(self, line: Line, row: Row, key: str, key_place: Place) -> None:
        """Columns that are years: a measure that the row names, or one that the caption says, of a thing."""
        measure, unit = self._measure()
        for number in self._times:
            if number >= len(row) or not row[number][0] or row[number][0].lower() in EMPTY:
                continue
            value, place = row[number]
            time = ([self._labels[number]], "time")
            said = measure if unit or look(key) == "name" else "is"
            line.add("table/series", key_place, said, self._with_unit(value, place, unit), time)

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
