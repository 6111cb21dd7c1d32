"""The tables of a graph file, as data: the SQL that makes them and the reference in the documentation come from here.

Every row knows where it comes from: an edge leads over `provenance` to tuples,
a tuple to its sentence, a sentence to its document, a document to the run
that read it. Ids are text: hashes of content (`stable_id`), so that they do
not change when the same documents are read again.

DuckDB's own key constraints are not used: they forbid taking a row out and
putting it back in one transaction, which is what an update does. Keys are
documented here and checked by `Store.problems`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

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
    """`key` lists the columns that tell rows apart. A `derived` table is made anew from the others."""

    name: str
    meaning: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    since: int = 1
    derived: bool = False

    def columns_at(self, version: int) -> tuple[Column, ...]:
        return tuple(column for column in self.columns if column.since <= version)


def _id(name: str, target: str, meaning: str, *, nullable: bool = False) -> Column:
    return Column(name, "VARCHAR", meaning, nullable=nullable, target=target)


TABLES: tuple[Table, ...] = (
    Table(
        "runs",
        "One row for each time that documents were read into the graph.",
        (
            Column("run_id", "VARCHAR", "The run."),
            Column("started", "TIMESTAMP", "When it began (UTC)."),
            Column("finished", "TIMESTAMP", "When it was done (UTC).", nullable=True),
            Column("tupelo_version", "VARCHAR", "The version of Tupelo."),
            Column("engine", "VARCHAR", "What it ran on: `local`, `spark://…`.", nullable=True),
            Column("extractor", "VARCHAR", "The extractor and its version.", nullable=True),
            Column("canonicalizer", "VARCHAR", "The canonicalization method and its version.", nullable=True),
            Column("options", "VARCHAR", "All other options, as JSON.", nullable=True),
            Column("documents_added", "BIGINT", "Documents that were new."),
            Column("documents_changed", "BIGINT", "Documents whose content had changed."),
            Column("documents_removed", "BIGINT", "Documents that were gone."),
            Column("arranged", "BOOLEAN", "Whether it put the derived tables into order anew.", True, since=3),
        ),
        ("run_id",),
    ),
    Table(
        "documents",
        "What was read.",
        (
            Column("document_id", "VARCHAR", "The document."),
            Column("source", "VARCHAR", "The file, and the place in it where a file holds several documents."),
            Column("title", "VARCHAR", "Its title, where it has one.", nullable=True),
            Column("media_type", "VARCHAR", "`text/plain`, `text/html` and so on."),
            Column("checksum", "VARCHAR", "SHA-256 of the content."),
            Column("characters", "BIGINT", "Length of the text."),
            Column("published", "DATE", "The day that the document gives for itself.", nullable=True),
            _id("run_id", "runs", "The run that read it."),
        ),
        ("document_id",),
    ),
    Table(
        "files",
        "The files that documents were read from without any complaint.",
        (
            Column("source", "VARCHAR", "The file, as in `documents`."),
            Column("checksum", "VARCHAR", "SHA-256 of its bytes. A file that still has it is not read again."),
        ),
        ("source",),
        since=3,
    ),
    Table(
        "sentences",
        "The sentences of the documents, as they were written.",
        (
            Column("sentence_id", "VARCHAR", "The sentence."),
            _id("document_id", "documents", "Its document."),
            Column("position", "INTEGER", "Its number in the document, from 0."),
            Column("start_at", "BIGINT", "First character in the text of the document.", nullable=True),
            Column("end_at", "BIGINT", "The character after the last.", nullable=True),
            Column("text", "VARCHAR", "The words."),
        ),
        ("sentence_id",),
    ),
    Table(
        "tuples",
        "What the extractor found, with its reservations.",
        (
            Column("tuple_id", "VARCHAR", "The tuple."),
            _id("sentence_id", "sentences", "Its sentence."),
            Column("position", "INTEGER", "Its number in the sentence, from 0."),
            Column("relation", "VARCHAR", "The relation as worded."),
            Column("confidence", "DOUBLE", "How sure the extractor is.", nullable=True),
            Column("negated", "BOOLEAN", "Whether the sentence denies it; NULL where nobody looked.", nullable=True),
            Column(
                "modality",
                "VARCHAR",
                "`necessary`, `possible`, `probable`, `hypothetical`, `intended`, `future`.",
                nullable=True,
            ),
            Column("speaker", "VARCHAR", "Who says so, where the text does not say it itself.", nullable=True),
            Column("speech_verb", "VARCHAR", "The verb of saying or believing.", nullable=True),
            Column("attribution", "VARCHAR", "The attribution as worded.", nullable=True),
            Column("context", "VARCHAR", "The condition or setting it holds in.", nullable=True),
            Column("extractor", "VARCHAR", "What made it.", nullable=True),
            Column("extractor_version", "VARCHAR", "Its version.", nullable=True),
            Column("rule", "VARCHAR", "The rule that made it.", nullable=True),
        ),
        ("tuple_id",),
    ),
    Table(
        "mentions",
        "The parts of the tuples: relation, subject, and all other arguments, time and place among them.",
        (
            Column("mention_id", "VARCHAR", "The mention."),
            _id("tuple_id", "tuples", "Its tuple."),
            Column("position", "INTEGER", "0 the relation, 1 the subject, 2 and up the other arguments."),
            Column("role", "VARCHAR", "`relation`, `subject`, `object`, `time`, `location`, `argument`."),
            Column("text", "VARCHAR", "The words."),
            Column(
                "resolved",
                "VARCHAR",
                "What a pronoun or short name stands for; a name without its title.",
                nullable=True,
            ),
            Column("starts", "INTEGER[]", "First characters of its pieces in the sentence.", nullable=True),
            Column("ends", "INTEGER[]", "The characters after the last.", nullable=True),
            Column("entity_type", "VARCHAR", "The type that the parser gave to the name in it.", nullable=True),
            _id("entity_id", "entities", "The entity it means.", nullable=True),
            _id("relation_id", "relations", "The relation it means, where `position` is 0.", nullable=True),
        ),
        ("mention_id",),
    ),
    Table(
        "entities",
        "Canonical entities: everything that is a subject or an object, and times and places.",
        (
            Column("entity_id", "VARCHAR", "The entity."),
            Column("name", "VARCHAR", "Its canonical name."),
            Column("kind", "VARCHAR", "`name` (a proper name), `phrase` (any other), `value` (a date, a number)."),
            Column("mentions", "BIGINT", "How often it is mentioned."),
            Column("documents", "BIGINT", "In how many documents."),
            Column("degree", "BIGINT", "Edges that it has.", nullable=True, since=2),
        ),
        ("entity_id",),
    ),
    Table(
        "relations",
        "Canonical relations.",
        (
            Column("relation_id", "VARCHAR", "The relation."),
            Column("name", "VARCHAR", "Its canonical name."),
            Column("lemma", "VARCHAR", "The name with every word in its base form."),
            Column("mentions", "BIGINT", "How often it is mentioned."),
            Column("edges", "BIGINT", "Edges that it has."),
        ),
        ("relation_id",),
    ),
    Table(
        "aliases",
        "All wordings of entities and relations, the canonical name among them.",
        (
            Column("owner_id", "VARCHAR", "The entity or relation."),
            Column("owner", "VARCHAR", "`entity` or `relation`."),
            Column("text", "VARCHAR", "The wording."),
            Column("mentions", "BIGINT", "How often it was used."),
            Column("normal", "VARCHAR", "The wording as it is looked up: lower case, single spaces.", True, since=2),
        ),
        ("owner_id", "text"),
    ),
    Table(
        "types",
        "Types of entities.",
        (
            Column("type_id", "VARCHAR", "The type."),
            Column("name", "VARCHAR", "Its name: `person`, `place` …"),
            _id("parent_id", "types", "The type that it is a kind of.", nullable=True),
        ),
        ("type_id",),
    ),
    Table(
        "entity_types",
        "Which entity is of which type.",
        (
            _id("entity_id", "entities", "The entity."),
            _id("type_id", "types", "The type."),
            Column("mentions", "BIGINT", "How many mentions say so."),
            Column("confidence", "DOUBLE", "Their share of the entity's mentions."),
        ),
        ("entity_id", "type_id"),
    ),
    Table(
        "edges",
        "Statements between two entities. What is asserted, denied and merely possible are different edges.",
        (
            Column("edge_id", "VARCHAR", "The edge."),
            _id("subject_id", "entities", "Its subject."),
            _id("relation_id", "relations", "Its relation."),
            _id("object_id", "entities", "Its object."),
            Column("negated", "BOOLEAN", "Whether its sentences deny it."),
            Column("modality", "VARCHAR", "As in `tuples`; NULL for a plain statement.", nullable=True),
            Column("confidence", "DOUBLE", "Of all mentions together."),
            Column("mentions", "BIGINT", "How many tuples say so."),
            Column("asserted", "BIGINT", "How many of them without attributing it to somebody."),
            Column("documents", "BIGINT", "In how many documents."),
        ),
        ("edge_id",),
    ),
    Table(
        "qualifiers",
        "When, where and with what else an edge holds.",
        (
            _id("edge_id", "edges", "The edge."),
            Column("role", "VARCHAR", "`time`, `location`, `argument`."),
            Column("text", "VARCHAR", "The words."),
            _id("entity_id", "entities", "The entity that they mean.", nullable=True),
            Column("mentions", "BIGINT", "How many tuples say so."),
            Column("first_day", "DATE", "First day of a time that names a year.", True, since=2),
            Column("last_day", "DATE", "Its last day.", True, since=2),
        ),
        ("edge_id", "role", "text"),
    ),
    Table(
        "provenance",
        "Which tuples an edge was made from.",
        (
            _id("edge_id", "edges", "The edge."),
            _id("tuple_id", "tuples", "A tuple that says so."),
            _id("sentence_id", "sentences", "Its sentence."),
            _id("document_id", "documents", "Its document."),
        ),
        ("edge_id", "tuple_id"),
    ),
    Table(
        "joined",
        "Wordings that a canonicalization method joined, by their keys: what a key stands for stays as it is.",
        (
            Column("owner", "VARCHAR", "`entity` or `relation`."),
            Column("original", "VARCHAR", "The key of a wording."),
            Column("canonical", "VARCHAR", "The key that it stands for."),
        ),
        ("owner", "original"),
        since=2,
    ),
    Table(
        "neighbours",
        "Every edge from both of its ends, in the order of the node, so that a neighbourhood is one short read.",
        (
            _id("node_id", "entities", "One end."),
            _id("other_id", "entities", "The other end."),
            _id("edge_id", "edges", "The edge."),
            _id("relation_id", "relations", "Its relation."),
            Column("outgoing", "BOOLEAN", "Whether `node_id` is the subject."),
            Column("confidence", "DOUBLE", "Of the edge."),
            Column("mentions", "BIGINT", "Of the edge."),
            Column("negated", "BOOLEAN", "Of the edge."),
            Column("modality", "VARCHAR", "Of the edge.", nullable=True),
        ),
        ("node_id", "edge_id", "outgoing"),
        since=2,
        derived=True,
    ),
    Table(
        "sentence_words",
        "The words of the sentences, in lower case and in the order of the word: the index of full-text search.",
        (
            Column("word", "VARCHAR", "The word."),
            _id("sentence_id", "sentences", "A sentence that has it."),
            Column("times", "INTEGER", "How often."),
            Column("length", "INTEGER", "Words in the sentence."),
        ),
        ("word", "sentence_id"),
        since=2,
        derived=True,
    ),
)

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
