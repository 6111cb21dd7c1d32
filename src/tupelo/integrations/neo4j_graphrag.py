"""neo4j-graphrag: the component of a pipeline that finds entities and relations (extra `neo4j-graphrag`).

pipeline.add_component(TupeloExtractor(), "extractor")
"""

from __future__ import annotations

from typing import Any

from tupelo.api.triples import LinkedText, TripleReader
from tupelo.core.errors import needs_extra

with needs_extra("the adapter to neo4j-graphrag", "neo4j-graphrag"):
    from neo4j_graphrag.components.entity_relation_extractor import EntityRelationExtractor, OnError
    from neo4j_graphrag.components.lexical_graph import LexicalGraphBuilder
    from neo4j_graphrag.components.types import (
        DocumentInfo,
        LexicalGraphConfig,
        Neo4jGraph,
        Neo4jNode,
        Neo4jRelationship,
        TextChunks,
    )

__all__ = ["TupeloExtractor"]


class TupeloExtractor(EntityRelationExtractor):
    """Text chunks to a graph; by default, the chunks and their document are in it too, linked to what they name."""

    def __init__(self, reader: TripleReader | None = None, *, create_lexical_graph: bool = True) -> None:
        super().__init__(on_error=OnError.RAISE, create_lexical_graph=create_lexical_graph)
        self._reader = reader or TripleReader()

    async def run(
        self,
        chunks: TextChunks,
        document_info: DocumentInfo | None = None,
        lexical_graph_config: LexicalGraphConfig | None = None,
        **_: Any,
    ) -> Neo4jGraph:
        """The graph of the chunks; an entity is a node of each chunk, which the library's resolvers merge by name."""
        config = lexical_graph_config or LexicalGraphConfig()
        builder = LexicalGraphBuilder(config=config)
        whole = Neo4jGraph()
        if self.create_lexical_graph:
            whole = (await builder.run(text_chunks=chunks, document_info=document_info)).graph
        texts = self._reader.pipe(chunk.text for chunk in chunks.chunks)
        for chunk, text in zip(chunks.chunks, texts, strict=True):
            found = self.update_ids(_graph(text), chunk)
            if self.create_lexical_graph:
                await builder.process_chunk_extracted_entities(found, chunk)
            whole.nodes.extend(found.nodes)
            whole.relationships.extend(found.relationships)
        return whole


def _graph(text: LinkedText) -> Neo4jGraph:
    numbers = {entity.name: str(number) for number, entity in enumerate(text.entities)}
    nodes = [
        Neo4jNode(
            id=numbers[entity.name],
            label=(entity.type or entity.kind).title(),
            properties={"name": entity.name, "kind": entity.kind},
        )
        for entity in text.entities
    ]
    relationships = [
        Neo4jRelationship(
            start_node_id=numbers[triple.subject.name],
            end_node_id=numbers[triple.object.name],
            type=triple.label,
            properties=triple.properties(),
        )
        for triple in text.triples
    ]
    return Neo4jGraph(nodes=nodes, relationships=relationships)
