"""Partitions that are rows of Parquet files, such as what another stage has made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tupelo.core.stages import Table

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class ParquetRows:
    """Rows `[start, end)` of files, in order; all of a file where there is no end."""

    key: str
    pieces: tuple[tuple[str, int, int | None], ...]
    columns: tuple[str, ...] | None = None
    rows_per_batch: int = 1000

    def read(self) -> Iterator[pa.RecordBatch]:
        import pyarrow.parquet as pq

        columns = None if self.columns is None else list(self.columns)
        for file, start, end in self.pieces:
            rows = pq.read_table(file, columns=columns).slice(start, None if end is None else end - start)
            yield from rows.combine_chunks().to_batches(self.rows_per_batch)


def partitions_of(table: Table, *, rows_per_batch: int = 1000) -> list[ParquetRows]:
    """The parts of a table, each as a partition for the next stage."""
    return [
        ParquetRows(part.name, tuple((file, 0, None) for file in part.files), rows_per_batch=rows_per_batch)
        for part in table.parts
    ]
