"""The tables of a graph file, declared in `schema.toml`: their SQL and their documentation are made from it.

Every row knows where it comes from: an edge leads over `provenance` to tuples,
a tuple to its sentence, a sentence to its document, a document to the run
that read it. Ids are text: hashes of content (`stable_id`), so that they do
not change when the same documents are read again.

DuckDB's own key constraints are not used: they forbid taking a row out and
putting it back in one transaction, which is what an update does. Keys are
documented here and checked by `Store.problems`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files

# Version 2 added what makes a large file quick to read: neighbours, words, days. Version 3 knows the files that were
# read, so that an update opens none that has not changed.
SCHEMA_VERSION = 3
FORMAT_NAME = "tupelo-graph"
_ID_DIGITS = 24
_SEPARATOR = "\x1f"


@dataclass(frozen=True, slots=True)
class Column:
    """`target` names the table whose key a value must be; `since` the version that added the column."""

    name: str
    type: str
    meaning: str
    nullable: bool = False
    target: str | None = None
    since: int = 1


@dataclass(frozen=True, slots=True)
class Table:
    """`key` lists the columns that identify a row. A `derived` table is computed from the others."""

    name: str
    meaning: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    since: int = 1
    derived: bool = False

    def columns_at(self, version: int) -> tuple[Column, ...]:
        return tuple(column for column in self.columns if column.since <= version)


def _declared() -> Iterator[Table]:
    text = files("tupelo.graph").joinpath("schema.toml").read_text("utf-8")
    for table in tomllib.loads(text)["tables"]:
        columns = tuple(Column(**column) for column in table.pop("columns"))
        yield Table(columns=columns, key=tuple(table.pop("key")), **table)


TABLES = tuple(_declared())
BY_NAME = {table.name: table for table in TABLES}


def tables_at(version: int) -> tuple[Table, ...]:
    return tuple(table for table in TABLES if table.since <= version)


def creation(version: int = SCHEMA_VERSION) -> Iterator[str]:
    """The statements that make an empty graph of a version."""
    yield "CREATE TABLE graph_format (name VARCHAR NOT NULL, version INTEGER NOT NULL)"
    for table in tables_at(version):
        yield _create_table(table, version)


def additions(version: int) -> Iterator[str]:
    """The statements that add the tables and columns of a version to a file of the version before it."""
    for table in TABLES:
        if table.since == version:
            yield _create_table(table, version)
        elif table.since < version:
            for column in table.columns:
                if column.since == version:
                    yield f"ALTER TABLE {table.name} ADD COLUMN {column.name} {column.type}"


def _create_table(table: Table, version: int) -> str:
    columns = ", ".join(
        f"{column.name} {column.type}{'' if column.nullable else ' NOT NULL'}" for column in table.columns_at(version)
    )
    return f"CREATE TABLE {table.name} ({columns})"


def stable_id(*parts: object) -> str:
    """The id of what these parts determine. In SQL: `substr(sha256(concat_ws(chr(31), …)), 1, 24)`.

    >>> stable_id("entity", "ann")
    'a5d9e1e13026dfd51485eec3'
    """
    text = _SEPARATOR.join(str(part) for part in parts)
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_ID_DIGITS]
