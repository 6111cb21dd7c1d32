"""Look up entities and relations (names, aliases, base forms) and sentences (full text, BM25)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from tupelo.core import InputError, UnknownNameError
from tupelo.core.entailment import RelationSignature
from tupelo.core.results import values_of
from tupelo.core.shipped import queries
from tupelo.graph.query.answers import AnswerItem, AnswerTable
from tupelo.graph.query.edges import Node
from tupelo.graph.store.file import Store
from tupelo.graph.store.types import finest
from tupelo.nlp.languages.en.grammar import ARTICLES, FORMS_OF_BE, FORMS_OF_DO, FORMS_OF_HAVE, MODALS, PREPOSITIONS

_SQL = queries(__name__)
_AUXILIARIES = MODALS | FORMS_OF_DO | FORMS_OF_HAVE
# Verbs that say little without the noun after them.
_HUBS = {(form,) for form in FORMS_OF_BE | FORMS_OF_HAVE}
# The form in which names are compared where no spelling is the same: without accents and hyphens.
_LOOSE = "strip_accents(replace(replace({}, '-', ' '), '.', ''))"
# Entities and relations listed in a remark.
_MOST_NAMED = 8
_ALIKE = 0.85
# Limits partial matches: a word may be part of very many names.
_MOST_BY_WORDS = 1_000
# A type counts if this share of a relation's statements has it on that side, so that outliers are ignored.
_TYPE_SHARE = 0.2
# The usual BM25 constants: saturation of term frequency, and weight of length.
K1, B = 1.2, 0.75
_QUOTED = re.compile(r'"([^"]+)"')

# Entities whose name contains a text, before their types are looked at.
_MOST_LISTED = 10_000


@dataclass(frozen=True, slots=True)
class NameMatches:
    """Ids that match some words. `exact` if the words are a whole name or alias."""

    ids: tuple[str, ...]
    exact: bool = True


@dataclass(frozen=True, slots=True)
class RelationMatches:
    """Relations that some words mean, and those that they mean with subject and object swapped.

    `properties` are those of a schema (`graph build --schema`), by number, with their names.
    """

    same: tuple[str, ...] = ()
    turned: tuple[str, ...] = ()
    properties: Mapping[str, str] = field(default_factory=dict)

    @property
    def ids(self) -> tuple[str, ...]:
        return (*self.same, *self.turned, *self.properties)


@lru_cache(maxsize=256)
def base_forms(words: str) -> frozenset[str]:
    """The base forms that a relation may have, without articles, modal verbs and auxiliaries of tense.

    Words without a verb get one: *chairman of* is *be chairman of*, *born in* is *be bear in*.

    >>> "be found by" in base_forms("was founded by"), "be chairman of" in base_forms("chairman of")
    (True, True)
    """
    tokens = tuple(word for word in words.lower().split() if word not in ARTICLES)
    variants = {tokens}
    while len(tokens) > 1 and tokens[0] in _AUXILIARIES:
        tokens = tokens[1:]
        variants.add(tokens)
    if tokens and tokens[-1] in PREPOSITIONS:
        variants |= {(verb, *tokens) for verb in ("be", "have")}
    variants |= {(*variant, "of") for variant in variants if variant[:1] in _HUBS and variant[-1] not in PREPOSITIONS}
    return frozenset(form for variant in variants for form in _base_forms(variant))


def _base_forms(tokens: Sequence[str]) -> Iterator[str]:
    """The first verb in all its possible base forms, and a participle after *be*."""
    if not tokens:
        return
    for first in _verbs(tokens[0]):
        seconds = _verbs(tokens[1]) if first == "be" and len(tokens) > 1 else tokens[1:2]
        for second in seconds or ("",):
            yield " ".join(filter(None, (first, second, *tokens[2:])))


@lru_cache(maxsize=4_096)
def _verbs(word: str) -> tuple[str, ...]:
    from tupelo.nlp.lemmas import Lemmatizer

    lemmatizer = Lemmatizer()
    return tuple(
        dict.fromkeys([word, *(lemmatizer.lemma(word, "VERB", tag) for tag in ("VB", "VBZ", "VBD", "VBN", "VBG"))])
    )


def find_relations(store: Store, words: str) -> RelationMatches:
    """Relations with this wording, base form or id, in either voice, and properties with this name or number."""
    forms = base_forms(words)
    rows = _relations_worded(store, words, forms)
    same, turned = [relation for relation, _ in rows], set[str]()
    others = {f"be {form} by" for form in forms if not _is_passive(form)}
    active = {form[3:-3] for form in forms if _is_passive(form)}
    passive = bool(active) and any(word in FORMS_OF_BE for word in words.lower().split())
    if passive:
        # *was founded by* may be a wording of *found*, whose edges go from the founder.
        turned = {relation for relation, lemma in rows if not _is_passive(lemma) and relation != words}
        same = [relation for relation in same if relation not in turned]
    if passive or not same:
        others |= active
    turned |= {relation for relation, _ in _relations_worded(store, "", others)}
    properties = store.rows(
        "SELECT DISTINCT property, name FROM properties "
        "WHERE lower(property) = lower(?) OR lower(name) = normal_form(?) ORDER BY 1",
        [words, words],
    )
    return RelationMatches(tuple(same), tuple(sorted(turned - set(same))), dict(properties))


def _relations_worded(store: Store, words: str, forms: Collection[str]) -> list[tuple[str, str]]:
    """Relations with this wording or id, or with one of these base forms, and their own base form."""
    sql = _SQL["relations_worded"]
    return [(str(relation), str(lemma)) for relation, lemma in store.rows(sql, [words, sorted(forms), words])]


def relations_starting(store: Store, words: str) -> tuple[str, ...]:
    """Relations that begin with these words in base form: *sign contract with* for *signed*."""
    forms = [f"{form} " for form in sorted(base_forms(words))]
    conditions = " OR ".join("starts_with(lower(lemma), ?)" for _ in forms) or "false"
    sql = f"SELECT relation_id FROM relations WHERE {conditions} ORDER BY mentions DESC, relation_id "
    return tuple(store.column(f"{sql} LIMIT {_MOST_BY_WORDS}", forms))


def _is_passive(form: str) -> bool:
    """Whether a base form names its agent: *be found by*."""
    return form.startswith("be ") and form.endswith(" by") and len(form.split()) > 2


def relations_named(store: Store, name: str) -> tuple[str, ...]:
    """Relations with this canonical name."""
    return tuple(store.column("SELECT relation_id FROM relations WHERE name = ? ORDER BY 1", [name]))


def entity_ids(store: Store, names: Iterable[str]) -> list[str]:
    """The ids of the entities with these names, in order; raises an error for an unknown name."""
    return [key for name in names for key in known_entities(store, name).ids]


def known_entities(store: Store, name: str) -> NameMatches:
    """The entities with this name; raises an error if there are none, or if it is only a description."""
    found = named_nodes(store, name)
    ids = store.column("SELECT node_id FROM entities WHERE node_id IN (SELECT unnest($1)) ORDER BY 1", [found.ids])
    if not ids:
        advice = f"Its statements: tupelo graph query --neighbours '{name}'"
        raise UnknownNameError(f"no entity named '{name}' in {store.name}, only a description. {advice}")
    return replace(found, ids=tuple(ids))


def named_nodes(store: Store, name: str) -> NameMatches:
    """The entities and descriptions with this name; raises an error if there are none."""
    found = find_entities(store, name)
    if not found.ids:
        raise unknown(store, "entity", name)
    return found


def find_entities(store: Store, words: str) -> NameMatches:
    """Entities and descriptions with this name, alias or id; else with one that differs in accents, hyphens or an
    article only.

    If there is none, those whose names contain all these words.
    """
    asked = words.lower().split()
    bare = [word for at, word in enumerate(words.split()) if at or word.lower() not in ARTICLES]
    loose = f"{_LOOSE.format('normal')} = {_LOOSE.format('normal_form(?)')}"
    by_words = " AND ".join("contains(' ' || normal || ' ', ?)" for _ in asked) or "false"
    for condition, values, exact in (
        ("normal = normal_form(?) UNION SELECT node_id FROM entities WHERE node_id = ?", [words, words], True),
        (loose, [" ".join(bare)], True),
        (by_words, [f" {word} " for word in asked], False),
    ):
        sql = f"SELECT DISTINCT owner_id FROM aliases WHERE owner = 'entity' AND {condition} ORDER BY 1"
        if found := store.column(sql if exact else f"{sql} LIMIT {_MOST_BY_WORDS}", values):
            return NameMatches(tuple(found), exact)
    return NameMatches((), exact=False)


def ambiguity(store: Store, words: str, found: NameMatches) -> tuple[str, ...]:
    """Lines about the entities that some words may mean, the most mentioned first; none where there is only one."""
    if len(found.ids) < 2:
        return ()
    rows = store.rows(
        _SQL["meanings"].format(typed=finest("node_id IN (SELECT unnest($1))"), most_named=_MOST_NAMED),
        [list(found.ids)],
    )
    meanings = "is the name of" if found.exact else "is part of the names of"
    lines = [f"'{words}' {meanings} {len(found.ids)} entities; their ids are names too:"]
    for key, name, mentions, kind, nouns, place, source in rows:
        about = [kind, *(nouns or ()), f"in {place}" if place else None, f"{mentions} mentions", source]
        lines.append(f"  {key}  {name} ({', '.join(part for part in about if part)})")
    return (*lines, *(["  …"] if len(found.ids) > len(rows) else []))


def relations_of(store: Store, entities: Collection[str]) -> str:
    """The commonest relations of entities in a few words, for somebody who asked for another one."""
    return ", ".join(store.column(_SQL["relations_of"], {"1": list(entities), "2": _MOST_NAMED}))


def unknown(store: Store, owner: str, words: str, beside: Collection[str] = ()) -> UnknownNameError:
    """The error for an unknown name, with the most similar name, or the relations of the entities `beside` it."""
    rows = store.column(_SQL["similar"], [words, owner, _ALIKE])
    guess = f" Did you mean '{rows[0]}'?" if rows else ""
    if beside and (near := relations_of(store, beside)):
        guess += f" The entity named beside it has: {near}."
    return UnknownNameError(f"no {owner} named '{words}' in {store.name}.{guess} See: tupelo graph query --search")


def relation_signatures(store: Store) -> list[RelationSignature]:
    """Every relation by name, with the usual types of its subject and object."""
    found: dict[str, dict[str, set[str]]] = {
        name: {"subject": set(), "object": set()}
        for name in store.column("SELECT DISTINCT name FROM relations ORDER BY 1")
    }
    for name, side, kind in store.rows(_SQL["usual_types"], [_TYPE_SHARE]):
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

    @property
    def details(self) -> dict[str, Any]:
        return {**values_of(self, "sentence", "source", "position"), "edges": list(self.edges)}

    def to_dict(self) -> dict[str, Any]:
        return {"score": self.score, **self.details}


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
        _SQL["search"].format(matches=matches, k1=K1, b=B, demanded=demanded, limit=int(limit)),
        [words, *bounds, *phrases],
    )
    edges = dict(store.rows(_SQL["edges_of"], [[row[0] for row in rows]]))
    hits = tuple(SentenceHit(*(*row, tuple(edges.get(row[0], ())))) for row in rows)
    return AnswerTable(("score", "where", "edges"), hits)


def search_entities(store: Store, text: str, limit: int = 20) -> list[Node]:
    """Entities with a name that contains the text: whole names first, then prefixes, then by degree."""
    rows = store.rows(_SQL["entities_containing"].format(limit=int(limit)), [text.strip().lower()])
    return [Node(*row) for row in rows]


def list_entities(store: Store, text: str = "", type: str | None = None, limit: int | None = None) -> AnswerTable:
    """Entities with their types: those with a name that contains the text, as `search_entities`, or all, those
    with many edges first.

    A remark says how many more there are.
    """
    ids = [node.id for node in search_entities(store, text, _MOST_LISTED)] if text else None
    rows = store.rows(_SQL["entities_with_types"], [ids, type])
    found = [Node(key, name, kind, types=tuple(types or ())) for key, name, kind, types in rows]
    if ids is not None:
        places = {key: place for place, key in enumerate(ids)}
        found.sort(key=lambda node: places[node.id])
    kept = found[:limit]
    remarks = (f"{len(kept):,} of {len(found):,} entities, up to the limit",) if len(kept) < len(found) else ()
    return AnswerTable(("entity", "kind", "types"), tuple(kept), remarks=remarks)


def _wanted(store: Store, text: str) -> tuple[list[str], list[str]]:
    """Whole words and prefixes, tokenized as in the index."""
    words, prefixes = [], []
    for given in text.split():
        found = store.column("SELECT words_of(?)", [given])[0]
        if given.endswith("*") and found:
            prefixes.append(found.pop())
        words += found
    return words, prefixes
