"""The content of a graph as exporters read it: rows of entities, relations, statements and their sources."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tupelo.core.shipped import queries
from tupelo.graph.export import ExportOptions
from tupelo.graph.query.edges import QUALIFIERS, reservations
from tupelo.graph.store.file import Store
from tupelo.graph.store.types import finest
from tupelo.graph.store.values import typed_value

_SQL = queries(__name__)
# Relations that get a name of their own in a format that has few.
MOST_NAMES = 40


# Role of a qualifier -> the column that lists its wordings.
_QUALIFIED = ", ".join(
    f"list(text ORDER BY text) FILTER (role = '{role}') AS {column}" for role, column in QUALIFIERS.items()
)


def statements(options: ExportOptions, table: str = "statements") -> str:
    """SQL for statements in the order of their ids, with their objects, sentence ids and qualifiers.

    `table` is `edges` for those between nodes that are no values.
    """
    return _SQL["statements"].format(
        columns=", ".join(QUALIFIERS.values()),
        table=table,
        qualified=_QUALIFIED,
        view=options.view.condition("said"),
    )


def doubts(row: Mapping[str, Any]) -> list[str]:
    """The reasons why a statement is not a plain claim of the text."""
    held = {role: row[column] for role, column in QUALIFIERS.items()}
    return reservations(row["stance"], row["negated"], row["modality"], held)


def entities(options: ExportOptions) -> str:
    """SQL for nodes that are no values in the order of their ids, with types, aliases and asserted values.

    `type` is the one of its types that says most.
    """
    kinds = "kind = 'entity'" if options.view.about == "names" else "true"
    return _SQL["entities"].format(finest=finest(), kinds=kinds, view=options.view.condition("said"))


def values(options: ExportOptions) -> str:
    """SQL for the values of the statements, in the order of their ids."""
    return _SQL["values"].format(view=options.view.condition("said"))


def value_of(row: Mapping[str, Any], text: str) -> tuple[str, str | None]:
    """The typed form of a value, whose words are in the column `text`."""
    return typed_value(*(row[name] for name in (text, "number", "unit", "first_day", "last_day")))


def frequent_attributes(store: Store) -> list[str]:
    """The relations of most values, by name: they are properties of nodes where a format has such."""
    return store.column(
        "SELECT name FROM statements JOIN relations USING (relation_id) "
        "WHERE stance = 'asserted' AND object_kind = 'value' AND subject_kind <> 'value' "
        f"GROUP BY name ORDER BY count(*) DESC, name LIMIT {MOST_NAMES}"
    )


def values_of(row: Mapping[str, Any], relation: str) -> list[str] | None:
    """The asserted values of an attribute of an entity; `None` if there are none."""
    return [said["text"] for said in row["said"] or () if said["relation"] == relation] or None


RELATIONS = _SQL["relations"]
SENTENCES = "SELECT * FROM sentences ORDER BY sentence_id"
DOCUMENTS = "SELECT * FROM documents ORDER BY document_id"
RUNS = "SELECT * FROM runs ORDER BY run_id"
