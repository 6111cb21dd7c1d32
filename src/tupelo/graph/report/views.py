"""The data of a graph's page, as plain values: all of it for a standalone page, parts for a server."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tupelo.core.analysis import ENTITY_TYPES
from tupelo.core.extraction import STANCES
from tupelo.core.results import values_of
from tupelo.core.shipped import queries
from tupelo.graph.query.edges import DEFINES, EVERYTHING, StatementView, evidence, marks_of
from tupelo.graph.query.lookup import search_entities
from tupelo.graph.query.paths import shortest_paths
from tupelo.graph.report.survey import ShownEdge, Survey, survey
from tupelo.graph.store.file import Store
from tupelo.graph.store.types import finest

_SQL = queries(__name__)
_MAIN, _MOST_NAMES, _MOST_FACTS = 15, 12, 12
# Most letters of a statement that describes an entity below its name.
_LONGEST_CAPTION = 60
# Types of nodes in the order of the page.
_USUAL_TYPES = (*(name for name in ENTITY_TYPES if name not in ("datetime", "number")), "thing", "concept")
# Limits of a server's replies: edges of one node, edges of a community, and how much of the graph it surveys.
NEIGHBOURS_AT_ONCE = 40
_COMMUNITY_EDGES = 400
_SURVEYED = 5_000
_MOST_SOURCES = 500


def embedded(
    store: Store,
    *,
    limit: int = 5_000,
    start: Sequence[str] = (),
    view: StatementView = EVERYTHING,
    sentences: int = 3,
) -> dict[str, Any]:
    """The data of a standalone page: the `limit` edges that matter most (see `survey`) with their sentences.

    `start` are the entities whose neighbourhoods are shown first.
    """
    found = survey(store, limit=limit, start=start, view=view)
    ids = list(found.importance)
    number = {key: at for at, key in enumerate(ids)}
    relations, texts, sources = dict[str, int](), dict[str, int](), dict[str, int]()
    details = _details(store, ids)
    statements = [edge.id for edge in found.edges]
    facts = [fact["id"] for detail in details.values() for fact in detail["facts"]]
    more = _circumstances(store, statements)
    edges = [
        [
            edge.id,
            number[edge.subject],
            _number(edge.relation, relations),
            number[edge.object],
            round(edge.confidence, 4),
            edge.mentions,
            edge.stance,
            more[edge.id]["rank"],
            [_number(name, sources) for name in more[edge.id]["sources"]],
            more[edge.id]["years"],
        ]
        for edge in found.edges
    ]
    return {
        **_frame(store, found),
        "served": False,
        "held": {"nodes": len(ids), "edges": len(edges)},
        "nodes": [list(node.values()) for node in _nodes(store, ids, found)],
        "details": [details[key] for key in ids],
        "relations": list(relations),
        "edges": edges,
        "members": [[number[key] for key in group.members] for group in found.communities],
        "first": [number[key] for key in found.first],
        "evidence": {
            edge: [
                item | {"sentence": _number(item["sentence"], texts), "source": _number(item["source"], sources)}
                for item in items
            ]
            for edge, items in _evidence(store, [*statements, *facts], sentences).items()
        },
        "sentences": list(texts),
        "sources": list(sources),
    }


def pictured(store: Store, ids: Sequence[str]) -> dict[str, Any]:
    """The data of a still picture (`first` is all of it) of these edges, best first, and the nodes between them."""
    rows = store.rows(_SQL["pictured"], [list(ids)])
    ends = [end for row in rows for end in (row[1], row[3])]
    number, relations = {key: at for at, key in enumerate(dict.fromkeys(ends))}, dict[str, int]()
    nodes = store.rows(_SQL["nodes"].format(typed=_typed("node_id IN (SELECT unnest($1))")), [list(number)])
    named = {key: (name, kind) for key, name, kind, *_ in nodes}
    most = max(map(ends.count, number), default=1)
    return {
        "nodes": [[key, *named[key], 0, ends.count(key) / most] for key in number],
        "edges": [[row[0], number[row[1]], _number(row[2], relations), number[row[3]], *row[4:]] for row in rows],
        "relations": list(relations),
        "first": list(number.values()),
        "types": [{"name": kind} for kind in dict.fromkeys(kind for _, kind in named.values())],
    }


def _number(text: str, known: dict[str, int]) -> int:
    """The number of a text among those that are known, to which it is added."""
    return known.setdefault(text, len(known))


class ServedViews:
    """The data that a server sends to its page: a frame first, then parts on demand."""

    def __init__(self, store: Store, start: Sequence[str] = ()) -> None:
        self._store = store
        self._survey = survey(store, limit=_SURVEYED, start=start)

    def frame(self) -> dict[str, Any]:
        frame = _frame(self._store, self._survey)
        documents = self._store.rows(_SQL["documents"], [_MOST_SOURCES])
        read = {source: [sentences, stated] for source, sentences, stated in documents}
        return {**frame, "served": True, "held": frame["total"], "sources": list(read), "read": read}

    def first(self) -> dict[str, Any]:
        return self._part(self._survey.first, self._survey.edges_among(self._survey.first))

    def community(self, number: int) -> dict[str, Any]:
        """The most important edges within a community, numbered from 0."""
        if number >= len(self._survey.communities):
            return self._part((), ())
        edges = self._survey.edges_among(self._survey.communities[number].members)[:_COMMUNITY_EDGES]
        return self._part(dict.fromkeys(end for edge in edges for end in (edge.subject, edge.object)), edges)

    def neighbours(self, entity: str, offset: int = 0) -> dict[str, Any]:
        """A node with its neighbours, most confident edges first, from edge number `offset`."""
        # A node is compared with a value: rows are sorted by node, so DuckDB reads only a few blocks.
        rows = self._store.rows(
            _SQL["neighbours"].format(neighbours_at_once=NEIGHBOURS_AT_ONCE, offset=int(offset)), [entity]
        )
        edges = [ShownEdge(*row) for row in rows]
        ends = dict.fromkeys([entity, *(end for edge in edges for end in (edge.subject, edge.object))])
        return self._part(ends, edges)

    def search(self, text: str, limit: int = 12) -> dict[str, Any]:
        return self._part([node.id for node in search_entities(self._store, text, limit)], ())

    def path(self, start: str, goal: str) -> dict[str, Any] | None:
        """The best of the shortest paths between two nodes; None where there is none."""
        found = next(iter(shortest_paths(self._store, [start], [goal], limit=1)), None)
        if found is None:
            return None
        steps = [
            ShownEdge(e.id, e.subject.id, e.relation.name, e.object.id, e.confidence, e.mentions, e.stance)
            for e in found.edges
        ]
        return self._part(dict.fromkeys(end for edge in steps for end in (edge.subject, edge.object)), steps)

    def document(self, source: str) -> dict[str, Any]:
        """The sentences of a document, each with everything that was read from it marked in its place."""
        sentences = self._store.rows(_SQL["document"], [source])
        marks = self._store.grouped(_SQL["read"], [source])
        return {
            "source": source,
            "sentences": [
                {"sentence": text, "marks": _painted([(*mark, None) for mark in marks.get(key, ())], {})}
                for key, text in sentences
            ],
        }

    def details(self, entity: str) -> dict[str, Any]:
        """Names and merges of a node, and what is said of it that is no edge."""
        return _details(self._store, [entity])[entity]

    def sentences(self, edge: str, limit: int = 20) -> dict[str, Any]:
        return {"sentences": _evidence(self._store, [edge], limit).get(edge, [])}

    def _part(self, nodes: Iterable[str], edges: Iterable[ShownEdge]) -> dict[str, Any]:
        edges = list(edges)
        more = _circumstances(self._store, [edge.id for edge in edges])
        return {
            "nodes": _nodes(self._store, list(nodes), self._survey),
            "edges": [
                {"id": edge.id, "s": edge.subject, "o": edge.object}
                | values_of(edge, "relation", "confidence", "mentions", "stance")
                | more[edge.id]
                for edge in edges
            ],
        }


def _frame(store: Store, found: Survey) -> dict[str, Any]:
    """The data around the picture of a page: types and stances to filter by, sizes, communities."""
    counts = dict(store.rows("SELECT stance, count(*) FROM edges GROUP BY stance"))
    return {
        "types": [{"name": name, "count": count} for name, count in _types(store).items()],
        "about": dict(zip(("documents", "failed", "conflicts"), store.rows(_SQL["about"])[0], strict=True)),
        "span": [int(year) for year in store.rows(_SQL["span"])[0] if year is not None],
        "stances": [
            {"name": name, "meaning": meaning, "edges": int(counts.get(name, 0))} for name, meaning in STANCES.items()
        ],
        "main": _nodes(store, list(found.importance)[:_MAIN], found),
        "total": {"nodes": store.count("entities"), "edges": store.count("edges")},
        "communities": [
            {"name": group.name, "about": group.about, "size": len(group.members)} for group in found.communities
        ],
    }


def _types(store: Store) -> dict[str, int]:
    """Numbers of nodes by type: the known ones in their usual order, then the rest by number of entities."""
    rows = store.rows(f"SELECT type, count(*) FROM ({_typed('true')}) GROUP BY type ORDER BY count(*) DESC, type")
    found = {str(name): int(count) for name, count in rows}
    return {name: found[name] for name in _USUAL_TYPES if name in found} | found


def _circumstances(store: Store, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
    """For each edge: its rank, the documents that state it, and the years of its times."""
    return {
        key: {"rank": round(rank, 3), "sources": sources, "years": [int(first), int(last)] if first else None}
        for key, rank, sources, first, last in store.rows(_SQL["circumstances"], [list(ids)])
    }


def _typed(where: str) -> str:
    """The type of a node: of an entity the commonest of the broadest types of its mentions, else the node's kind."""
    return _SQL["typed"].format(finest=finest(where), where=where)


def _nodes(store: Store, ids: Sequence[str], found: Survey) -> list[dict[str, Any]]:
    """Entities in the given order.

    `description` is what texts call them, or their finest type, or what they are said to be, or the surest statement.
    """
    community = {key: at for at, group in enumerate(found.communities) for key in group.members}
    rows = store.rows(_SQL["nodes"].format(typed=_typed("node_id IN (SELECT unnest($1))")), [list(ids)])
    undescribed = [key for key, *_, description in rows if description is None]
    said = dict(store.rows(_SQL["best_statement"].format(defines=DEFINES, longest=_LONGEST_CAPTION), [undescribed]))
    nodes = {
        key: {
            "id": key,
            "name": name,
            "type": kind,
            "degree": degree or 0,
            "importance": round(found.importance.get(key, 0.0), 4),
            "community": community.get(key),
            "description": description or said.get(key, ""),
        }
        for key, name, kind, degree, description in rows
    }
    return [nodes[key] for key in ids if key in nodes]


def _details(store: Store, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
    """For each entity: its names with reasons, documents where it was recognised again, its facts, and its times."""
    names = store.grouped(_SQL["names"].format(most_names=_MOST_NAMES), [list(ids)])
    merges = store.grouped(_SQL["merges"].format(most_names=_MOST_NAMES), [list(ids)])
    facts = store.grouped(_SQL["facts"].format(most_facts=_MOST_FACTS), [list(ids)])
    times = store.grouped(_SQL["times"].format(most_facts=_MOST_FACTS), [list(ids)])
    parts = {
        "names": (names, ("text", "mentions", "reason", "probability")),
        "merges": (merges, ("source", "name", "reason", "probability")),
        "facts": (facts, ("id", "relation", "text", "kind", "confidence", "mentions", "stance")),
        "times": (times, ("id", "from", "until", "text", "stance")),
    }
    return {
        key: {
            part: [dict(zip(columns, row, strict=True)) for row in rows.get(key, ())]
            for part, (rows, columns) in parts.items()
        }
        for key in ids
    }


def _evidence(store: Store, ids: Sequence[str], limit: int) -> dict[str, list[dict[str, Any]]]:
    """The sentences behind each statement, with its parts marked, who says so, and on which condition."""
    found = evidence(store, ids, limit)
    tuples = [item.tuple_id for items in found.values() for item in items]
    marks = marks_of(store, tuples)
    ends = {
        key: {subject: "subject", object_: "object"}
        for key, subject, object_ in store.rows(_SQL["ends"], [list(found)])
    }
    said = store.grouped(_SQL["said"], [sorted(set(tuples))])
    return {
        edge: [
            {
                **values_of(item, "sentence", "source", "position", "confidence", "speaker"),
                "verb": item.speech_verb,
                "stance": said[item.tuple_id][0][0],
                "condition": said[item.tuple_id][0][1],
                "marks": _painted(marks.get(item.tuple_id, ()), ends.get(edge, {})),
            }
            for item in items
        ]
        for edge, items in found.items()
    }


def _painted(
    marks: Sequence[tuple[int, int, str, str | None]], ends: Mapping[str, str]
) -> list[tuple[int, int, str]]:
    """Marks that do not overlap: what means an end of the edge lies above the other parts of the tuple."""
    roles: dict[int, str] = {}
    # Only one thing is the subject: where a name within an argument is, the argument is not.
    taken = {ends.get(entity or "") for *_, entity in marks}
    for start, end, role, entity in sorted(marks, key=lambda mark: mark[3] in ends):
        role = ends.get(entity or "", "argument" if role in taken else role)
        if role != "name":
            roles |= dict.fromkeys(range(start, end), role)
    painted: list[tuple[int, int, str]] = []
    for at in sorted(roles):
        if painted and painted[-1][1:] == (at, roles[at]):
            painted[-1] = (painted[-1][0], at + 1, roles[at])
        else:
            painted.append((at, at + 1, roles[at]))
    return painted
