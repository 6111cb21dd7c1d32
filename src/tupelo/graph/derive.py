"""What follows from the other tables and makes a large graph quick to read; made anew after every change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tupelo.graph.times import days_of

if TYPE_CHECKING:
    import duckdb

# How a wording is looked up. `{}` is a column or a bound value.
NORMAL = r"trim(regexp_replace(lower({}), '\s+', ' ', 'g'))"
# What counts as a word of a sentence.
WORDS = r"regexp_extract_all(lower({}), '[\p{{L}}\p{{N}}]+')"

_STEPS = (
    "DELETE FROM neighbours",
    """
    INSERT INTO neighbours
    SELECT * FROM (
        SELECT subject_id AS node_id, object_id AS other_id, edge_id, relation_id, true AS outgoing, confidence,
            mentions, negated, modality
        FROM edges
        UNION ALL
        SELECT object_id, subject_id, edge_id, relation_id, false, confidence, mentions, negated, modality FROM edges
    )
    ORDER BY node_id, confidence DESC, edge_id, outgoing
    """,
    """
    UPDATE entities SET degree = coalesce(counted.degree, 0)
    FROM (
        SELECT entity_id AS id, any_value(degrees.degree) AS degree
        FROM entities LEFT JOIN (SELECT node_id, count(*) AS degree FROM neighbours GROUP BY node_id) AS degrees
        ON entity_id = node_id GROUP BY entity_id
    ) AS counted
    WHERE entities.entity_id = counted.id
    """,
    f"UPDATE aliases SET normal = {NORMAL.format('text')}",
    "DELETE FROM sentence_words",
    f"""
    INSERT INTO sentence_words
    SELECT word, sentence_id, count(*)::INTEGER AS times, any_value(length)::INTEGER AS length
    FROM (
        SELECT unnest(words) AS word, sentence_id, len(words) AS length
        FROM (SELECT sentence_id, {WORDS.format("text")} AS words FROM sentences)
    )
    GROUP BY word, sentence_id
    ORDER BY word, sentence_id
    """,
    "UPDATE qualifiers SET first_day = NULL, last_day = NULL",
)


def derive(connection: duckdb.DuckDBPyConnection) -> None:
    """Fill the derived tables and columns, inside the transaction of the caller."""
    for step in _STEPS:
        connection.execute(step)
    times = connection.execute("SELECT DISTINCT text FROM qualifiers WHERE role = 'time' ORDER BY text").fetchall()
    known = [(text, *days) for (text,) in times if (days := days_of(text)) is not None]
    if not known:
        return
    connection.execute("CREATE OR REPLACE TEMP TABLE known_times (text VARCHAR, first_day DATE, last_day DATE)")
    connection.executemany("INSERT INTO known_times VALUES (?, ?, ?)", known)
    connection.execute(
        "UPDATE qualifiers SET first_day = known.first_day, last_day = known.last_day "
        "FROM known_times AS known WHERE qualifiers.role = 'time' AND qualifiers.text = known.text"
    )
    connection.execute("DROP TABLE known_times")
