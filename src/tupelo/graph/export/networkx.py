"""The graph as an object of networkx, for those who go on in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tupelo.core import MissingExtraError
from tupelo.graph.query.edges import Filters, list_edges
from tupelo.graph.query.lookup import list_entities
from tupelo.graph.store.file import Store

if TYPE_CHECKING:
    import networkx as nx


def to_networkx(store: Store, filters: Filters | None = None) -> nx.MultiDiGraph:
    """Entities and values as nodes, statements as edges, all with their ids as keys.

    Attributes are text, numbers or truth values, which every writer of networkx takes; lists are joined.
    """
    try:
        import networkx as nx
    except ImportError:
        raise MissingExtraError("to_networkx()", "networkx") from None
    made = nx.MultiDiGraph()
    for node in list_entities(store):
        made.add_node(node.id, name=node.name, kind=node.kind, types="; ".join(node.types))
    for edge in list_edges(store, filters):
        # Values are no entities; they come with the edges that have them.
        if edge.object.id not in made:
            made.add_node(edge.object.id, name=edge.object.name, kind=edge.object.kind, types="")
        told = {name: _plain(value) for name, value in edge.details.items() if name not in ("id", "sentences")}
        made.add_edge(
            edge.subject.id, edge.object.id, edge.id, relation=edge.relation.name, confidence=edge.confidence, **told
        )
    return made


def _plain(value: object) -> object:
    return "; ".join(map(str, value)) if isinstance(value, list) else "" if value is None else value
