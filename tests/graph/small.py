"""Graphs made by hand, through the store's own functions: what is said in which sentence, and by whom."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from tupelo.graph.derive import derive
from tupelo.graph.schema import stable_id
from tupelo.graph.store import Store, create


@dataclass(frozen=True)
class Said:
    """One tuple: `subject` and `object` are canonical names, `words` how the sentence puts the three parts."""

    subject: str
    relation: str
    object: str
    sentence: str
    document: str = "harbour.txt"
    words: tuple[str, str, str] | None = None
    confidence: float = 0.9
    negated: bool = False
    modality: str | None = None
    speaker: str | None = None
    time: str | None = None
    place: str | None = None


@dataclass
class World:
    statements: list[Said]
    types: dict[str, str] = field(default_factory=dict)
    lemmas: dict[str, str] = field(default_factory=dict)


HARBOUR = World(
    [
        Said(
            "Ann Watson", "founded", "Lindvik Shipping", "Ann Watson founded Lindvik Shipping in 1998.", time="1998"
        ),
        Said(
            "Ann Watson",
            "founded",
            "Lindvik Shipping",
            "In 1998 the company was founded by Watson.",
            "news.txt",
            words=("Watson", "was founded by", "the company"),
            confidence=0.7,
            time="In 1998",
        ),
        Said(
            "Ann Watson",
            "founded",
            "North Ferries",
            "Watson also set up North Ferries in May 2004.",
            "news.txt",
            words=("Watson", "set up", "North Ferries"),
            confidence=0.8,
            time="in May 2004",
        ),
        Said("Ann Watson", "lives in", "Lindvik", "Ann Watson lives in Lindvik.", confidence=0.95),
        Said("Lindvik Shipping", "has its seat in", "Lindvik", "Lindvik Shipping has its seat in Lindvik."),
        Said(
            "North Ferries",
            "sails to",
            "Skarholm",
            "North Ferries sails to Skarholm in summer.",
            place="in the north",
        ),
        Said(
            "North Ferries",
            "sails to",
            "Skarholm",
            "North Ferries does not sail to Skarholm.",
            "news.txt",
            words=("North Ferries", "does not sail to", "Skarholm"),
            negated=True,
            confidence=0.6,
        ),
        Said("Ole Berg", "founded", "Berg Cranes", "Ole Berg founded Berg Cranes.", confidence=0.85),
        Said("Ole Berg", "works for", "North Ferries", "Ole Berg works for North Ferries."),
        Said(
            "Berg Cranes",
            "may buy",
            "Lindvik Shipping",
            "Berg Cranes may buy Lindvik Shipping, Berg said.",
            "news.txt",
            confidence=0.4,
            modality="possible",
            speaker="Berg",
        ),
        Said("Eva Lund", "paints", "the sea", "Eva Lund paints the sea.", "art.txt", confidence=0.3),
    ],
    types={
        "Ann Watson": "person",
        "Ole Berg": "person",
        "Eva Lund": "person",
        "Lindvik Shipping": "organization",
        "North Ferries": "organization",
        "Berg Cranes": "organization",
        "Lindvik": "place",
        "Skarholm": "place",
    },
    lemmas={
        "founded": "found",
        "lives in": "live in",
        "has its seat in": "have its seat in",
        "sails to": "sail to",
        "works for": "work for",
        "may buy": "buy",
        "paints": "paint",
    },
)


def write_graph(path: Path, world: World = HARBOUR, *, version: int | None = None) -> Path:
    """A graph file of these statements; of an older version where one is asked for."""
    with create(path) if version is None else create(path, version) as store:
        with store.transaction():
            fill(store, world)
        if version is None:
            with store.transaction():
                derive(store.connection)
    return path


def fill(store: Store, world: World) -> None:
    documents = list(dict.fromkeys(said.document for said in world.statements))
    sentences = list(dict.fromkeys((said.document, said.sentence) for said in world.statements))
    places: Counter[str] = Counter()
    store.insert(
        "runs",
        [
            {
                "run_id": "r1",
                "started": datetime(2026, 1, 2, 3, 4, 5),
                "finished": datetime(2026, 1, 2, 3, 4, 9),
                "tupelo_version": "0.1.0",
                "engine": "local",
                "documents_added": len(documents),
                "documents_changed": 0,
                "documents_removed": 0,
            }
        ],
    )
    store.insert(
        "documents",
        [
            {
                "document_id": stable_id("document", name),
                "source": name,
                "title": name.partition(".")[0],
                "media_type": "text/plain",
                "checksum": stable_id(name),
                "characters": 100,
                "run_id": "r1",
            }
            for name in documents
        ],
    )
    rows = []
    for document, text in sentences:
        rows.append(
            {
                "sentence_id": stable_id("sentence", document, text),
                "text": text,
                "position": places[document],
                "document_id": stable_id("document", document),
            }
        )
        places[document] += 1
    store.insert("sentences", rows)
    _fill_statements(store, world)


def _fill_statements(store: Store, world: World) -> None:
    tuples, mentions, provenance = [], [], []
    entity_words: dict[str, Counter[str]] = defaultdict(Counter)
    relation_words: dict[str, Counter[str]] = defaultdict(Counter)
    entity_documents: dict[str, set[str]] = defaultdict(set)
    edges: dict[tuple[str, str, str, bool, str | None], list[Said]] = defaultdict(list)
    for number, said in enumerate(world.statements):
        tuple_id = stable_id("tuple", number)
        sentence_id = stable_id("sentence", said.document, said.sentence)
        words = said.words or (said.subject, said.relation, said.object)
        tuples.append(
            {
                "tuple_id": tuple_id,
                "sentence_id": sentence_id,
                "position": 0,
                "relation": words[1],
                "confidence": said.confidence,
                "negated": said.negated,
                "modality": said.modality,
                "speaker": said.speaker,
                "speech_verb": "said" if said.speaker else None,
                "extractor": "by hand",
            }
        )
        parts = [(0, "relation", words[1], said.relation), (1, "subject", words[0], said.subject)]
        parts.append((2, "object", words[2], said.object))
        parts += [(3, "time", said.time, None)] if said.time else []
        parts += [(4, "location", said.place, None)] if said.place else []
        for position, role, text, name in parts:
            found = said.sentence.find(text)
            mentions.append(
                {
                    "mention_id": stable_id("mention", number, position),
                    "tuple_id": tuple_id,
                    "position": position,
                    "role": role,
                    "text": text,
                    "starts": [found] if found >= 0 else None,
                    "ends": [found + len(text)] if found >= 0 else None,
                    "entity_id": _entity(name) if name and position else None,
                    "relation_id": _relation(name) if name and not position else None,
                }
            )
            if name:
                (entity_words if position else relation_words)[name][text] += 1
                entity_documents[name].add(said.document)
        edge = (said.subject, said.relation, said.object, said.negated, said.modality)
        edges[edge].append(said)
        provenance.append(
            {
                "edge_id": stable_id("edge", *edge),
                "tuple_id": tuple_id,
                "sentence_id": sentence_id,
                "document_id": stable_id("document", said.document),
            }
        )
    store.insert("tuples", tuples)
    store.insert("mentions", mentions)
    store.insert("provenance", provenance)
    _fill_names(store, world, entity_words, relation_words, entity_documents, edges)
    _fill_edges(store, edges)


def _fill_names(store, world, entity_words, relation_words, documents, edges) -> None:  # type: ignore[no-untyped-def]
    store.insert(
        "entities",
        [
            {
                "entity_id": _entity(name),
                "name": name,
                "kind": "name" if name[0].isupper() else "phrase",
                "mentions": counts.total(),
                "documents": len(documents[name]),
            }
            for name, counts in entity_words.items()
        ],
    )
    store.insert(
        "relations",
        [
            {
                "relation_id": _relation(name),
                "name": name,
                "lemma": world.lemmas.get(name, name),
                "mentions": counts.total(),
                "edges": sum(edge[1] == name for edge in edges),
            }
            for name, counts in relation_words.items()
        ],
    )
    for owner, names, make in (("entity", entity_words, _entity), ("relation", relation_words, _relation)):
        store.insert(
            "aliases",
            [
                {"owner_id": make(name), "owner": owner, "text": text, "mentions": count}
                for name, counts in names.items()
                for text, count in (counts | Counter({name: counts[name]})).items()
            ],
        )
    kinds = sorted(set(world.types.values()))
    store.insert("types", [{"type_id": stable_id("type", kind), "name": kind} for kind in kinds])
    store.insert(
        "entity_types",
        [
            {"entity_id": _entity(name), "type_id": stable_id("type", kind), "mentions": 1, "confidence": 1.0}
            for name, kind in world.types.items()
        ],
    )


def _fill_edges(store: Store, edges: dict[tuple[str, str, str, bool, str | None], list[Said]]) -> None:
    rows = []
    qualifiers: Counter[tuple[str, str, str]] = Counter()
    for edge, said in edges.items():
        doubt = 1.0
        for one in said:
            doubt *= 1 - one.confidence
        edge_id = stable_id("edge", *edge)
        rows.append(
            {
                "edge_id": edge_id,
                "subject_id": _entity(edge[0]),
                "relation_id": _relation(edge[1]),
                "object_id": _entity(edge[2]),
                "negated": edge[3],
                "modality": edge[4],
                "confidence": round(1 - doubt, 6),
                "mentions": len(said),
                "asserted": sum(one.speaker is None for one in said),
                "documents": len({one.document for one in said}),
            }
        )
        for one in said:
            qualifiers.update((edge_id, "time", one.time) for _ in [0] if one.time)
            qualifiers.update((edge_id, "location", one.place) for _ in [0] if one.place)
    store.insert("edges", rows)
    store.insert(
        "qualifiers",
        [
            {"edge_id": edge, "role": role, "text": text, "mentions": count}
            for (edge, role, text), count in qualifiers.items()
        ],
    )


def _entity(name: str) -> str:
    return stable_id("entity", name)


def _relation(name: str) -> str:
    return stable_id("relation", name)
