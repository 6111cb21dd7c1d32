"""Rows of tables as documents: dictionaries, data frames and Arrow tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tupelo.core import InputError
from tupelo.core.document import Document

# The columns that name a document, the first that a row has.
_SOURCES = ("source", "id", "name")


def table_rows(table: Any) -> Any:
    """The rows of a data frame of pandas or polars, or of an Arrow table; anything else as it is."""
    for method, arguments in (("to_pylist", ()), ("to_dicts", ()), ("to_dict", ("records",))):
        if hasattr(table, "columns") and hasattr(table, method):
            return getattr(table, method)(*arguments)
    return table


def document_of_row(row: Mapping[str, Any], number: int) -> Document:
    """The document of a row with a `text` and perhaps `source` (or `id`, `name`), `title` and `published`.

    >>> document_of_row({"id": 7, "text": "Ann left.", "title": "Note"}, 0)
    Document(source='7', text='Ann left.', media_type='text/plain', title='Note', published=None)
    """
    text = row.get("text")
    if not isinstance(text, str):
        known = ", ".join(map(str, row)) or "none"
        raise InputError(f"row {number} has no text, expected a column 'text'; its columns are {known}")
    source = next((row[name] for name in _SOURCES if row.get(name) is not None), number)
    return Document(str(source), text, title=_word(row, "title"), published=_word(row, "published"))


def _word(row: Mapping[str, Any], name: str) -> str | None:
    """The value of a column as text; `None` where it is missing, which a data frame writes as NaN."""
    value = row.get(name)
    return None if value is None or value != value else str(value)
