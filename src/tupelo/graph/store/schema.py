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
# who. Version 5 has passages.
SCHEMA_VERSION = 6
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
    text = files("tupelo.graph.store").joinpath("schema.toml").read_text("utf-8")
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


# What version 3 says of stances, wordings and mentions, in the tables of version 4. Every document has one referent
# for each of its entities, without keys, so nothing that comes later is taken for it.
_TO_VERSION_4 = (
    "UPDATE tuples SET stance = CASE WHEN modality IS NOT NULL THEN 'possible' WHEN negated THEN 'denied' "
    "WHEN speaker IS NULL AND speech_verb IS NULL AND attribution IS NULL THEN 'asserted' ELSE 'reported' END",
    "UPDATE edges SET stance = CASE WHEN modality IS NOT NULL THEN 'possible' WHEN negated THEN 'denied' "
    "WHEN asserted > 0 THEN 'asserted' ELSE 'reported' END",
    "UPDATE edges SET asserted = 0 WHERE stance IN ('possible', 'denied')",
    """
    UPDATE mentions SET sentence_id = sentences.sentence_id, referent_id = CASE WHEN entity_id IS NOT NULL THEN
        substr(sha256(concat_ws(chr(31), 'referent', document_id, entity_id)), 1, 24) END
    FROM tuples JOIN sentences USING (sentence_id) WHERE tuples.tuple_id = mentions.tuple_id
    """,
    """
    INSERT INTO referents BY NAME
    WITH named AS (
        SELECT referent_id, document_id, entity_id, mentions.text, count(*) AS n
        FROM mentions JOIN sentences USING (sentence_id) WHERE referent_id IS NOT NULL GROUP BY ALL
    ), typed AS (
        SELECT entity_id, list(types.name ORDER BY mentions DESC, types.name) AS labels
        FROM entity_types JOIN types USING (type_id) GROUP BY entity_id
    )
    SELECT referent_id, document_id, entity_id, any_value(kind) AS kind, any_value(name) AS name,
        coalesce(any_value(labels[1]), '') AS label, coalesce(any_value(labels[2:]), []) AS types,
        list(text ORDER BY n DESC, text) AS names, list(n ORDER BY n DESC, text) AS counts, sum(n) AS mentions,
        list(CASE WHEN text = name THEN 'same name' ELSE 'earlier version' END ORDER BY n DESC, text) AS reasons,
        list(1.0 ORDER BY n DESC, text) AS probabilities,
        [] AS keys, [] AS descriptions, [] AS context, false AS generic, false AS defined
    FROM named JOIN entities USING (entity_id) LEFT JOIN typed USING (entity_id)
    GROUP BY referent_id, document_id, entity_id
    """,
    """
    UPDATE provenance SET relation_id = said.relation_id, wording = said.wording, confidence = said.confidence,
        subject_ref = said.subject_ref, object_ref = said.object_ref, beside = said.beside
    FROM (
        SELECT edge_id, tuple_id, edges.relation_id, any_value(tuples.confidence) AS confidence,
            any_value(CASE WHEN edges.negated THEN relations.name ELSE text END)
                FILTER (role = 'relation') AS wording,
            any_value(referent_id) FILTER (role = 'subject') AS subject_ref,
            any_value(referent_id) FILTER (role = 'object') AS object_ref,
            coalesce(list(mentions.position ORDER BY mentions.position)
                FILTER (role IN ('time', 'location', 'argument')), []) AS beside
        FROM provenance JOIN edges USING (edge_id) JOIN relations ON relations.relation_id = edges.relation_id
        JOIN tuples USING (tuple_id) JOIN mentions USING (tuple_id)
        GROUP BY edge_id, tuple_id, edges.relation_id
    ) AS said WHERE said.edge_id = provenance.edge_id AND said.tuple_id = provenance.tuple_id
    """,
    """
    UPDATE edges SET relation = said.wording FROM (
        SELECT edge_id, wording FROM provenance WHERE wording IS NOT NULL GROUP BY edge_id, wording
        QUALIFY row_number() OVER (PARTITION BY edge_id ORDER BY count(*) DESC, wording) = 1
    ) AS said WHERE said.edge_id = edges.edge_id
    """,
    # Tuples without an object had a relation too.
    "UPDATE mentions SET relation_id = NULL WHERE tuple_id NOT IN (SELECT tuple_id FROM provenance)",
    "DELETE FROM relations WHERE relation_id NOT IN (SELECT relation_id FROM edges)",
    "DELETE FROM aliases WHERE owner = 'relation' AND owner_id NOT IN (SELECT relation_id FROM relations)",
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
