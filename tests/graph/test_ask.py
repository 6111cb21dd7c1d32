"""Questions: what they ask for, which parts of tuples may answer them, and what `graph ask` says."""

from __future__ import annotations

import json

import pytest
from benchmarks.ask import outcome

import tupelo
from tests.cli.runner import run
from tupelo.core import InputError
from tupelo.graph.ask import LEAST, WEIGHTS, Answer, best_answers, yes_or_no
from tupelo.graph.ask_candidates import Candidate, Evidences, Slot, Tuple, bare, candidates
from tupelo.graph.asked import Asked, Form, read_hop, read_question
from tupelo.graph.edges import Evidence

TEXTS = {
    "firm": "Marta Solheim founded Nordic Ferries in Bergen in 1998. She is the daughter of Olaf Solheim. "
    "Nordic Ferries has 40 ships. Nordic Ferries was bought by Globex in 2005. "
    "Globex did not close the harbour office.",
    "town": "Bergen is a city in Norway. Eva Lund is the mayor of Bergen. "
    "Erik Dahl and Nina Berg built the old mill.",
}


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    path = tmp_path_factory.mktemp("ask") / "kg.duckdb"
    with tupelo.Graph.build(TEXTS, path, workers=1) as opened:
        yield opened


@pytest.fixture(scope="module")
def read():
    nlp = tupelo.load()
    return lambda question: read_question(nlp.analyze(question, lines=True, constituents=False)[0])


@pytest.mark.parametrize(
    ("question", "form", "statement"),
    [
        ("Who founded Acme?", Form.WHO, "… founded Acme."),
        ("Who did Ann marry in Oslo?", Form.WHO, "Ann did marry … in Oslo."),
        ("By whom was Acme founded?", Form.WHO, "Acme was founded by …."),
        ("Where was Ann born?", Form.WHERE, "Ann was born in …."),
        ("In what year was Acme sold?", Form.WHEN, "Acme was sold in …."),
        ("How many ships does Acme own?", Form.COUNT, "Acme does own … ships."),
        ("What did Ann die of?", Form.WHAT, "Ann did die of …."),
        (
            "Which company that Ann founded was sold to Globex?",
            Form.WHAT,
            "…, the company that Ann founded, was sold to Globex.",
        ),
        ("Is Oslo a city?", Form.YES_NO, "Oslo is a city."),
    ],
)
def test_a_question_becomes_a_statement_with_a_gap(read, question, form, statement):
    asked = read(question)
    assert (asked.form, asked.statement) == (form, statement)


def test_the_noun_of_a_question_says_of_which_kind_the_answer_is(read):
    assert "city" in read("Which city did Ann leave?").kinds
    assert "politician" in read("Who is the mayor of Oslo?").kinds
    assert read("Which companies did Ann found?").several
    assert not read("Which company did Ann found?").several


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who founded Nordic Ferries?", "Marta Solheim"),
        ("By whom was Nordic Ferries started?", "Marta Solheim"),
        ("When was Nordic Ferries founded?", "1998"),
        ("Who bought Nordic Ferries?", "Globex"),
        ("Who is the mayor of Bergen?", "Eva Lund"),
        ("How many ships does Nordic Ferries have?", "40"),
        ("Is Eva Lund the mayor of Bergen?", "yes"),
        ("Did Globex close the harbour office?", "no"),
        ("Was Nordic Ferries founded in 1999?", "no"),
        ("How many people built the old mill?", "2"),
    ],
)
def test_answers_come_with_the_sentence_that_states_them(graph, question, answer):
    found = graph.ask(question)
    assert found[0].answer == answer
    (said,) = found[0].sentences
    assert said.sentence in " ".join(TEXTS.values())
    assert 0 < found[0].confidence <= 1


def test_a_described_thing_is_found_first(graph, read):
    (answer,) = graph.ask("Who is the mayor of the city where Nordic Ferries was founded?")
    assert answer.answer == "Eva Lund"
    assert len(answer.sentences) == 2


def test_a_second_question_is_about_the_first_answer(graph):
    who, where = graph.ask("Who founded Nordic Ferries, and where?")
    assert (who.answer, where.answer) == ("Marta Solheim", "Bergen")


def test_dates_of_a_life_are_no_tuples_and_still_answer(tmp_path):
    text = {"life": "Ann Lee (April 23, 1837 – November 23, 1916) was a Canadian lawyer. She worked in Toronto."}
    with tupelo.Graph.build(text, tmp_path / "kg.duckdb", workers=1) as opened:
        assert opened.ask("When did Ann Lee die?")[0].answer == "November 23, 1916"
        assert opened.ask("When was Ann Lee born?")[0].answer == "April 23, 1837"


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Who is the mayor of the city where Acme has its base?", "In which city Acme has its base?"),
        ("Where was the founder of Acme born?", "Who is the founder of Acme?"),
        ("Who is the mayor of Oslo?", None),
        ("How many people live in the village of Roald?", None),
    ],
)
def test_what_a_question_only_describes(question, first):
    (analysis,) = tupelo.load().analyze([question], lines=True, constituents=False)
    found = read_hop(analysis)
    assert (found.question if found else None) == first


def test_a_list_has_all_parts_of_the_statement(graph):
    assert {item.answer for item in graph.ask("Which people built the old mill?")} == {"Erik Dahl", "Nina Berg"}


@pytest.mark.parametrize(
    "question",
    [
        "Who sold the harbour office?",
        "When was Eva Lund born?",
        "How many cars does Globex have?",
        "Is Globex a bank?",
    ],
)
def test_what_the_text_does_not_say_is_not_answered(graph, question):
    found = graph.ask(question)
    assert len(found) == 0
    assert "not in the graph; the closest passages:" in found.remarks
    assert "“" in str(found)


def test_the_command_prints_what_the_library_returns(graph, capsys):
    question = "Who founded Nordic Ferries?"
    graph.close()
    outcome = run(capsys, "graph", "ask", graph.file, question, "--plan", "--least", "0.1", "--json")
    with tupelo.Graph.open(graph.file) as opened:
        assert json.loads(outcome.out) == opened.ask(question, plan=True, least=0.1).to_dict()
        table = run(capsys, "graph", "ask", graph.file, *question.split())
        assert table.out.rstrip("\n") == str(opened.ask(question))


def test_one_question_at_a_time(harbour):
    with tupelo.Graph.open(harbour) as opened, pytest.raises(InputError, match="several questions, expected one"):
        opened.ask("Who founded Lindvik Shipping? Where is it?")


def slot(role, text, label=None, *, name=None):
    return Slot(role, text, label, name, frozenset([label] if label else []), name is not None)


def said(relation, *slots, negated=False, stance="asserted"):
    return Tuple(relation, slots, stance, negated, 0.9, Evidence("", "t", "…", "a.txt", 0, 0.9, None, None), "a", 0)


FOUNDED = said(
    "founded", slot("subject", "Ann", "person", name="Ann Lee"), slot("object", "Acme", "organization", name="Acme")
)
WHO = Asked(
    "Who founded Acme?",
    Form.WHO,
    "… founded Acme.",
    kinds=frozenset(["person"]),
    relation=("found",),
    terms=("found", "acme"),
    role="subject",
)


def test_what_is_denied_or_merely_possible_is_no_candidate():
    assert [one.answer for one in candidates(WHO, [FOUNDED], ["acme"])] == ["Ann"]
    for tuple_ in (said("founded", *FOUNDED.slots, negated=True), said("founded", *FOUNDED.slots, stance="possible")):
        assert not list(candidates(WHO, [tuple_], ["acme"]))


def test_a_tuple_about_somebody_else_has_no_candidate():
    asked = Asked("When was Eva born?", Form.WHEN, "Eva was born in ….", terms=("eva", "bear"))
    born = said("was born in", slot("subject", "Ann", "person", name="Ann Lee"), slot("object", "1950", "datetime"))
    own = said("was born in", slot("subject", "She", "person", name="Eva Lund"), slot("object", "1960", "datetime"))
    assert [one.answer for one in candidates(asked, [born, own], ["eva"])] == ["1960"]


def test_a_low_score_is_silence():
    sure = dict.fromkeys(WEIGHTS, 1.0)
    one = Candidate("Ann", FOUNDED.slots[0], FOUNDED, sure)
    (answer,) = best_answers(WHO, [one])
    assert isinstance(answer, Answer)
    assert answer.confidence >= LEAST
    assert best_answers(WHO, [Candidate("Ann", FOUNDED.slots[0], FOUNDED, dict.fromkeys(WEIGHTS, 0.3))]) == []
    assert best_answers(WHO, []) == []


def test_no_needs_a_denial():
    asked = Asked("Did Ann leave?", Form.YES_NO, "Ann did leave.", terms=("ann", "leave"))
    left = said("left", slot("subject", "Ann", "person", name="Ann"))
    assert yes_or_no(asked, [said("leave", *left.slots)], [])[0].answer == "yes"
    assert yes_or_no(asked, [said("did not leave", *left.slots, negated=True)], [])[0].answer == "no"
    assert yes_or_no(asked, [said("stayed", *left.slots)], []) == []


def test_phrases_lose_prepositions_and_articles():
    assert [bare(text) for text in ("in the mill", "' kalamaki'", "The")] == ["mill", "kalamaki", "The"]


def test_nothing_speaks_for_no_candidates():
    assert Evidences(WHO, [], [], lambda texts: pytest.fail("nothing to encode"))([]) == []


@pytest.mark.parametrize(
    ("answers", "wanted", "expected"),
    [
        (["The Vikings"], "Vikings", "right"),
        (["four"], "4", "right"),
        (["Ann", "Bo"], "Ann & Bo", "right"),
        (["Ann", "Bo", "Cy"], "Ann & Bo", "wrong"),
        (["Ann"], "none", "wrong"),
        ([], "Ann", "silent"),
    ],
)
def test_scoring_of_answers(answers, wanted, expected):
    assert outcome(answers, wanted) == expected
