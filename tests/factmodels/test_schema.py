from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec

import pytest

import tupelo
from tupelo.core import Argument, Extraction, MissingModelError, UnknownNameError
from tupelo.core.extraction import SentenceTuples
from tupelo.core.statement import Anchor, Link, LinkedSentence, LinkProperty
from tupelo.factmodels import schema
from tupelo.factmodels.folder import Relation
from tupelo.factmodels.schema import WikidataSchema, is_worded
from tupelo.graph import BuildOptions
from tupelo.names.entities import DocumentEntity, EntityMention

BORN, FOUNDED, DATE = Relation("place of birth", "P19"), Relation("founded by", "P112"), Relation("inception", "P571")


@pytest.mark.parametrize(
    ("property", "key", "expected"),
    [
        ("P19", "be bear in", True),
        ("P19", "visit", False),
        ("P36", "visit", False),
        ("P36", "be capital of", True),
        ("P131", "be river in", True),
        ("P131", "in", True),
        # The verb says something else.
        ("P131", "arrive in", False),
        ("P31", "be", True),
        ("P31", "be member of", False),
        ("P26", "be son of", False),
        ("P0", "be in", False),
    ],
)
def test_a_link_has_a_property_only_if_it_is_worded_so(property, key, expected):
    assert is_worded(property, key) is expected


@pytest.mark.skipif(find_spec("tupelo_facts_en") is None, reason="needs the package tupelo-facts-en")
def test_every_property_of_the_classifier_has_words():
    from tupelo.factmodels.pairs import PairModel

    assert {relation.id for relation in PairModel().relations} == set(schema._WORDINGS)


class _Classifier:
    version = "1"

    def __init__(self, *scored):
        self._scored = scored

    def scored(self, sentences, entities):
        return iter(self._scored)


def sentence(*links, stance="asserted"):
    """Words: *Ann founded Acme 1998*, or *She founded …*; entities are Ann 0, Acme 1, the year 2."""
    anchors = (
        Anchor(0, 1, 0, "name", "person", "Ann", 0),
        Anchor(2, 3, 2, "name", "organization", "Acme", 1),
        Anchor(3, 4, 3, "value", "datetime", "1998"),
    )
    tuples = SentenceTuples("", (Extraction("", Argument("founded"), Argument("Ann"), (Argument("Acme"),)),))
    found = tuples.extractions[0]
    if stance == "denied":
        found = replace(found, negated=True)
    return LinkedSentence(SentenceTuples("", (found,)), anchors, links)


def found(monkeypatch, linked, *scored):
    entities = [
        DocumentEntity(str(at), "", (EntityMention(0, place, place + 1),)) for at, place in enumerate((0, 2, 3))
    ]
    monkeypatch.setattr(schema, "find_entities", lambda analyses: entities)
    monkeypatch.setattr(schema, "_classifier", lambda: _Classifier(*scored))
    return WikidataSchema("1")([], linked)


def test_links_between_the_same_things_have_properties_in_either_direction(monkeypatch):
    said = sentence(Link(0, 0, 1, "founded", "found"))
    assert found(monkeypatch, [said], (1, 0, FOUNDED, 0.8), (0, 1, BORN, 0.9)) == [
        [LinkProperty(0, "P112", "founded by", True, 0.8)]
    ]
    assert found(monkeypatch, [said], (0, 2, FOUNDED, 0.8)) == [[]]


def test_a_literal_is_found_by_its_place(monkeypatch):
    said = sentence(Link(0, 1, 2, "was founded in", "be found in"))
    assert found(monkeypatch, [said], (1, 2, DATE, 0.7)) == [[LinkProperty(0, "P571", "inception", False, 0.7)]]


def test_pronouns_have_the_properties_of_what_they_stand_for(monkeypatch):
    first = sentence()
    later = sentence(Link(0, 0, 1, "founded", "found"))
    she = replace(later.anchors[0], kind="pronoun", text="She")
    it = replace(later.anchors[1], kind="pronoun", text="it")
    later = replace(later, anchors=(she, it))
    assert found(monkeypatch, [first, later], (1, 0, FOUNDED, 0.8)) == [
        [],
        [LinkProperty(0, "P112", "founded by", True, 0.8)],
    ]


def test_what_a_sentence_does_not_claim_has_no_property(monkeypatch):
    said = sentence(Link(0, 0, 1, "founded", "found"), stance="denied")
    assert found(monkeypatch, [said], (1, 0, FOUNDED, 0.8)) == [[]]


def test_without_its_package_the_error_says_what_to_install(monkeypatch, tmp_path):
    schema._classifier.cache_clear()
    monkeypatch.setattr("tupelo.nlp.folder._installed", dict)
    with pytest.raises(MissingModelError, match="tupelo-facts-en"):
        tupelo.Graph.build({"a": "Ann left."}, tmp_path / "kg.duckdb", options=BuildOptions(schema="wikidata"))
    assert list(tmp_path.iterdir()) == []


def test_unknown_schemas_are_refused(tmp_path):
    with pytest.raises(UnknownNameError, match="no schema named 'wikidat'"):
        tupelo.Graph.build({"a": "Ann left."}, tmp_path / "kg.duckdb", options=BuildOptions(schema="wikidat"))


@pytest.mark.model
@pytest.mark.skipif(find_spec("tupelo_facts_en") is None, reason="needs the package tupelo-facts-en")
def test_open_and_closed_relations_are_asked_together(tmp_path):
    text = "Marie Curie was born in Warsaw. In 1900 Marie Curie visited Warsaw."
    with tupelo.Graph.build({"a": text}, tmp_path / "kg.duckdb", options=BuildOptions(schema="wikidata")) as graph:
        answers = list(graph.query("?who place of birth ?where"))
        assert [str(answer) for answer in answers] == ["Marie Curie was born in Warsaw"]
        assert [str(answer) for answer in graph.query("Marie Curie P19 ?where")] == [str(answers[0])]
        (shown,) = answers[0].edges[0].to_dict()["properties"]
        assert (shown["id"], shown["name"], shown["turned"]) == ("P19", "place of birth", False)
