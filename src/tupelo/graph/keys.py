"""Entities and relations that a canonicalization method joins, by their keys.

Without a method, referents are linked by `graph.linking`, and relations are one when their base forms are. A method
can map different keys to one: keys that are in the graph already keep their meaning, so ids never change, and new
ones are merged with them, or with each other. A relation may stand for another one with its ends exchanged: the edge
of *Dune was written by Ann* is then one of *wrote*, from Ann to Dune.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from tupelo.core.canonical import Cluster, Phrase, Slot, TripleMention
from tupelo.core.protocols import Canonicalizer
from tupelo.core.stages import Table
from tupelo.graph.linking import Assigned
from tupelo.graph.schema import stable_id
from tupelo.graph.store import Store

if TYPE_CHECKING:
    import pyarrow as pa

_ROW_COLUMNS = [
    *(
        "kind",
        "sentence_id",
        "link_id",
        "referent_id",
        "literal_id",
        "text",
        "relation_key",
        "subject_ref",
        "object_ref",
    )
]
ENTITY, RELATION, TURNED = "entity", "relation", "turned relation"
# For each of these a map from keys to the keys they were merged into.
Maps: TypeAlias = dict[str, dict[str, str]]
# A key, and whether with the ends exchanged.
Directed: TypeAlias = tuple[str, bool]


def map_schema() -> pa.Schema:
    import pyarrow as pa

    return pa.schema([("original", pa.string()), ("canonical", pa.string()), ("turned_wording", pa.string())])


def stored_keys(store: Store) -> Maps:
    """The keys that were merged in earlier builds."""
    maps: Maps = {ENTITY: {}, RELATION: {}, TURNED: {}}
    for owner, original, canonical in store.rows("SELECT owner, original, canonical FROM joined ORDER BY ALL"):
        maps[owner][original] = canonical
    return maps


def joined_keys(rows: Table, assigned: Mapping[str, Assigned], store: Store, canonicalizer: Canonicalizer) -> Maps:
    """Maps from each merged key to the key that replaces it."""
    mentions, keys = _triples(rows, assigned)
    found = canonicalizer.canonicalize(mentions)
    before = stored_keys(store)
    entities = merged_keys(found.entities, mentions, keys, before, _known(store, ENTITY))
    relations = merged_keys(found.relations, mentions, keys, before, _known(store, RELATION))
    return {
        ENTITY: before[ENTITY] | {key: target for key, (target, _) in entities.items()},
        RELATION: before[RELATION] | {key: target for key, (target, turned) in relations.items() if not turned},
        TURNED: before[TURNED] | {key: target for key, (target, turned) in relations.items() if turned},
    }


def relation_rows(rows: Table, joined: Maps, store: Store) -> Iterator[Mapping[str, str]]:
    """The map of relations, with a wording of the other direction for those whose ends are exchanged."""
    yield from ({"original": key, "canonical": target} for key, target in joined[RELATION].items())
    if joined[TURNED]:
        wordings = _wordings(rows, store)
        for key, target in joined[TURNED].items():
            yield {"original": key, "canonical": target, "turned_wording": wordings.get(target, target)}


def _wordings(rows: Table, store: Store) -> dict[str, str]:
    """For every key of a relation its commonest wording."""
    import pyarrow.parquet as pq

    counts: dict[str, Counter[str]] = {}
    for file in rows.files:
        for row in pq.read_table(file, columns=["kind", "relation_key", "text"]).to_pylist():
            if row["kind"] == "link":
                counts.setdefault(row["relation_key"], Counter())[row["text"]] += 1
    new = {key: min(count, key=lambda text: (-count[text], text)) for key, count in counts.items()}
    return {**new, **dict(store.rows("SELECT lemma, name FROM relations"))}


def _triples(
    rows: Table, assigned: Mapping[str, Assigned]
) -> tuple[list[TripleMention], dict[str, Mapping[Slot, str]]]:
    """One triple for each combination of keys, as first worded, and the keys of its parts; literals have none."""
    import pyarrow.parquet as pq

    texts: dict[str, str] = {}
    first: dict[tuple[str, str, str], tuple[str, str, str, str, str, str | None]] = {}
    for file in rows.files:
        for row in pq.read_table(file, columns=_ROW_COLUMNS).to_pylist():
            if row["kind"] in ("sentence", "referent", "literal"):
                texts[row[f"{row['kind']}_id"]] = row["text"]
            elif row["kind"] == "link":
                subject, target = row["subject_ref"], row["object_ref"] or row["literal_id"]
                own = assigned[target].key if row["object_ref"] else None
                combination = (assigned[subject].key, row["relation_key"], own or target)
                first.setdefault(combination, (row["link_id"], row["sentence_id"], subject, row["text"], target, own))
    mentions: list[TripleMention] = []
    keys: dict[str, Mapping[Slot, str]] = {}
    for combination, (link_id, sentence_id, subject, relation, target, own) in first.items():
        parts = [Phrase(text) for text in (texts[subject], relation, texts[target])]
        if all(part.text.strip() for part in parts):
            mentions.append(TripleMention(link_id, parts[0], parts[1], parts[2], texts[sentence_id]))
            of_object: dict[Slot, str] = {} if own is None else {"object": own}
            keys[link_id] = {"subject": combination[0], "relation": combination[1], **of_object}
    return mentions, keys


def _known(store: Store, owner: str) -> dict[str, int]:
    """Ids in the graph, and how often each is mentioned."""
    table = {"entity": "entities", "relation": "relations"}[owner]
    return {f"{owner} {id}": mentions for id, mentions in store.rows(f"SELECT {owner}_id, mentions FROM {table}")}


def merged_keys(
    clusters: Sequence[Cluster],
    mentions: Sequence[TripleMention],
    keys: Mapping[str, Mapping[Slot, str]],
    before: Maps,
    known: Mapping[str, int],
) -> dict[str, Directed]:
    """What new keys stand for; keys that are already in the graph keep their meaning."""
    worded = {mention.id: " ".join(mention.relation.text.split()) for mention in mentions}

    def stands_for(key: str, kind: str) -> Directed | None:
        """The key that an old key was merged into."""
        if kind == RELATION and key in before[TURNED]:
            return before[TURNED][key], True
        if key in before[kind]:
            return before[kind][key], False
        return (key, False) if f"{kind} {stable_id(kind, key)}" in known else None

    votes: dict[str, Counter[Directed]] = {}
    for cluster in clusters:
        counted = Counter(
            (keys[member.mention][member.slot], worded[member.mention] in cluster.turned)
            for member in cluster.members
            if member.slot in keys[member.mention]
        )
        old = {
            (found[0], found[1] != turned): known.get(f"{cluster.kind} {stable_id(cluster.kind, found[0])}", 0)
            for key, turned in counted
            if (found := stands_for(key, cluster.kind)) is not None
        }
        ranked: Mapping[Directed, int] = old or counted
        if ranked:
            target, exchanged = min(ranked, key=lambda directed: (-ranked[directed], directed))
            for (key, turned), count in counted.items():
                if stands_for(key, cluster.kind) is None:
                    votes.setdefault(key, Counter())[target, turned != exchanged] += count
    # A wording may be in several clusters, with a different sense in each; the most frequent sense wins.
    chosen = {key: min(count, key=lambda directed: (-count[directed], directed)) for key, count in votes.items()}
    return {key: end for key in sorted(chosen) if (end := _end(chosen, key))[0] != key}


def _end(chosen: Mapping[str, Directed], key: str) -> Directed:
    """Follow the map to its end; in a cycle, to the smallest key."""
    followed = {key: False}
    last = key
    while True:
        following, turned = chosen.get(last, (last, False))
        if following in followed:
            cycle = list(followed)[list(followed).index(following) :]
            return min(cycle), followed[min(cycle)]
        followed[following] = followed[last] != turned
        last = following
