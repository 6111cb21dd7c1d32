"""A graph as KGGen writes it, without a language model; KGGen need not be installed.

`graph_json(texts)` takes the texts of `TripleReader.pipe` or of `Graph.triples`; the result is that of
`Graph.model_dump(mode="json")` in KGGen, and `kg_gen.models.Graph(**result)` reads it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tupelo.api.triples import LinkedText

__all__ = ["graph_json"]


def graph_json(texts: Iterable[LinkedText]) -> dict[str, Any]:
    """Entities, edges (the relations) and relations (the triples), each sorted, and the other wordings of entities."""
    entities: set[str] = set()
    relations: set[tuple[str, str, str]] = set()
    wordings: dict[str, set[str]] = {}
    for text in texts:
        entities |= {entity.name for entity in text.entities}
        for triple in text.triples:
            relations.add((triple.subject.name, triple.relation, triple.object.name))
            for end in (triple.subject, triple.object):
                if end.start is not None:
                    wordings.setdefault(end.name, {end.name}).add(text.text[end.start : end.end])
    return {
        "entities": sorted(entities),
        "edges": sorted({relation for _, relation, _ in relations}),
        "relations": [list(relation) for relation in sorted(relations)],
        "entity_clusters": {name: sorted(found) for name, found in sorted(wordings.items()) if len(found) > 1},
        "edge_clusters": {},
    }
