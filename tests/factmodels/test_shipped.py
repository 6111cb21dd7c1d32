"""The shipped weights: whole, of the size that was promised, and right about plain sentences."""

from __future__ import annotations

import pytest

import tupelo
from tupelo.factmodels.extract import FactExtractor, FactOptions
from tupelo.factmodels.folder import SHIPPED
from tupelo.factmodels.methods import usual_method
from tupelo.factmodels.pairs import PairModel
from tupelo.nlp.folder import find_model

pytestmark = pytest.mark.model

pytest.importorskip("tupelo_facts_en", reason="needs the extra `facts`")

TEXT = (
    "Marie Curie was born in Warsaw, the capital of Poland, on 7 November 1867. "
    "She married Pierre Curie in 1895. Their daughter Irène Joliot-Curie was born in Paris."
)


@pytest.fixture(scope="module")
def nlp():
    return tupelo.load(threads=1)


def test_the_classifier_finds_plain_facts(nlp):
    facts = {(fact.subject, fact.property, fact.object) for fact in FactExtractor(nlp)(TEXT)}
    assert {
        ("Marie Curie", "P19", "Warsaw"),
        ("Marie Curie", "P26", "Pierre Curie"),
        ("Warsaw", "P17", "Poland"),
    } <= facts


def test_news_of_an_appointment_founds_nothing():
    text = "HALDEN, 3 May 2021 - Halden Robotics has appointed Ann Lee chief executive. She succeeds Bo Holm."
    assert "P112" not in {fact.property for fact in tupelo.facts(text) if fact.confidence >= 0.5}


def test_a_model_says_which_method_is_usual():
    package = find_model(SHIPPED)
    assert usual_method(None) == usual_method("webnlg") == usual_method(package / "end-to-end") == "end-to-end"
    assert usual_method(package / "classifier") == usual_method(package / "sentence") == "classifier"


def test_the_binary_classifier_relates_them(nlp):
    pairs = {(fact.subject, fact.object) for fact in FactExtractor(nlp, "binary")(TEXT)}
    assert ("Warsaw", "Poland") in pairs


def test_the_classifier_of_sentences_finds_plain_facts(nlp):
    facts = {(fact.subject, fact.property, fact.object) for fact in FactExtractor(nlp, "sentence")(TEXT)}
    assert {("Marie Curie", "P19", "Warsaw"), ("Warsaw", "P17", "Poland")} <= facts


def test_the_classifier_links_the_mentions_of_an_entity():
    lines = [
        "Charles Babbage was a mathematician from London .",
        "In 1837 , Babbage met the French poet Tom Frost in France .",
    ]
    sentences = [line.split(" ") for line in lines]
    found = PairModel().mark(sentences)
    words = [word for line in sentences for word in line]
    by_words = {" ".join(words[one.start : one.end]): one.entity for one in found.mentions}
    assert by_words["Charles Babbage"] == by_words["Babbage"] != by_words["Tom Frost"]
    kinds = {name: found.types[entity] for name, entity in by_words.items()}
    assert (kinds["Babbage"], kinds["London"], kinds["1837"]) == ("PER", "LOC", "TIME")


def test_the_end_to_end_model_finds_plain_facts_and_nothing_beside_the_text(nlp):
    facts = FactExtractor(nlp, "end-to-end")(TEXT)
    assert {("Marie Curie", "P19", "Warsaw"), ("Marie Curie", "P26", "Pierre Curie")} <= {
        (fact.subject, fact.property, fact.object) for fact in facts
    }
    for fact in facts:
        assert fact.subject in TEXT
        assert fact.object in TEXT


def test_an_appointment_founds_nothing(nlp):
    text = (
        "LEEDS - Brackwell Tools has appointed Hanna Oyelaran as chief executive, it said on Friday. "
        "Oyelaran succeeds Karl Windt, who retires in May. Shares in Brackwell rose 3 percent in London."
    )
    properties = {fact.property for fact in FactExtractor(nlp, "end-to-end")(text)}
    assert not properties & {"P112", "P740", "P571", "P749", "P26"}


@pytest.fixture(scope="module")
def webnlg(nlp):
    return FactExtractor(nlp, "end-to-end", model="webnlg")


def test_the_weights_of_webnlg_read_what_they_know(webnlg):
    text = "Alan Bean was born in Wheeler, Texas and was a crew member of Apollo 12."
    facts = webnlg(text)
    assert ("Alan Bean", "Wheeler, Texas") in {(fact.subject, fact.object) for fact in facts}
    known = next(fact for fact in facts if fact.object == "Wheeler, Texas")
    assert known.property == "P19"
    assert text[slice(*known.object_span)] == "Wheeler, Texas"


@pytest.mark.parametrize("model", [None, "webnlg"])
def test_one_subject_may_be_asked_for(nlp, model):
    text = "Marie Curie was born in Warsaw, the capital of Poland. Buzz Aldrin was a crew member of Apollo 11."
    subject = "Buzz Aldrin" if model else "Marie Curie"
    facts = FactExtractor(nlp, "end-to-end", model=model, options=FactOptions(subject=subject))(text)
    assert facts
    assert {fact.subject for fact in facts} == {subject}


def test_less_confidence_gives_more_facts(nlp):
    counts = [len(FactExtractor(nlp, options=FactOptions(min_confidence=least))(TEXT)) for least in (0.2, 0.5, 0.8)]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[-1]
