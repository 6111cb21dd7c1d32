"""Tupelo's own Parquet files: the Arrow schema of the vocabulary, for large sets of tuples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, BinaryIO

from tupelo.core import FormatError, InputError, Record
from tupelo.core.schemas import SCHEMA_VERSION, extraction_schema, records_to_batches, row_to_record
from tupelo.io.formats.base import ALL_FIELDS, BinaryFormat

if TYPE_CHECKING:
    import pyarrow as pa

_ROWS_PER_GROUP = 50_000
_ROWS_PER_BATCH = 10_000


def read(stream: BinaryIO, source: str) -> Iterator[Record]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    # The table of contents is at the end of the file, so a stream has to be in memory as a whole.
    content = pa.BufferReader(stream.read())
    row = 0
    try:
        file = pq.ParquetFile(content, page_checksum_verification=True)
        _check_schema(file.schema_arrow, source)
        for batch in file.iter_batches(batch_size=_ROWS_PER_BATCH):
            for values in batch.to_pylist():
                row += 1
                try:
                    record = row_to_record(values)
                except ValueError as error:
                    raise FormatError(source, row, str(error), "a row that Tupelo can have written") from error
                yield record
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = " ".join(str(error).split())
        raise InputError(f"{source}: broken or cut Parquet data ({reason}), expected a complete file") from error


def _check_schema(schema: pa.Schema, source: str) -> None:
    metadata = schema.metadata or {}
    if metadata.get(b"tupelo.schema") != b"extraction":
        columns = ", ".join(schema.names[:5])
        raise InputError(f"{source}: a Parquet file with the columns {columns}, expected one written by Tupelo")
    version = metadata.get(b"tupelo.schema_version", b"").decode("utf-8", errors="replace")
    known = {str(number): number for number in range(1, SCHEMA_VERSION + 1)}
    if version not in known:
        raise InputError(f"{source}: schema version {version or 'missing'}, expected {' or '.join(known)}")
    if not schema.equals(extraction_schema(known[version])):
        raise InputError(f"{source}: its columns differ from schema version {version}, expected those of Tupelo")


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with pq.ParquetWriter(stream, extraction_schema(), compression="zstd", write_page_checksum=True) as writer:
        try:
            for batch in records_to_batches(records, _ROWS_PER_GROUP):
                writer.write_batch(batch)
        except (pa.ArrowException, OverflowError, UnicodeEncodeError) as error:
            raise InputError(f"a tuple cannot be held by Parquet ({' '.join(str(error).split())})") from error


FORMAT = BinaryFormat(
    name="parquet",
    title="Tupelo Parquet",
    layout="one row per record, columns as the members of jsonl",
    sample="parquet.parquet",
    keeps=ALL_FIELDS,
    read=read,
    write=write,
    magic=b"PAR1",
    notes="Every field of the vocabulary, compressed. The schema and its version are checked when reading.",
)
