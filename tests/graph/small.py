"""Graphs made by hand, through the store's own functions: what is said in which sentence, and by whom."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from tupelo.graph.store.derive import derive
from tupelo.graph.store.file import Store, create
from tupelo.graph.store.schema import stable_id
from tupelo.graph.store.values import days_of


@dataclass(frozen=True)
class Value:
    """An object that is no entity: a date, a number or a clause."""

    label: str = "clause"
    number: float | None = None
    unit: str | None = None


@dataclass(frozen=True)
class Said:
    """One tuple: `subject` and `object` are canonical names, `words` how the sentence puts the three parts.

    `wording` is the relation from subject to object where the sentence turns it round.
    """

    subject: str
    relation: str
    object: str
    sentence: str
    document: str = "harbour.txt"
    words: tuple[str, str, str] | None = None
    wording: str | None = None
    confidence: float = 0.9
    negated: bool = False
    modality: str | None = None
    speaker: str | None = None
    believer: str | None = None
    condition: str | None = None
    asked: bool = False
    time: str | None = None
    place: str | None = None

    @property
    def parts(self) -> tuple[str, str, str]:
        return self.words or (self.subject, self.relation, self.object)

    @property
    def own_relation(self) -> str:
        return self.wording or self.parts[1]

    @property
    def stance(self) -> str:
        marks = {
            "asked": self.asked,
            "conditional": self.condition,
            "possible": self.modality,
            "denied": self.negated,
            "believed": self.believer,
            "reported": self.speaker,
        }
        return next((stance for stance, given in marks.items() if given), "asserted")

    @property
    def edge(self) -> tuple[str, str, str, str, str | None]:
        """What makes it the same statement as another one."""
        stance = "said" if self.stance in ("asserted", "reported") else self.stance
        return self.subject, self.relation, self.object, stance, self.modality

    @property
    def qualifiers(self) -> list[tuple[str, str]]:
        roles = {
            "time": self.time,
            "location": self.place,
            "speaker": self.speaker,
            "believer": self.believer,
            "condition": self.condition,
        }
        return [(role, text) for role, text in roles.items() if text]


@dataclass
class World:
    """What is said, the types of entities, the base forms of relations, and the objects that are no entities."""

    statements: list[Said]
    types: dict[str, str] = field(default_factory=dict)
    lemmas: dict[str, str] = field(default_factory=dict)
    literals: dict[str, Value] = field(default_factory=dict)
    # Wording -> why it is taken for its entity; the others are the same name.
    reasons: dict[str, str] = field(default_factory=dict)

    def kind(self, name: str) -> str:
        return "value" if name in self.literals else "entity" if name[0].isupper() else "concept"

    def label(self, name: str) -> str:
        return self.literals[name].label if name in self.literals else self.types.get(name, "")

    def value(self, name: str) -> dict[str, object]:
        value = self.literals.get(name, Value(""))
        first, last = (days_of(name) if value.label == "datetime" else None) or (None, None)
        return {"number": value.number, "unit": value.unit, "first_day": first, "last_day": last}

    def edges(self) -> dict[tuple[str, str, str, str, str | None], list[Said]]:
        """The tuples of each statement."""
        found: dict[tuple[str, str, str, str, str | None], list[Said]] = defaultdict(list)
        for said in self.statements:
            found[said.edge].append(said)
        return dict(found)


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
            wording="founded",
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
            wording="sails to",
            negated=True,
            confidence=0.6,
        ),
        Said("Ole Berg", "founded", "Berg Cranes", "Ole Berg founded Berg Cranes.", confidence=0.85),
        Said("Ole Berg", "works for", "North Ferries", "Ole Berg works for North Ferries."),
        Said(
            "Berg Cranes",
            "bought",
            "Lindvik Shipping",
            "Berg Cranes may buy Lindvik Shipping, Berg said.",
            "news.txt",
            words=("Berg Cranes", "may buy", "Lindvik Shipping"),
            confidence=0.4,
            modality="possible",
            speaker="Berg",
        ),
        Said("Eva Lund", "paints", "the sea", "Eva Lund paints the sea.", "art.txt", confidence=0.3),
        Said(
            "North Ferries",
            "bought",
            "Berg Cranes",
            "Did North Ferries buy Berg Cranes?",
            "news.txt",
            words=("North Ferries", "buy", "Berg Cranes"),
            wording="bought",
            confidence=0.8,
            asked=True,
        ),
        Said(
            "Ann Watson",
            "bought",
            "Berg Cranes",
            "Watson would buy Berg Cranes if it were sold.",
            "news.txt",
            words=("Watson", "would buy", "Berg Cranes"),
            confidence=0.8,
            condition="if it were sold",
        ),
        Said(
            "Ole Berg",
            "is chairman of",
            "Lindvik Shipping",
            "Eva Lund believes that Ole Berg is chairman of Lindvik Shipping.",
            "art.txt",
            confidence=0.7,
            believer="Eva Lund believes",
        ),
        Said(
            "Ann Watson",
            "is chairman of",
            "North Ferries",
            "Ann Watson is the chairman of North Ferries, the Harbour Post reports.",
            "news.txt",
            confidence=0.8,
            speaker="the Harbour Post",
        ),
        Said("Lindvik", "has population of", "4,200", "Lindvik has a population of 4,200.", confidence=0.9),
        Said(
            "North Ferries",
            "was founded in",
            "May 2004",
            "North Ferries was founded in May 2004.",
            "news.txt",
            confidence=0.9,
        ),
        Said(
            "Ole Berg",
            "said",
            "the cranes are safe",
            "Ole Berg said that the cranes are safe.",
            "news.txt",
            confidence=0.85,
        ),
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
        "bought": "buy",
        "paints": "paint",
        "is chairman of": "be chairman of",
        "has population of": "have population of",
        "was founded in": "be found in",
        "said": "say",
    },
    literals={
        "4,200": Value("number", 4200.0),
        "May 2004": Value("datetime"),
        "the cranes are safe": Value(),
    },
    reasons={"Watson": "short name", "the company": "coreference"},
)


# Files of the worlds that were written; a further one of the same is a copy.
_WRITTEN: dict[str, bytes] = {}


def write_graph(path: Path, world: World = HARBOUR) -> Path:
    """A graph file of these statements."""
    if file := _WRITTEN.get(repr(world)):
        path.write_bytes(file)
        return path
    with create(path) as store:
        with store.transaction():
            fill(store, world)
        with store.transaction():
            derive(store)
    _WRITTEN[repr(world)] = path.read_bytes()
    return path


def fill(store: Store, world: World) -> None:
    """All rows but the derived ones."""
    for table, rows in (_sources(world) | _names(world) | _statements(world)).items():
        store.insert(table, rows)


def _sources(world: World) -> dict[str, list[dict[str, object]]]:
    documents = list(dict.fromkeys(said.document for said in world.statements))
    places: Counter[str] = Counter()
    sentences: list[dict[str, object]] = []
    for document, text in dict.fromkeys((said.document, said.sentence) for said in world.statements):
        sentences.append(
            {
                "sentence_id": _sentence(document, text),
                "text": text,
                "position": places[document],
                "document_id": _document(document),
            }
        )
        places[document] += 1
    return {
        "runs": [
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
        "documents": [
            {
                "document_id": _document(name),
                "source": name,
                "title": name.partition(".")[0],
                "media_type": "text/plain",
                "checksum": stable_id(name),
                "characters": 100,
                "run_id": "r1",
            }
            for name in documents
        ],
        "sentences": sentences,
    }


def _names(world: World) -> dict[str, list[dict[str, object]]]:
    """Entities, relations, their wordings and types, and what each document speaks of."""
    entities: dict[str, Counter[str]] = defaultdict(Counter)
    relations: dict[str, Counter[str]] = defaultdict(Counter)
    in_documents: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for said in world.statements:
        relations[said.relation][said.own_relation] += 1
        for name, text in ((said.subject, said.parts[0]), (said.object, said.parts[2])):
            entities[name][text] += 1
            in_documents[name, said.document][text] += 1
    documents = Counter(name for name, _ in in_documents)
    edges = Counter(edge[1] for edge in world.edges())
    unnamed = {name for name, value in world.literals.items() if value.label != "description"}
    named = {name: counts for name, counts in entities.items() if name not in unnamed}
    return {
        "nodes": [
            {
                "node_id": node_id(name),
                "name": name,
                "kind": world.kind(name),
                "label": world.label(name),
                "mentions": counts.total(),
                "documents": documents[name],
                **world.value(name),
            }
            for name, counts in entities.items()
        ],
        "relations": [
            {
                "relation_id": _relation(name),
                "name": name,
                "lemma": world.lemmas.get(name, name),
                "mentions": counts.total(),
                "edges": edges[name],
            }
            for name, counts in relations.items()
        ],
        "aliases": [
            {"owner_id": make(name), "owner": owner, "text": text, "normal": text.lower(), "mentions": count}
            for owner, names, make in (("entity", named, node_id), ("relation", relations, _relation))
            for name, counts in names.items()
            for text, count in (counts | Counter({name: counts[name]})).items()
        ],
        "types": [{"type_id": stable_id("type", kind), "name": kind} for kind in sorted(set(world.types.values()))],
        "entity_types": [
            {"node_id": node_id(name), "type_id": stable_id("type", kind), "mentions": 1, "confidence": 1.0}
            for name, kind in world.types.items()
        ],
        "referents": [
            {
                "referent_id": _referent(name, document),
                "document_id": _document(document),
                "node_id": node_id(name),
                "kind": world.kind(name),
                "name": name,
                "label": world.label(name),
                "keys": [name.casefold()],
                "names": list(counts) if name in named else [],
                "counts": list(counts.values()) if name in named else [],
                "reasons": [world.reasons.get(text, "same name") for text in counts if name in named],
                "probabilities": [0.9 if text in world.reasons else 1.0 for text in counts if name in named],
                "descriptions": [],
                "types": [],
                "context": [],
                "mentions": counts.total(),
                **world.value(name),
                "reason": "same name" if documents[name] > 1 else None,
                "probability": 0.95 if documents[name] > 1 else None,
            }
            for (name, document), counts in in_documents.items()
        ],
    }


def _statements(world: World) -> dict[str, list[dict[str, object]]]:
    """Tuples with their parts, and the statements that they make."""
    tuples, mentions, provenance = [], [], []
    for number, said in enumerate(world.statements):
        tuples.append(
            {
                "tuple_id": stable_id("tuple", number),
                "sentence_id": _sentence(said.document, said.sentence),
                "position": 0,
                "relation": said.parts[1],
                "confidence": said.confidence,
                "negated": said.negated,
                "modality": said.modality,
                "speaker": said.speaker,
                "speech_verb": "said" if said.speaker else None,
                "context": said.condition or said.believer,
                "context_role": "condition" if said.condition else "belief" if said.believer else None,
                "extractor": "by hand",
                "stance": said.stance,
            }
        )
        mentions += _mentions(number, said)
        provenance.append(
            {
                "edge_id": stable_id("edge", *said.edge),
                "tuple_id": stable_id("tuple", number),
                "sentence_id": _sentence(said.document, said.sentence),
                "document_id": _document(said.document),
                "subject_ref": _referent(said.subject, said.document),
                "object_ref": _referent(said.object, said.document),
                "relation_id": _relation(said.relation),
                "wording": said.own_relation,
                "confidence": said.confidence,
                "rank": 0.5,
                "qualifiers": [{"role": role, "text": text} for role, text in said.qualifiers],
            }
        )
    qualifiers = Counter(
        (stable_id("edge", *said.edge), *held) for said in world.statements for held in said.qualifiers
    )
    return {
        "tuples": tuples,
        "mentions": mentions,
        "provenance": provenance,
        "statements": [
            _edge(edge, said) | {"subject_kind": world.kind(edge[0]), "object_kind": world.kind(edge[2])}
            for edge, said in world.edges().items()
        ],
        "qualifiers": [
            {"edge_id": edge, "role": role, "text": text, "mentions": count}
            for (edge, role, text), count in qualifiers.items()
        ],
    }


def _mentions(number: int, said: Said) -> list[dict[str, object]]:
    words = said.parts
    parts = [(0, "relation", words[1], said.relation), (1, "subject", words[0], said.subject)]
    parts.append((2, "object", words[2], said.object))
    parts += [(3, "time", said.time, "")] if said.time else []
    parts += [(4, "location", said.place, "")] if said.place else []
    rows: list[dict[str, object]] = []
    for position, role, text, name in parts:
        found = said.sentence.find(text)
        entity = bool(name and position)
        rows.append(
            {
                "mention_id": stable_id("mention", number, position),
                "tuple_id": stable_id("tuple", number),
                "sentence_id": _sentence(said.document, said.sentence),
                "position": position,
                "role": role,
                "text": text,
                "starts": [found] if found >= 0 else None,
                "ends": [found + len(text)] if found >= 0 else None,
                "node_id": node_id(name) if entity else None,
                "referent_id": _referent(name, said.document) if entity else None,
                "relation_id": _relation(name) if not position else None,
            }
        )
    return rows


def _edge(edge: tuple[str, str, str, str, str | None], said: list[Said]) -> dict[str, object]:
    doubt = 1.0
    for one in said:
        doubt *= 1 - one.confidence
    stances = {one.stance for one in said}
    wordings = Counter(one.own_relation for one in said)
    return {
        "edge_id": stable_id("edge", *edge),
        "subject_id": node_id(edge[0]),
        "relation_id": _relation(edge[1]),
        "object_id": node_id(edge[2]),
        "negated": said[0].negated,
        "modality": edge[4],
        "confidence": round(1 - doubt, 6),
        "rank": 0.5,
        "mentions": len(said),
        "asserted": sum(one.stance == "asserted" for one in said),
        "documents": len({one.document for one in said}),
        "stance": "asserted" if "asserted" in stances else min(stances),
        "relation": min(wordings, key=lambda text: (-wordings[text], text)),
    }


def node_id(name: str) -> str:
    return stable_id("entity", name)


def _relation(name: str) -> str:
    return stable_id("relation", name)


def _document(name: str) -> str:
    return stable_id("document", name)


def _sentence(document: str, text: str) -> str:
    return stable_id("sentence", document, text)


def _referent(name: str, document: str) -> str:
    return stable_id("referent", document, name)
