"""The common part of results: rows for Arrow and pandas, a table for notebooks, CSV."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, overload

from tupelo.core.errors import needs_extra
from tupelo.core.registry import Shown

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


Item = TypeVar("Item")


def values_of(value: object, *names: str) -> dict[str, Any]:
    """Some attributes of a value by name, in this order."""
    return {name: getattr(value, name) for name in names}


class Tabular(Shown):
    """A result with rows, which notebooks show as a table. A subclass defines `rows`; the views come from here."""

    __slots__ = ()

    def rows(self) -> list[dict[str, Any]]:
        """One flat dictionary per row, all with the same keys."""
        raise NotImplementedError  # pragma: no cover

    def frame_rows(self) -> list[dict[str, Any]]:
        """The rows of a data frame, which may have more columns than people want to read."""
        return self.rows()

    def to_arrow(self) -> pa.Table:
        """Everything that is known of each row, as an Arrow table."""
        import pyarrow as pa

        return pa.Table.from_pylist(self.frame_rows())

    def to_pandas(self) -> pd.DataFrame:
        """Everything that is known of each row, as a pandas data frame; pandas must be installed."""
        with needs_extra("to_pandas()", "pandas"):
            import pandas as pd
        return pd.DataFrame.from_records(self.frame_rows())


class ResultList(Tabular, Sequence[Item]):
    """A result that is a list. A subclass defines `rows`."""

    __slots__ = ("_items",)

    def __init__(self, items: Iterable[Item]) -> None:
        self._items = tuple(items)

    def __len__(self) -> int:
        return len(self._items)

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Item]: ...
    def __getitem__(self, index: int | slice) -> Item | Sequence[Item]:
        return self._items[index]

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self)}>"


# A spreadsheet takes a cell that begins so for a formula; full-width signs too, in some languages.
_FORMULA = re.compile("'*[=+\\-@\t\r\n＝＋－＠]")

_QUOTED = re.compile('[",\r\n]')


def csv_text(columns: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A table as CSV that is safe to open in a spreadsheet.

    Text that would be a formula there gets an apostrophe before it, which `without_guard` takes away. Numbers stay as
    they are; `None` is empty.

    >>> csv_text(["name", "change"], [["=1+1", -0.5], ["'tis", "-7"]])
    "name,change\\n'=1+1,-0.5\\n'tis,-7\\n"
    """
    return "".join(",".join(map(_csv_cell, row)) + "\n" for row in itertools.chain([columns], rows))


def _csv_cell(cell: object) -> str:
    text = "" if cell is None else str(cell)
    if _FORMULA.match(text) and not is_number(text):
        text = f"'{text}"
    # Python's writer leaves a carriage return bare, which its readers take for the end of a line.
    return '"' + text.replace('"', '""') + '"' if _QUOTED.search(text) else text


def without_guard(cell: str) -> str:
    """A cell of a table by `csv_text` as it was before.

    >>> without_guard("'=1+1"), without_guard("'tis")
    ('=1+1', "'tis")
    """
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell[1:]) else cell


def is_number(text: str | bytes) -> bool:
    """Whether Python reads a text as a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def aligned_columns(rows: Sequence[Sequence[str]]) -> str:
    """A table as text; the last column has no width limit."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(line.rstrip() for line in lines)


def printable(text: str) -> str:
    """A text without control characters, which could move the cursor or change the terminal."""
    return "".join(character if character.isprintable() else " " for character in text)
