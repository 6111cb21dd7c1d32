"""Derived tables and columns, which make a large graph fast to read.

Recomputed for the whole graph, which leaves the tables sorted for lookup, or only for what a change touched, which
appends a few rows; the rows are the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tupelo.core.shipped import queries
from tupelo.graph.store.passages import WORDS, derive_passages
from tupelo.graph.store.values import days_of
from tupelo.nlp.languages.en.grammar import PREPOSITIONS

if TYPE_CHECKING:
    import duckdb

_SQL = queries(__name__)
# The form in which a wording is looked up. `{}` is a column or a bound value.
NORMAL = r"trim(regexp_replace(lower({}), '\s+', ' ', 'g'))"


_WORDS = {
    "normal": NORMAL.format("text"),
    "words": WORDS.format("text"),
    "prepositions": ", ".join(f"'{word}'" for word in sorted(PREPOSITIONS) if "'" not in word),
}
# The rows that a change touched; a condition for each kind.
_TOUCHED = {
    "edges": "edge_id IN (SELECT edge_id FROM touched_edge_id)",
    "nodes": "node_id IN (SELECT node_id FROM counted_again)",
    "aliases": "normal IS NULL",
    "gone": "sentence_id IN (SELECT sentence_id FROM gone_sentences)",
    "sentences": "sentence_id IN (SELECT sentence_id FROM new_sentences)",
}


def derive(connection: duckdb.DuckDBPyConnection, *, touched: bool = False) -> None:
    """Recompute the derived tables and columns, inside the transaction of the caller.

    With `touched`, only for edges and entities in the tables `touched_…`, sentences in `new_…` and `gone_sentences`.
    """
    where = _TOUCHED if touched else dict.fromkeys(_TOUCHED, "true")
    before = (
        [_SQL["kinds_changed"], _SQL["kinds_stated"], _SQL["counted_again"]]
        if touched
        else [_SQL["kinds_stated"], "UPDATE qualifiers SET first_day = NULL, last_day = NULL"]
    )
    steps = (
        _SQL["kinds"],
        *before,
        "DELETE FROM neighbours WHERE {edges}",
        _SQL["neighbours"],
        _SQL["degrees"],
        "UPDATE aliases SET normal = {normal} WHERE {aliases}",
        "DELETE FROM sentence_words WHERE {gone}",
        _SQL["words"],
    )
    for step in steps:
        connection.execute(step.format(**_WORDS, **where)).fetchall()
    _fill_days(connection, where["edges"])
    derive_passages(connection, touched=touched)


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
