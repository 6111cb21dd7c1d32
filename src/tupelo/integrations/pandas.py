"""Data frames of pandas in and out (extra `pandas`).

- `triples(frame)`: a column of texts to a frame with one row per triple.
- `documents(frame)`: a column of texts to documents for `Graph.build`.

Results of the library have `to_pandas()` of their own.
"""

from __future__ import annotations

from collections.abc import Iterator

from tupelo.api.triples import TripleReader
from tupelo.core import InputError
from tupelo.core.document import Document
from tupelo.core.errors import needs_extra
from tupelo.core.triples import triple_schema

with needs_extra("the adapter to pandas", "pandas"):
    import pandas as pd

__all__ = ["documents", "triples"]


def documents(frame: pd.DataFrame, text: str = "text", *, id: str | None = None) -> Iterator[Document]:
    """The texts of a column as documents; their sources are those of the column `id`, or else the index."""
    for column in (text, *([id] if id else [])):
        if column not in frame.columns:
            raise InputError(f"no column '{column}', expected one of {', '.join(map(str, frame.columns))}")
    sources = frame.index if id is None else frame[id]
    for source, content in zip(sources, frame[text], strict=True):
        # A missing text is NaN.
        yield Document(str(source), content if isinstance(content, str) else "")


def triples(
    frame: pd.DataFrame, text: str = "text", *, id: str | None = None, reader: TripleReader | None = None
) -> pd.DataFrame:
    """The triples of the texts of a column, one row each; the columns are those of `tupelo.core.triples`."""
    found = (reader or TripleReader()).pipe(documents(frame, text, id=id))
    return pd.DataFrame.from_records([row for one in found for row in one.rows()], columns=triple_schema().names)
