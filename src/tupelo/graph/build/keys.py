"""Entities and relations that a canonicalization method merges, by their keys.

Without a method, `names.linking` links referents, and relations are the same if their base forms are. A method
can map different keys to one: keys that are in the graph already keep their meaning, so ids never change, and new
ones are merged with them, or with each other. A relation may stand for another one with its ends exchanged: the edge
of *Dune was written by Ann* is then one of *wrote*, from Ann to Dune. Relations are merged kind by kind of their
ends: *was established in* a year may be *was founded in* while *was established in* a place stays what it is, and a
link moves only if its own kinds were judged.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from tupelo.core.canonical import Cluster, Kinds, Phrase, Slot, TripleMention
from tupelo.core.protocols import Canonicalizer
from tupelo.core.stages import Table
from tupelo.graph.store.file import Store
from tupelo.graph.store.schema import stable_id
from tupelo.names.linking import Assigned

_IDS = ("sentence_id", "link_id", "tuple_id", "referent_id", "subject_ref", "object_ref")
_ROW_COLUMNS = ["kind", *_IDS, "of", "label", "text", "relation_key"]
ENTITY, RELATION, TURNED = "entity", "relation", "turned relation"
# For each of these a map from keys to the keys they were merged into.
Maps: TypeAlias = dict[str, dict[str, str]]
# A key, and whether with the ends exchanged.
Directed: TypeAlias = tuple[str, bool]
# A key of a relation, and the kinds of its ends.
Unit: TypeAlias = tuple[str, Kinds]


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
    entities = merged_keys(found.entities, keys, before[ENTITY], _known(store, ENTITY))
    relations = merged_relations(found.relations, mentions, keys, before, _known(store, RELATION))
    return {
        ENTITY: before[ENTITY] | entities,
        RELATION: before[RELATION] | {unit_name(*unit): to for unit, (to, turned) in relations.items() if not turned},
        TURNED: before[TURNED] | {unit_name(*unit): to for unit, (to, turned) in relations.items() if turned},
    }


def unit_name(key: str, kinds: Kinds) -> str:
    """A relation with the kinds of its ends, as it is stored."""
    return f"{key} ({kinds[0]}, {kinds[1]})"


def relation_map(store: Store, rows: Table, joined: Maps) -> None:
    """Create the temporary table of links whose relation stands for another one, worded as that if turned round."""
    import pyarrow as pa

    names = ("link_id", "tuple_id", "original", "canonical", "turned_wording")
    schema = pa.schema([(name, pa.string()) for name in names])
    store.temporary("relation_map", pa.Table.from_pylist(list(_moved_links(rows, joined, store)), schema=schema))


def _moved_links(rows: Table, joined: Maps, store: Store) -> Iterator[Mapping[str, str]]:
    if not joined[RELATION] and not joined[TURNED]:
        return
    wordings = _wordings(rows, store) if joined[TURNED] else {}
    for link in _links(rows):
        name = unit_name(link["relation_key"], link["kinds"])
        moved = {"link_id": link["link_id"], "tuple_id": link["tuple_id"], "original": link["relation_key"]}
        if name in joined[RELATION]:
            yield moved | {"canonical": joined[RELATION][name]}
        elif name in joined[TURNED]:
            target = joined[TURNED][name]
            yield moved | {"canonical": target, "turned_wording": wordings.get(target, target)}


def _wordings(rows: Table, store: Store) -> dict[str, str]:
    """For every key of a relation its commonest wording."""
    counts: dict[str, Counter[str]] = {}
    for row in _read(rows):
        if row["kind"] == "link":
            counts.setdefault(row["relation_key"], Counter())[row["text"]] += 1
    new = {key: min(count, key=lambda text: (-count[text], text)) for key, count in counts.items()}
    return {**new, **dict(store.rows("SELECT lemma, name FROM relations"))}


def _links(rows: Table) -> Iterator[Mapping[str, Any]]:
    """The links, with the texts and kinds of both ends and the sentence."""
    texts: dict[str, tuple[str, str, str]] = {}
    for row in _read(rows):
        if row["kind"] in ("sentence", "referent"):
            texts[row[f"{row['kind']}_id"]] = row["text"], row["label"] or row["of"] or "", row["of"] or ""
    for row in _read(rows):
        if row["kind"] == "link":
            words, labels, kinds = zip(*(texts[row[end]] for end in ("subject_ref", "object_ref")), strict=True)
            own = {"ends": words, "kinds": labels, "sentence": texts[row["sentence_id"]][0]}
            yield row | own | {"values": [kind == "value" for kind in kinds]}


def _read(rows: Table) -> Iterator[dict[str, Any]]:
    import pyarrow.parquet as pq

    for file in rows.files:
        yield from pq.read_table(file, columns=_ROW_COLUMNS).to_pylist()


def _triples(
    rows: Table, assigned: Mapping[str, Assigned]
) -> tuple[list[TripleMention], dict[str, Mapping[Slot, str]]]:
    """One triple for each combination of keys and kinds, as first worded, and the keys of its parts.

    Values have none.
    """
    seen: set[tuple[str, str, str, Kinds]] = set()
    mentions: list[TripleMention] = []
    keys: dict[str, Mapping[Slot, str]] = {}
    for link in _links(rows):
        subject_key, object_key = (assigned[link[end]].key for end in ("subject_ref", "object_ref"))
        parts: dict[Slot, str] = {"relation": link["relation_key"]}
        if not link["values"][0]:
            parts["subject"] = subject_key
        if not link["values"][1]:
            parts["object"] = object_key
        combination = (subject_key, link["relation_key"], object_key, link["kinds"])
        phrases = [Phrase(text) for text in (link["ends"][0], link["text"], link["ends"][1])]
        if combination not in seen and all(phrase.text.strip() for phrase in phrases):
            subject, relation, target = phrases
            mentions.append(
                TripleMention(link["link_id"], subject, relation, target, link["sentence"], kinds=link["kinds"])
            )
            keys[link["link_id"]] = parts
        seen.add(combination)
    return mentions, keys


def _known(store: Store, owner: str) -> dict[str, int]:
    """Ids in the graph, and the number of mentions of each."""
    table = {"entity": "node_id, mentions FROM nodes", "relation": "relation_id, mentions FROM relations"}[owner]
    return {f"{owner} {id}": mentions for id, mentions in store.rows(f"SELECT {table}")}


def merged_keys(
    clusters: Sequence[Cluster],
    keys: Mapping[str, Mapping[Slot, str]],
    before: Mapping[str, str],
    known: Mapping[str, int],
) -> dict[str, str]:
    """The keys that replace new keys of entities; keys that are already in the graph stay."""

    def stands_for(key: str) -> str | None:
        """The key that an old key was merged into."""
        return before.get(key) or (key if _id(ENTITY, key) in known else None)

    votes: dict[str, Counter[str]] = {}
    for cluster in clusters:
        counted = Counter(
            keys[member.mention][member.slot] for member in cluster.members if member.slot in keys[member.mention]
        )
        old = {found: known.get(_id(ENTITY, found), 0) for key in counted if (found := stands_for(key)) is not None}
        ranked: Mapping[str, int] = old or counted
        if ranked:
            target = min(ranked, key=lambda key: (-ranked[key], key))
            for key, count in counted.items():
                if stands_for(key) is None:
                    votes.setdefault(key, Counter())[target] += count
    # A wording may be in several clusters, with a different sense in each; the most frequent sense wins.
    chosen = {key: min(count, key=lambda other: (-count[other], other)) for key, count in votes.items()}
    return {key: end for key in sorted(chosen) if (end := _end(chosen, key)) != key}


def _id(kind: str, key: str) -> str:
    return f"{kind} {stable_id(kind, key)}"


def _end(chosen: Mapping[str, str], key: str) -> str:
    """Follow the map to its end; in a cycle, to the smallest key."""
    followed = [key]
    while (following := chosen.get(followed[-1], followed[-1])) not in followed:
        followed.append(following)
    return min(followed[followed.index(following) :])


def merged_relations(
    clusters: Sequence[Cluster],
    mentions: Sequence[TripleMention],
    keys: Mapping[str, Mapping[Slot, str]],
    before: Maps,
    known: Mapping[str, int],
) -> dict[Unit, Directed]:
    """The relations that replace new ones, by the kinds of their ends.

    One moves to a key that is in all of its clusters, in one direction, so that whatever moves was judged; any two
    that move to one key have a cluster in common. Keys that are already in the graph keep their meaning.
    """
    places, counts = _places(clusters, mentions, keys)
    of_key: dict[str, set[int]] = defaultdict(set)
    for (key, _), found in places.items():
        of_key[key] |= found.keys()

    def old(unit: Unit) -> Directed | None:
        """The relation that an old one was merged into, or itself."""
        name = unit_name(*unit)
        if name in before[TURNED]:
            return before[TURNED][name], True
        if name in before[RELATION]:
            return before[RELATION][name], False
        return (unit[0], False) if _id(RELATION, unit[0]) in known else None

    def rank(unit: Unit) -> tuple[bool, int, int, int, Unit]:
        key = unit[0]
        return old(unit) is None, -known.get(_id(RELATION, key), 0), -len(of_key[key]), -counts[key], unit

    # For every cluster the keys that stay there, each with its direction.
    heads: dict[int, dict[str, bool]] = defaultdict(dict)
    moved: dict[Unit, Directed] = {}
    followers: dict[str, set[str]] = defaultdict(set)
    for unit in sorted(places, key=rank):
        key, end = unit[0], old(unit)
        if end is None:
            possible = _ends(places[unit], heads)
            near = (found for found in possible if all(of_key[key] & of_key[other] for other in followers[found[0]]))
            end = next(near, (key, False))
            if end[0] != key:
                moved[unit] = end
        followers[end[0]].add(key)
        for number, directions in places[unit].items():
            if len(directions) == 1 and unit not in moved:
                heads[number].setdefault(end[0], next(iter(directions)) != end[1])
    return moved


def _places(
    clusters: Sequence[Cluster], mentions: Sequence[TripleMention], keys: Mapping[str, Mapping[Slot, str]]
) -> tuple[dict[Unit, dict[int, set[bool]]], Counter[str]]:
    """For every unit its clusters and its directions there, and the frequency of each key."""
    by_id = {mention.id: mention for mention in mentions}
    places: dict[Unit, dict[int, set[bool]]] = defaultdict(lambda: defaultdict(set))
    counts: Counter[str] = Counter()
    for number, cluster in enumerate(clusters):
        for member in cluster.members:
            mention, key = by_id[member.mention], keys[member.mention]["relation"]
            places[key, mention.kinds][number].add(" ".join(mention.relation.text.split()) in cluster.turned)
            counts[key] += 1
    return places, counts


def _ends(places: Mapping[int, set[bool]], heads: Mapping[int, Mapping[str, bool]]) -> Iterator[Directed]:
    """The keys that stay in all of these clusters, and have one direction as compared with what is there."""
    if any(len(directions) > 1 for directions in places.values()):
        return
    found = [
        {(target, turned not in directions) for target, turned in heads.get(number, {}).items()}
        for number, directions in places.items()
    ]
    common = set.intersection(*found)
    for target in heads.get(next(iter(places)), ()):
        yield from ((target, turned) for turned in (False, True) if (target, turned) in common)
