"""LlamaIndex: triples for a `PropertyGraphIndex`, and a retriever over a graph (extra `llama-index`).

index = PropertyGraphIndex(nodes, kg_extractors=[TupeloPathExtractor()], …)
retriever = TupeloRetriever(tupelo.Graph.open("kg.duckdb"), limit=5)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tupelo.api.graph import Graph
from tupelo.api.triples import TripleReader
from tupelo.core.errors import needs_extra
from tupelo.core.results import values_of

with needs_extra("the adapter to LlamaIndex", "llama-index"):
    from llama_index.core.base.base_retriever import BaseRetriever
    from llama_index.core.graph_stores.types import KG_NODES_KEY, KG_RELATIONS_KEY, EntityNode, Relation
    from llama_index.core.schema import (
        BaseNode,
        MetadataMode,
        NodeWithScore,
        QueryBundle,
        TextNode,
        TransformComponent,
    )

__all__ = ["TupeloPathExtractor", "TupeloRetriever"]


class TupeloPathExtractor(TransformComponent):
    """Adds entities and relations to nodes, with offsets, confidence and stance as properties of the relations."""

    def __init__(self, reader: TripleReader | None = None) -> None:
        super().__init__()
        self._reader = reader or TripleReader()

    @classmethod
    def class_name(cls) -> str:
        return "TupeloPathExtractor"

    def __call__(self, nodes: Sequence[BaseNode], **_: Any) -> Sequence[BaseNode]:
        texts = self._reader.pipe(node.get_content(metadata_mode=MetadataMode.NONE) for node in nodes)
        for node, text in zip(nodes, texts, strict=True):
            entities = {
                one.name: EntityNode(name=one.name, label=one.type or one.kind, properties={"kind": one.kind})
                for one in text.entities
            }
            relations = [
                Relation(
                    label=triple.relation,
                    source_id=entities[triple.subject.name].id,
                    target_id=entities[triple.object.name].id,
                    properties=triple.properties(),
                )
                for triple in text.triples
            ]
            node.metadata[KG_NODES_KEY] = [*node.metadata.pop(KG_NODES_KEY, []), *entities.values()]
            node.metadata[KG_RELATIONS_KEY] = [*node.metadata.pop(KG_RELATIONS_KEY, []), *relations]
        return nodes


class TupeloRetriever(BaseRetriever):
    """The passages of a graph that help to answer a question, best first, with the paths that lead to them."""

    def __init__(self, graph: Graph, *, limit: int = 5, **options: Any) -> None:
        super().__init__(**options)
        self._graph, self._limit = graph, limit

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [
            NodeWithScore(
                node=TextNode(
                    id_=passage.passage_id,
                    text=passage.text,
                    metadata=values_of(passage, "source", "title", "start", "end")
                    | {"path": list(map(str, passage.path))},
                ),
                score=passage.score,
            )
            for passage in self._graph.retrieve(query_bundle.query_str, limit=self._limit)
        ]
