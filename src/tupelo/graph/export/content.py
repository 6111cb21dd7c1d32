"""The content of a graph as exporters read it: rows of entities, relations, statements and their sources."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tupelo.graph.export import ExportOptions
from tupelo.graph.query.edges import QUALIFIERS, reservations
from tupelo.graph.store.file import Store
from tupelo.graph.store.shipped import queries
from tupelo.graph.store.types import finest

_SQL = queries(__name__)
# Relations that get a name of their own in a format that has few.
MOST_NAMES = 40


def rows(store: Store, sql: str) -> Iterator[dict[str, Any]]:
    """The rows of a query, fetched in batches."""
    for batch in store.batches(sql):
        yield from batch.to_pylist()


# Role of a qualifier -> the column that lists its wordings.
_QUALIFIED = ", ".join(
    f"list(text ORDER BY text) FILTER (role = '{role}') AS {column}" for role, column in QUALIFIERS.items()
)


def edges_with_sentences(options: ExportOptions) -> str:
    """SQL for edges in the order of their ids, with their sentence ids and qualifiers."""
    return _with_sentences("SELECT * FROM edges", options)


def attributes_with_sentences(options: ExportOptions) -> str:
    """The same for attributes, with the columns of their literals."""
    return _with_sentences(
        "SELECT attributes.*, kind, text, number, unit, first_day, last_day "
        "FROM attributes JOIN literals USING (literal_id)",
        options,
    )


def _with_sentences(said: str, options: ExportOptions) -> str:
    return _SQL["with_sentences"].format(
        columns=", ".join(QUALIFIERS.values()),
        statements=said,
        qualified=_QUALIFIED,
        min_confidence=repr(float(options.min_confidence)),
    )


def doubts(row: Mapping[str, Any]) -> list[str]:
    """The reasons why a statement is not a plain claim of the text."""
    held = {role: row[column] for role, column in QUALIFIERS.items()}
    return reservations(row["stance"], row["negated"], row["modality"], held)


def entities(options: ExportOptions) -> str:
    """SQL for entities in the order of their ids, with types, aliases and what is asserted of them in literals.

    `type` is the one of its types that says most.
    """
    return _SQL["entities"].format(finest=finest(), min_confidence=repr(float(options.min_confidence)))


def frequent_attributes(store: Store) -> list[str]:
    """The relations of most attributes, by name: they are properties of nodes where a format has such."""
    sql = (
        "SELECT name FROM attributes JOIN relations USING (relation_id) WHERE stance = 'asserted' "
        f"GROUP BY name ORDER BY count(*) DESC, name LIMIT {MOST_NAMES}"
    )
    return [str(name) for (name,) in store.rows(sql)]


def values_of(row: Mapping[str, Any], relation: str) -> list[str] | None:
    """The asserted values of an attribute of an entity; `None` if there are none."""
    return [said["text"] for said in row["said"] or () if said["relation"] == relation] or None


RELATIONS = _SQL["relations"]
SENTENCES = "SELECT * FROM sentences ORDER BY sentence_id"
DOCUMENTS = "SELECT * FROM documents ORDER BY document_id"
RUNS = "SELECT * FROM runs ORDER BY run_id"
