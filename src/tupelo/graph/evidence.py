"""Edges as people read them, and the sentences behind them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from tupelo.graph.store import Store


@dataclass(frozen=True, slots=True)
class Node:
    """An entity or a relation."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Edge:
    """A statement with its names. `times` and `places` are worded as in the text."""

    id: str
    subject: Node
    relation: Node
    object: Node
    confidence: float
    negated: bool
    modality: str | None
    mentions: int
    asserted: int
    documents: int
    times: tuple[str, ...] = ()
    places: tuple[str, ...] = ()

    @property
    def reservations(self) -> list[str]:
        """What keeps the edge from being a plain claim of the text."""
        marks = (["denied"] if self.negated else []) + ([self.modality] if self.modality else [])
        return marks + (["only reported"] if not self.asserted else [])

    def __str__(self) -> str:
        marks = f" [{', '.join(self.reservations)}]" if self.reservations else ""
        return f"{self.subject.name} | {self.relation.name} | {self.object.name}{marks}"


@dataclass(frozen=True, slots=True)
class Evidence:
    """A sentence that states an edge. `marks` are characters `[start, end)` of the sentence with their role."""

    edge_id: str
    tuple_id: str
    sentence: str
    source: str
    position: int
    confidence: float | None
    speaker: str | None
    speech_verb: str | None
    marks: tuple[tuple[int, int, str], ...] = ()


def edges_by_id(store: Store, ids: Iterable[str]) -> dict[str, Edge]:
    """Edges with their names and qualifiers."""
    wanted = sorted(set(ids))
    rows = store.rows(
        """
        SELECT edge_id, subject_id, subjects.name, relation_id, relations.name, object_id, objects.name,
            edges.confidence, negated, modality, edges.mentions, asserted, edges.documents
        FROM edges
        JOIN entities AS subjects ON subjects.entity_id = subject_id
        JOIN relations USING (relation_id)
        JOIN entities AS objects ON objects.entity_id = object_id
        WHERE edge_id IN (SELECT unnest(?))
        """,
        [wanted],
    )
    held = _qualifiers(store, wanted)
    found = {}
    for row in rows:
        key, subject, relation, object_ = row[0], Node(*row[1:3]), Node(*row[3:5]), Node(*row[5:7])
        times, places = held.get((key, "time"), ()), held.get((key, "location"), ())
        found[key] = Edge(*(key, subject, relation, object_, *row[7:], times, places))
    return found


def _qualifiers(store: Store, ids: Collection[str]) -> dict[tuple[str, str], tuple[str, ...]]:
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    sql = (
        "SELECT edge_id, role, text FROM qualifiers WHERE edge_id IN (SELECT unnest(?)) "
        "ORDER BY edge_id, role, mentions DESC, text"
    )
    for edge_id, role, text in store.rows(sql, [list(ids)]):
        found[edge_id, role].append(text)
    return {key: tuple(texts) for key, texts in found.items()}


def evidence(store: Store, ids: Iterable[str], limit: int = 5) -> dict[str, list[Evidence]]:
    """The sentences behind each edge, surest first, each once, at most `limit` of an edge."""
    rows = store.rows(
        """
        SELECT provenance.edge_id, tuples.tuple_id, sentences.text, documents.source, sentences.position,
            tuples.confidence, speaker, speech_verb
        FROM provenance
        JOIN tuples USING (tuple_id)
        JOIN sentences ON sentences.sentence_id = provenance.sentence_id
        JOIN documents ON documents.document_id = provenance.document_id
        WHERE provenance.edge_id IN (SELECT unnest(?))
        QUALIFY row_number() OVER (
            PARTITION BY provenance.edge_id, sentences.sentence_id
            ORDER BY coalesce(tuples.confidence, 1) DESC, tuples.tuple_id
        ) = 1
        ORDER BY provenance.edge_id, coalesce(tuples.confidence, 1) DESC, documents.source, sentences.position,
            tuples.tuple_id
        """,
        [sorted(set(ids))],
    )
    kept: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for row in rows:
        if len(kept[row[0]]) < limit:
            kept[row[0]].append(row)
    marks = _marks(store, [row[1] for chosen in kept.values() for row in chosen])
    return {
        edge: [Evidence(*(*row, marks.get(row[1], ()))) for row in chosen] for edge, chosen in kept.items() if chosen
    }


def _marks(store: Store, tuples: Collection[str]) -> dict[str, tuple[tuple[int, int, str], ...]]:
    """Where the parts of tuples are in their sentences."""
    sql = (
        "SELECT tuple_id, role, starts, ends FROM mentions "
        "WHERE tuple_id IN (SELECT unnest(?)) AND starts IS NOT NULL ORDER BY tuple_id, position"
    )
    found: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
    for tuple_id, role, starts, ends in store.rows(sql, [sorted(set(tuples))]):
        found[tuple_id] += [(start, end, role) for start, end in zip(starts, ends, strict=True)]
    return {key: tuple(sorted(places)) for key, places in found.items()}


def edge_json(edge: Edge, sentences: Iterable[Evidence] | None = None) -> dict[str, Any]:
    """An edge as plain values, with its sentences where they are given."""
    row: dict[str, Any] = {
        "id": edge.id,
        "subject": {"id": edge.subject.id, "name": edge.subject.name},
        "relation": {"id": edge.relation.id, "name": edge.relation.name},
        "object": {"id": edge.object.id, "name": edge.object.name},
        "confidence": edge.confidence,
        "negated": edge.negated,
        "modality": edge.modality,
        "mentions": edge.mentions,
        "asserted": edge.asserted,
        "documents": edge.documents,
        "times": list(edge.times),
        "places": list(edge.places),
    }
    if sentences is not None:
        row["evidence"] = [evidence_json(item) for item in sentences]
    return row


def evidence_json(item: Evidence) -> dict[str, Any]:
    return {
        "sentence": item.sentence,
        "source": item.source,
        "position": item.position,
        "confidence": item.confidence,
        "speaker": item.speaker,
        "speech_verb": item.speech_verb,
        "marks": [{"start": start, "end": end, "role": role} for start, end, role in item.marks],
    }
