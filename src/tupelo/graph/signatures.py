"""The relations of a graph with the types of what they connect."""

from __future__ import annotations

from tupelo.core.entailment import RelationSignature
from tupelo.graph.store import Store

# A type counts when so many of a relation's edges have it on that side; one odd edge should not decide.
_SHARE = 0.2

_SQL = """
SELECT relations.name, side, types.name
FROM (
    SELECT relation_id, 'subject' AS side, subject_id AS entity_id FROM edges
    UNION ALL
    SELECT relation_id, 'object' AS side, object_id AS entity_id FROM edges
) AS ends
JOIN relations USING (relation_id)
JOIN entity_types USING (entity_id)
JOIN types USING (type_id)
GROUP BY relations.relation_id, relations.name, relations.edges, side, types.name
HAVING count(*) >= ? * relations.edges
ORDER BY 1, 2, 3
"""


def relation_signatures(store: Store) -> list[RelationSignature]:
    """Every relation by name, with the types that are usual at its ends."""
    found: dict[str, dict[str, set[str]]] = {
        name: {"subject": set(), "object": set()}
        for (name,) in store.rows("SELECT DISTINCT name FROM relations ORDER BY 1")
    }
    for name, side, kind in store.rows(_SQL, [_SHARE]):
        found[name][side].add(kind)
    return [
        RelationSignature(name, frozenset(sides["subject"]), frozenset(sides["object"]))
        for name, sides in found.items()
    ]
