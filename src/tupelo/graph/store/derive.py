"""Derived tables and columns, which make a large graph fast to read.

Recomputed for the whole graph (`derive`), or only for what a change touched
(`derive_touched`). The first leaves tables sorted for lookup, the
second appends a few rows; both give the same rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tupelo.graph.store.passages import WORDS, derive_passages, derive_touched_passages
from tupelo.graph.store.times import days_of

if TYPE_CHECKING:
    import duckdb

# The form in which a wording is looked up. `{}` is a column or a bound value.
NORMAL = r"trim(regexp_replace(lower({}), '\s+', ' ', 'g'))"

# `{edges}`, `{entities}`, `{sentences}` are conditions that select rows.
_NEIGHBOURS = """
    INSERT INTO neighbours
    SELECT * FROM (
        SELECT subject_id AS node_id, object_id AS other_id, edge_id, relation_id, true AS outgoing, confidence,
            mentions, negated, modality, stance
        FROM edges WHERE {edges}
        UNION ALL
        SELECT object_id, subject_id, edge_id, relation_id, false, confidence, mentions, negated, modality,
            stance
        FROM edges WHERE {edges}
    )
    ORDER BY node_id, confidence DESC, edge_id, outgoing
"""
_DEGREES = """
    UPDATE entities SET degree = coalesce(counted.degree, 0)
    FROM (
        SELECT entity_id AS id, any_value(degrees.degree) AS degree
        FROM entities LEFT JOIN (
            SELECT node_id, count(*) AS degree FROM neighbours WHERE {nodes} GROUP BY node_id
        ) AS degrees
        ON entity_id = node_id WHERE {entities} GROUP BY entity_id
    ) AS counted
    WHERE entities.entity_id = counted.id
"""
_WORDS = """
    INSERT INTO sentence_words
    SELECT word, sentence_id, count(*)::INTEGER AS times, any_value(length)::INTEGER AS length
    FROM (
        SELECT unnest(words) AS word, sentence_id, len(words) AS length
        FROM (SELECT sentence_id, {words} AS words FROM sentences WHERE {sentences})
    )
    GROUP BY word, sentence_id
    ORDER BY word, sentence_id
"""


def derive(connection: duckdb.DuckDBPyConnection) -> None:
    """Recompute the derived tables and columns, inside the transaction of the caller."""
    steps = (
        "DELETE FROM neighbours",
        _NEIGHBOURS.format(edges="true"),
        _DEGREES.format(nodes="true", entities="true"),
        f"UPDATE aliases SET normal = {NORMAL.format('text')}",
        "DELETE FROM sentence_words",
        _WORDS.format(words=WORDS.format("text"), sentences="true"),
        "UPDATE qualifiers SET first_day = NULL, last_day = NULL",
    )
    for step in steps:
        connection.execute(step).fetchall()
    _fill_days(connection, "true")
    derive_passages(connection)


def derive_touched(connection: duckdb.DuckDBPyConnection) -> None:
    """The same for edges and entities in the tables `touched_…`, sentences in `new_…` and `gone_sentences`."""
    edges = "edge_id IN (SELECT edge_id FROM touched_edge_id)"
    entities = "{} IN (SELECT entity_id FROM counted_again)"
    steps = (
        # What became one with another at the far end of an edge changes the degree of the near end too.
        "CREATE OR REPLACE TEMP TABLE counted_again AS SELECT entity_id FROM touched_entity_id "
        f"UNION SELECT node_id FROM neighbours WHERE {edges} "
        f"UNION SELECT subject_id FROM edges WHERE {edges} UNION SELECT object_id FROM edges WHERE {edges}",
        f"DELETE FROM neighbours WHERE {edges}",
        _NEIGHBOURS.format(edges=edges),
        _DEGREES.format(nodes=entities.format("node_id"), entities=entities.format("entity_id")),
        f"UPDATE aliases SET normal = {NORMAL.format('text')} WHERE normal IS NULL",
        "DELETE FROM sentence_words WHERE sentence_id IN (SELECT sentence_id FROM gone_sentences)",
        _WORDS.format(words=WORDS.format("text"), sentences="sentence_id IN (SELECT sentence_id FROM new_sentences)"),
    )
    for step in steps:
        connection.execute(step).fetchall()
    _fill_days(connection, edges)
    derive_touched_passages(connection)


def _fill_days(connection: duckdb.DuckDBPyConnection, edges: str) -> None:
    times = connection.execute(
        f"SELECT DISTINCT text FROM qualifiers WHERE role = 'time' AND {edges} ORDER BY text"
    ).fetchall()
    known = [(text, *days) for (text,) in times if (days := days_of(text)) is not None]
    if not known:
        return
    connection.execute("CREATE OR REPLACE TEMP TABLE known_times (text VARCHAR, first_day DATE, last_day DATE)")
    connection.executemany("INSERT INTO known_times VALUES (?, ?, ?)", known)
    connection.execute(
        "UPDATE qualifiers SET first_day = known.first_day, last_day = known.last_day "
        f"FROM known_times AS known WHERE qualifiers.role = 'time' AND qualifiers.text = known.text AND {edges}"
    ).fetchall()
    connection.execute("DROP TABLE known_times")
