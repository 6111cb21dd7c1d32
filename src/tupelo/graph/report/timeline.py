"""A graph over time: what held when, the same event in several documents, and what changed between two graphs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import Any

from tupelo.core.results import printable
from tupelo.core.shipped import queries
from tupelo.graph.query.answers import AnswerItem, AnswerTable, Evidence, PlainList, PlainValue, quoted
from tupelo.graph.query.edges import Edge, edges_by_id, ordered_edges
from tupelo.graph.query.lookup import find_entities, find_relations, unknown
from tupelo.graph.report.claims import (
    Claim,
    Names,
    are_opposite,
    claim_pairs,
    read_claims,
    related,
    same_ends,
    same_participant,
)
from tupelo.graph.report.conflicts import Conflict, Degrees, apart, conflicts, is_bare, overlap
from tupelo.graph.store.file import Store
from tupelo.graph.store.validity import OPEN

_SQL = queries(__name__)


@dataclass(frozen=True, slots=True)
class TimelineItem(AnswerItem):
    """A statement with its time; `superseded` names what followed a state that was said to go on."""

    edge: Edge
    superseded: str = ""

    @property
    def cells(self) -> tuple[Any, ...]:
        names = (self.edge.subject.name, self.edge.relation.name, self.edge.object.name)
        return (str(self.edge.validity), *names, self.superseded, ", ".join(self.edge.reservations))

    @property
    def sentences(self) -> tuple[Evidence, ...]:
        return self.edge.sentences

    def to_dict(self) -> dict[str, Any]:
        return self.edge.to_dict() | {"superseded": self.superseded}


def timeline(store: Store, name: str, *, limit: int | None = None, sentences: int = 1) -> AnswerTable:
    """The statements with a time about an entity, or with a relation, in the order of time."""
    ids = list(find_entities(store, name).ids)
    relations = [] if ids else list(find_relations(store, name).ids)
    if not ids and not relations:
        raise unknown(store, "entity", name)
    ordered = ordered_edges(store, store.column(_SQL["timeline"], {"ids": ids, "relations": relations}), sentences)
    items = [TimelineItem(edge, _next(edge, ordered[at + 1 :])) for at, edge in enumerate(ordered)]
    columns = ("valid", "subject", "relation", "object", "superseded", "reservations")
    return AnswerTable(columns, tuple(items[:limit]), {"of": name})


def _next(edge: Edge, later: Iterable[Edge]) -> str:
    """The next holder of the same place, or the next place of the same holder, after a state with an open end."""
    if edge.validity.valid_until != OPEN:
        return ""
    for other in later:
        same = edge.relation.id == other.relation.id
        ends = (edge.subject.id == other.subject.id) + (edge.object.id == other.object.id)
        if same and ends == 1 and (other.validity.valid_from or "") > (edge.validity.valid_from or ""):
            return f"{other.validity.valid_from}: {other.subject.name} {other.relation.name} {other.object.name}"
    return ""


@dataclass(frozen=True, slots=True)
class Event(PlainValue):
    """An event that several documents report, with the sentences."""

    kind: str
    participants: tuple[str, ...]
    valid: str
    reports: tuple[tuple[str, str, int], ...]

    def __str__(self) -> str:
        lines = [f"{self.valid or '?'}  {self.kind}: {', '.join(self.participants)}"]
        lines += (f"    {quoted(*report)}" for report in self.reports)
        return "\n".join(map(printable, lines))


class Events(PlainList[Event]):
    """Events with reports in more than one document, in the order of time."""

    __slots__ = ()
    name, nothing = "events", "no event is reported by several documents"

    def rows(self) -> list[dict[str, Any]]:
        return [{"kind": one.kind, "valid": one.valid, "participants": ", ".join(one.participants)} for one in self]


def events(store: Store) -> Events:
    """The events that several documents report: the same participants, kind and time."""
    claims = read_claims(store)
    degrees = Degrees(claims)
    group_of: dict[str, set[str]] = {}
    known = {claim.tuple_id: claim for claim in claims}
    for one, other, shared in claim_pairs(filter(_happens, claims)):
        if same_event(one, other, shared, degrees):
            merged = group_of.get(one.tuple_id, {one.tuple_id}) | group_of.get(other.tuple_id, {other.tuple_id})
            group_of |= dict.fromkeys(merged, merged)
    groups = {min(group): sorted(group) for group in group_of.values()}
    found = (_event([known[key] for key in group]) for group in groups.values())
    return Events(sorted(found, key=lambda event: (not event.valid, event.valid, event.kind)))


def _happens(claim: Claim) -> bool:
    is_event = claim.validity.aspect != "state" and not claim.verb.startswith(("be ", "have", "say"))
    return is_event and claim.verb != "be" and not claim.negated and claim.modality in (None, "future")


def same_event(one: Claim, other: Claim, shared: Names, degrees: Degrees) -> bool:
    """Whether two claims report one event: with one that happens once, the times and who did it may differ."""
    moments = [claim.validity.valid_from or "" for claim in (one, other)]
    if apart(one, other):
        return False
    common = {
        mine.key: mine
        for mine, its in product(one.participants, other.participants)
        if mine.kind != "concept" and mine.label != "place" and mine.same(its, shared)
    }
    if not (related(one, other) or are_opposite(one.verb, other.verb)):
        # *succeeds her on 1 November*, *became chief executive in November*
        exact = 7 if same_participant(one.actor, other.actor, shared) else 10
        people = any(part.kind == "entity" and part.label == "person" for part in common.values())
        return people and min(map(len, moments)) >= exact and overlap(one, other)
    if not related(one, other):
        return len(common) > 2 - same_ends(one, other, shared) and overlap(one, other)
    if same_ends(one, other, shared):
        if all(moments) and degrees.once(one, other):
            return True
        planned = one.ahead != other.ahead and len(common) > 1
        return overlap(one, other) and (all(moments) or planned)
    if one.verb == other.verb and degrees.is_known(f"{one.verb} by") and degrees.is_known(f"{one.verb} @"):
        return same_participant(one.target, other.target, shared) and not any(
            map(is_bare, (one.target, other.target))
        )
    return len(common) > 1 and any(moments) and overlap(one, other)


def _event(claims: list[Claim]) -> Event:
    verbs = sorted({claim.verb for claim in claims})
    names = sorted({one.name for claim in claims for one in claim.participants if one.kind == "entity"})
    valid = sorted(filter(None, (str(claim.validity) for claim in claims)))
    reports = sorted({(claim.sentence, claim.source, claim.position) for claim in claims}, key=lambda one: one[1:])
    return Event(" / ".join(verbs), tuple(names), valid[0] if valid else "", tuple(reports))


@dataclass(frozen=True, slots=True)
class GraphDifference:
    """The statements of a graph that another one lacks, and the other way round."""

    new: tuple[Edge, ...]
    updated: tuple[tuple[Edge, Edge], ...]
    contradicted: tuple[Conflict, ...]
    gone: tuple[Edge, ...]

    def to_dict(self) -> dict[str, Any]:
        return {
            "new": [edge.to_dict() for edge in self.new],
            "updated": [{"old": old.to_dict(), "new": new.to_dict()} for old, new in self.updated],
            "contradicted": [one.to_dict() for one in self.contradicted],
            "no_longer_supported": [edge.to_dict() for edge in self.gone],
        }

    def __str__(self) -> str:
        parts = {
            "new": [str(edge) for edge in self.new],
            "updated": [f"{old} → {new}" for old, new in self.updated],
            "contradicted": [str(one) for one in self.contradicted],
            "no longer supported": [str(edge) for edge in self.gone],
        }
        found = [f"{len(lines):,} {name}" for name, lines in parts.items()]
        for name, lines in parts.items():
            found += ["", f"{name}:", *(f"  {line}" for line in lines)] if lines else []
        return "\n".join(found)


def difference(old: Store, new: Store) -> GraphDifference:
    """Compare the statements of two graphs. A new value of the same slot of the same subject is an update."""
    keys = [{*store.column("SELECT edge_id FROM statements")} for store in (old, new)]
    added, gone = edges_by_id(new, keys[1] - keys[0]), edges_by_id(old, keys[0] - keys[1])
    before: dict[tuple[str, str], list[Edge]] = defaultdict(list)
    rows = old.column(
        "SELECT edge_id FROM statements WHERE (subject_id, relation_id) IN (SELECT (unnest($s), unnest($r)))",
        {"s": [one.subject.id for one in added.values()], "r": [one.relation.id for one in added.values()]},
    )
    for edge in edges_by_id(old, rows).values():
        before[edge.subject.id, edge.relation.id].append(edge)
    updated = [
        (past, edge)
        for edge in added.values()
        for past in before[edge.subject.id, edge.relation.id]
        if past.object.id != edge.object.id and _replaces(past, edge)
    ]
    known = {edge.id for _, edge in updated}
    against = [one for one in conflicts(new) if (one.first.edge_id in added) != (one.second.edge_id in added)]
    fresh = tuple(edge for key, edge in sorted(added.items()) if key not in known)
    return GraphDifference(fresh, tuple(updated), tuple(against), tuple(edge for _, edge in sorted(gone.items())))


def _replaces(past: Edge, edge: Edge) -> bool:
    """Whether a statement is about a later time than another one, or the number of the same thing."""
    first, second = past.validity.valid_from, edge.validity.valid_from
    return bool(first and second and first < second) or (past.object.kind == edge.object.kind == "value")
