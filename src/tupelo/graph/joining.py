"""Which keys mean the same: a canonicalization method's clusters as maps from keys to keys.

Keys that are in the graph already keep the meaning that they have, so ids never
change; new keys join them, or each other, where the method says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from tupelo.core.canonical import Cluster, Phrase, Slot, TripleMention
from tupelo.core.protocols import Canonicalizer
from tupelo.core.stages import Table
from tupelo.graph.keys import is_pronoun
from tupelo.graph.schema import stable_id
from tupelo.graph.store import Store

if TYPE_CHECKING:
    import pyarrow as pa

_KEYS: dict[Slot, str] = {"subject": "subject_key", "relation": "relation_key", "object": "object_key"}
_COLUMNS = ["kind", "tuple_id", "sentence_id", "text", "role", "resolved", *_KEYS.values()]


def map_schema() -> pa.Schema:
    import pyarrow as pa

    return pa.schema([("original", pa.string()), ("canonical", pa.string())])


Maps: TypeAlias = dict[str, dict[str, str]]


def stored_keys(store: Store) -> Maps:
    """What was joined before."""
    maps: Maps = {"entity": {}, "relation": {}}
    for owner, original, canonical in store.rows("SELECT owner, original, canonical FROM joined ORDER BY ALL"):
        maps[owner][original] = canonical
    return maps


def joined_keys(rows: Table, store: Store, canonicalizer: Canonicalizer) -> Maps:
    """`entity` and `relation`: from a key to the key that it stands for, where that is another one."""
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
        for row in pq.read_table(file, columns=_COLUMNS).to_pylist():
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
    """New keys alone: what was joined before, and what stood for itself, stays."""

    def stands_for(key: str) -> str | None:
        """The key that an old key stands for."""
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
    # A wording may be in several clusters, with one sense in each; the sense that is met most often takes it.
    chosen = {key: min(count, key=lambda target: (-count[target], target)) for key, count in votes.items()}
    return {key: end for key in sorted(chosen) if (end := _end(chosen, key)) != key}


def _end(chosen: Mapping[str, str], key: str) -> str:
    """Where following the map leads; the smallest key of a circle."""
    way = [key]
    while (following := chosen.get(way[-1], way[-1])) not in way:
        way.append(following)
    return min(way[way.index(following) :])
