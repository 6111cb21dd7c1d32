"""Look up entities and relations (names, aliases, base forms) and sentences (full text, BM25)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tupelo.core import InputError, UnknownNameError
from tupelo.core.entailment import RelationSignature
from tupelo.graph.answers import AnswerItem, AnswerTable
from tupelo.graph.derive import NORMAL, WORDS
from tupelo.graph.edges import Node
from tupelo.graph.store import Store

_ALIKE = 0.85
# Limits partial matches: a word may be part of very many names.
_MOST_BY_WORDS = 1_000
# A type counts if this share of a relation's edges has it on that side, so that outliers are ignored.
_TYPE_SHARE = 0.2
# The usual BM25 constants: saturation of term frequency, and weight of length.
_K1, _B = 1.2, 0.75
_QUOTED = re.compile(r'"([^"]+)"')


@dataclass(frozen=True, slots=True)
class NameMatches:
    """Ids that match some words. `exact` if the words are a whole name or alias."""

    ids: tuple[str, ...]
    exact: bool = True


@lru_cache(maxsize=256)
def base_forms(words: str) -> frozenset[str]:
    """A relation with its first word in each possible base form: "founds it" -> {"found it"}."""
    from tupelo.nlp.lemmas import Lemmatizer

    lemmatizer = Lemmatizer()
    first, *rest = words.lower().split() or [""]
    found = {lemmatizer.lemma(first, "VERB", tag) for tag in ("VB", "VBZ", "VBD", "VBN", "VBG")}
    return frozenset(" ".join([form, *rest]) for form in found if form)


def entity_ids(store: Store, names: Iterable[str]) -> list[str]:
    """The ids of the entities with these names, in order; raises an error for an unknown name."""
    found: list[str] = []
    for name in names:
        matches = find_entities(store, name)
        if not matches.ids:
            raise unknown(store, "entity", name)
        found += matches.ids
    return found


def find_entities(store: Store, words: str) -> NameMatches:
    """Entities with this name, alias or id; if there is none, those whose names contain all these words."""
    rows = store.rows(
        f"SELECT DISTINCT owner_id FROM aliases WHERE owner = 'entity' AND normal = {NORMAL.format('?')} "
        "UNION SELECT entity_id FROM entities WHERE entity_id = ? ORDER BY 1",
        [words, words],
    )
    if rows:
        return NameMatches(tuple(row[0] for row in rows))
    return NameMatches(_entities_by_words(store, words), exact=False)


def _entities_by_words(store: Store, words: str) -> tuple[str, ...]:
    asked = words.lower().split()
    if not asked:
        return ()
    conditions = " AND ".join("contains(' ' || normal || ' ', ?)" for _ in asked)
    rows = store.rows(
        f"SELECT DISTINCT owner_id FROM aliases WHERE owner = 'entity' AND {conditions} "
        f"ORDER BY owner_id LIMIT {_MOST_BY_WORDS}",
        [f" {word} " for word in asked],
    )
    return tuple(row[0] for row in rows)


def find_relations(store: Store, words: str, *, inflected: bool = True) -> NameMatches:
    """Relations with this canonical name, alias or id, or with the base form of words that may be inflected."""
    forms = sorted(_forms(words, inflected))
    rows = store.rows(
        f"""
        SELECT owner_id FROM aliases WHERE owner = 'relation' AND normal = {NORMAL.format("?")}
        UNION SELECT relation_id FROM relations WHERE relation_id = ? OR lower(lemma) IN (SELECT unnest(?))
        ORDER BY 1
        """,
        [words, words, forms],
    )
    return NameMatches(tuple(row[0] for row in rows))


def _forms(words: str, inflected: bool) -> set[str]:
    return {words.lower(), *(base_forms(words) if inflected else ())}


def find_other_voice(store: Store, words: str, found: Collection[str]) -> tuple[str, ...]:
    """Relations with the same meaning in the other voice: "was founded by" for "founded", and vice versa.

    `found` are the relations that match the words themselves.
    """
    lemmas = store.rows("SELECT lower(lemma) FROM relations WHERE relation_id IN (SELECT unnest(?))", [list(found)])
    forms = sorted(_forms(words, True) | {lemma for (lemma,) in lemmas})
    others = [form[3:-3] if form.startswith("be ") and form.endswith(" by") else f"be {form} by" for form in forms]
    rows = store.rows(
        "SELECT relation_id FROM relations WHERE lower(lemma) IN (SELECT unnest(?)) ORDER BY 1", [others]
    )
    return tuple(row[0] for row in rows)


def unknown(store: Store, owner: str, words: str) -> UnknownNameError:
    """The error for an unknown name, with the most similar name as a suggestion."""
    rows = store.rows(
        f"""
        SELECT text FROM (
            SELECT text, mentions, jaro_winkler_similarity(normal, {NORMAL.format("?")}) AS alike
            FROM aliases WHERE owner = ?
        )
        WHERE alike >= ? ORDER BY alike DESC, mentions DESC, text LIMIT 1
        """,
        [words, owner, _ALIKE],
    )
    guess = f" Did you mean '{rows[0][0]}'?" if rows else ""
    return UnknownNameError(f"no {owner} named '{words}' in {store.name}.{guess} See: tupelo graph query --search")


_USUAL_TYPES = """
SELECT relations.name, side, types.name
FROM (
    SELECT relation_id, 'subject' AS side, subject_id AS entity_id FROM edges
    UNION ALL
    SELECT relation_id, 'object' AS side, object_id AS entity_id FROM edges
) AS ends
JOIN relations USING (relation_id)
JOIN entity_types USING (entity_id)
JOIN types USING (type_id)
GROUP BY relations.relation_id, relations.name, relations.edges, side, types.name
HAVING count(*) >= ? * relations.edges
ORDER BY 1, 2, 3
"""


def relation_signatures(store: Store) -> list[RelationSignature]:
    """Every relation by name, with the usual types of its subject and object."""
    found: dict[str, dict[str, set[str]]] = {
        name: {"subject": set(), "object": set()}
        for (name,) in store.rows("SELECT DISTINCT name FROM relations ORDER BY 1")
    }
    for name, side, kind in store.rows(_USUAL_TYPES, [_TYPE_SHARE]):
        found[name][side].add(kind)
    return [
        RelationSignature(name, frozenset(sides["subject"]), frozenset(sides["object"]))
        for name, sides in found.items()
    ]


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
    """Sentences with any of the words, best first. `found*` matches a prefix, `"in quotes"` requires the phrase."""
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
    hits = tuple(SentenceHit(*(*row, edges.get(row[0], ()))) for row in rows)
    return AnswerTable(("score", "where", "edges"), hits)


def search_entities(store: Store, text: str, limit: int = 20) -> list[Node]:
    """Entities with a name that contains the text: whole names first, then prefixes, then by degree."""
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
    """Whole words and prefixes, tokenized as in the index."""
    words, prefixes = [], []
    for given in text.split():
        found = store.rows(f"SELECT {WORDS.format('?')}", [given])[0][0]
        if given.endswith("*") and found:
            prefixes.append(found.pop())
        words += found
    return words, prefixes


def _edges_of(store: Store, sentences: Sequence[str]) -> dict[str, tuple[str, ...]]:
    rows = store.rows(
        "SELECT sentence_id, list(DISTINCT edge_id ORDER BY edge_id) FROM provenance "
        "WHERE sentence_id IN (SELECT unnest(?)) GROUP BY sentence_id",
        [list(sentences)],
    )
    return {sentence: tuple(edges) for sentence, edges in rows}
