"""The tables of a graph file, declared in `schema.toml`, from which their SQL and documentation are generated.

Every row can be traced to its source: a statement leads via `provenance` to tuples,
a tuple to its sentence, a sentence to its document, a document to the run
that read it. Ids are text: hashes of content (`stable_id`), so that they do
not change when the same documents are read again.

DuckDB's own key constraints are not used: they forbid deleting a row and
inserting it again in one transaction, which is what an update does. Keys are
documented here and checked by `Store.problems`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

from tupelo.core.shipped import declared, queries

SCHEMA_VERSION = 12
FORMAT_NAME = "tupelo-graph"
_ID_DIGITS = 24
_SEPARATOR = "\x1f"


@dataclass(frozen=True, slots=True)
class ColumnSchema:
    """A column. `target` is the table that it references."""

    name: str
    type: str
    meaning: str
    nullable: bool = False
    target: str | None = None


@dataclass(frozen=True, slots=True)
class TableSchema:
    """A table. `key` lists the columns that identify a row; a `derived` table is computed from the rest."""

    name: str
    meaning: str
    columns: tuple[ColumnSchema, ...]
    key: tuple[str, ...]
    derived: bool = False

    @property
    def creation(self) -> str:
        """The statement that creates the table."""
        columns = (f"{column.name} {column.type}{'' if column.nullable else ' NOT NULL'}" for column in self.columns)
        return f"CREATE TABLE {self.name} ({', '.join(columns)})"


def _declared() -> Iterator[TableSchema]:
    for table in declared(__name__, "schema.toml")["tables"]:
        columns = tuple(ColumnSchema(**column) for column in table.pop("columns"))
        yield TableSchema(columns=columns, key=tuple(table.pop("key")), **table)


TABLES = tuple(_declared())
BY_NAME = {table.name: table for table in TABLES}
VIEWS = queries(__name__)


def creation() -> Iterator[str]:
    """The statements that create an empty graph."""
    yield "CREATE TABLE graph_format (name VARCHAR NOT NULL, version INTEGER NOT NULL)"
    yield from (table.creation for table in TABLES)
    yield from VIEWS.values()


def stable_id(*parts: object) -> str:
    """The id derived from these parts. In SQL: `substr(sha256(concat_ws(chr(31), …)), 1, 24)`.

    >>> stable_id("entity", "ann")
    'a5d9e1e13026dfd51485eec3'
    """
    text = _SEPARATOR.join(map(str, parts))
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_ID_DIGITS]
