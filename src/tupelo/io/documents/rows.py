"""Rows of tables as documents: dictionaries, data frames and Arrow tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from tupelo.core import InputError
from tupelo.core.document import Document
from tupelo.core.errors import require_items
from tupelo.io.documents.markup import text_document

# The columns that name a document, the first that a row has.
_SOURCES = ("source", "id", "name")


def table_rows(table: Any) -> Any:
    """The rows of a data frame of pandas or polars, or of an Arrow table; anything else as it is."""
    for method, arguments in (("to_pylist", ()), ("to_dicts", ()), ("to_dict", ("records",))):
        if hasattr(table, "columns") and hasattr(table, method):
            return getattr(table, method)(*arguments)
    return table


def given_documents(given: Any, expected: str) -> Iterable[Any]:
    """Documents in memory: of a mapping from names to texts, of rows or of a data frame; other items as they are.

    `expected` is for the error when there are no items.

    >>> [document.source for document in given_documents({"a": "Ann left.", "b": "Bo came."}, "texts")]
    ['a', 'b']
    """
    if isinstance(given, Document):
        return [given]
    if isinstance(given, Mapping):
        return [_named_document(str(name), text) for name, text in given.items()]
    rows = table_rows(given)
    require_items(rows, expected)
    return (document_of_row(item, number) if isinstance(item, Mapping) else item for number, item in enumerate(rows))


def _named_document(name: str, text: object) -> Document:
    if not isinstance(text, str):
        raise InputError(f"'{name}' is {type(text).__name__}, expected a text: {{name: text}}")
    return text_document(name, text)


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
    plain = text_document(str(source), text)
    title, published = _word(row, "title"), _word(row, "published")
    return replace(plain, title=title or plain.title, published=published or plain.published)


def _word(row: Mapping[str, Any], name: str) -> str | None:
    """The value of a column as text; `None` where it is missing, which a data frame writes as NaN."""
    value = row.get(name)
    return None if value is None or value != value else str(value)
