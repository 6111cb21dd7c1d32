"""Full-text search: entities by any part of a name, sentences by their words, ranked with BM25."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tupelo.core import InputError
from tupelo.graph.answers import AnswerItem, AnswerTable
from tupelo.graph.derive import WORDS
from tupelo.graph.edges import Node
from tupelo.graph.store import Store

# The usual constants: how soon repeated words stop counting, how much length matters.
_K1, _B = 1.2, 0.75
_QUOTED = re.compile(r'"([^"]+)"')


@dataclass(frozen=True, slots=True)
class SentenceHit(AnswerItem):
    """A sentence with its score and the edges that were made from it."""

    sentence_id: str
    sentence: str
    source: str
    position: int
    score: float
    edges: tuple[str, ...]

    @property
    def cells(self) -> tuple[object, ...]:
        return self.score, f"{self.source}:{self.position + 1}", len(self.edges)

    @property
    def notes(self) -> tuple[str, ...]:
        return (self.sentence,)

    def to_dict(self) -> dict[str, Any]:
        return {
            "score": self.score,
            "sentence": self.sentence,
            "source": self.source,
            "position": self.position,
            "edges": list(self.edges),
        }


def search_sentences(store: Store, text: str, limit: int = 20) -> AnswerTable:
    """Sentences with any of the words, best first. `found*` takes all endings, `"in quotes"` requires the phrase."""
    words, prefixes = _wanted(store, text)
    if not words and not prefixes:
        raise InputError(f"'{text}' has no word to search for, expected at least one")
    phrases = [phrase.lower() for phrase in _QUOTED.findall(text)]
    matches = " OR ".join(["word IN (SELECT unnest(?))"] + ["(word >= ? AND word < ?)"] * len(prefixes))
    demanded = "".join(" AND contains(lower(sentences.text), ?)" for _ in phrases)
    bounds = [bound for prefix in prefixes for bound in (prefix, f"{prefix}\U0010ffff")]
    rows = store.rows(
        f"""
        WITH matched AS (SELECT word, sentence_id, times, length FROM sentence_words WHERE {matches}),
        rarity AS (
            SELECT word, ln(1 + (total - count(*) + 0.5) / (count(*) + 0.5)) AS weight
            FROM matched, (SELECT count(*) AS total FROM sentences) GROUP BY word, total
        ),
        scored AS (
            SELECT sentence_id, sum(
                weight * times * ({_K1} + 1) / (times + {_K1} * (1 - {_B} + {_B} * length / average))
            ) AS score
            FROM matched JOIN rarity USING (word),
                (SELECT sum(times) / greatest(count(DISTINCT sentence_id), 1) AS average FROM sentence_words)
            GROUP BY sentence_id
        )
        SELECT sentence_id, sentences.text, documents.source, sentences.position, score
        FROM scored JOIN sentences USING (sentence_id) JOIN documents USING (document_id)
        WHERE true{demanded}
        ORDER BY score DESC, documents.source, sentences.position LIMIT {int(limit)}
        """,
        [words, *bounds, *phrases],
    )
    edges = _edges_of(store, [row[0] for row in rows])
    hits = tuple(SentenceHit(*row, edges.get(row[0], ())) for row in rows)
    return AnswerTable(("score", "where", "edges"), hits)


def search_entities(store: Store, text: str, limit: int = 20) -> list[Node]:
    """Entities any of whose names contains the text; whole names first, then beginnings, then the best connected."""
    rows = store.rows(
        f"""
        SELECT entity_id, name
        FROM (
            SELECT owner_id, max(CASE WHEN normal = $1 THEN 2 WHEN starts_with(normal, $1) THEN 1 ELSE 0 END) AS fit
            FROM aliases WHERE contains(normal, $1) AND owner = 'entity' GROUP BY owner_id
        ) AS found
        JOIN entities ON entity_id = owner_id
        ORDER BY fit DESC, degree DESC, name, entity_id LIMIT {int(limit)}
        """,
        [text.strip().lower()],
    )
    return [Node(*row) for row in rows]


def _wanted(store: Store, text: str) -> tuple[list[str], list[str]]:
    """Whole words and beginnings of words, split as in the index."""
    words, prefixes = [], []
    for piece in text.split():
        pieces = store.rows(f"SELECT {WORDS.format('?')}", [piece])[0][0]
        if piece.endswith("*") and pieces:
            prefixes.append(pieces.pop())
        words += pieces
    return words, prefixes


def _edges_of(store: Store, sentences: Sequence[str]) -> dict[str, tuple[str, ...]]:
    rows = store.rows(
        "SELECT sentence_id, list(DISTINCT edge_id ORDER BY edge_id) FROM provenance "
        "WHERE sentence_id IN (SELECT unnest(?)) GROUP BY sentence_id",
        [list(sentences)],
    )
    return {sentence: tuple(edges) for sentence, edges in rows}
