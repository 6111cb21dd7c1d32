"""Communities of a graph in a hierarchy: what belongs together, and what within it belongs together more closely.

Communities are those of Louvain's method over all edges. An edge counts less the more documents speak of its better
known end: that two things are both *in the United States* does not make them one topic. A community of many entities
is divided again, by the same method, within itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tupelo.core.shipped import figures
from tupelo.graph.query.network import Integers, Numbers, find_communities, sums
from tupelo.graph.report.survey import RankedGraph

_FIGURES = figures(__name__, "report.toml")


@dataclass(frozen=True, slots=True)
class GraphTopic:
    """A community: its entities, most central first, and its asserted edges, best first, by their numbers.

    `importance` is the share of the whole graph's importance that its entities have, `size` the number of all edges.
    """

    entities: Integers
    strength: Numbers
    edges: Integers
    worth: Numbers
    importance: float
    size: int
    parts: tuple[GraphTopic, ...] = ()

    def with_parts(self) -> Iterator[GraphTopic]:
        yield self
        for part in self.parts:
            yield from part.with_parts()


def find_topics(graph: RankedGraph, most: int, edges: Integers | None = None) -> list[GraphTopic]:
    """The `most` important communities, over these edges or all of them; something must be asserted in each."""
    within = np.arange(len(graph.edges)) if edges is None else edges
    return _divided(graph, within, most, _FIGURES.deepest)


def _divided(graph: RankedGraph, edges: Integers, most: int, depth: int) -> list[GraphTopic]:
    nodes, ends = np.unique(graph.ends[edges], return_inverse=True)
    ends = ends.reshape(-1, 2)
    ties = graph.weight[edges] / _known(graph, edges)
    resolution = min(max(len(edges) / _FIGURES.edges, 1.0), _FIGURES.resolution)
    labels = find_communities(len(nodes), ends, ties, resolution=resolution)
    of_edge = np.where(labels[ends[:, 0]] == labels[ends[:, 1]], labels[ends[:, 0]], -1)
    asserted = np.bincount(of_edge[(of_edge >= 0) & graph.asserted[edges]], minlength=len(nodes))
    importance = np.bincount(labels, graph.rank[nodes])
    best = np.argsort(-importance, kind="stable")
    chosen = [label for label in best.tolist() if asserted[label]]
    sizes = np.bincount(labels)
    chosen = [label for label in chosen if sizes[label] >= _FIGURES.least_size] or chosen
    return [_topic(graph, edges[of_edge == label], depth) for label in chosen[:most]]


def _known(graph: RankedGraph, edges: Integers) -> Integers:
    """In how many documents the better known end of each edge is."""
    return np.asarray(np.maximum(graph.documents[graph.ends[edges]].max(axis=1), 1), dtype=np.int64)


def _topic(graph: RankedGraph, edges: Integers, depth: int) -> GraphTopic:
    nodes, ends = np.unique(graph.ends[edges], return_inverse=True)
    ends = ends.reshape(-1, 2)
    ties = graph.weight[edges] / (1 + np.log(_known(graph, edges)))
    named = np.where(graph.named[nodes], 1.0, _FIGURES.concept)
    strength = named * sums(ends.ravel(), np.repeat(ties, 2), len(nodes))
    order = np.lexsort((-graph.rank[nodes], -strength))
    worth = ties * np.sqrt(strength[ends[:, 0]] * strength[ends[:, 1]])
    said = np.flatnonzero(graph.asserted[edges])
    best = said[np.argsort(-worth[said], kind="stable")][: _FIGURES.most_edges]
    parts: list[GraphTopic] = []
    if len(nodes) > _FIGURES.large and depth > 1:
        parts = _divided(graph, edges, _FIGURES.most_parts, depth - 1)
    return GraphTopic(
        nodes[order],
        strength[order],
        edges[best],
        worth[best],
        float(graph.rank[nodes].sum()),
        len(edges),
        tuple(parts) if len(parts) > 1 else (),
    )
