"""Neighbourhoods, and the shortest paths from one entity to another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import prod
from typing import Any, TypeAlias

from tupelo.core import InputError
from tupelo.graph.query.answers import AnswerItem, AnswerTable
from tupelo.graph.query.edges import DEFINES, Edge, Filters, edge_table, edges_by_id, ordered_edges
from tupelo.graph.store.file import Store

# A step to a node: the previous node and the edge between them.
_Steps: TypeAlias = dict[str, list[tuple[str, str]]]
# Every statement from each end.
_ALL_ENDS = """
    SELECT subject_id AS node_id, object_id AS other_id, true AS outgoing, * FROM statements
    UNION ALL SELECT object_id, subject_id, false, * FROM statements
"""
_THROUGH = "SELECT node_id FROM entities WHERE node_id IN (SELECT unnest($1))"
# If there are very many shortest paths, only this many are ranked.
_MOST_PATHS = 2_000


@dataclass(frozen=True, slots=True)
class EdgePath(AnswerItem):
    """Nodes and the edges between them, numbered from the best; edges may be traversed in either direction."""

    nodes: tuple[str, ...]
    edges: tuple[Edge, ...]
    number: int = 1

    @property
    def confidence(self) -> float:
        return prod(edge.confidence for edge in self.edges)

    @property
    def cells(self) -> tuple[object, ...]:
        return self.number, len(self.edges), self.confidence

    @property
    def notes(self) -> tuple[str, ...]:
        """Each edge, with its sentences below it."""
        lines = ((str(edge), *(f"    {said.quotation}" for said in edge.sentences)) for edge in self.edges)
        return tuple(line for group in lines for line in group)

    def __str__(self) -> str:
        return "; ".join(str(edge) for edge in self.edges)

    def to_dict(self) -> dict[str, Any]:
        return {
            "confidence": self.confidence,
            "nodes": list(self.nodes),
            "edges": [edge.to_dict() for edge in self.edges],
        }


def neighbourhood(
    store: Store,
    entities: Collection[str],
    filters: Filters | None = None,
    *,
    depth: int = 1,
    limit: int = 100,
    sentences: int = 0,
) -> AnswerTable:
    """The statements within `depth` steps of the nodes, nearest and best first; none is reached through a value."""
    seen, frontier = set(entities), set(entities)
    order: list[str] = []
    for _ in range(depth):
        reached = set()
        for _, other, edge in _steps(store, frontier, filters or Filters(), values=True):
            if edge not in order:
                order.append(edge)
            reached.add(other)
        frontier = set(store.column(_THROUGH, [sorted(reached - seen)]))
        seen |= reached
        if not frontier or len(order) >= limit:
            break
    return edge_table(ordered_edges(store, order[:limit], sentences))


def shortest_paths(
    store: Store,
    start: Collection[str],
    goal: Collection[str],
    filters: Filters | None = None,
    *,
    longest: int = 6,
    limit: int = 5,
    directed: bool = False,
    sentences: int = 0,
) -> AnswerTable:
    """The shortest paths from any entity of `start` to any of `goal`, most confident first; empty if there is none.

    The search is bidirectional, level by level, and always expands the smaller frontier.
    """
    if set(start) & set(goal):
        raise InputError("the path would begin and end at the same entity, expected two different ones")
    filters = filters or Filters()
    sides: tuple[_Steps, _Steps] = ({node: [] for node in start}, {node: [] for node in goal})
    frontiers = [set(start), set(goal)]
    for _ in range(longest):
        side = 0 if len(frontiers[0]) <= len(frontiers[1]) else 1
        reached: _Steps = defaultdict(list)
        for node, other, edge in _steps(store, frontiers[side], filters, directed=directed, against=side == 1):
            if other not in sides[side]:
                reached[other].append((node, edge))
        sides[side].update(reached)
        frontiers[side] = set(reached)
        if meeting := frontiers[0] & frontiers[1]:
            return _table(_paths(store, sides, sorted(meeting), limit, sentences))
        if not reached:
            break
    return _table([])


def _table(paths: Sequence[EdgePath]) -> AnswerTable:
    return AnswerTable(("way", "steps", "confidence"), tuple(paths))


def _paths(
    store: Store, sides: tuple[_Steps, _Steps], meeting: Sequence[str], limit: int, sentences: int
) -> list[EdgePath]:
    walks = list(islice((walk for node in meeting for walk in _through(sides, node)), _MOST_PATHS))
    edges = edges_by_id(store, {edge for _, path in walks for edge in path}, sentences)
    paths = [EdgePath(nodes, tuple(edges[edge] for edge in path)) for nodes, path in walks]
    best = sorted(paths, key=lambda path: (-path.confidence, [edge.id for edge in path.edges]))[:limit]
    return [replace(path, number=number) for number, path in enumerate(best, start=1)]


def _through(sides: tuple[_Steps, _Steps], node: str) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Every path through a node where the two searches met."""
    for before, walked in _back(sides[0], node):
        for after, ahead in _back(sides[1], node):
            yield (*reversed(before), node, *after), (*reversed(walked), *ahead)


def _back(steps: Mapping[str, list[tuple[str, str]]], node: str) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Nodes and edges from `node` back to the start of the search, without `node` itself."""
    if not steps[node]:
        yield (), ()
        return
    for previous, edge in steps[node]:
        for nodes, edges in _back(steps, previous):
            yield (previous, *nodes), (edge, *edges)


def _steps(
    store: Store,
    nodes: Collection[str],
    filters: Filters,
    *,
    directed: bool = False,
    against: bool = False,
    values: bool = False,
) -> list[tuple[str, str, str]]:
    """Node, neighbour and edge: first what says what a node is, then the best; with `values`, these too."""
    keep, given = filters.conditions("said")
    kept = " AND ".join(["true", *keep])
    way = ("NOT outgoing" if against else "outgoing") if directed else "true"
    ends = f"({_ALL_ENDS})" if values else "neighbours"
    sql = f"""
        SELECT node_id, other_id, edge_id, outgoing AND {DEFINES} AS defines
        FROM {ends} AS said WHERE node_id IN (SELECT unnest(?)) AND {way} AND {kept}
        ORDER BY defines DESC, rank * confidence DESC, edge_id, outgoing DESC
    """
    rows = store.rows(sql, [sorted(nodes), *given])
    return [(str(node), str(other), str(edge)) for node, other, edge, *_ in rows]
