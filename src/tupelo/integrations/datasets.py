"""Data sets of Hugging Face's `datasets` in and out (extra `datasets`).

- `triples(dataset)`: a column of texts to a `Dataset` with one row per triple.
- `documents(dataset)`: a column of texts to documents for `Graph.build`.
- `dataset(texts)`: the texts of `TripleReader.pipe` or of `Graph.triples` as a `Dataset` with one row per triple.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tupelo.api.triples import LinkedText, TripleReader
from tupelo.core import InputError
from tupelo.core.document import Document
from tupelo.core.errors import needs_extra
from tupelo.core.triples import triple_schema

with needs_extra("the adapter to datasets", "datasets"):
    from datasets import Dataset, IterableDataset

__all__ = ["dataset", "documents", "triples"]


def documents(rows: Dataset | IterableDataset, text: str = "text", *, id: str | None = None) -> Iterator[Document]:
    """The texts of a column as documents; their sources are those of the column `id`, or else their numbers."""
    for number, row in enumerate(rows):
        for column in (text, *([id] if id else [])):
            if column not in row:
                raise InputError(f"no column '{column}', expected one of {', '.join(row)}")
        yield Document(str(row[id] if id else number), row[text] or "")


def triples(
    rows: Dataset | IterableDataset, text: str = "text", *, id: str | None = None, reader: TripleReader | None = None
) -> Dataset:
    """The triples of the texts of a column, one row each."""
    return dataset((reader or TripleReader()).pipe(documents(rows, text, id=id)))


def dataset(texts: Iterable[LinkedText]) -> Dataset:
    """The triples of texts, one row each, in memory."""
    import pyarrow as pa

    return Dataset(pa.Table.from_pylist([row for text in texts for row in text.rows()], schema=triple_schema()))
