"""Relations that entail an asked one: by a method, with types, both ways round; and in answers of a graph."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.runner import run
from tests.graph.small import Said, World, write_graph
from tupelo.checking.network import load_network
from tupelo.core.entailment import RelationSignature
from tupelo.graph.query.lookup import relation_signatures
from tupelo.graph.store.file import open_graph
from tupelo.inference.expand import MethodExpander
from tupelo.inference.methods import METHODS, InferenceResources
from tupelo.nlp.encoder import load_encoder


def expander(*relations, method="lemma", **options):
    signatures = [item if isinstance(item, RelationSignature) else RelationSignature(item) for item in relations]
    return MethodExpander(
        METHODS.get(method)(InferenceResources(support=load_network)), signatures, load_encoder(), **options
    )


@pytest.mark.model
def test_what_entails_is_found_with_its_direction_and_reason():
    found = expander("was founded by", "officially founded", "sold", "founded").expand("founded")
    assert [(item.relation, item.reversed) for item in found] == [
        ("officially founded", False),
        ("was founded by", True),
    ]
    assert found[0].reason.startswith("'x officially founded y' entails 'x founded y' (lemma 1.00); ")
    assert found[1].reason.startswith("'y was founded by x' entails 'x founded y'")


@pytest.mark.model
def test_the_asked_relation_is_left_out_whatever_its_case():
    assert expander("Founded", "founded  ").expand("founded") == []


@pytest.mark.model
def test_types_must_go_together():
    person, place = frozenset({"person"}), frozenset({"place"})
    relations = [
        RelationSignature("founded", person, place),
        RelationSignature("first founded", person, place),
        RelationSignature("then founded", place, place),
        RelationSignature("also founded"),
    ]
    found = {item.relation: item.reason for item in expander(*relations).expand("founded")}
    assert list(found) == ["also founded", "first founded"]
    assert found["first founded"].startswith("'person first founded place' entails 'person founded place'")
    assert found["also founded"].startswith("'person also founded place' entails")


@pytest.mark.model
def test_only_so_many_and_only_above_the_threshold():
    names = [f"founded {word}" for word in ("twice", "early", "late")]
    assert len(expander(*names, most=2).expand("founded")) == 2
    assert expander("sold", "bought", method="encoder", threshold=0.99).expand("founded") == []


def contrasts():
    """Asked and offered relation with their types, and how the offered one answers."""
    text = Path(__file__).with_name("relation-contrasts.tsv").read_text("utf-8")
    for line in text.splitlines():
        if not line.startswith("#"):
            asked, *ends, answers = line.split("\t")
            offered = ends.pop(2)
            types = [frozenset({kind}) for kind in ends]
            yield RelationSignature(asked, *types[:2]), RelationSignature(offered, *types[2:]), answers


@pytest.mark.model
@pytest.mark.parametrize("typed", [True, False])
def test_no_relation_answers_reversed_or_for_another(typed):
    encoder = load_encoder()
    method = METHODS.get("learned")(InferenceResources(encoder=lambda: encoder, support=load_network))
    groups: dict[RelationSignature, dict[RelationSignature, str]] = {}
    for asked, offered, answers in contrasts():
        groups.setdefault(asked, {})[offered] = answers
    found = []
    for asked, others in groups.items():
        signatures = [item if typed else RelationSignature(item.name) for item in (asked, *others)]
        got = {
            item.relation: "turned" if item.reversed else "same"
            for item in MethodExpander(method, signatures, encoder).expand(asked.name)
        }
        found += [(asked.name, item.name, answers, got.get(item.name, "no")) for item, answers in others.items()]
    assert len(found) == 83
    assert [case for case in found if case[3] not in ("no", case[2])] == []
    # Something is answered all the same.
    assert sum(case[2] == case[3] != "no" for case in found) >= 12


WORLD = World(
    [
        Said("Ann", "founded", "Ferries", "Ann founded Ferries."),
        Said("Cranes", "was founded by", "Ole", "Cranes was founded by Ole.", confidence=0.8),
        Said("Eva", "officially founded", "Mills", "Eva officially founded Mills.", confidence=0.7),
        Said("Ann", "painted", "the sea", "Ann painted the sea."),
    ],
    types={
        "Ann": "person",
        "Ole": "person",
        "Eva": "person",
        "Ferries": "organization",
        "Cranes": "organization",
        "Mills": "organization",
    },
    lemmas={
        "founded": "found",
        "was founded by": "be found by",
        "officially founded": "officially found",
        "painted": "paint",
    },
)


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    return write_graph(tmp_path_factory.mktemp("infer") / "g.duckdb", WORLD)


def test_relations_have_the_types_of_their_ends(graph):
    with open_graph(graph) as store:
        found = {item.name: item for item in relation_signatures(store)}
    assert found["founded"].subject_types == {"person"}
    assert found["was founded by"].object_types == {"person"}
    assert found["painted"].object_types == set()


@pytest.mark.model
def test_a_graph_answers_by_inference_and_says_so(capsys, graph):
    plain = run(capsys, "graph", "query", graph, "?who founded ?what", "--json")
    found = {answer["bindings"]["who"]["name"]: answer for answer in json.loads(plain.out)["answers"]}
    assert set(found) == {"Ann", "Ole"}
    assert "inferred" not in found["Ole"]
    assert found["Ole"]["bindings"]["what"]["name"] == "Cranes"
    outcome = run(
        capsys, "graph", "query", graph, "?who founded ?what", "--infer", "--infer-method", "lemma", "--json"
    )
    assert outcome.status == 0
    answers = {answer["bindings"]["who"]["name"]: answer for answer in json.loads(outcome.out)["answers"]}
    assert set(answers) == {"Ann", "Ole", "Eva"}
    assert "inferred" not in answers["Ann"]
    (why,) = answers["Eva"]["inferred"].values()
    assert (why["asked"], why["score"]) == ("founded", 1.0)
    assert answers["Eva"]["bindings"]["what"]["name"] == "Mills"
    table = run(capsys, "graph", "query", graph, "?who founded ?what", "--infer", "--infer-method", "lemma").out
    assert "    inferred: " in table
    assert "'person officially founded organization' entails 'person founded organization'" in table


@pytest.mark.model
def test_a_strict_threshold_infers_nothing(capsys, graph):
    outcome = run(capsys, "graph", "query", graph, "?who painted ?what", "--infer", "--min-entailment", "1", "--json")
    assert len(json.loads(outcome.out)["answers"]) == 1
