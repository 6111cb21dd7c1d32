"""Triples with their places, from texts and from a graph, and the adapters that need no other library."""

from __future__ import annotations

import json

import pytest

import tupelo
from tests.integrations.texts import NUMBERS, TEXT, TRIPLES
from tupelo.core import InputError
from tupelo.core.document import Document
from tupelo.integrations import TripleReader
from tupelo.integrations.hipporag import TupeloOpenIE, openie_results, write_openie_results
from tupelo.integrations.kggen import graph_json
from tupelo.integrations.lightrag import custom_kg


@pytest.fixture(scope="module")
def read():
    return list(TripleReader().pipe([Document("a", TEXT), Document("b", ""), Document("c", "Acme is in Oslo.")]))


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    path = tmp_path_factory.mktemp("triples") / "kg.duckdb"
    with tupelo.Graph.build({"a": TEXT, "c": "Acme is in Oslo."}, path) as opened:
        yield opened


def names(text):
    return [(triple.subject.name, triple.relation, triple.object.name) for triple in text.triples]


@pytest.mark.model
def test_a_text_gives_what_it_claims_and_nothing_that_it_denies(read):
    assert [text.id for text in read] == ["a", "b", "c"]
    assert names(read[0]) == TRIPLES
    assert read[1].triples == read[1].entities == ()
    assert {entity.name for entity in read[0].entities} >= {"Ann Lee", "Acme", "Oslo", "Globex"}


@pytest.mark.model
def test_places_are_those_of_the_text(read):
    text = read[0].text
    for triple in read[0].triples:
        assert text[triple.start : triple.end] == triple.sentence
        assert text[triple.object.start : triple.object.end] == triple.object.name
    assert read[0].triples[0].times == ("in 1998",)
    properties = read[0].triples[0].properties()
    assert properties["stance"] == "asserted"
    assert 0.5 < properties["confidence"] <= 1
    assert read[0].triples[2].label == "WAS_FOUNDED_IN"


@pytest.mark.model
def test_values_and_stances_are_chosen():
    found = TripleReader(values=False, stances=["possible"])(f"{TEXT} Acme may buy Globex in May.")
    assert ("Acme", "may buy", "Globex") in names(found)
    assert {triple.stance for triple in found.triples} == {"possible"}
    assert "300 people" not in {entity.name for entity in found.entities}
    with pytest.raises(InputError, match="'certain' is no stance, expected asserted"):
        TripleReader(stances=["certain"])


@pytest.mark.model
def test_a_graph_gives_its_passages_with_the_same_triples(graph):
    first, second = graph.triples()
    assert (first.id, second.id) == ("a#0", "c#0")
    assert sorted(names(first)) == sorted(TRIPLES)
    for triple in first.triples:
        assert first.text[triple.start : triple.end] == triple.sentence
        assert first.text[triple.object.start : triple.object.end] == triple.object.name
    assert names(next(graph.triples(min_confidence=1.1))) == []


@pytest.mark.model
def test_hipporag_reads_the_file(read, tmp_path):
    write_openie_results(read, tmp_path / "openie.json")
    held = json.loads((tmp_path / "openie.json").read_text("ascii"))
    assert held == openie_results(read)
    doc = held["docs"][2]
    # md5 of the passage, as HippoRAG names it.
    assert doc["idx"] == "chunk-66ea57c778811d459517bd7fd512fd07"
    assert doc["passage"] == "Acme is in Oslo."
    assert doc["extracted_triples"] == [["Acme", "is in", "Oslo"]]
    assert sorted(doc["extracted_entities"]) == ["Acme", "Oslo"]
    assert held["avg_ent_words"] >= 1


@pytest.mark.model
def test_hipporag_calls_the_object():
    chunks = {"chunk-1": {"content": TEXT, "num_tokens": 9, "chunk_order": [], "full_doc_ids": []}}
    entities, triples = TupeloOpenIE().batch_openie(chunks)
    assert triples["chunk-1"].triples == [list(triple) for triple in TRIPLES]
    assert "Ann Lee" in entities["chunk-1"].unique_entities
    assert TupeloOpenIE().openie("x", "Cats sleep.")["triplets"].triples == []


@pytest.mark.model
def test_lightrag_gets_one_relationship_for_two_entities(read):
    kg = custom_kg(read)
    assert [chunk["source_id"] for chunk in kg["chunks"]] == ["a", "b", "c"]
    known = {entity["entity_name"] for entity in kg["entities"]}
    pairs = [frozenset((row["src_id"], row["tgt_id"])) for row in kg["relationships"]]
    assert len(pairs) == len(set(pairs))
    assert all(pair <= known and len(pair) == 2 for pair in pairs)
    row = kg["relationships"][pairs.index(frozenset(("Acme", "Oslo")))]
    assert row["keywords"] == "was founded in, is in"
    assert row["description"] == "Ann Lee founded Acme in Oslo in 1998. Acme is in Oslo."
    assert row["weight"] >= 1
    assert row["source_id"] == "a"


def test_lightrag_gets_only_names_that_it_accepts():
    """It refuses a graph with a name that is a short number, or with an edge between two spellings of one name."""
    kg = custom_kg([NUMBERS])
    assert [row["entity_name"] for row in kg["entities"]] == ["Ann Lee", "1998"]
    assert [(row["src_id"], row["tgt_id"]) for row in kg["relationships"]] == [("Ann Lee", "1998")]


@pytest.mark.model
def test_kggen_gets_a_graph_without_doubles(read):
    graph = graph_json([*read, *read])
    assert [tuple(row) for row in graph["relations"]] == sorted([*TRIPLES, ("Acme", "is in", "Oslo")])
    assert {end for row in graph["relations"] for end in (row[0], row[2])} <= set(graph["entities"])
    assert set(graph["edges"]) == {row[1] for row in graph["relations"]}
