"""Questions in SQL: one statement that reads, on a store that can reach nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tupelo.core import InputError
from tupelo.graph.store import Store


@dataclass(frozen=True, slots=True)
class Rows:
    """Plain rows with the names of their columns."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


def run_sql(store: Store, sql: str, limit: int | None = None) -> Rows:
    """The rows of one reading statement; everything else is refused, by us or by the sealed store."""
    import duckdb

    cursor = store.connection.cursor()
    try:
        statements = cursor.extract_statements(sql)
        if len(statements) != 1:
            raise InputError(f"{len(statements)} SQL statements, expected one")
        if statements[0].type not in (duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN):
            kind = str(statements[0].type).rpartition(".")[2]
            raise InputError(f"a SQL statement of kind {kind}, expected one that reads (SELECT)")
        found = cursor.execute(statements[0])
        rows = found.fetchall() if limit is None else found.fetchmany(limit)
        return Rows(tuple(column[0] for column in found.description or ()), tuple(rows))
    except duckdb.Error as error:
        raise InputError(f"SQL: {' '.join(str(error).split())}") from error
    finally:
        cursor.close()
