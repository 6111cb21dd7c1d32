"""The file of a graph: create, open, write and read.

DuckDB opens the file itself. For reading it is opened read-only, which any
number of processes can do at once, without access to any other file or to the
network, and with its settings locked, so no query can reach beyond the graph.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias
from weakref import WeakSet

from tupelo.core import InputError
from tupelo.core.closing import Closing
from tupelo.core.deadline import OutOfTimeError, time_left
from tupelo.graph.store.schema import BY_NAME, FORMAT_NAME, SCHEMA_VERSION, TABLES, VIEWS, TableSchema, creation

if TYPE_CHECKING:
    import duckdb
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

# Values bound to a query, by position or by name.
_Values: TypeAlias = Sequence[object] | Mapping[str, object]
_Settings: TypeAlias = dict[str, str | bool | int | float | list[str]]
_SEALED: _Settings = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
}
# Small blocks: every column of every table takes at least one, which is most of a small graph.
_WRITING: _Settings = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "default_block_size": "32768",
    # What does not fit goes to a folder beside the file.
    "memory_limit": "50%",
}
_BATCH = 20_000


class Store(Closing):
    """An open graph. Use `create`, `open_graph` or `open_for_update`; close it, or use it in a `with` block."""

    def __init__(self, name: str, connection: duckdb.DuckDBPyConnection) -> None:
        self.name = name
        self.connection = connection
        self._streams: WeakSet[Generator[pa.RecordBatch, None, None]] = WeakSet()
        self._is_closed = False

    def close(self) -> None:
        """Close the file, after the streams that were not read to their end: while one is open, reopening hangs."""
        self._is_closed = True
        for stream in list(self._streams):
            stream.close()
        self.connection.close()

    def rows(self, sql: str, values: _Values = ()) -> list[tuple[Any, ...]]:
        """The rows of a query with bound values. Each call has its own cursor, so threads may share a store."""
        with self._cursor() as cursor:
            return cursor.execute(sql, _bound(values)).fetchall()

    def column(self, sql: str, values: _Values = ()) -> list[Any]:
        """The first column of a query."""
        return [row[0] for row in self.rows(sql, values)]

    def records(self, sql: str, values: _Values = ()) -> list[dict[str, Any]]:
        """The rows of a query as dictionaries by its columns."""
        with self._cursor() as cursor:
            found = cursor.execute(sql, _bound(values))
            names = [column[0] for column in found.description or ()]
            return [dict(zip(names, row, strict=True)) for row in found.fetchall()]

    def grouped(self, sql: str, values: _Values = ()) -> dict[str, list[tuple[Any, ...]]]:
        """The rows of a query by their first column, without it."""
        found: dict[str, list[tuple[Any, ...]]] = {}
        for key, *row in self.rows(sql, values):
            found.setdefault(key, []).append(tuple(row))
        return found

    def columns(self, sql: str) -> dict[str, Any]:
        """The columns of a query as arrays."""
        with self._cursor() as cursor:
            return dict(cursor.execute(sql).fetchnumpy())

    def integers(self, sql: str) -> NDArray[np.int64]:
        """The rows of a query whose columns are whole numbers."""
        import numpy as np

        return np.stack([np.asarray(column, dtype=np.int64) for column in self.columns(sql).values()], axis=1)

    def batches(self, sql: str, rows_per_batch: int = _BATCH) -> Iterator[pa.RecordBatch]:
        """The rows of a query as a stream of Arrow batches, which ends with an error when the graph is closed."""
        stream = self._stream(sql, rows_per_batch)
        self._streams.add(stream)
        yield from stream
        if self._is_closed:
            raise self._closed_error()

    def stream(self, sql: str) -> Iterator[dict[str, Any]]:
        """The rows of a query as dictionaries, fetched in batches."""
        for batch in self.batches(sql):
            yield from batch.to_pylist()

    def _stream(self, sql: str, rows_per_batch: int) -> Generator[pa.RecordBatch, None, None]:
        with self._cursor() as cursor:
            yield from cursor.sql(sql).to_arrow_reader(rows_per_batch)

    def arrow_schema(self, table: str) -> pa.Schema:
        """The columns of a table in the file."""
        with self._cursor() as cursor:
            return cursor.sql(f"SELECT * FROM {_table(table).name} LIMIT 0").to_arrow_reader(1).schema

    def count(self, table: str) -> int:
        """The number of rows of a table or a view."""
        return int(self.column(f"SELECT count(*) FROM {table if table in VIEWS else _table(table).name}")[0])

    @contextmanager
    def _cursor(self) -> Iterator[duckdb.DuckDBPyConnection]:
        import duckdb

        left = time_left()
        try:
            cursor = self.connection.cursor()
        except duckdb.ConnectionException:
            raise self._closed_error() from None
        try:
            with _damage(self.name), _interrupted_after(left, cursor):
                yield cursor
        finally:
            cursor.close()

    def _closed_error(self) -> InputError:
        return InputError(f"{self.name}: the graph is closed, expected an open one; Graph.open opens it")

    # Writing.

    def run(self, sql: str, values: _Values = ()) -> None:
        """Run a statement to completion; until then the connection accepts no other."""
        self.rows_within(sql, values)

    def rows_within(self, sql: str, values: _Values = ()) -> list[tuple[Any, ...]]:
        """The rows of a query that sees the temporary tables and the open transaction of a change."""
        with _damage(self.name):
            return self.connection.execute(sql, _bound(values)).fetchall()

    def each_within(self, sql: str, values: _Values = ()) -> Iterator[tuple[Any, ...]]:
        """The same rows one by one; the connection accepts nothing else before the last."""
        with _damage(self.name):
            found = self.connection.execute(sql, _bound(values))
            while rows := found.fetchmany(_BATCH):
                yield from rows

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run the block as one transaction, all or nothing."""
        self.run("BEGIN")
        try:
            yield
        except BaseException:
            self.run("ROLLBACK")
            raise
        self.run("COMMIT")

    def insert(self, table: str, rows: Iterable[Mapping[str, object]]) -> None:
        """Add rows given as dictionaries; missing columns are NULL."""
        import pyarrow as pa

        schema, left = self.arrow_schema(table), iter(rows)
        while batch := list(islice(left, _BATCH)):
            self.insert_arrow(table, pa.Table.from_pylist(batch, schema=schema))

    def insert_arrow(self, table: str, rows: pa.Table | pa.RecordBatch | pa.RecordBatchReader) -> None:
        """Add rows from Arrow, matched by column name."""
        self.run_over(rows, f"INSERT INTO {_table(table).name} BY NAME SELECT * FROM new_rows")

    def temporary(self, name: str, rows: pa.Table) -> None:
        """Put rows into a temporary table, which a change reads."""
        self.run_over(rows, f"CREATE OR REPLACE TEMP TABLE {name} AS SELECT * FROM new_rows")

    def run_over(self, rows: pa.Table | pa.RecordBatch | pa.RecordBatchReader, sql: str) -> None:
        """Run a statement that reads `new_rows`."""
        self.connection.register("new_rows", rows)
        try:
            self.run(sql)
        finally:
            self.connection.unregister("new_rows")

    def problems(self) -> list[str]:
        """Duplicate keys and broken references; empty for a sound graph."""
        checks = []
        for table in TABLES:
            key = ", ".join(table.key)
            twice = f"(SELECT 1 FROM {table.name} GROUP BY {key} HAVING count(*) > 1)"
            checks.append((twice, f"{table.name}: ", f" value(s) of ({key}) occur twice"))
            for name, target in ((column.name, column.target) for column in table.columns if column.target):
                there = f"{target} AS there ON there.{BY_NAME[target].key[0]} = here.{name}"
                dangling = f"{table.name} AS here ANTI JOIN {there} WHERE here.{name} IS NOT NULL"
                checks.append((dangling, f"{table.name}: ", f" row(s) whose {name} is not in {target}"))
        counted = (
            f"SELECT {place} AS place, count(*) AS n, '{before}' || count(*) || '{after}' AS fault FROM {found}"
            for place, (found, before, after) in enumerate(checks)
        )
        return self.column(f"SELECT fault FROM ({' UNION ALL '.join(counted)}) WHERE n > 0 ORDER BY place")


@contextmanager
def writing_faults(name: str) -> Iterator[None]:
    """Turn a lack of memory or room into a one-line error, and those of a damaged file too."""
    import duckdb

    try:
        with _damage(name):
            yield
    except (duckdb.OperationalError, duckdb.FatalException) as error:
        reason = str(error).strip().splitlines()[0]
        expected = "room to write. Make some and run the same command again."
        if isinstance(error, duckdb.OutOfMemoryException):
            expected = "more memory: half of the machine's is used. Add fewer documents at a time."
        raise InputError(f"{name}: {reason}, expected {expected}") from error


def create(path: str | os.PathLike[str]) -> Store:
    """Create an empty graph, open for writing. The file must not exist."""
    name = os.fspath(path)
    if os.path.exists(name):
        raise InputError(f"{name}: exists already, expected a new name")
    with writing_faults(name):
        connection = _connect(name, read_only=False)
        connection.execute("BEGIN")
        for statement in creation():
            connection.execute(statement)
        connection.execute("INSERT INTO graph_format VALUES (?, ?)", [FORMAT_NAME, SCHEMA_VERSION])
        connection.execute("COMMIT")
    return Store(name, connection)


def open_graph(path: str | os.PathLike[str], *, memory: str | None = None) -> Store:
    """Open a graph for reading. `memory` limits DuckDB (`512MB`); larger sorts then use the disk."""
    name = os.fspath(path)
    connection = _connect(name, read_only=True)
    if memory is not None:
        _set(connection, "memory_limit", memory)
    _set(connection, "lock_configuration", True)
    return _checked(name, connection)


def open_for_update(path: str | os.PathLike[str]) -> Store:
    """Open a graph for writing, one process at a time. All of it is read first: a change must not build on damage."""
    name = os.fspath(path)
    if not os.path.exists(name):
        raise InputError(f"{name}: No such file or directory, expected a graph")
    store = _checked(name, _connect(name, read_only=False))
    try:
        for table in TABLES:
            store.rows(f"SELECT bit_xor(hash(one)) FROM {table.name} AS one")
    except BaseException:
        store.close()
        raise
    return store


def confirm(path: str | os.PathLike[str], counts: Mapping[str, int]) -> None:
    """Check that everything written can be read back; raises an error if not."""
    name = os.fspath(path)
    try:
        with writing_faults(name), open_graph(name) as store:
            found = {table: store.count(table) for table in counts}
    except InputError as error:
        raise InputError(f"{name}: cannot be read again after writing ({error}), expected a sound disk") from error
    if found != counts:
        raise InputError(f"{name}: holds {found} after writing, expected {dict(counts)}")


def _connect(name: str, *, read_only: bool) -> duckdb.DuckDBPyConnection:
    import duckdb

    if read_only and not os.path.exists(name):
        raise InputError(f"{name}: No such file or directory, expected a graph")
    if os.path.isdir(name):
        raise InputError(f"{name}: is a directory, expected a graph")
    try:
        connection = duckdb.connect(name, read_only=read_only, config=_SEALED if read_only else _WRITING)
        # DuckDB would draw a progress bar for long queries on standard output, among the rows. In a notebook without
        # ipywidgets it cannot draw one, and even turning it off raises an error.
        with suppress(duckdb.InvalidInputException):
            _set(connection, "enable_progress_bar", False)
        return connection
    except duckdb.Error as error:
        raise _unreadable(name, str(error)) from error


def _set(connection: duckdb.DuckDBPyConnection, name: str, value: object) -> None:
    """Change a setting, unless this process has the file open already: settings are then shared and locked."""
    if connection.execute("SELECT current_setting('lock_configuration')").fetchall() == [(False,)]:
        connection.execute(f"SET {name} = ?", [value]).fetchall()


def _checked(name: str, connection: duckdb.DuckDBPyConnection) -> Store:
    try:
        with _damage(name):
            version = _version(connection)
        if version is None:
            raise _not_a_graph(name)
        if version != SCHEMA_VERSION:
            newer = version > SCHEMA_VERSION
            advice = "A newer Tupelo wrote it; update this one." if newer else "Build it again from its documents."
            raise InputError(f"{name}: graph of version {version}, expected {SCHEMA_VERSION}. {advice}")
    except BaseException:
        connection.close()
        raise
    return Store(name, connection)


def _version(connection: duckdb.DuckDBPyConnection) -> int | None:
    """The version of a graph; `None` for any other database."""
    import duckdb

    try:
        # Fetch all rows: an unfinished result blocks the connection.
        rows = connection.execute("SELECT version FROM graph_format WHERE name = ?", [FORMAT_NAME]).fetchall()
    except duckdb.CatalogException:
        return None
    return int(rows[0][0]) if rows else None


# DuckDB distinguishes faults of a file only by their messages.
_NO_TEXT = "cannot encode str as UTF-8"
_DAMAGED = ("Corrupt database file", "Could not read enough bytes", "Failed to deserialize", "Serialization Error")


def _unreadable(name: str, message: str) -> InputError:
    if "Could not set lock" in message:
        return InputError(
            f"{name}: another process is writing to it, expected one that is not being written. Try again later."
        )
    if "created with a newer version of DuckDB" in message:
        return InputError(
            f"{name}: written by a newer DuckDB, expected a version that this one reads. "
            "Run: pip install --upgrade duckdb"
        )
    if any(words in message for words in ("not a valid DuckDB database", "storage version number", "in-memory")):
        return _not_a_graph(name)
    if any(words in message for words in _DAMAGED):
        return InputError(f"{name}: is damaged, expected a whole graph. Restore it from a copy, or build it again.")
    return InputError(f"{name}: {message.splitlines()[0]}, expected a graph")


@contextmanager
def _interrupted_after(seconds: float | None, cursor: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Stop a query that takes longer; without a limit it may take as long as it needs."""
    if seconds is None:
        yield
        return
    from threading import Timer

    import duckdb

    timer = Timer(seconds, cursor.interrupt)
    timer.start()
    try:
        yield
    except duckdb.InterruptException as error:
        raise OutOfTimeError from error
    finally:
        timer.cancel()
        # A cursor is not closed while it is being interrupted.
        timer.join()


@contextmanager
def _damage(name: str) -> Iterator[None]:
    """Raise an `InputError` when a query reads a damaged block, all of which have checksums, or was given no text."""
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        if any(words in str(error) for words in _DAMAGED):
            raise _unreadable(name, str(error)) from error
        if _NO_TEXT in str(error):
            raise InputError("bytes that are not UTF-8, or half a surrogate pair, expected text") from error
        raise


def _not_a_graph(name: str) -> InputError:
    return InputError(f"{name}: is not a graph, expected a file that `tupelo graph build` wrote")


def _table(name: str) -> TableSchema:
    """A table of the schema; table names cannot be bound, so no other text may enter a statement."""
    return BY_NAME[name]


def _bound(values: _Values) -> Any:
    return dict(values) if isinstance(values, Mapping) else list(values)
