"""Edges as people read them: which ones count, what they state, and the sentences behind them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from tupelo.core import InputError
from tupelo.graph.answers import AnswerItem, AnswerTable
from tupelo.graph.store import Store
from tupelo.graph.times import asked_days

# What the text claims, considers possible, or denies.
STANCES = {
    "asserted": "(NOT {edge}.negated AND {edge}.modality IS NULL)",
    "possible": "(NOT {edge}.negated AND {edge}.modality IS NOT NULL)",
    "denied": "{edge}.negated",
}


@dataclass(frozen=True, slots=True)
class Filters:
    """Which edges count. Denied edges are excluded unless requested.

    `since` and `until` keep edges whose time overlaps the range: days, or text such as `1998` or `1998-11`.
    `source` is a pattern of document names such as `news/*`.
    """

    min_confidence: float = 0.0
    stances: tuple[str, ...] = ("asserted", "possible")
    since: date | str | None = None
    until: date | str | None = None
    source: str | None = None

    def __post_init__(self) -> None:
        for stance in self.stances:
            if stance not in STANCES:
                raise InputError(f"'{stance}' is no stance, expected {', '.join(STANCES)}")
        for name, place in (("since", 0), ("until", 1)):
            given = getattr(self, name)
            if isinstance(given, str):
                object.__setattr__(self, name, asked_days(given)[place])

    def conditions(self, edge: str) -> tuple[list[str], list[object]]:
        """SQL conditions on the table of edges named `edge`, and the values to bind, in order."""
        found: list[str] = []
        values: list[object] = []
        if self.min_confidence > 0:
            found.append(f"{edge}.confidence >= ?")
            values.append(self.min_confidence)
        if set(self.stances) != set(STANCES):
            found.append(f"({' OR '.join(STANCES[stance].format(edge=edge) for stance in self.stances)})")
        if self.since or self.until:
            overlap = ["held.last_day >= ?"] * bool(self.since) + ["held.first_day <= ?"] * bool(self.until)
            found.append(
                f"EXISTS (SELECT 1 FROM qualifiers AS held WHERE held.edge_id = {edge}.edge_id AND "
                f"held.first_day IS NOT NULL AND {' AND '.join(overlap)})"
            )
            values += [day for day in (self.since, self.until) if day]
        if self.source:
            found.append(
                f"EXISTS (SELECT 1 FROM provenance JOIN documents USING (document_id) "
                f"WHERE provenance.edge_id = {edge}.edge_id AND documents.source GLOB ?)"
            )
            values.append(self.source)
        return found, values


@dataclass(frozen=True, slots=True)
class Node:
    """An entity or a relation."""

    id: str
    name: str

    def __str__(self) -> str:
        return self.name

    def to_dict(self) -> dict[str, str]:
        return {"id": self.id, "name": self.name}


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

    @property
    def quotation(self) -> str:
        return f"“{self.sentence}” ({self.source}:{self.position + 1})"

    def __str__(self) -> str:
        return f"{self.quotation[:-1]}, says {self.speaker})" if self.speaker else self.quotation

    def to_dict(self) -> dict[str, Any]:
        return {
            "sentence": self.sentence,
            "source": self.source,
            "position": self.position,
            "confidence": self.confidence,
            "speaker": self.speaker,
            "speech_verb": self.speech_verb,
            "marks": [{"start": start, "end": end, "role": role} for start, end, role in self.marks],
        }


@dataclass(frozen=True, slots=True)
class Edge(AnswerItem):
    """A statement with its names. `times` and `places` are worded as in the text.

    `evidence` holds sentences that state it; `None` if they were not requested.
    """

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
    evidence: tuple[Evidence, ...] | None = None

    @property
    def reservations(self) -> list[str]:
        """The reasons why the edge is not a plain claim of the text."""
        marks = (["denied"] if self.negated else []) + ([self.modality] if self.modality else [])
        return marks + (["only reported"] if not self.asserted else [])

    @property
    def cells(self) -> tuple[Any, ...]:
        names = (self.subject.name, self.relation.name, self.object.name)
        return (*names, self.confidence, self.mentions, ", ".join(self.reservations))

    @property
    def sentences(self) -> tuple[Evidence, ...]:
        return self.evidence or ()

    def __str__(self) -> str:
        marks = f" [{', '.join(self.reservations)}]" if self.reservations else ""
        return f"{self.subject.name} | {self.relation.name} | {self.object.name}{marks}"

    def to_dict(self) -> dict[str, Any]:
        row: dict[str, Any] = {
            "id": self.id,
            "subject": self.subject.to_dict(),
            "relation": self.relation.to_dict(),
            "object": self.object.to_dict(),
            "confidence": self.confidence,
            "negated": self.negated,
            "modality": self.modality,
            "mentions": self.mentions,
            "asserted": self.asserted,
            "documents": self.documents,
            "times": list(self.times),
            "places": list(self.places),
        }
        if self.evidence is not None:
            row["evidence"] = [item.to_dict() for item in self.evidence]
        return row


def edge_table(edges: Iterable[Edge]) -> AnswerTable:
    """Edges as rows."""
    return AnswerTable(("subject", "relation", "object", "confidence", "mentions", "reservations"), tuple(edges))


def edges_by_id(store: Store, ids: Iterable[str], sentences: int = 0) -> dict[str, Edge]:
    """Edges with their names and qualifiers, and at most `sentences` sentences of evidence each."""
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
    said = evidence(store, wanted, sentences) if sentences else {}
    found = {}
    for row in rows:
        key, subject, relation, object_ = row[0], Node(*row[1:3]), Node(*row[3:5]), Node(*row[5:7])
        times, places = held.get((key, "time"), ()), held.get((key, "location"), ())
        edge = Edge(*(key, subject, relation, object_, *row[7:], times, places))
        found[key] = replace(edge, evidence=tuple(said.get(key, ()))) if sentences else edge
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
    """The sentences behind each edge, most confident first, each once, at most `limit` per edge."""
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
