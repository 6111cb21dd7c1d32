"""The graph as an object of networkx, for those who go on in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tupelo.core.errors import needs_extra
from tupelo.graph.query.edges import Filters, Node, list_edges
from tupelo.graph.query.lookup import list_entities
from tupelo.graph.store.file import Store

if TYPE_CHECKING:
    import networkx as nx


def to_networkx(store: Store, filters: Filters | None = None) -> nx.MultiDiGraph:
    """Entities and values as nodes with their names as keys, statements as edges with their ids as keys.

    A name that several nodes have is followed by the id of all but the first. Attributes are text, numbers or truth
    values, which every writer of networkx takes; lists are joined.
    """
    with needs_extra("to_networkx()", "networkx"):
        import networkx as nx
    made = nx.MultiDiGraph()
    keys: dict[str, str] = {}

    def key(node: Node) -> str:
        if node.id not in keys:
            keys[node.id] = f"{node.name} ({node.id})" if node.name in made else node.name
            types = "; ".join(node.types)
            made.add_node(keys[node.id], id=node.id, name=node.name, kind=node.kind, types=types)
        return keys[node.id]

    for node in list_entities(store):
        key(node)
    for edge in list_edges(store, filters):
        told = {name: _plain(value) for name, value in edge.details.items() if name not in ("id", "sentences")}
        # Values are no entities; they come with the edges that have them.
        ends = (key(edge.subject), key(edge.object))
        made.add_edge(*ends, edge.id, relation=edge.relation.name, confidence=edge.confidence, **told)
    return made


def _plain(value: object) -> object:
    return "; ".join(map(str, value)) if isinstance(value, list) else "" if value is None else value
