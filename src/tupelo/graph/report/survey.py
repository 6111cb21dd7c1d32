"""The part of a graph to show first: its most important entities, the communities they form, and a few of each.

The importance of an entity is its PageRank over all edges, taken both ways. An
edge weighs its confidence, more where several documents say so, and a quarter
of that where the text does not assert it; the surfer starts afresh at names
much more often than at concepts. Names always come before concepts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tupelo.core.shipped import figures, queries
from tupelo.graph.query.edges import EVERYTHING, StatementView
from tupelo.graph.query.network import communities_of, page_rank
from tupelo.graph.store.file import Store
from tupelo.nlp.languages import language_data, words

_SQL = queries(__name__)
_FIGURES = figures(__name__, "report.toml")
_PLURALS: dict[str, str] = language_data("summaries")["plurals"]
_SAYING_LITTLE = words("summaries", "light_relations")


@dataclass(frozen=True, slots=True)
class ShownEdge:
    """An edge of the page."""

    id: str
    subject: str
    relation: str
    object: str
    confidence: float
    mentions: int
    stance: str


@dataclass(frozen=True, slots=True)
class ShownCommunity:
    """Entities with more edges among themselves than to the rest, most important first.

    It is called after its best names; `about` has its commonest types and relations.
    """

    name: str
    about: str
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Survey:
    """The edges that matter most, the importance of their entities, their communities, and what to show first."""

    edges: tuple[ShownEdge, ...]
    importance: Mapping[str, float]
    communities: tuple[ShownCommunity, ...]
    first: tuple[str, ...]

    def edges_among(self, entities: Iterable[str]) -> list[ShownEdge]:
        wanted = set(entities)
        return [edge for edge in self.edges if edge.subject in wanted and edge.object in wanted]


def survey(store: Store, *, limit: int, start: Sequence[str] = (), view: StatementView = EVERYTHING) -> Survey:
    """The `limit` edges that matter most: confident ones between important entities, those of `start` before all.

    What is shown first are the entities around `start`; without any, the main entities of every community.
    """
    edges, rank = _chosen(store, limit, start, view)
    ends = sorted({end for edge in edges for end in (edge.subject, edge.object)})
    names = {row[0]: row for row in store.rows(_SQL["entities"], [ends])}
    # Names before concepts, then by importance; the key settles ties.
    order = sorted(names, key=lambda key: (names[key][2] != "entity", -rank[key], key))
    communities = _communities(edges, order, names)
    near = _neighbours(edges)
    if start:
        known = [entity for entity in start if entity in names]
        around = sorted({other for entity in known for other in near[entity]} - set(known), key=order.index)
        first = [*known, *around][: max(_FIGURES.few, len(known))]
    else:
        first = _first(order, communities, near)
    return Survey(edges, {key: rank[key] for key in order}, communities, tuple(first))


@dataclass(frozen=True, slots=True)
class RankedGraph:
    """All entities and edges in columns: a graph may have millions of them. `ends` has two entities per edge."""

    entities: NDArray[np.object_]
    named: NDArray[np.bool_]
    documents: NDArray[np.int64]
    rank: NDArray[np.float64]
    edges: NDArray[np.object_]
    ends: NDArray[np.int64]
    confidence: NDArray[np.float64]
    asserted: NDArray[np.bool_]
    weight: NDArray[np.float64]


def ranked_graph(store: Store, view: StatementView = EVERYTHING) -> RankedGraph:
    """The graph with the importance of every entity, which sums to 1, by the statements of a view."""
    entities = store.columns("SELECT node_id, kind = 'entity' AS named, documents FROM entities ORDER BY node_id")
    edges = store.columns(_SQL["edges"].format(unasserted=_FIGURES.unasserted, view=view.condition("said")))
    named = entities["named"].astype(bool)
    ends = np.stack([edges["subject"], edges["object"]], axis=1).astype(np.int64)
    rank = page_rank(ends, edges["weight"], np.where(named, 1.0, _FIGURES.concept))
    return RankedGraph(
        entities["node_id"],
        named,
        entities["documents"].astype(np.int64),
        rank,
        edges["edge_id"],
        ends,
        edges["confidence"],
        edges["asserted"].astype(bool),
        edges["weight"],
    )


def _chosen(
    store: Store, limit: int, start: Sequence[str], view: StatementView
) -> tuple[tuple[ShownEdge, ...], dict[str, float]]:
    """The edges that matter most, and the importance of their ends, 1 for the highest of all."""
    found = ranked_graph(store, view)
    if not len(found.edges):
        return (), {}
    ids, ends, rank = found.entities, found.ends, found.rank
    asked = np.isin(ends, np.flatnonzero(np.isin(ids, list(start)))).any(axis=1)
    worth = found.weight * np.sqrt(rank[ends[:, 0]] * rank[ends[:, 1]])
    kept = np.lexsort((np.arange(len(worth)), -worth, ~asked))[:limit]
    place = {str(key): at for at, key in enumerate(found.edges[kept])}
    rows = store.rows(_SQL["shown"], [list(place)])
    top = float(rank.max())
    held = np.unique(ends[kept])
    edges = sorted((ShownEdge(*row) for row in rows), key=lambda edge: place[edge.id])
    return tuple(edges), {str(ids[at]): float(rank[at]) / top for at in held}


def _communities(
    edges: Sequence[ShownEdge],
    order: Sequence[str],
    names: Mapping[str, tuple[Any, ...]],
) -> tuple[ShownCommunity, ...]:
    """Communities by their most important members."""
    groups = communities_of(
        order,
        [
            (edge.subject, edge.object, edge.confidence * (1 if edge.stance == "asserted" else _FIGURES.unasserted))
            for edge in edges
        ],
    )
    community = {key: number for number, keys in enumerate(groups) for key in keys}
    relations: dict[int, Counter[str]] = defaultdict(Counter)
    for edge in edges:
        if community[edge.subject] == community[edge.object]:
            relations[community[edge.subject]][edge.relation] += 1
    return tuple(
        ShownCommunity(
            ", ".join(names[key][1] for key in keys[:2]),
            _about([names[key] for key in keys], relations[number]),
            tuple(keys),
        )
        for number, keys in enumerate(groups)
    )


def _about(entities: Sequence[tuple[Any, ...]], relations: Counter[str]) -> str:
    """The commonest types of the names, and the commonest relations that say more than *is* or *has*."""
    kinds = Counter(type_ for _, _, kind, type_ in entities if kind == "entity")
    words = [" and ".join(_PLURALS[type_] for type_, _ in kinds.most_common(2) if type_ in _PLURALS) or "concepts"]
    telling = (relation for relation, _ in relations.most_common() if relation not in _SAYING_LITTLE)
    return " · ".join([*words, *islice(telling, 2)])


def _neighbours(edges: Sequence[ShownEdge]) -> dict[str, set[str]]:
    """The neighbours of each entity by asserted edges; by all edges where none is asserted."""
    near: dict[str, set[str]] = defaultdict(set)
    for edge in [edge for edge in edges if edge.stance == "asserted"] or edges:
        near[edge.subject].add(edge.object)
        near[edge.object].add(edge.subject)
    return near


def _first(order: Sequence[str], communities: Sequence[ShownCommunity], near: Mapping[str, set[str]]) -> list[str]:
    """Few entities that say most: each community in turn adds the best one that is linked to those it has."""
    joined = [key for key in order if near.get(key)]
    if len(joined) <= _FIGURES.few:
        return joined
    place = {key: at for at, key in enumerate(order)}
    small_last = sorted(communities, key=lambda group: len(group.members) < _FIGURES.small)
    largest = [
        ([key for key in community.members if near.get(key)], set[str]())
        for community in small_last[: _FIGURES.communities]
    ]
    chosen: list[str] = []
    while largest and len(chosen) < _FIGURES.first:
        for part in list(largest):
            waiting, edge = part
            found = min((key for key in (edge or waiting) if key not in chosen), key=place.__getitem__, default=None)
            if found is None or len(chosen) >= _FIGURES.first:
                largest.remove(part)
                continue
            chosen.append(found)
            waiting.remove(found)
            edge.discard(found)
            edge |= near[found].intersection(waiting)
    return chosen
