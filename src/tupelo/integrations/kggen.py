"""A graph as KGGen writes it, without a language model; KGGen need not be installed.

`graph_json(texts)` takes the texts of `TripleReader.pipe` or of `Graph.triples`; `kg_gen.models.Graph(**result)`
reads the result. There are no clusters: an entity already has one name.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tupelo.api.triples import LinkedText

__all__ = ["graph_json"]


def graph_json(texts: Iterable[LinkedText]) -> dict[str, list[Any]]:
    """Entities, edges (the relations) and relations (the triples), each sorted and without doubles."""
    entities: set[str] = set()
    relations: set[tuple[str, str, str]] = set()
    for text in texts:
        entities |= {entity.name for entity in text.entities}
        relations |= {(triple.subject.name, triple.relation, triple.object.name) for triple in text.triples}
    return {
        "entities": sorted(entities),
        "edges": sorted({relation for _, relation, _ in relations}),
        "relations": [list(relation) for relation in sorted(relations)],
    }
