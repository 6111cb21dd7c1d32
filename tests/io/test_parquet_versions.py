"""Files of earlier schema versions stay readable."""

from __future__ import annotations

import io

from tupelo.core import Extraction
from tupelo.core.schemas import SCHEMA_VERSION, extraction_schema, record_to_row
from tupelo.io.formats import FORMATS, BinaryFormat


def test_a_file_of_any_version_is_read() -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    parquet = FORMATS.get("parquet")
    record = Extraction.of("Nora sold her boat .", "sold", ["Nora", "her boat"], confidence=0.5)
    for version in range(1, SCHEMA_VERSION + 1):
        stream = io.BytesIO()
        pq.write_table(pa.Table.from_pylist([record_to_row(record)], schema=extraction_schema(version)), stream)
        stream.seek(0)
        assert isinstance(parquet, BinaryFormat)
        assert list(parquet.read(stream, "x")) == [record]
