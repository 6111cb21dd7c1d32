"""Neighbourhoods, and the shortest ways from one entity to another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import prod
from typing import TypeAlias

from tupelo.core import InputError
from tupelo.graph.evidence import Edge, edges_by_id
from tupelo.graph.filters import Filters
from tupelo.graph.store import Store

# A step towards a node: where from, over which edge.
_Steps: TypeAlias = dict[str, list[tuple[str, str]]]
# Of very many shortest ways not all are made before the best are chosen.
_MOST_WAYS = 2_000


@dataclass(frozen=True, slots=True)
class Way:
    """Nodes and the edges between them; an edge may be walked against its direction."""

    nodes: tuple[str, ...]
    edges: tuple[Edge, ...]

    @property
    def confidence(self) -> float:
        return prod(edge.confidence for edge in self.edges)


def neighbourhood(
    store: Store, entities: Collection[str], filters: Filters | None = None, *, depth: int = 1, limit: int = 100
) -> list[Edge]:
    """The edges within `depth` steps, nearest and surest first."""
    seen, frontier = set(entities), set(entities)
    order: list[str] = []
    for _ in range(depth):
        reached = set()
        for _, other, edge in _steps(store, frontier, filters or Filters(), both_ways=True):
            if edge not in order:
                order.append(edge)
            reached.add(other)
        frontier = reached - seen
        seen |= reached
        if not frontier or len(order) >= limit:
            break
    found = edges_by_id(store, order[:limit])
    return [found[edge] for edge in order[:limit]]


def shortest_ways(
    store: Store,
    start: Collection[str],
    goal: Collection[str],
    filters: Filters | None = None,
    *,
    longest: int = 6,
    limit: int = 5,
    both_ways: bool = True,
) -> list[Way]:
    """The shortest ways from any entity of `start` to any of `goal`, surest first; empty when there is none.

    Both ends are searched at once, level by level, always from the end that
    has fewer nodes to go on from.
    """
    if set(start) & set(goal):
        raise InputError("the way would begin and end at the same entity, expected two different ones")
    filters = filters or Filters()
    sides: tuple[_Steps, _Steps] = ({node: [] for node in start}, {node: [] for node in goal})
    frontiers = [set(start), set(goal)]
    for _ in range(longest):
        side = 0 if len(frontiers[0]) <= len(frontiers[1]) else 1
        reached: _Steps = defaultdict(list)
        for node, other, edge in _steps(store, frontiers[side], filters, both_ways=both_ways, against=side == 1):
            if other not in sides[side]:
                reached[other].append((node, edge))
        sides[side].update(reached)
        frontiers[side] = set(reached)
        if meeting := frontiers[0] & frontiers[1]:
            return _ways(store, sides, sorted(meeting), limit)
        if not reached:
            break
    return []


def _ways(store: Store, sides: tuple[_Steps, _Steps], meeting: Sequence[str], limit: int) -> list[Way]:
    walks = list(islice((walk for node in meeting for walk in _through(sides, node)), _MOST_WAYS))
    edges = edges_by_id(store, {edge for _, path in walks for edge in path})
    ways = [Way(nodes, tuple(edges[edge] for edge in path)) for nodes, path in walks]
    return sorted(ways, key=lambda way: (-way.confidence, [edge.id for edge in way.edges]))[:limit]


def _through(sides: tuple[_Steps, _Steps], node: str) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Every way through a node where both searches met."""
    for before, walked in _back(sides[0], node):
        for after, ahead in _back(sides[1], node):
            yield (*reversed(before), node, *after), (*reversed(walked), *ahead)


def _back(steps: Mapping[str, list[tuple[str, str]]], node: str) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Nodes and edges from `node` back to where the search began, without `node` itself."""
    if not steps[node]:
        yield (), ()
        return
    for previous, edge in steps[node]:
        for nodes, edges in _back(steps, previous):
            yield (previous, *nodes), (edge, *edges)


def _steps(
    store: Store, nodes: Collection[str], filters: Filters, *, both_ways: bool, against: bool = False
) -> list[tuple[str, str, str]]:
    """Node, neighbour and edge, in an order that does not depend on how the graph was stored."""
    keep, values = filters.conditions("edges")
    if not both_ways:
        keep.append("NOT near.outgoing" if against else "near.outgoing")
    rows = store.rows(
        f"""
        SELECT near.node_id, near.other_id, near.edge_id
        FROM neighbours AS near JOIN edges USING (edge_id)
        WHERE near.node_id IN (SELECT unnest(?)) AND {" AND ".join(keep) or "true"}
        ORDER BY edges.confidence DESC, edges.edge_id, near.outgoing DESC
        """,
        [sorted(nodes), *values],
    )
    return [(str(node), str(other), str(edge)) for node, other, edge in rows]
