"""LangChain: graph documents from texts, and a retriever over a graph (extra `langchain`).

documents = TupeloGraphTransformer().convert_to_graph_documents([Document(page_content="…")])
retriever = TupeloRetriever(graph=tupelo.Graph.open("kg.duckdb"), limit=5)
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from tupelo.api.graph import Graph
from tupelo.api.triples import LinkedText, TripleReader
from tupelo.core.errors import needs_extra
from tupelo.core.results import values_of

with needs_extra("the adapter to LangChain", "langchain"):
    with warnings.catch_warnings():
        # The package is no longer developed, but the stores of others still take its graph documents.
        warnings.simplefilter("ignore", DeprecationWarning)
        from langchain_community.graphs.graph_document import GraphDocument, Node, Relationship
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
    from pydantic import ConfigDict

__all__ = ["TupeloGraphTransformer", "TupeloRetriever"]


class TupeloGraphTransformer:
    """Documents to graph documents, as `LLMGraphTransformer` makes them, for `add_graph_documents` of a store."""

    def __init__(self, reader: TripleReader | None = None) -> None:
        self._reader = reader or TripleReader()

    def convert_to_graph_documents(self, documents: Sequence[Document]) -> list[GraphDocument]:
        """One graph document per document."""
        texts = self._reader.pipe(document.page_content for document in documents)
        return [_graph_document(text, document) for text, document in zip(texts, documents, strict=True)]


class TupeloRetriever(BaseRetriever):
    """The passages of a graph that help to answer a question, best first, with the paths that lead to them."""

    model_config = ConfigDict(arbitrary_types_allowed=True)
    graph: Graph
    limit: int = 5

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        return [
            Document(
                id=passage.passage_id,
                page_content=passage.text,
                metadata=values_of(passage, "source", "title", "start", "end", "score")
                | {"path": list(map(str, passage.path))},
            )
            for passage in self.graph.retrieve(query, limit=self.limit)
        ]


def _graph_document(text: LinkedText, source: Document) -> GraphDocument:
    nodes = {
        one.name: Node(id=one.name, type=(one.type or one.kind).title(), properties={"kind": one.kind})
        for one in text.entities
    }
    relationships = [
        Relationship(
            source=nodes[triple.subject.name],
            target=nodes[triple.object.name],
            type=triple.label,
            properties=triple.properties(),
        )
        for triple in text.triples
    ]
    return GraphDocument(nodes=list(nodes.values()), relationships=relationships, source=source)
