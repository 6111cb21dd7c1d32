"""Answers to patterns: combinations of edges that match, with the values of the variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from tupelo.core import InputError
from tupelo.core.protocols import RelationExpander
from tupelo.graph.answers import AnswerItem, AnswerTable
from tupelo.graph.edges import Edge, Evidence, Filters, Node, edges_by_id
from tupelo.graph.lookup import NameMatches, find_entities, find_other_voice, find_relations, unknown
from tupelo.graph.pattern import Pattern, Term, Variable, Words, readings
from tupelo.graph.store import Store

_SLOTS = ("subject", "relation", "object")


@dataclass(frozen=True, slots=True)
class Inferred:
    """Why an edge is an answer although its relation differs from that of the question."""

    asked: str
    score: float
    reason: str

    def to_dict(self) -> dict[str, Any]:
        return {"asked": self.asked, "score": self.score, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Answer(AnswerItem):
    """The values of the variables, and the edges that support them. `inferred` has an entry per inferred edge."""

    bindings: Mapping[str, Node]
    edges: tuple[Edge, ...]
    confidence: float
    inferred: Mapping[str, Inferred] = field(default_factory=dict)

    def __getitem__(self, variable: str) -> str:
        """The name bound to a variable: `answer["who"]`."""
        return self.bindings[variable].name

    def __str__(self) -> str:
        return "; ".join(str(edge) for edge in self.edges)

    @property
    def cells(self) -> tuple[object, ...]:
        names = [node.name for node in self.bindings.values()] or [str(self)]
        marks = dict.fromkeys(mark for edge in self.edges for mark in edge.reservations)
        reservations = ", ".join([*(["inferred"] if self.inferred else []), *marks])
        return (*names, self.confidence, sum(edge.mentions for edge in self.edges), reservations)

    @property
    def sentences(self) -> tuple[Evidence, ...]:
        return tuple(said for edge in self.edges for said in edge.sentences)

    @property
    def notes(self) -> tuple[str, ...]:
        found = ((edge, self.inferred.get(edge.id)) for edge in self.edges)
        return tuple(f"inferred: {edge}; {why.reason}" for edge, why in found if why is not None)

    def to_dict(self) -> dict[str, Any]:
        row: dict[str, Any] = {
            "bindings": {name: node.to_dict() for name, node in self.bindings.items()},
            "confidence": self.confidence,
            "edges": [edge.to_dict() for edge in self.edges],
        }
        if self.inferred:
            row["inferred"] = {edge: why.to_dict() for edge, why in self.inferred.items()}
        return row


@dataclass(frozen=True, slots=True)
class _Asked:
    """A pattern whose words have been looked up, `None` for a variable.

    `entailing` is keyed by relation and by whether subject and object are swapped.
    """

    pattern: Pattern
    subjects: NameMatches | None
    relations: NameMatches | None
    objects: NameMatches | None
    entailing: Mapping[tuple[str, bool], Inferred] = field(default_factory=dict)


def ask(
    store: Store,
    questions: Sequence[str],
    filters: Filters | None = None,
    *,
    types: Mapping[str, str] | None = None,
    limit: int = 100,
    expander: RelationExpander | None = None,
    sentences: int = 0,
) -> AnswerTable:
    """Answer all questions jointly: variables with the same name have the same value.

    A relation matches in both voices: "was founded by" is "founded" with subject and object swapped.
    `types` restricts variables to entity types. With an `expander`, edges whose relation entails
    that of the question match as well, their confidence multiplied by its score.
    """
    asked = _with_names([_look_up(store, text, expander) for text in questions])
    columns = _columns([item.pattern for item in asked])
    for name, kind in (types or {}).items():
        if columns.get(name) != "entity":
            raise InputError(f"no entity variable ?{name} in the patterns to be of type '{kind}'")
    sql, values = _sql(asked, columns, filters or Filters(), types or {})
    found = store.rows(f"{sql} LIMIT {int(limit)}", values)
    shown = (*(columns or ("statement",)), "confidence", "mentions", "reservations")
    about = {"patterns": [str(item.pattern) for item in asked]}
    return AnswerTable(shown, tuple(_answers(store, found, asked, columns, sentences)), about)


def _look_up(store: Store, text: str, expander: RelationExpander | None) -> _Asked:
    """The reading of a question whose words are all known; exact names are preferred to partial matches."""
    candidates = []
    for pattern in readings(text):
        subjects, objects = (_entities(store, term) for term in (pattern.subject, pattern.object))
        relations, entailing = _relations(store, pattern.relation, expander)
        asked = _Asked(pattern, subjects, relations, objects, entailing)
        known = [found for found in (subjects, relations, objects) if found is not None]
        ends_known = all(found is None or found.ids for found in (subjects, objects))
        if all(found.ids for found in known) or (entailing and ends_known):
            candidates.append((sum(not found.exact for found in known), asked))
    if candidates:
        return min(candidates, key=lambda candidate: candidate[0])[1]
    for slot, term in zip(_SLOTS, readings(text)[0].terms, strict=True):
        if isinstance(term, Words):
            found = find_relations(store, term.text) if slot == "relation" else find_entities(store, term.text)
            if not found.ids:
                raise unknown(store, "relation" if slot == "relation" else "entity", term.text)
    raise InputError(f"'{text}' cannot be read with the names of this graph; quote the parts or separate them with |")


def _entities(store: Store, term: Term) -> NameMatches | None:
    return find_entities(store, term.text) if isinstance(term, Words) else None


def _relations(
    store: Store, term: Term, expander: RelationExpander | None
) -> tuple[NameMatches | None, dict[tuple[str, bool], Inferred]]:
    if not isinstance(term, Words):
        return None, {}
    found = find_relations(store, term.text)
    turned = Inferred(term.text, 1.0, "the same in the other voice")
    entailing = {(relation, True): turned for relation in find_other_voice(store, term.text, found.ids)}
    if expander is None:
        return found, entailing
    named = store.rows("SELECT name FROM relations WHERE relation_id IN (SELECT unnest(?)) ORDER BY 1", [found.ids])
    for asked in dict.fromkeys([term.text, *(name for (name,) in named)]):
        for other in expander.expand(asked):
            for relation in find_relations(store, other.relation, inflected=False).ids:
                key = (relation, other.reversed)
                known = entailing.get(key)
                if (relation in found.ids and not other.reversed) or (known and known.score >= other.score):
                    continue
                entailing[key] = Inferred(asked, other.score, other.reason)
    return found, entailing


def _with_names(asked: Sequence[_Asked]) -> list[_Asked]:
    """Give each unnamed variable a unique name: its slot, with a number from the second on."""
    used = {term.name for item in asked for term in item.pattern.terms if isinstance(term, Variable) and term.name}

    def named(slot: str, term: Term) -> Term:
        if not isinstance(term, Variable) or term.name:
            return term
        name, number = slot, 1
        while name in used:
            number += 1
            name = f"{slot}{number}"
        used.add(name)
        return Variable(name)

    return [
        replace(item, pattern=Pattern(*(named(*pair) for pair in zip(_SLOTS, item.pattern.terms, strict=True))))
        for item in asked
    ]


def _columns(patterns: Sequence[Pattern]) -> dict[str, str]:
    """Variables in order, each with its kind: `entity` or `relation`."""
    found: dict[str, str] = {}
    for pattern in patterns:
        for slot, term in zip(_SLOTS, pattern.terms, strict=True):
            if isinstance(term, Variable):
                kind = "relation" if slot == "relation" else "entity"
                if found.setdefault(term.name, kind) != kind:
                    raise InputError(f"?{term.name} is an entity and a relation, expected one of the two")
    return found


def _sql(
    asked: Sequence[_Asked], columns: Mapping[str, str], filters: Filters, types: Mapping[str, str]
) -> tuple[str, list[object]]:
    """One query: a table per pattern, joined on shared variables, then joined with the names."""
    tables, values = [], []
    for number, item in enumerate(asked):
        sql, bound = _candidates(item, filters)
        tables.append(f"p{number} AS ({sql})")
        values += bound
    places: dict[str, list[str]] = {name: [] for name in columns}
    for (number, item), slot in product(enumerate(asked), _SLOTS):
        term = getattr(item.pattern, slot)
        if isinstance(term, Variable):
            places[term.name].append(f"p{number}.{slot}_id")
    joins = [f"{first} = {other}" for first, *others in places.values() for other in others]
    for name, kind in types.items():
        joins.append(
            f"EXISTS (SELECT 1 FROM entity_types JOIN types USING (type_id) "
            f"WHERE entity_id = {places[name][0]} AND lower(types.name) = lower(?))"
        )
        values.append(kind)
    named = [
        f"(SELECT name FROM {'relations' if kind == 'relation' else 'entities'} "
        f"WHERE {'relation' if kind == 'relation' else 'entity'}_id = {places[name][0]})"
        for name, kind in columns.items()
    ]
    numbers = range(len(asked))
    confidence = " * ".join(f"p{number}.confidence" for number in numbers)
    shown = [
        *(f"p{number}.edge_id" for number in numbers),
        *(f"p{number}.asked_id" for number in numbers),
        *(f"p{number}.turned" for number in numbers),
        f"{confidence} AS together",
        *(places[name][0] for name in columns),
        *named,
    ]
    order = ["together DESC", *(str(len(numbers) * 3 + 2 + len(columns) + at) for at in range(len(columns)))]
    return (
        f"WITH {', '.join(tables)} SELECT {', '.join(shown)} FROM {', '.join(f'p{number}' for number in numbers)} "
        f"WHERE {' AND '.join(joins) or 'true'} "
        f"ORDER BY {', '.join(order)}, {', '.join(f'p{number}.edge_id' for number in numbers)}",
        values,
    )


def _candidates(item: _Asked, filters: Filters) -> tuple[str, list[object]]:
    """The edges that match one pattern, and those that entail it, as rows of subject, relation and object."""
    keep, bound = filters.conditions("edges")
    values: list[object] = list(bound)
    kept = " AND ".join(keep) or "true"
    sources = [f"SELECT *, relation_id AS asked_id, false AS turned FROM edges WHERE {kept}"]
    if item.relations is not None:
        sources[0] += " AND relation_id IN (SELECT unnest(?))"
        values.append(list(item.relations.ids))
    for turned in (False, True):
        scores = {key[0]: why.score for key, why in item.entailing.items() if key[1] == turned}
        if scores:
            ends = "object_id AS subject_id, subject_id AS object_id, " if turned else ""
            sources.append(
                f"SELECT edges.* REPLACE ({ends}edges.confidence * score AS confidence), relation_id, {turned} "
                "FROM edges JOIN (SELECT unnest(?) AS scored_id, unnest(?) AS score) AS scored "
                f"ON scored_id = relation_id WHERE {kept}"
            )
            values += [list(scores), list(scores.values()), *bound]
    sql = f"SELECT * FROM ({' UNION ALL '.join(sources)}) WHERE true"
    for column, found in (("subject_id", item.subjects), ("object_id", item.objects)):
        if found is not None:
            sql += f" AND {column} IN (SELECT unnest(?))"
            values.append(list(found.ids))
    return sql, values


def _answers(
    store: Store,
    rows: Sequence[tuple[object, ...]],
    asked: Sequence[_Asked],
    columns: Mapping[str, str],
    sentences: int,
) -> list[Answer]:
    count, width = len(asked), len(columns)
    edges = edges_by_id(store, (str(row[at]) for row in rows for at in range(count)), sentences)
    found = []
    for row in rows:
        ids = [str(value) for value in row[:count]]
        relations, turned = row[count : 2 * count], row[2 * count : 3 * count]
        together = float(str(row[3 * count]))
        keys, names = row[3 * count + 1 : 3 * count + 1 + width], row[3 * count + 1 + width :]
        inferred = {
            edge: why
            for edge, item, relation, turn in zip(ids, asked, relations, turned, strict=True)
            if (why := item.entailing.get((str(relation), bool(turn)))) is not None
        }
        bindings = {name: Node(str(key), str(text)) for name, key, text in zip(columns, keys, names, strict=True)}
        found.append(Answer(bindings, tuple(edges[edge] for edge in ids), together, inferred))
    return found
