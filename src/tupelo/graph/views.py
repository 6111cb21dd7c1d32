"""The data of a graph's page, as plain values: all of it for a standalone page, parts for a server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tupelo.graph.edges import evidence
from tupelo.graph.lookup import search_entities
from tupelo.graph.store import Store

# How an edge is asserted; the script uses the same order.
ASSERTED, POSSIBLE, DENIED = 0, 1, 2
_STANCE = f"CASE WHEN negated THEN {DENIED} WHEN modality IS NOT NULL THEN {POSSIBLE} ELSE {ASSERTED} END"
_MOST_ALIASES = 12
# Limits of a server's replies: edges of one node, nodes and edges of the first view.
NEIGHBOURS_AT_ONCE = 200
_FIRST_NODES, _FIRST_EDGES = 40, 250


def embedded(
    store: Store, *, limit: int = 5_000, start: Sequence[str] = (), min_confidence: float = 0.0, sentences: int = 3
) -> dict[str, Any]:
    """The data of a standalone page: the `limit` most confident edges with their sentences.

    `start` are the entities whose neighbourhoods are shown first; without any, everything is shown.
    """
    rows = store.rows(
        f"""
        SELECT edge_id, subject_id, relations.name, object_id, confidence, edges.mentions, {_STANCE}
        FROM edges JOIN relations USING (relation_id) WHERE confidence >= ?
        ORDER BY (subject_id IN (SELECT unnest(?)) OR object_id IN (SELECT unnest(?))) DESC,
            confidence DESC, edges.mentions DESC, edge_id
        LIMIT {int(limit)}
        """,
        [min_confidence, list(start), list(start)],
    )
    nodes = _nodes(store, sorted({end for row in rows for end in (row[1], row[3])}))
    number = {node["id"]: at for at, node in enumerate(nodes)}
    relations = sorted({row[2] for row in rows})
    relation_number = {name: at for at, name in enumerate(relations)}
    found = evidence(store, [row[0] for row in rows], sentences)
    texts, sources = _Numbered(), _Numbered()
    return {
        "served": False,
        "start": [entity for entity in start if entity in number],
        "types": types_of(store),
        "total": totals(store),
        "held": {"nodes": len(nodes), "edges": len(rows)},
        "nodes": [[node["id"], node["name"], node["type"], node["degree"], node["aliases"]] for node in nodes],
        "relations": relations,
        "edges": [
            [key, number[subject], relation_number[relation], number[object_], round(confidence, 4), mentions, stance]
            for key, subject, relation, object_, confidence, mentions, stance in rows
        ],
        "evidence": {
            edge: [
                [texts[item.sentence], sources[item.source], item.position, item.confidence, item.speaker, item.marks]
                for item in items
            ]
            for edge, items in found.items()
        },
        "sentences": texts.values,
        "sources": sources.values,
    }


class _Numbered:
    """Numbered texts without duplicates."""

    def __init__(self) -> None:
        self.values: list[str] = []
        self._known: dict[str, int] = {}

    def __getitem__(self, text: str) -> int:
        if text not in self._known:
            self._known[text] = len(self.values)
            self.values.append(text)
        return self._known[text]


def served(store: Store) -> dict[str, Any]:
    """The initial data of a served page, which fetches the rest."""
    total = totals(store)
    return {"served": True, "start": [], "types": types_of(store), "total": total, "held": total}


def first_view(store: Store, start: Sequence[str] = ()) -> dict[str, Any]:
    """The most confident edges among the best connected entities, or around the given ones."""
    nodes = list(start) or [
        row[0]
        for row in store.rows(f"SELECT entity_id FROM entities ORDER BY degree DESC, entity_id LIMIT {_FIRST_NODES}")
    ]
    return _around(store, nodes, _FIRST_EDGES, 0)


def neighbours(store: Store, entity: str, offset: int = 0) -> dict[str, Any]:
    """A node with its neighbours, most confident edges first, from edge number `offset`."""
    return _around(store, [entity], NEIGHBOURS_AT_ONCE, offset)


def search(store: Store, text: str, limit: int = 12) -> dict[str, Any]:
    return {"nodes": _nodes(store, [node.id for node in search_entities(store, text, limit)])}


def sentences_of(store: Store, edge: str, limit: int = 20) -> dict[str, Any]:
    items = evidence(store, [edge], limit).get(edge, [])
    return {
        "sentences": [
            {
                "sentence": item.sentence,
                "source": item.source,
                "position": item.position,
                "confidence": item.confidence,
                "speaker": item.speaker,
                "marks": item.marks,
            }
            for item in items
        ]
    }


def _around(store: Store, nodes: Sequence[str], limit: int, offset: int) -> dict[str, Any]:
    # A single node is compared with a value: rows are sorted by node, so DuckDB reads only a few blocks.
    which = "node_id = ?" if len(nodes) == 1 else "node_id IN (SELECT unnest(?))"
    rows = store.rows(
        f"""
        SELECT near.edge_id, near.node_id, near.other_id, near.outgoing, relations.name, near.confidence,
            near.mentions, {_STANCE}
        FROM (
            SELECT * FROM neighbours WHERE {which}
            ORDER BY confidence DESC, edge_id, outgoing DESC LIMIT {int(limit)} OFFSET {int(offset)}
        ) AS near
        JOIN relations USING (relation_id)
        ORDER BY near.confidence DESC, near.edge_id, near.outgoing DESC
        """,
        [nodes[0] if len(nodes) == 1 else list(nodes)],
    )
    edges: dict[str, dict[str, Any]] = {}
    for key, node, other, outgoing, relation, confidence, mentions, stance in rows:
        subject, object_ = (node, other) if outgoing else (other, node)
        edges[key] = {
            "id": key,
            "s": subject,
            "o": object_,
            "relation": relation,
            "confidence": confidence,
            "mentions": mentions,
            "stance": stance,
        }
    ends = dict.fromkeys([*nodes, *(end for edge in edges.values() for end in (edge["s"], edge["o"]))])
    used = {end for edge in edges.values() for end in (edge["s"], edge["o"])} | set(nodes[:1])
    return {"nodes": _nodes(store, [end for end in ends if end in used]), "edges": list(edges.values())}


def _nodes(store: Store, ids: Sequence[str]) -> list[dict[str, Any]]:
    """Entities in the given order, with the most frequent type of their mentions."""
    if not ids:
        return []
    wanted = list(ids)
    rows = store.rows(
        """
        SELECT entity_id, name, kind, degree FROM entities WHERE entity_id IN (SELECT unnest(?))
        """,
        [wanted],
    )
    kinds = dict(
        store.rows(
            """
            SELECT entity_id, arg_max(types.name, (entity_types.mentions, types.name))
            FROM entity_types JOIN types USING (type_id) WHERE entity_id IN (SELECT unnest(?)) GROUP BY entity_id
            """,
            [wanted],
        )
    )
    aliases = dict(
        store.rows(
            f"""
            SELECT owner_id, list(text ORDER BY mentions DESC, text)[:{_MOST_ALIASES}]
            FROM aliases WHERE owner = 'entity' AND owner_id IN (SELECT unnest(?)) GROUP BY owner_id
            """,
            [wanted],
        )
    )
    found = {
        key: {
            "id": key,
            "name": name,
            "type": kinds.get(key, kind),
            "degree": degree or 0,
            "aliases": [alias for alias in aliases.get(key, ()) if alias != name],
        }
        for key, name, kind, degree in rows
    }
    return [found[key] for key in ids if key in found]


def types_of(store: Store) -> list[str]:
    """Types by number of entities, then the kinds of entities without a type."""
    typed = store.rows(
        "SELECT types.name FROM entity_types JOIN types USING (type_id) GROUP BY types.name "
        "ORDER BY count(*) DESC, types.name"
    )
    kinds = store.rows(
        "SELECT kind FROM entities ANTI JOIN entity_types USING (entity_id) "
        "GROUP BY kind ORDER BY count(*) DESC, kind"
    )
    return list(dict.fromkeys(str(name) for (name,) in (*typed, *kinds)))


def totals(store: Store) -> dict[str, int]:
    return {"nodes": store.count("entities"), "edges": store.count("edges")}
