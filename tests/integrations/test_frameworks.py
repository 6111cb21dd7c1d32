"""Adapters against the real libraries; each test skips where its library is not installed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import pytest

import tupelo
from tests.integrations.texts import NUMBERS, TEXT, TRIPLES

pytestmark = pytest.mark.model

T = TypeVar("T")


def in_a_thread(call: Callable[[], T]) -> T:
    """For what runs an event loop: the browser of other tests has one in the main thread."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(call).result()


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    path = tmp_path_factory.mktemp("frameworks") / "kg.duckdb"
    with tupelo.Graph.build({"a": TEXT, "b": "Bob Moe lives in Bergen."}, path) as opened:
        yield opened


def needed(library: str, extra: str) -> None:
    pytest.importorskip(library, reason=f"needs the extra '{extra}'")


def needed_package(library: str) -> None:
    pytest.importorskip(library, reason=f"needs the package '{library}'")


def test_spacy_has_triples_on_docs_and_spans():
    needed("spacy", "spacy")
    import spacy
    from spacy.tokens import DocBin

    import tupelo.integrations.spacy  # noqa: F401

    nlp = spacy.blank("en")
    nlp.add_pipe("tupelo", config={"values": False})
    doc, other = nlp.pipe([TEXT, "Cats sleep."])
    assert [str(triple) for triple in doc._.triples] == [f"({'; '.join(triple)})" for triple in TRIPLES[:3]]
    first = doc._.triples[0]
    assert (first.subject.text, first.object.text, first.stance) == ("Ann Lee", "Acme", "asserted")
    assert len(doc[0:4]._.triples) == 1
    assert other._.triples == []
    stored = DocBin(store_user_data=True)
    stored.add(nlp(TEXT))
    (again,) = DocBin().from_bytes(stored.to_bytes()).get_docs(nlp.vocab)
    assert len(again._.triples) == 3


def test_llama_index_builds_a_property_graph_and_retrieves(graph):
    needed("llama_index.core", "llama-index")
    from llama_index.core import PropertyGraphIndex
    from llama_index.core.embeddings import MockEmbedding
    from llama_index.core.llms import MockLLM
    from llama_index.core.schema import TextNode

    from tupelo.integrations.llama_index import TupeloPathExtractor, TupeloRetriever

    index = in_a_thread(
        lambda: PropertyGraphIndex(
            nodes=[TextNode(text=TEXT)],
            kg_extractors=[TupeloPathExtractor()],
            llm=MockLLM(),
            embed_model=MockEmbedding(embed_dim=4),
            embed_kg_nodes=False,
        )
    )
    found = index.property_graph_store.get_triplets(entity_names=["Ann Lee", "Acme"])
    said = {(subject.name, relation.label, object.name): relation for subject, relation, object in found}
    assert set(TRIPLES) <= set(said)
    assert said[TRIPLES[0]].properties["object_start"] == 16
    best = TupeloRetriever(graph, limit=1).retrieve("Who founded Acme?")
    assert [node.node.get_content() for node in best] == [TEXT]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_langchain_gets_graph_documents_and_retrieves(graph):
    needed("langchain_core", "langchain")
    needed("langchain_community", "langchain")
    from langchain_core.documents import Document

    from tupelo.integrations.langchain import TupeloGraphTransformer, TupeloRetriever

    (made,) = TupeloGraphTransformer().convert_to_graph_documents([Document(page_content=TEXT)])
    said = [(one.source.id, one.properties["relation"], one.target.id) for one in made.relationships]
    assert said == TRIPLES
    assert made.relationships[2].type == "WAS_FOUNDED_IN"
    assert {node.id: node.type for node in made.nodes}["Ann Lee"] == "Person"
    (best,) = TupeloRetriever(graph=graph, limit=1).invoke("Who founded Acme?")
    assert (best.page_content, best.metadata["source"]) == (TEXT, "a")


class Characters:
    def encode(self, content):
        return [*map(ord, content)]

    def decode(self, tokens):
        return "".join(map(chr, tokens))


def test_lightrag_takes_the_graph(graph, tmp_path):
    needed_package("lightrag")
    import numpy as np
    from lightrag import LightRAG
    from lightrag.utils import EmbeddingFunc, Tokenizer

    from tupelo.integrations.lightrag import custom_kg

    async def embed(texts):
        return np.ones((len(texts), 4))

    async def inserted():
        rag = LightRAG(
            str(tmp_path),
            llm_model_func=embed,
            embedding_func=EmbeddingFunc(4, embed),
            tokenizer=Tokenizer("characters", Characters()),
        )
        await rag.initialize_storages()
        await rag.ainsert_custom_kg(custom_kg([*graph.triples(), NUMBERS]))
        stored = await rag.get_knowledge_graph("*")
        await rag.finalize_storages()
        return stored

    stored = in_a_thread(lambda: asyncio.run(inserted()))
    said = {frozenset((edge.source, edge.target)): edge.properties for edge in stored.edges}
    assert {frozenset((subject, object)) for subject, _, object in TRIPLES} <= set(said)
    assert said[frozenset(("Acme", "Oslo"))]["keywords"] == "was founded in"
    assert {node.id: node.properties["entity_type"] for node in stored.nodes}["Ann Lee"] == "person"


def test_kggen_reads_the_graph(graph):
    needed_package("kg_gen")
    from kg_gen.models import Graph

    from tupelo.integrations.kggen import graph_json

    assert set(TRIPLES) <= Graph(**graph_json(graph.triples())).relations


def test_neo4j_graphrag_gets_a_graph_of_chunks():
    needed("neo4j_graphrag", "neo4j-graphrag")
    from neo4j_graphrag.components.types import TextChunk, TextChunks

    from tupelo.integrations.neo4j_graphrag import TupeloExtractor

    chunks = TextChunks(chunks=[TextChunk(text=TEXT, index=0), TextChunk(text="Acme is in Oslo.", index=1)])
    made = in_a_thread(lambda: asyncio.run(TupeloExtractor().run(chunks)))
    names = {node.id: node.properties.get("name") for node in made.nodes}
    said = [
        (names[one.start_node_id], one.properties["relation"], names[one.end_node_id])
        for one in made.relationships
        if one.properties
    ]
    assert said == [*TRIPLES, ("Acme", "is in", "Oslo")]
    assert [one.type for one in made.relationships].count("NEXT_CHUNK") == 1
    plain = in_a_thread(lambda: asyncio.run(TupeloExtractor(create_lexical_graph=False).run(chunks)))
    assert "Chunk" not in {node.label for node in plain.nodes}


def test_pandas_in_and_out():
    needed("pandas", "pandas")
    import pandas as pd

    from tupelo.core import InputError
    from tupelo.integrations.pandas import documents, triples

    frame = pd.DataFrame({"name": ["n", "m"], "body": [TEXT, None]})
    found = triples(frame, "body", id="name")
    assert list(found[["subject", "relation", "object"]].itertuples(index=False, name=None)) == TRIPLES
    assert set(found["id"]) == {"n"}
    assert list(triples(frame[1:], "body").columns) == list(found.columns)
    with pytest.raises(InputError, match="no column 'text', expected one of name, body"):
        list(documents(frame))


def test_datasets_in_and_out(graph):
    needed("datasets", "datasets")
    from datasets import Dataset

    from tupelo.integrations.datasets import dataset, triples

    found = triples(Dataset.from_dict({"text": [TEXT, ""]}))
    assert [(row["subject"], row["relation"], row["object"]) for row in found] == TRIPLES
    assert dataset(graph.triples()).column_names == found.column_names
