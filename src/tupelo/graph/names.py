"""From words to entities and relations: canonical names, aliases and base forms."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TypeAlias

from tupelo.core import UnknownNameError
from tupelo.graph.derive import NORMAL
from tupelo.graph.store import Store

# Base forms that a wording may have: "founds" -> {"found"}.
BaseForms: TypeAlias = Callable[[str], Collection[str]]
_ALIKE = 0.85
# Words that are only part of a name may belong to very many names.
_MOST_BY_WORDS = 1_000


@dataclass(frozen=True, slots=True)
class Found:
    """Ids that some words mean. `exact` when the words are a whole name or alias."""

    ids: tuple[str, ...]
    exact: bool = True


def find_entities(store: Store, words: str) -> Found:
    """Entities with this name, alias or id; where there is none, those whose names have all these words."""
    rows = store.rows(
        f"SELECT DISTINCT owner_id FROM aliases WHERE owner = 'entity' AND normal = {NORMAL.format('?')} "
        "UNION SELECT entity_id FROM entities WHERE entity_id = ? ORDER BY 1",
        [words, words],
    )
    if rows:
        return Found(tuple(row[0] for row in rows))
    return Found(_entities_by_words(store, words), exact=False)


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


def find_relations(store: Store, words: str, base_forms: BaseForms | None = None) -> Found:
    """Relations with this canonical name, alias, base form or id."""
    forms = sorted(_forms(words, base_forms))
    rows = store.rows(
        f"""
        SELECT owner_id FROM aliases WHERE owner = 'relation' AND normal = {NORMAL.format("?")}
        UNION SELECT relation_id FROM relations WHERE relation_id = ? OR lower(lemma) IN (SELECT unnest(?))
        ORDER BY 1
        """,
        [words, words, forms],
    )
    return Found(tuple(row[0] for row in rows))


def _forms(words: str, base_forms: BaseForms | None) -> set[str]:
    return {words.lower(), *(base_forms(words) if base_forms else ())}


def find_other_voice(
    store: Store, words: str, found: Collection[str], base_forms: BaseForms | None = None
) -> tuple[str, ...]:
    """Relations that say the same with subject and object exchanged: "was founded by" of "founded", and back.

    `found` are the relations that the words themselves mean.
    """
    lemmas = store.rows("SELECT lower(lemma) FROM relations WHERE relation_id IN (SELECT unnest(?))", [list(found)])
    forms = sorted(_forms(words, base_forms) | {lemma for (lemma,) in lemmas})
    others = [form[3:-3] if form.startswith("be ") and form.endswith(" by") else f"be {form} by" for form in forms]
    rows = store.rows(
        "SELECT relation_id FROM relations WHERE lower(lemma) IN (SELECT unnest(?)) ORDER BY 1", [others]
    )
    return tuple(row[0] for row in rows)


def unknown(store: Store, owner: str, words: str) -> UnknownNameError:
    """The error for words that nothing is called, with the most similar name as a guess."""
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
