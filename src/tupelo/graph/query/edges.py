"""Statements as people read them: which ones count, what they state with which reservations, and their sentences."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Annotated, Any

from tupelo.core import InputError
from tupelo.core.extraction import STANCES
from tupelo.core.parameters import About, Among, AsOf, Between, MinConfidence, MinRank, Spelled, require_range
from tupelo.core.results import values_of
from tupelo.core.shipped import queries
from tupelo.graph.query.answers import AnswerItem, AnswerTable, Evidence, PlainValue
from tupelo.graph.store.file import Store
from tupelo.graph.store.validity import UNKNOWN, Validity, holds_at
from tupelo.graph.store.values import asked_days, typed_value
from tupelo.nlp.languages.en.grammar import ARTICLES, CONDITIONS

_SQL = queries(__name__)
ALL_STANCES = "all"
# Statements that are probably right and worth reading come first.
BEST_FIRST = "rank * confidence DESC, confidence DESC"
# Statements `said` that tell what something is: *a whale is a mammal*.
DEFINES = """(said.relation IN ('is', 'are', 'is kind of', 'are kind of') AND said.object_id IN (
    SELECT node_id FROM nodes WHERE kind = 'concept' OR label = 'description'
))"""
# Words that a sentence may have beside the names and the relation of its statement without saying more.
_SMALL = ARTICLES | {""}
# The stances that answer a question by default: claims of the text, and of those whom it quotes.
USUAL_STANCES = ("asserted", "reported")
# Role of a qualifier -> the name under which results list its wordings.
QUALIFIERS = {
    "time": "times",
    "location": "places",
    "condition": "conditions",
    "speaker": "speakers",
    "believer": "believers",
    "asker": "askers",
}


@dataclass(frozen=True, slots=True)
class StatementView:
    """The statements that are looked at.

    `about` is `names` for those about things with names only; `min_rank` leaves out those that say little by
    themselves, `as_of` those that did not hold or had not happened at that time (`2015`, `2015-06`, `2015-06-30`).
    """

    min_confidence: MinConfidence = 0.0
    about: About = "all"
    min_rank: MinRank = 0.0
    as_of: AsOf = None

    def __post_init__(self) -> None:
        for name in ("min_confidence", "min_rank"):
            require_range(name, getattr(self, name), Between(0, 1))
        if isinstance(self.as_of, str):
            asked_days(self.as_of)
        if self.about not in ("names", "all"):
            raise InputError(f"'{self.about}' is nothing that a graph is about, expected names or all")

    def condition(self, table: str) -> str:
        """SQL for the statements in `table`."""
        found = [
            f"{table}.{name} >= {float(least)!r}"
            for name, least in (("confidence", self.min_confidence), ("rank", self.min_rank))
            if least > 0
        ]
        if self.about == "names":
            found.append(f"{table}.subject_kind = 'entity' AND {table}.object_kind IN ('entity', 'value')")
        if self.as_of is not None:
            found.append(holds_at(table, str(self.as_of)))
        return " AND ".join(found) or "true"


EVERYTHING = StatementView()


@dataclass(frozen=True, slots=True)
class Filters(StatementView):
    """Conditions on statements. By default those count that the text claims or reports; `all` means every stance.

    `since` and `until` keep statements whose time overlaps the range: days, or text such as `1998` or `1998-11`.
    `source` is a pattern of document names such as `news/*`.
    """

    stances: Annotated[
        tuple[str, ...],
        Spelled.of("--stance"),
        Among((*STANCES, ALL_STANCES)),
        "How the text stands to what it says; repeat for more.",
    ] = USUAL_STANCES
    since: Annotated[
        date | str | None, Spelled.of("TIME"), "Only edges with a time that does not end before this one."
    ] = None
    until: Annotated[date | str | None, Spelled.of("TIME"), "Only edges with a time that has begun by then."] = None
    source: Annotated[str | None, Spelled.of("GLOB"), "Only edges from documents such as 'news/*'."] = None

    def __post_init__(self) -> None:
        StatementView.__post_init__(self)
        for stance in self.stances:
            if stance != ALL_STANCES and stance not in STANCES:
                raise InputError(f"'{stance}' is no stance, expected {', '.join(STANCES)} or {ALL_STANCES}")
        if ALL_STANCES in self.stances:
            object.__setattr__(self, "stances", tuple(STANCES))
        for name, place in (("since", 0), ("until", 1)):
            given = getattr(self, name)
            if isinstance(given, str):
                object.__setattr__(self, name, asked_days(given)[place])

    def conditions(self, table: str) -> tuple[list[str], list[object]]:
        """SQL conditions on the statements in `table`, and the values to bind, in order."""
        found = [self.condition(table)]
        values: list[object] = []
        if set(self.stances) != set(STANCES):
            found.append(f"{table}.stance IN (SELECT unnest(?))")
            values.append(list(self.stances))
        if self.since or self.until:
            overlap = " AND ".join(
                ["held.last_day >= ?"] * bool(self.since) + ["held.first_day <= ?"] * bool(self.until)
            )
            # The time of a statement is a qualifier, or its object.
            found.append(
                f"(EXISTS (SELECT 1 FROM qualifiers AS held WHERE held.edge_id = {table}.edge_id AND {overlap}) "
                f"OR EXISTS (SELECT 1 FROM nodes AS held WHERE held.node_id = {table}.object_id AND {overlap}))"
            )
            values += [day for day in (self.since, self.until) if day] * 2
        if self.source:
            found.append(
                f"EXISTS (SELECT 1 FROM provenance JOIN documents USING (document_id) "
                f"WHERE provenance.edge_id = {table}.edge_id AND documents.source GLOB ?)"
            )
            values.append(self.source)
        return found, values


@dataclass(frozen=True, slots=True)
class Node(AnswerItem):
    """A node, or a relation in the wording of its statement.

    `kind` is `entity`, `thing`, `concept` or `value`, empty for a relation. `value` and `datatype` are those of a
    value that is a day, a month, a year or a number: `2004-05`, `gYearMonth`. `types` are those of listed entities.
    """

    id: str
    name: str
    kind: str = ""
    value: str | None = None
    datatype: str | None = None
    types: tuple[str, ...] = ()

    @property
    def cells(self) -> tuple[str, ...]:
        return self.name, self.kind, ", ".join(self.types)

    @property
    def details(self) -> dict[str, Any]:
        return {"id": self.id}

    def __str__(self) -> str:
        return self.name

    def to_dict(self) -> dict[str, Any]:
        row: dict[str, Any] = {"id": self.id, "name": self.name}
        row |= {"kind": self.kind} if self.kind else {}
        row |= {"types": list(self.types)} if self.types else {}
        return row | ({"value": self.value, "datatype": self.datatype} if self.value and self.datatype else {})


@dataclass(frozen=True, slots=True)
class Property(PlainValue):
    """A property of a schema that a statement shares its meaning with; `turned` from its object to its subject."""

    id: str
    name: str
    turned: bool
    probability: float


@dataclass(frozen=True, slots=True, repr=False)
class Edge(AnswerItem):
    """A statement with its names, `relation` in its own wording. It is `generic` where it is about a kind.

    `text` is the statement as a sentence. `qualifiers` has the wordings for each role of `QUALIFIERS`. `evidence`
    holds sentences that state it; `None` if they were not requested.
    """

    id: str
    subject: Node
    relation: Node
    object: Node
    confidence: float
    rank: float
    stance: str
    negated: bool
    modality: str | None
    mentions: int
    asserted: int
    documents: int
    text: str | None = None
    qualifiers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    properties: tuple[Property, ...] = ()
    evidence: tuple[Evidence, ...] | None = None
    validity: Validity = UNKNOWN

    @property
    def generic(self) -> bool:
        return self.subject.kind == "concept"

    @property
    def times(self) -> tuple[str, ...]:
        return self.qualifiers.get("time", ())

    @property
    def places(self) -> tuple[str, ...]:
        return self.qualifiers.get("location", ())

    @property
    def reservations(self) -> list[str]:
        """The reasons why the edge is not a plain claim of the text, each in a few words."""
        return reservations(self.stance, self.negated, self.modality, self.qualifiers)

    @property
    def cells(self) -> tuple[Any, ...]:
        names = (self.subject.name, self.relation.name, self.object.name)
        return (*names, self.confidence, self.mentions, str(self.validity), ", ".join(self.reservations))

    @property
    def sentence(self) -> str:
        """The whole statement, to be read alone."""
        return self.text or f"{self.subject.name} {self.relation.name} {self.object.name}"

    @property
    def notes(self) -> tuple[str, ...]:
        """The sentence, where it says more than the names and the relation."""
        told = _content(f"{self.subject.name} {self.relation.name} {self.object.name}")
        return (self.sentence,) if _content(self.sentence) - told else ()

    @property
    def sentences(self) -> tuple[Evidence, ...]:
        return self.evidence or ()

    @property
    def details(self) -> dict[str, Any]:
        ends = (("subject", self.subject), ("object", self.object))
        return {
            "id": self.id,
            **{f"{end}_{name}": getattr(node, name) for end, node in ends for name in ("id", "kind")},
            "rank": self.rank,
            "text": self.sentence,
            **values_of(self, "stance", "negated", "modality", "documents"),
            **self._told,
            "sentences": [said.sentence for said in self.sentences],
        }

    @property
    def _told(self) -> dict[str, Any]:
        """The times for which it holds, and the wordings of its qualifiers."""
        held = {name: list(self.qualifiers.get(role, ())) for role, name in QUALIFIERS.items()}
        return self.validity._asdict() | held

    def __str__(self) -> str:
        marks = f" [{', '.join(self.reservations)}]" if self.reservations else ""
        return f"{self.sentence}{marks}"

    def __repr__(self) -> str:
        return f"<Edge {self} {self.confidence:.2f}>"

    def to_dict(self) -> dict[str, Any]:
        row: dict[str, Any] = {
            "id": self.id,
            "text": self.sentence,
            "subject": self.subject.to_dict(),
            "relation": self.relation.to_dict(),
            "object": self.object.to_dict(),
            **values_of(self, "confidence", "rank", "generic", "stance", "negated", "modality"),
            **values_of(self, "mentions", "asserted", "documents"),
            **self._told,
        }
        if self.properties:
            row["properties"] = [item.to_dict() for item in self.properties]
        if self.evidence is not None:
            row["evidence"] = [item.to_dict() for item in self.evidence]
        return row


def _content(text: str) -> set[str]:
    """The words of a statement that say something."""
    return {word.strip(".,;:()'\"“”’").removesuffix("s") for word in text.lower().split()} - _SMALL


def reservations(
    stance: str, negated: bool, modality: str | None, qualifiers: Mapping[str, Sequence[str] | None]
) -> list[str]:
    """The reasons why a statement is not a plain claim of the text, each in a few words.

    >>> reservations("possible", False, "future", {"speaker": ["Berg"]})
    ['possible: future', 'says Berg']
    """
    if stance == "asserted":
        return []
    asker, condition, believer, speaker = (
        next(iter(qualifiers.get(role) or ()), "") for role in ("asker", "condition", "believer", "speaker")
    )
    told = f"says {speaker}" if speaker else "reported" if stance == "reported" else ""
    found = {
        f"asked: {asker}" if asker.strip("? ") else "asked": stance == "asked",
        _condition(condition): stance == "conditional",
        "possible" if modality == "possible" else f"possible: {modality}": modality is not None,
        "denied": negated,
        f"believed: {believer}" if believer else "believed": stance == "believed",
        told: bool(told),
    }
    return [words for words, holds in found.items() if holds]


def _condition(words: str) -> str:
    """A condition with its conjunction; that of a statement which is itself one has no other words."""
    conjunction, _, rest = words.partition(" ")
    if conjunction.lower() in CONDITIONS:
        return f"{conjunction.lower()} {rest}" if rest else "conditional"
    return f"if {words}" if words else "conditional"


def edge_table(edges: Iterable[Edge]) -> AnswerTable:
    """Edges as rows."""
    columns = ("subject", "relation", "object", "confidence", "mentions", "valid", "reservations")
    return AnswerTable(columns, tuple(edges))


def list_edges(
    store: Store, filters: Filters | None = None, limit: int | None = None, sentences: int = 0
) -> AnswerTable:
    """The edges of a graph, most confident and most frequent first; all without a limit. Remarks count the others."""
    chosen = filters or Filters()

    def select(what: str, filters: Filters, order: str) -> list[Any]:
        conditions, values = filters.conditions("said")
        where = " AND ".join(["true", *conditions])
        return store.rows(f"SELECT {what} FROM statements AS said WHERE {where} {order}", values)

    most = "" if limit is None else f"LIMIT {int(limit)}"
    rows = select("edge_id", chosen, f"ORDER BY {BEST_FIRST}, mentions DESC, edge_id {most}")
    found = ordered_edges(store, [key for (key,) in rows], sentences)
    every = select("stance, count(*)", replace(chosen, stances=tuple(STANCES)), "GROUP BY stance ORDER BY stance")
    total = sum(count for stance, count in every if stance in chosen.stances)
    remarks = [f"{len(found):,} of {total:,} edges, up to the limit"] if len(found) < total else []
    if hidden := [f"{count:,} {stance}" for stance, count in every if stance not in chosen.stances]:
        remarks.append(f"of other stances: {', '.join(hidden)}")
    return replace(edge_table(found), remarks=tuple(remarks))


def edges_by_id(store: Store, ids: Iterable[str], sentences: int = 0) -> dict[str, Edge]:
    """Statements with their names and qualifiers, and at most `sentences` sentences of evidence each."""
    wanted = sorted(set(ids))
    rows = store.rows(_SQL["edges"], [wanted])
    qualifiers = store.grouped(_SQL["qualifiers"], [wanted])
    schema = store.grouped(_SQL["properties"], [wanted])
    said = evidence(store, wanted, sentences) if sentences else {}
    found = {}
    for row in rows:
        key, nodes = row[0], (_node(*row[15:22]), Node(*row[10:12]), _node(*row[22:]))
        properties = tuple(Property(*values) for values in schema.get(key, ()))
        held = {role: tuple(texts) for role, texts in qualifiers.get(key, ())}
        edge = Edge(*(key, *nodes, *row[1:10], held, properties, None, Validity(*row[12:15])))
        found[key] = replace(edge, evidence=tuple(said.get(key, ()))) if sentences else edge
    return found


def ordered_edges(store: Store, ids: Sequence[str], sentences: int = 0) -> list[Edge]:
    """The same in the order of the ids."""
    found = edges_by_id(store, ids, sentences)
    return [found[key] for key in ids]


def _node(key: str, name: str, kind: str, *value: Any) -> Node:
    written, datatype = typed_value(name, *value) if kind == "value" else (None, None)
    return Node(key, name, kind, written if datatype else None, datatype)


def evidence(store: Store, ids: Iterable[str], limit: int = 5) -> dict[str, list[Evidence]]:
    """The sentences behind each edge, most confident first, each once, at most `limit` per edge."""
    rows = store.grouped(_SQL["evidence"], [sorted(set(ids))])
    kept = {edge: said[:limit] for edge, said in rows.items()}
    parts = marks_of(store, [said[0] for chosen in kept.values() for said in chosen])
    marks = {key: tuple(sorted(part[:3] for part in found)) for key, found in parts.items()}
    return {
        edge: [Evidence(*(edge, *said, marks.get(said[0], ()))) for said in chosen]
        for edge, chosen in kept.items()
        if chosen
    }


def marks_of(store: Store, tuples: Collection[str]) -> dict[str, list[tuple[int, int, str, str | None]]]:
    """The parts of tuples: characters `[start, end)`, role and entity; names within parts come last."""
    return store.grouped(_SQL["marks"], [sorted(set(tuples))])
