"""A knowledge graph for `LightRAG.insert_custom_kg`, without a language model; LightRAG need not be installed.

`custom_kg(texts)` takes the texts of `TripleReader.pipe` or of `Graph.triples`. LightRAG keeps one edge for two
entities, whatever its direction, and one place for it: what sentences say between two entities is one relationship,
with the sentences as its description and the relations as its keywords. Names are as LightRAG spells them, and short
numbers are left out: one name that it does not accept, and it refuses the whole graph.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tupelo.api.triples import LinkedText, LinkedTriple

__all__ = ["custom_kg"]

# Sentences that describe an entity or a relationship.
_SENTENCES = 5
_WITHOUT_QUOTES = str.maketrans("", "", "“”‘’")


def custom_kg(texts: Iterable[LinkedText]) -> dict[str, list[dict[str, Any]]]:
    """Chunks, entities and relationships; the `source_id` of a chunk is the id of its text."""
    chunks: list[dict[str, Any]] = []
    entities: dict[str, dict[str, Any]] = {}
    sentences: dict[str, dict[str, None]] = {}
    pairs: dict[tuple[str, str], list[tuple[str, LinkedTriple]]] = {}
    for number, text in enumerate(texts):
        place = {"source_id": text.id, "file_path": text.id}
        chunks.append({"content": text.text, "chunk_order_index": number, **place})
        for entity in text.entities:
            if name := _spelled(entity.name):
                entities.setdefault(name, {"entity_name": name, "entity_type": entity.type or entity.kind, **place})
        for triple in text.triples:
            ends = (_spelled(triple.subject.name), _spelled(triple.object.name))
            for name in ends:
                sentences.setdefault(name, {})[triple.sentence] = None
            # LightRAG refuses an edge from an entity to itself.
            if all(ends) and ends[0] != ends[1]:
                pairs.setdefault(min(ends, ends[::-1]), []).append((text.id, triple))
    return {
        "chunks": chunks,
        "entities": [
            {**row, "description": _described(sentences.get(name, {}), name)} for name, row in entities.items()
        ],
        "relationships": [_relationship(said) for said in pairs.values()],
    }


def _spelled(name: str) -> str:
    """The name without the quotation marks that LightRAG removes; empty for a number that is too short for it."""
    bare = name.translate(_WITHOUT_QUOTES).strip(' "')
    is_number = set(bare) <= set("0123456789.")
    return "" if is_number and len(bare) < (6 if "." in bare else 3) else bare


def _described(sentences: Iterable[str], otherwise: str = "") -> str:
    return " ".join([*sentences][:_SENTENCES]) or otherwise


def _relationship(said: list[tuple[str, LinkedTriple]]) -> dict[str, Any]:
    source, first = said[0]
    confidences = [1.0 if triple.confidence is None else triple.confidence for _, triple in said]
    return {
        "src_id": _spelled(first.subject.name),
        "tgt_id": _spelled(first.object.name),
        "description": _described(dict.fromkeys(triple.sentence for _, triple in said)),
        "keywords": ", ".join(dict.fromkeys(triple.relation for _, triple in said)),
        # LightRAG counts evidence, at least the one place that it is told.
        "weight": max(1.0, round(sum(confidences), 4)),
        "source_id": source,
        "file_path": source,
    }
