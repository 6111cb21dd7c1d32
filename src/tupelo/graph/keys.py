"""Entities and relations that a canonicalization method joins, by their keys.

Without a method, referents are linked by `graph.linking`, and relations are one when their base forms are. A method
can map different keys to one: keys that are in the graph already keep their meaning, so ids never change, and new
ones are merged with them, or with each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from tupelo.core.canonical import SLOTS, Canonicalization, Cluster, Phrase, Slot, TripleMention
from tupelo.core.protocols import Canonicalizer
from tupelo.core.stages import Table
from tupelo.graph.linking import Assigned
from tupelo.graph.schema import stable_id
from tupelo.graph.store import Store

if TYPE_CHECKING:
    import pyarrow as pa

_ROW_COLUMNS = ["kind", "sentence_id", "link_id", "referent_id", "text", "relation_key", "subject_ref", "object_ref"]
# `entity` and `relation` -> a map from keys to the keys they were merged into.
Maps: TypeAlias = dict[str, dict[str, str]]


def map_schema() -> pa.Schema:
    import pyarrow as pa

    return pa.schema([("original", pa.string()), ("canonical", pa.string())])


def stored_keys(store: Store) -> Maps:
    """The keys that were merged in earlier builds."""
    maps: Maps = {"entity": {}, "relation": {}}
    for owner, original, canonical in store.rows("SELECT owner, original, canonical FROM joined ORDER BY ALL"):
        maps[owner][original] = canonical
    return maps


def joined_keys(rows: Table, assigned: Mapping[str, Assigned], store: Store, canonicalizer: Canonicalizer) -> Maps:
    """Maps for `entity` and `relation` from each merged key to the key that replaces it."""
    mentions, keys = _triples(rows, assigned)
    found = canonicalizer.canonicalize(mentions)
    before = stored_keys(store)
    return {
        owner: before[owner] | _map(clusters, keys, before[owner], _known(store, owner))
        for owner, clusters in (("entity", found.entities), ("relation", list(_not_turned(found))))
    }


def _not_turned(found: Canonicalization) -> Iterator[Cluster]:
    """Relations without the forms that exchange subject and object: an edge keeps the direction of its words."""
    for cluster in found.relations:
        kept = [
            member
            for member in cluster.members
            if " ".join(found.mentions[member.mention].relation.text.split()) not in cluster.turned
        ]
        yield replace(cluster, members=tuple(kept))


def _triples(
    rows: Table, assigned: Mapping[str, Assigned]
) -> tuple[list[TripleMention], dict[str, Mapping[Slot, str]]]:
    """One triple for each combination of keys, as it was first worded, and the keys of its parts."""
    import pyarrow.parquet as pq

    sentences: dict[str, str] = {}
    names: dict[str, str] = {}
    first: dict[tuple[str, str, str], tuple[str, str, str, str, str]] = {}
    for file in rows.files:
        for row in pq.read_table(file, columns=_ROW_COLUMNS).to_pylist():
            if row["kind"] == "sentence":
                sentences[row["sentence_id"]] = row["text"]
            elif row["kind"] == "referent":
                names[row["referent_id"]] = row["text"]
            elif row["kind"] == "link" and row["object_ref"] is not None:
                subject, target = row["subject_ref"], row["object_ref"]
                combination = (assigned[subject].key, row["relation_key"], assigned[target].key)
                first.setdefault(combination, (row["link_id"], row["sentence_id"], subject, row["text"], target))
    mentions: list[TripleMention] = []
    keys: dict[str, Mapping[Slot, str]] = {}
    for combination, (link_id, sentence_id, subject, relation, target) in first.items():
        parts = [Phrase(text) for text in (names[subject], relation, names[target])]
        if all(part.text.strip() for part in parts):
            mentions.append(TripleMention(link_id, parts[0], parts[1], parts[2], sentences[sentence_id]))
            keys[link_id] = dict(zip(SLOTS, combination, strict=True))
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
        counted = Counter(named)
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
