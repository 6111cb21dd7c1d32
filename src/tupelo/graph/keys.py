"""Keys decide from the wording alone whether two wordings are the same entity or relation.

An entity's key is its name without articles, titles, quotes and case; a
pronoun or a short name stands for the full name that was found for it
in its document, and an unresolved one is an entity of its own in every
sentence. A relation's key is its words in base form, without tense, modal
verbs, adverbs and negation. Equal keys are one node. A canonicalization method
can map different keys to one: keys that are in the graph already keep their
meaning, so ids never change, and new keys are merged with them, or with each other.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from tupelo.core.canonical import Cluster, Phrase, Slot, TripleMention
from tupelo.core.protocols import Canonicalizer
from tupelo.core.stages import Table
from tupelo.graph.schema import stable_id
from tupelo.graph.store import Store
from tupelo.nlp.languages.en.prepositions import ARGUMENT_PREPOSITIONS
from tupelo.nlp.languages.en.pronouns import EMPHATIC_PRONOUNS, UNNAMING_PRONOUNS
from tupelo.nlp.languages.en.titles import DETACHABLE_TITLES

if TYPE_CHECKING:
    import pyarrow as pa

_ARTICLE = re.compile(r"^(?:the|a|an|this|that|these|those)\s+(?=\S)")
_TITLE = re.compile(rf"(?:{'|'.join(sorted(DETACHABLE_TITLES))})\b\.?\s+", re.IGNORECASE)
_PREPOSITION = re.compile(rf"^(?:{'|'.join(sorted(ARGUMENT_PREPOSITIONS))})\s+(?=\S)")
_REFLEXIVE = re.compile(rf"(?<=\S)\s+(?:{'|'.join(sorted(EMPHATIC_PRONOUNS))})$")
_POSSESSIVE = re.compile(r"(?:'s|’s|'|’)$")
_EDGES = " \t\n\"'“”‘’«»`.,;:!?()[]{}-–—…*_"
_SPACE = re.compile(r"\s+")
_SENTENCE_ID = re.compile(r"[0-9a-f]{24}")
_KEYS: dict[Slot, str] = {"subject": "subject_key", "relation": "relation_key", "object": "object_key"}
_ROW_COLUMNS = ["kind", "tuple_id", "sentence_id", "text", "role", "resolved", *_KEYS.values()]
# `entity` and `relation` -> a map from keys to the keys they were merged into.
Maps: TypeAlias = dict[str, dict[str, str]]
# Types of values, which are equal only if they are spelled the same.
VALUES = frozenset(["datetime", "number"])


def entity_key(text: str, resolved: str | None = None, entity_type: str | None = None) -> str:
    """The key of an argument.

    >>> entity_key("the  United States'"), entity_key("Dr. Ann Lee", None, "person"), entity_key("the mill itself")
    ('united states', 'ann lee', 'mill')
    >>> entity_key("she", "Ann Lee"), entity_key("itself")
    ('ann lee', 'itself')
    """
    whole = resolved or text
    if resolved or entity_type == "person":
        whole = without_title(whole)
    name = unicodedata.normalize("NFKC", whole).casefold()
    name = _SPACE.sub(" ", name).strip(_EDGES)
    name = _REFLEXIVE.sub("", _PREPOSITION.sub("", name))
    if entity_type not in VALUES:
        name = _POSSESSIVE.sub("", name)
    name = _ARTICLE.sub("", name)
    # A name of nothing but punctuation is its own key.
    return name or _SPACE.sub(" ", text.strip())


def without_title(name: str) -> str:
    """A person's name without preceding titles; a title on its own stays.

    >>> [without_title(name) for name in ("Mayor Ola Brekke", "Dr. Lee", "the President", "Coach")]
    ['Ola Brekke', 'Lee', 'the President', 'Coach']
    """
    bare = _ARTICLE.sub("", name) if name[:1].islower() else name
    found = _TITLE.match(bare)
    while found and bare[found.end() : found.end() + 1].isupper():
        bare = name = bare[found.end() :]
        found = _TITLE.match(bare)
    return name


def plain_name(text: str, resolved: str | None, entity_type: str | None) -> str | None:
    """The name of an argument if it differs from its wording, else `None`.

    >>> plain_name("she", "Mayor Ola Brekke", None), plain_name("Dr. Lee", None, "person")
    ('Ola Brekke', 'Lee')
    >>> plain_name("Lee", None, "person")
    """
    if resolved:
        return without_title(resolved)
    name = without_title(text) if entity_type == "person" else text
    return None if name == text else name


def mention_key(text: str, resolved: str | None, entity_type: str | None, sentence_id: str) -> str:
    """The key of an argument in its sentence: an unresolved pronoun means nothing elsewhere.

    >>> mention_key("It", None, None, "s1"), mention_key("It", "the mill", None, "s1")
    ('it of s1', 'mill')
    """
    key = entity_key(text, resolved, entity_type)
    return f"{key} of {sentence_id}" if resolved is None and key in UNNAMING_PRONOUNS else key


def is_pronoun(key: str) -> bool:
    """Whether this is the key of an unresolved pronoun, which means nothing outside its sentence.

    >>> is_pronoun("it of 294415b263963c279decf289"), is_pronoun("that of the mill")
    (True, False)
    """
    word, _, sentence = key.partition(" of ")
    return word in UNNAMING_PRONOUNS and _SENTENCE_ID.fullmatch(sentence) is not None


def relation_key(lemma: str) -> str:
    """The key of a relation, from its words in base form."""
    return _SPACE.sub(" ", unicodedata.normalize("NFKC", lemma).casefold()).strip()


def map_schema() -> pa.Schema:
    import pyarrow as pa

    return pa.schema([("original", pa.string()), ("canonical", pa.string())])


def stored_keys(store: Store) -> Maps:
    """The keys that were merged in earlier builds."""
    maps: Maps = {"entity": {}, "relation": {}}
    for owner, original, canonical in store.rows("SELECT owner, original, canonical FROM joined ORDER BY ALL"):
        maps[owner][original] = canonical
    return maps


def joined_keys(rows: Table, store: Store, canonicalizer: Canonicalizer) -> Maps:
    """Maps for `entity` and `relation` from each merged key to the key that replaces it."""
    mentions, keys = _triples(rows)
    found = canonicalizer.canonicalize(mentions)
    before = stored_keys(store)
    return {
        owner: before[owner] | _map(clusters, keys, before[owner], _known(store, owner))
        for owner, clusters in (("entity", found.entities), ("relation", found.relations))
    }


def _triples(rows: Table) -> tuple[list[TripleMention], dict[str, Mapping[Slot, str]]]:
    """One triple for each combination of keys, as it was first worded, and the keys of its parts."""
    import pyarrow.parquet as pq

    sentences: dict[str, str] = {}
    wordings: dict[str, dict[str, str]] = {}
    tuples: dict[tuple[str, ...], tuple[str, str]] = {}
    for file in rows.files:
        for row in pq.read_table(file, columns=_ROW_COLUMNS).to_pylist():
            if row["kind"] == "sentence":
                sentences[row["sentence_id"]] = row["text"]
            elif row["kind"] == "mention":
                wordings.setdefault(row["tuple_id"], {})[row["role"]] = row["resolved"] or row["text"]
            elif row["subject_key"] is not None and row["object_key"] is not None:
                combination = tuple(row[column] for column in _KEYS.values())
                tuples.setdefault(combination, (row["tuple_id"], row["sentence_id"]))
    mentions: list[TripleMention] = []
    keys: dict[str, Mapping[Slot, str]] = {}
    for combination, (tuple_id, sentence_id) in tuples.items():
        words = wordings[tuple_id]
        parts = {slot: words[slot] for slot in _KEYS}
        if all(part.strip() for part in parts.values()):
            phrases = {slot: Phrase(text) for slot, text in parts.items()}
            mentions.append(
                TripleMention(
                    tuple_id, phrases["subject"], phrases["relation"], phrases["object"], sentences[sentence_id]
                )
            )
            keys[tuple_id] = dict(zip(_KEYS, combination, strict=True))
    return mentions, keys


def _known(store: Store, owner: str) -> dict[str, int]:
    """Ids in the graph, and how often each is mentioned."""
    table = {"entity": "entities", "relation": "relations"}[owner]
    return {f"{owner} {id}": mentions for id, mentions in store.rows(f"SELECT {owner}_id, mentions FROM {table}")}


def _map(
    clusters: Sequence[Cluster],
    keys: Mapping[str, Mapping[Slot, str]],
    before: Mapping[str, str],
    known: Mapping[str, int],
) -> dict[str, str]:
    """Map new keys only; keys that are already in the graph keep their meaning."""

    def stands_for(key: str) -> str | None:
        """The key that an old key was merged into."""
        if key in before:
            return before[key]
        owner = clusters[0].kind
        return key if f"{owner} {stable_id(owner, key)}" in known else None

    votes: dict[str, Counter[str]] = {}
    for cluster in clusters:
        named = (keys[member.mention][member.slot] for member in cluster.members)
        counted = Counter(key for key in named if not is_pronoun(key))
        if not counted:
            continue
        old = {
            canonical: known.get(f"{cluster.kind} {stable_id(cluster.kind, canonical)}", 0)
            for key in counted
            if (canonical := stands_for(key)) is not None
        }
        ranked: Mapping[str, int] = old or counted
        target = min(ranked, key=lambda key: (-ranked[key], key))
        for key, count in counted.items():
            if stands_for(key) is None:
                votes.setdefault(key, Counter())[target] += count
    # A wording may be in several clusters, with a different sense in each; the most frequent sense wins.
    chosen = {key: min(count, key=lambda target: (-count[target], target)) for key, count in votes.items()}
    return {key: end for key in sorted(chosen) if (end := _end(chosen, key)) != key}


def _end(chosen: Mapping[str, str], key: str) -> str:
    """Follow the map to its end; in a cycle, to the smallest key."""
    followed = [key]
    while (following := chosen.get(followed[-1], followed[-1])) not in followed:
        followed.append(following)
    return min(followed[followed.index(following) :])
