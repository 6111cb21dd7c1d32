"""Parquet: one file per table of the graph, with all columns, in the order of the keys."""

from __future__ import annotations

from dataclasses import dataclass

from tupelo.core import InputError
from tupelo.graph.export.base import ExportOptions, Opener
from tupelo.graph.schema import TABLES
from tupelo.graph.store import Store


@dataclass(frozen=True, slots=True)
class ParquetTables:
    name: str = "parquet"
    title: str = "Parquet, a file per table"
    suffixes: tuple[str, ...] = ()

    def write(self, store: Store, opener: Opener, options: ExportOptions) -> None:
        import pyarrow.parquet as pq

        if options.min_confidence:
            raise InputError("Parquet holds whole tables; a least confidence would leave edges out that others name")
        for table in TABLES:
            if table.derived:
                continue
            batches = store.batches(f"SELECT * FROM {table.name} ORDER BY {', '.join(table.key)}")
            schema = store.arrow_schema(table.name)
            with (
                opener(f"{table.name}.parquet") as stream,
                pq.ParquetWriter(stream, schema, compression="zstd") as writer,
            ):
                for batch in batches:
                    writer.write_batch(batch)


PARQUET = ParquetTables()
