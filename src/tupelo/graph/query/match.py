"""Answers to patterns: combinations of edges that match, with the values of the variables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import product
from typing import Any

from tupelo.core import InputError
from tupelo.core.protocols import RelationExpander
from tupelo.core.shipped import queries
from tupelo.graph.query import lookup
from tupelo.graph.query.answers import AnswerItem, AnswerTable, Evidence, PlainValue
from tupelo.graph.query.edges import ALL_STANCES, BEST_FIRST, Edge, Filters, Node, edges_by_id, ordered_edges
from tupelo.graph.query.pattern import Pattern, PatternWords, Term, Variable, readings
from tupelo.graph.store.file import Store

_SQL = queries(__name__)
_SLOTS = ("subject", "relation", "object")
# Statements named where there is no answer.
_MOST_NEAR = 5


@dataclass(frozen=True, slots=True)
class Inferred(PlainValue):
    """Why an edge is an answer although its relation differs from that of the question."""

    asked: str
    score: float
    reason: str


@dataclass(frozen=True, slots=True)
class PatternAnswer(AnswerItem):
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
        valid = ", ".join(dict.fromkeys(filter(None, (str(edge.validity) for edge in self.edges))))
        return (*names, self.confidence, sum(edge.mentions for edge in self.edges), valid, reservations)

    @property
    def sentences(self) -> tuple[Evidence, ...]:
        return tuple(said for edge in self.edges for said in edge.sentences)

    @property
    def details(self) -> dict[str, Any]:
        return {
            "edges": [str(edge) for edge in self.edges],
            "stances": [edge.stance for edge in self.edges],
            "negated": any(edge.negated for edge in self.edges),
            "times": [time for edge in self.edges for time in edge.times],
            "documents": max((edge.documents for edge in self.edges), default=0),
            "sentences": [said.sentence for said in self.sentences],
        }

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

    `relations` is keyed by relation or property, and by whether subject and object are swapped; the value says why it
    answers, `None` where it is what was asked.
    """

    pattern: Pattern
    subjects: lookup.NameMatches | None
    relations: Mapping[tuple[str, bool], Inferred | None] | None
    objects: lookup.NameMatches | None
    properties: Mapping[str, Inferred] = field(default_factory=dict)

    def why(self, key: str, turned: bool) -> Inferred | None:
        """Why a relation or property answers; `None` where it is what was asked."""
        return self.properties.get(key) or (self.relations or {}).get((key, turned))

    @property
    def ends(self) -> list[tuple[str, lookup.NameMatches]]:
        """The words of subject and object with what they mean."""
        pairs = ((self.pattern.subject, self.subjects), (self.pattern.object, self.objects))
        return [(term.text, found) for term, found in pairs if isinstance(term, PatternWords) and found is not None]


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
    filters = filters or Filters()
    sql, values = _sql(asked, columns, filters, types or {})
    found = store.rows(f"{sql} LIMIT {int(limit)}", values)
    shown = (*(columns or ("statement",)), "confidence", "mentions", "valid", "reservations")
    about = {"patterns": [str(item.pattern) for item in asked]}
    remarks = [line for item in asked for end in item.ends for line in lookup.ambiguity(store, *end)]
    if not found:
        remarks += _near(store, asked, filters)
    return AnswerTable(shown, tuple(_answers(store, found, asked, columns, sentences)), about, tuple(remarks))


def _near(store: Store, asked: Sequence[_Asked], filters: Filters) -> list[str]:
    """Statements in place of an answer: the same with another stance, or other relations of the entities."""
    lines = []
    every = replace(filters, stances=(ALL_STANCES,))
    for item in asked:
        sql, values = _candidates(item, every)
        rows = store.rows(f"SELECT stance, count(*) FROM ({sql}) GROUP BY stance ORDER BY stance", values)
        if others := ", ".join(f"{count} {stance}" for stance, count in rows if stance not in filters.stances):
            lines.append(f"{item.pattern}: {others} (--stance all)")
        elif not rows:
            lines += [f"near: {edge}" for edge in _near_statements(store, item, every)] or [
                f"'{words}' has: {near}"
                for words, found in item.ends
                if (near := lookup.relations_of(store, found.ids))
            ]
    return lines


def _near_statements(store: Store, item: _Asked, filters: Filters) -> list[Edge]:
    """Statements about the same entities, in either direction, whose relation begins with the asked words."""
    keep, values = filters.conditions("said")
    for _, found in item.ends:
        keep.append("(subject_id IN (SELECT unnest(?)) OR object_id IN (SELECT unnest(?)))")
        values += [list(found.ids)] * 2
    if isinstance(item.pattern.relation, PatternWords):
        keep.append("relation_id IN (SELECT unnest(?))")
        values.append(list(lookup.relations_starting(store, item.pattern.relation.text)))
    near = store.column(
        f"SELECT edge_id FROM statements AS said WHERE {' AND '.join(['true', *keep])} "
        f"ORDER BY {BEST_FIRST}, edge_id LIMIT {_MOST_NEAR}",
        values,
    )
    return ordered_edges(store, near)


def _look_up(store: Store, text: str, expander: RelationExpander | None) -> _Asked:
    """The reading of a question whose words are all known; exact names are preferred to partial matches."""
    candidates = []
    # Readings share most of their parts.
    entities, named = cache(partial(_entities, store)), cache(partial(_relations, store, expander=expander))
    for pattern in readings(text):
        subjects, objects = entities(pattern.subject), entities(pattern.object)
        ends = [found for found in (subjects, objects) if found is not None]
        if not all(found.ids for found in ends):
            continue
        relations, properties = named(pattern.relation)
        if relations is None or relations or properties:
            asked = _Asked(pattern, subjects, relations, objects, properties)
            candidates.append((sum(not found.exact for found in ends), asked))
    return min(candidates, key=lambda candidate: candidate[0])[1] if candidates else _unread(store, text, entities)


def _unread(store: Store, text: str, entities: Callable[[Term], lookup.NameMatches | None]) -> _Asked:
    """A question whose relation is unknown, where there are similar ones to name; else an error says what is unknown.

    Of its readings the one is taken whose entities are known best, with the longest names.
    """
    found = []
    for pattern in reversed(readings(text)):
        ends = [entities(term) for term in (pattern.subject, pattern.object)]
        known = [match for match in ends if match is not None]
        found.append(
            (sum(2 * (not match.ids) + (not match.exact) for match in known), _Asked(pattern, ends[0], {}, ends[1]))
        )
    asked = min(found, key=lambda one: one[0])[1]
    for words, match in asked.ends:
        if not match.ids:
            raise lookup.unknown(store, "entity", words)
    if not asked.ends or not _near_statements(store, asked, Filters(stances=(ALL_STANCES,))):
        relation = asked.pattern.relation.text if isinstance(asked.pattern.relation, PatternWords) else text
        raise lookup.unknown(store, "relation", relation, [key for _, match in asked.ends for key in match.ids])
    return asked


def _entities(store: Store, term: Term) -> lookup.NameMatches | None:
    return lookup.find_entities(store, term.text) if isinstance(term, PatternWords) else None


def _relations(
    store: Store, term: Term, expander: RelationExpander | None
) -> tuple[dict[tuple[str, bool], Inferred | None] | None, dict[str, Inferred]]:
    """The relations and properties that answer for the words of a question; no relations at all for a variable."""
    if not isinstance(term, PatternWords):
        return None, {}
    found = lookup.find_relations(store, term.text)
    relations: dict[tuple[str, bool], Inferred | None] = {(relation, False): None for relation in found.same}
    relations |= {(relation, True): None for relation in found.turned}
    properties = {
        number: Inferred(term.text, 1.0, f"property {number}, {name}") for number, name in found.properties.items()
    }
    if expander is not None:
        relations |= _entailing(store, term.text, found, expander)
    return relations, properties


def _entailing(
    store: Store, words: str, found: lookup.RelationMatches, expander: RelationExpander
) -> dict[tuple[str, bool], Inferred | None]:
    """Relations that entail the asked one; those that are the asked one, in either voice, are no inference."""
    asked = {*((relation, False) for relation in found.same), *((relation, True) for relation in found.turned)}
    named = store.column(
        "SELECT name FROM relations WHERE relation_id IN (SELECT unnest(?)) ORDER BY 1", [list(found.same)]
    )
    best: dict[tuple[str, bool], Inferred | None] = {}
    # The types of its ends are known for a relation of the graph, not for another wording of it.
    for wording in named or [words]:
        for other in expander.expand(wording):
            for relation in lookup.relations_named(store, other.relation):
                # A relation answers in one direction only: the one it was asked in, or the better one.
                rivals = [best.get((relation, turned)) for turned in (False, True)]
                if {(relation, False), (relation, True)} & asked or any(
                    rival is not None and rival.score >= other.score for rival in rivals
                ):
                    continue
                best.pop((relation, not other.reversed), None)
                best[relation, other.reversed] = Inferred(wording, other.score, other.reason)
    return best


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
        joins.append(f"{places[name][0]} IN ({_SQL['of_type']})")
        values += [kind] * 3
    named = [
        places[name][0].removesuffix("_id")
        if kind == "relation"
        else f"(SELECT name FROM nodes WHERE node_id = {places[name][0]})"
        for name, kind in columns.items()
    ]
    patterns = [f"p{number}" for number in range(len(asked))]
    lists = {
        "edges": [f"{pattern}.edge_id" for pattern in patterns],
        "asked": [f"{pattern}.asked_id" for pattern in patterns],
        "turned": [f"{pattern}.turned" for pattern in patterns],
        "keys": [places[name][0] for name in columns],
        "names": named,
    }
    shown = [
        f"{' * '.join(f'{pattern}.confidence' for pattern in patterns)} AS together",
        *(f"[{', '.join(parts)}] AS {name}" for name, parts in lists.items()),
    ]
    return (
        f"WITH {', '.join(tables)} SELECT {', '.join(shown)} FROM {', '.join(patterns)} "
        f"WHERE {' AND '.join(joins) or 'true'} ORDER BY together DESC, names, edges",
        values,
    )


def _candidates(item: _Asked, filters: Filters) -> tuple[str, list[object]]:
    """The statements that answer one pattern, as rows of subject, relation and object; `asked_id` says by what."""
    keep, bound = filters.conditions("said")
    kept = " AND ".join(keep) or "true"
    sources: list[str] = []
    values: list[object] = []
    if not item.relations:
        every = "true" if item.relations is None else "false"
        sources.append(
            f"SELECT *, relation_id AS asked_id, false AS turned FROM statements AS said WHERE {every} AND {kept}"
        )
        values += bound
    for turned in (False, True):
        ends = "object_id AS subject_id, subject_id AS object_id, " if turned else ""
        scores = {
            key: 1.0 if why is None else why.score
            for (key, swapped), why in (item.relations or {}).items()
            if swapped == turned
        }
        if scores:
            sources.append(
                f"SELECT said.* REPLACE ({ends}said.confidence * score AS confidence), relation_id AS asked_id, "
                f"{turned} AS turned FROM statements AS said "
                f"JOIN (SELECT unnest(?) AS scored_id, unnest(?) AS score) ON scored_id = relation_id WHERE {kept}"
            )
            values += [list(scores), list(scores.values()), *bound]
        if item.properties:
            # A statement that the words themselves match is no second answer by a property.
            sources.append(
                f"SELECT said.* REPLACE ({ends}said.confidence * probability AS confidence), property AS asked_id, "
                f"{turned} AS turned FROM statements AS said JOIN properties USING (edge_id) "
                "WHERE property IN (SELECT unnest(?)) AND properties.turned = ? "
                f"AND relation_id NOT IN (SELECT unnest(?)) AND {kept}"
            )
            values += [list(item.properties), turned, list(scores), *bound]
    sql = f"SELECT * FROM ({' UNION ALL '.join(sources)}) WHERE true"
    for column, found in (("subject_id", item.subjects), ("object_id", item.objects)):
        if found is not None:
            sql += f" AND {column} IN (SELECT unnest(?))"
            values.append(list(found.ids))
    return sql, values


def _answers(
    store: Store,
    rows: Sequence[tuple[Any, ...]],
    asked: Sequence[_Asked],
    columns: Mapping[str, str],
    sentences: int,
) -> list[PatternAnswer]:
    edges = edges_by_id(store, (edge for _, ids, *_ in rows for edge in ids), sentences)
    nodes = {node.id: node for edge in edges.values() for node in (edge.subject, edge.object)}
    found = []
    for together, ids, matched, turned, keys, names in rows:
        inferred = {
            edge: why
            for edge, item, key, turn in zip(ids, asked, matched, turned, strict=True)
            if (why := item.why(key, turn)) is not None
        }
        bindings = {
            name: nodes.get(key) or Node(key, text) for name, key, text in zip(columns, keys, names, strict=True)
        }
        found.append(PatternAnswer(bindings, tuple(edges[edge] for edge in ids), together, inferred))
    return found
