"""Files of assertions: Parquet, or text with `subject<TAB>relation<TAB>object<TAB>count` on each line.

Also small tables of finished work.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tupelo.core import InputError
from tupelo.core.assertion import ASSERTION_FORM, Assertion, assertion_fault, assertion_schema
from tupelo.core.stages import FinishedPart, Table, fingerprint
from tupelo.io.files import InputFile, reading_errors
from tupelo.io.lines import Lines

if TYPE_CHECKING:
    import pyarrow as pa

PARQUET = ".parquet"


def is_parquet(name: str) -> bool:
    """Whether a file of assertions is Parquet, by its name."""
    return name.endswith(PARQUET)


def parquet_part(name: str) -> FinishedPart:
    """A Parquet file of assertions as a part of a table, after a look at its schema."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with reading_errors(name, "a readable Parquet file"):
            about = pq.ParquetFile(name)
            state = os.stat(name)
    except (pa.ArrowException, UnicodeDecodeError) as error:
        raise InputError(f"{name}: {str(error).splitlines()[0]}, expected a Parquet file of assertions") from error
    with about:
        found = {field.name: field.type for field in about.schema_arrow}
        for field in assertion_schema():
            if found.get(field.name) != field.type:
                raise InputError(
                    f"{name}: column {field.name!r} is {found.get(field.name, 'missing')}, expected {field.type}"
                )
        key = fingerprint(os.path.realpath(name), state.st_size, state.st_mtime_ns)
        return FinishedPart(key, (name,), about.metadata.num_rows)


def read_batches(table: Table) -> Iterator[pa.RecordBatch]:
    """The rows of a finished table, a few thousand at a time and in order."""
    import pyarrow.parquet as pq

    columns = assertion_schema().names
    for name in table.files:
        with pq.ParquetFile(name) as file:
            yield from file.iter_batches(columns=columns)


def read_rows(table: Table) -> list[dict[str, Any]]:
    """All rows of a small table."""
    import pyarrow.parquet as pq

    return [row for name in table.files for row in pq.read_table(name).to_pylist()]


def read_assertions(name: str) -> Iterator[Assertion]:
    """Assertions one by one; `-` is standard input."""
    if is_parquet(name):
        table = Table(assertion_schema(), (parquet_part(name),))
        for batch in read_batches(table):
            columns = (batch.column(column).to_pylist() for column in assertion_schema().names)
            yield from map(Assertion, *columns)
        return
    with InputFile(name) as file:
        yield from read(file.lines())


def read(lines: Lines) -> Iterator[Assertion]:
    """Assertions of a text file."""
    for number, line in lines:
        fault = assertion_fault(line)
        if fault is not None:
            lines.fault(number, fault, ASSERTION_FORM)
            continue
        subject, relation, object_, count = line.split("\t")
        yield Assertion(subject, relation, object_, int(count))
