"""Derived tables and columns, which make a large graph fast to read.

Recomputed for the whole graph, which leaves the tables sorted for lookup, or only for what a change touched, which
appends a few rows; the rows are the same.
"""

from __future__ import annotations

from tupelo.core.shipped import queries
from tupelo.graph.store.file import Store
from tupelo.graph.store.passages import derive_passages, with_rows
from tupelo.graph.store.values import days_of
from tupelo.nlp.languages.en.grammar import PREPOSITIONS

_SQL = queries(__name__)
_PREPOSITIONS = ", ".join(f"'{word}'" for word in sorted(PREPOSITIONS) if "'" not in word)
# The rows that a change touched; a condition for each kind.
_TOUCHED = {
    "edges": "edge_id IN (SELECT edge_id FROM touched_edge_id)",
    "nodes": "node_id IN (SELECT node_id FROM counted_again)",
    "gone": "sentence_id IN (SELECT sentence_id FROM gone_sentences)",
    "sentences": "sentence_id IN (SELECT sentence_id FROM new_sentences)",
}


def derive(store: Store, *, touched: bool = False) -> None:
    """Recompute the derived tables and columns, inside the transaction of the caller.

    With `touched`, only for edges in `touched_edge_id`, nodes in `counted_again`, sentences in `new_sentences` and
    `gone_sentences`.
    """
    where = _TOUCHED if touched else dict.fromkeys(_TOUCHED, "true")
    changed = ["counted_again"] if touched else []
    for step in ("kinds", *changed, "kinds_stated", "degrees", "words"):
        store.run(_SQL[step].format(prepositions=_PREPOSITIONS, **where))
    times = f"role = 'time' AND qualifiers.{where['edges']}" if touched else "role = 'time'"
    said = store.rows_within(f"SELECT DISTINCT text FROM qualifiers WHERE {times} ORDER BY text")
    days = ((text, *days) for (text,) in said if (days := days_of(text)) is not None)
    with_rows(store, _SQL["days"].format(times=times), ("text", "first_day", "last_day"), days)
    derive_passages(store, touched=touched)
