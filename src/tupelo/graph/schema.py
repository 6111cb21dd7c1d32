"""The tables of a graph file, declared in `schema.toml`, from which their SQL and documentation are generated.

Every row can be traced to its source: an edge leads via `provenance` to tuples,
a tuple to its sentence, a sentence to its document, a document to the run
that read it. Ids are text: hashes of content (`stable_id`), so that they do
not change when the same documents are read again.

DuckDB's own key constraints are not used: they forbid deleting a row and
inserting it again in one transaction, which is what an update does. Keys are
documented here and checked by `Store.problems`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files

# Version 2 added tables that make a large file fast to read: neighbours, words, days. Version 3 records the files
# that were read, so that an update opens only changed ones. Version 4 tells entities from literals and knows who is
# who.
SCHEMA_VERSION = 4
FORMAT_NAME = "tupelo-graph"
_ID_DIGITS = 24
_SEPARATOR = "\x1f"


@dataclass(frozen=True, slots=True)
class Column:
    """A column. `target` is the table that it references, `since` the version that added it."""

    name: str
    type: str
    meaning: str
    nullable: bool = False
    target: str | None = None
    since: int = 1


@dataclass(frozen=True, slots=True)
class Table:
    """A table. `key` lists the columns that identify a row; a `derived` table is computed from the others."""

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
_VIEWS_SINCE = 4
# Edges and attributes alike, and what they join: an object is an entity or a literal.
_VIEWS = (
    """
    CREATE VIEW statements AS
    SELECT edge_id, subject_id, relation_id, object_id, negated, modality, confidence, mentions, asserted, documents,
        stance, relation FROM edges
    UNION ALL
    SELECT edge_id, subject_id, relation_id, literal_id, negated, modality, confidence, mentions, asserted, documents,
        stance, relation FROM attributes
    """,
    """
    CREATE VIEW nodes AS
    SELECT entity_id AS node_id, name, kind FROM entities
    UNION ALL
    SELECT literal_id, text, kind FROM literals
    """,
)


def tables_at(version: int) -> tuple[Table, ...]:
    return tuple(table for table in TABLES if table.since <= version)


# What version 3 says of stances and wordings, in the columns of version 4.
_TO_VERSION_4 = (
    "UPDATE edges SET stance = CASE WHEN modality IS NOT NULL THEN 'possible' WHEN negated THEN 'denied' "
    "WHEN asserted > 0 THEN 'asserted' ELSE 'reported' END",
    "UPDATE edges SET relation = relations.name FROM relations WHERE relations.relation_id = edges.relation_id",
    "UPDATE mentions SET sentence_id = tuples.sentence_id FROM tuples WHERE tuples.tuple_id = mentions.tuple_id",
)


def creation(version: int = SCHEMA_VERSION) -> Iterator[str]:
    """The statements that create an empty graph of a version."""
    yield "CREATE TABLE graph_format (name VARCHAR NOT NULL, version INTEGER NOT NULL)"
    for table in tables_at(version):
        yield _create_table(table, version)
    if version >= _VIEWS_SINCE:
        yield from _VIEWS


def additions(version: int) -> Iterator[str]:
    """The statements that upgrade a file of the previous version with the tables and columns of this one."""
    for table in TABLES:
        if table.since == version:
            yield _create_table(table, version)
        elif table.since < version:
            for column in table.columns:
                if column.since == version:
                    yield f"ALTER TABLE {table.name} ADD COLUMN {column.name} {column.type}"
    if version == _VIEWS_SINCE:
        yield from _TO_VERSION_4
        yield from _VIEWS


def _create_table(table: Table, version: int) -> str:
    columns = ", ".join(
        f"{column.name} {column.type}{'' if column.nullable else ' NOT NULL'}" for column in table.columns_at(version)
    )
    return f"CREATE TABLE {table.name} ({columns})"


def stable_id(*parts: object) -> str:
    """The id derived from these parts. In SQL: `substr(sha256(concat_ws(chr(31), …)), 1, 24)`.

    >>> stable_id("entity", "ann")
    'a5d9e1e13026dfd51485eec3'
    """
    text = _SEPARATOR.join(map(str, parts))
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_ID_DIGITS]
