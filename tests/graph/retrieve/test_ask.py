"""Questions: what they ask for, what the reader marks for them, and what `graph ask` says."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date

import pytest

import tupelo
from benchmarks.ask import outcome
from tests.cli.runner import run
from tupelo.core import InputError
from tupelo.graph.query.answers import Evidence
from tupelo.graph.retrieve.ask import (
    _TRUST,
    TextAnswer,
    bare,
    best_answers,
    counted,
    distinct_answers,
    yes_or_no,
)
from tupelo.graph.retrieve.ask_passages import (
    LATER,
    NOT,
    UNKNOWN,
    PassageSentence,
    ReadingWindow,
    SentenceTuple,
    TupleSlot,
    windows,
)
from tupelo.graph.retrieve.asked import AnswerForm, Asked, read_question
from tupelo.graph.store.validity import OPEN, Validity
from tupelo.graph.store.validity import UNKNOWN as NO_TIME
from tupelo.nlp.reader import MarkedAnswer, PassageReading

TEXTS = {
    "firm": "Marta Solheim founded Nordic Ferries in Bergen in 1998. She is the daughter of Olaf Solheim. "
    "Nordic Ferries has 40 ships. Nordic Ferries was bought by Globex in 2005. "
    "Globex did not close the harbour office.",
    "town": "Bergen is a city in Norway. Eva Lund is the mayor of Bergen. "
    "Erik Dahl and Nina Berg built the old mill.",
}


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    pytest.importorskip("tupelo_reader_en", reason="needs the extra 'ask'")
    path = tmp_path_factory.mktemp("ask") / "kg.duckdb"
    tupelo.Graph.build(TEXTS, path).close()
    with tupelo.Graph.open(path) as opened:
        yield opened


@pytest.fixture(scope="module")
def parse():
    nlp = tupelo.load()
    return lambda question: nlp.analyze(question, lines=True, constituents=False)[0]


@pytest.mark.model
@pytest.mark.parametrize(
    ("question", "form", "phrase", "several"),
    [
        ("Who founded Acme?", AnswerForm.WHO, "Who", True),
        ("Which company did Ann found?", AnswerForm.WHAT, "Which company", False),
        ("Which companies did Ann found?", AnswerForm.WHAT, "Which companies", True),
        ("Where was Ann born?", AnswerForm.WHERE, "Where", False),
        ("How many ships does Acme own?", AnswerForm.COUNT, "How many ships", False),
        ("What are the rivers of Oslo?", AnswerForm.WHAT, "What", True),
        ("date of birth of Ann Lee", AnswerForm.WHAT, "", False),
        ("Is Oslo a city?", AnswerForm.YES_NO, "", False),
        ("Could Ann swim?", AnswerForm.YES_NO, "", False),
    ],
)
def test_the_form_of_a_question(parse, question, form, phrase, several):
    asked = read_question(parse(question))
    assert (asked.form, question[slice(*asked.phrase)], asked.several) == (form, phrase, several)


@pytest.mark.model
@pytest.mark.parametrize(
    ("question", "second"),
    [
        ("Who founded Acme?", "Where was it that Ann founded Acme?"),
        ("What did Bo buy?", "Where did Bo buy Ann?"),
    ],
)
def test_a_second_question_has_the_first_answer(parse, question, second):
    assert read_question(parse(question)).follow("where", "Ann") == second


@pytest.mark.model
@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who founded Nordic Ferries?", "Marta Solheim"),
        ("By whom was Nordic Ferries bought?", "Globex"),
        ("When was Nordic Ferries founded?", "1998"),
        ("Who bought Nordic Ferries?", "Globex"),
        ("Who is the mayor of Bergen?", "Eva Lund"),
        ("How many ships does Nordic Ferries have?", "40"),
        ("Is Eva Lund the mayor of Bergen?", "yes"),
        ("Did Globex close the harbour office?", "no"),
        ("How many people built the old mill?", "2"),
    ],
)
def test_answers_come_with_the_sentence_that_states_them(graph, question, answer):
    found = graph.ask(question)
    assert found[0].answer == answer
    (said,) = found[0].sentences
    assert said.sentence in " ".join(TEXTS.values())
    assert 0 < found[0].confidence <= 1


@pytest.mark.model
def test_a_second_question_is_about_the_first_answer(graph):
    who, where = graph.ask("Who founded Nordic Ferries, and where?")
    assert (who.answer, where.answer) == ("Marta Solheim", "Bergen")


@pytest.mark.model
def test_a_list_has_all_parts_of_the_statement(graph):
    assert {item.answer for item in graph.ask("Which people built the old mill?")} == {"Erik Dahl", "Nina Berg"}


@pytest.mark.model
@pytest.mark.parametrize(
    "question", ["Who sold the harbour office?", "When was Eva Lund born?", "How many cars does Globex have?"]
)
def test_what_the_text_does_not_say_is_not_answered(graph, question):
    found = graph.ask(question)
    assert len(found) == 0
    assert "not in the graph; the closest passages:" in found.remarks
    assert "“" in str(found)


@pytest.mark.model
def test_an_answer_that_another_document_disputes_says_so(tmp_path):
    pytest.importorskip("tupelo_reader_en", reason="needs the extra 'ask'")
    texts = TEXTS | {"paper": "Nordic Ferries was founded in 1989 by Marta Solheim."}
    with tupelo.Graph.build(texts, tmp_path / "kg.duckdb") as graph:
        (answer,) = graph.ask("When was Nordic Ferries founded?").items
        ((reason, side),) = answer.disputes
        assert {answer.answer, *reason.partition(": ")[2].split(" / ")} == {"1989", "1998"}
        assert side.source != answer.evidence[0].source
        assert f"disputed, {reason}: {side}" in answer.notes
        assert answer.to_dict()["disputes"][0]["sentence"] == side.sentence
        asked_for = min(answer.confidence + 0.01, 1.0)
        assert not graph.ask("When was Nordic Ferries founded?", min_confidence=asked_for).items
        (conflict,) = graph.conflicts()
        graph.correct(settle=[(conflict.id, "first")])
        assert not graph.ask("When was Nordic Ferries founded?", min_confidence=0.5).items[0].disputes


@pytest.mark.model
def test_what_a_caller_wants_at_least_holds_for_disputed_answers(tmp_path):
    pytest.importorskip("tupelo_reader_en", reason="needs the extra 'ask'")
    texts = {"a": "Acme was founded by Ann Lee in 1999.", "b": "Acme was founded by Bo Berg in 1998."}
    with tupelo.Graph.build(texts, tmp_path / "kg.duckdb") as graph:
        assert graph.ask("Who founded Acme?").items[0].disputes
        assert not graph.ask("Who founded Acme?", min_confidence=0.99).items


@pytest.mark.model
def test_reading_goes_on_after_an_answer_for_another_time(tmp_path):
    pytest.importorskip("tupelo_reader_en", reason="needs the extra 'ask'")
    texts = {"a": "Ann Lee lived in Oslo from 2001 to 2005.", "b": "Ann Lee lived in Lund from 2010 to 2015."}
    with tupelo.Graph.build(texts, tmp_path / "kg.duckdb") as graph:
        assert [one.answer for one in graph.ask("Where did Ann Lee live in 2003?").items] == ["Oslo"]


@pytest.mark.model
def test_the_command_prints_what_the_library_returns(graph, capsys):
    question = "Who founded Nordic Ferries?"
    outcome = run(capsys, "graph", "ask", graph.file, question, "--explain", "--min-confidence", "0.1", "--json")
    assert json.loads(outcome.out) == graph.ask(question, explain=True, min_confidence=0.1).to_dict()
    table = run(capsys, "graph", "ask", graph.file, *question.split())
    assert table.out.rstrip("\n") == str(graph.ask(question))


@pytest.mark.model
def test_one_question_at_a_time(harbour):
    with tupelo.Graph.open(harbour) as opened, pytest.raises(InputError, match="several questions, expected one"):
        opened.ask("Who founded Lindvik Shipping? Where is it?")


@pytest.mark.model
def test_a_time_comes_with_the_day_that_its_document_fixes(tmp_path):
    pytest.importorskip("tupelo_reader_en", reason="needs the extra 'ask'")
    (tmp_path / "a.txt").write_text("12 January 2022\n\nEva Lund became the mayor of Bergen last Monday.\n", "utf-8")
    with tupelo.Graph.build(tmp_path / "a.txt", tmp_path / "kg.duckdb") as graph:
        (answer,) = graph.ask("When did Eva Lund become the mayor of Bergen?", min_confidence=0.0)
        assert answer.answer.endswith("(10 January 2022)")


WHO = Asked("Who founded Acme?", AnswerForm.WHO, several=True, phrase=(0, 3))


def sentence(text, *tuples):
    return PassageSentence(text, "a", "a.txt", 0, tuples)


def said(relation, *slots, negated=False, stance="asserted", validity=NO_TIME, published=None):
    evidence = Evidence("", "t", "…", "a.txt", 0, 0.9, None, None)
    stated = tuple(TupleSlot(*slot) for slot in slots)
    return SentenceTuple(relation, stated, stance, negated, evidence, validity, published)


def window(*sentences):
    places, text = [], ""
    for one in sentences:
        places.append((len(text), one))
        text += f"{one.text} "
    return ReadingWindow(text.rstrip(), tuple(places))


def marked(text, words, probability):
    start = text.index(words)
    return MarkedAnswer(start, start + len(words), probability)


def reading(text, *spans, answered=0.9, parts=()):
    told = [marked(text, words, probability) for words, probability in spans]
    listed = tuple(marked(text, words, 0.9) for words in parts)
    return PassageReading(answered, 1 - answered, 0.0, 0.0, tuple(told), listed)


FOUNDED = ("founded", ("subject", "Ann", "Ann Lee"), ("object", "Acme", "Acme"))


def test_equal_answers_of_two_passages_add_up():
    one, other = window(sentence("Ann founded Acme.")), window(sentence("Acme: by Ann, not Bo."))
    read = [
        (one, reading(one.text, ("Ann", 0.5), answered=0.8)),
        (other, reading(other.text, ("Bo", 0.5), ("Ann", 0.4), answered=1.0)),
    ]
    (answer,) = best_answers(WHO, read)
    assert isinstance(answer, TextAnswer)
    assert answer.answer == "Ann"
    assert answer.confidence == pytest.approx(1 - (1 - 0.4) * (1 - 0.4))


def test_a_pronoun_and_a_description_give_the_name_that_they_stand_for():
    founded = said("founded", ("subject", "She", "Ann Lee"), ("object", "the firm", "Acme"))
    own = window(sentence("She founded the firm.", founded))
    (answer,) = best_answers(WHO, [(own, reading(own.text, ("She", 0.9)))])
    assert (answer.answer, answer.statement) == ("Ann Lee", "Ann Lee founded the firm")
    (answer,) = best_answers(
        Asked("What did she found?", AnswerForm.WHAT), [(own, reading(own.text, ("the firm", 0.9)))]
    )
    assert answer.answer == "Acme"


@pytest.mark.parametrize("how", [{"negated": True}, {"stance": "possible"}, {"stance": "believed"}])
def test_what_is_not_claimed_answers_nothing(how):
    own = window(sentence("Ann founded Acme.", said(*FOUNDED, **how)))
    read = [(own, reading(own.text, ("Ann", 0.9)))]
    assert best_answers(WHO, read) == []
    # Whoever asks for it gets it.
    assert best_answers(Asked("Who could have founded Acme?", AnswerForm.WHO), read)[0].answer == "Ann Lee"


def test_what_is_announced_is_an_answer():
    own = window(sentence("Ann will found Acme.", said("will found", *FOUNDED[1:], stance="possible")))
    assert best_answers(WHO, [(own, reading(own.text, ("Ann", 0.9)))])[0].answer == "Ann Lee"


def test_the_reader_sees_names_in_place_of_pronouns():
    left = said("left", ("subject", "She", "Ann Lee"), ("object", "her firm"), ("name", "her", "Ann Lee"))
    assert sentence("She left her firm.", left).explicit == "Ann Lee left her firm."
    asked = said("asked", ("subject", "Ann", "Ann Lee"), ("object", "his firm"), ("name", "his", "Bo Berg"))
    assert sentence("Ann asked his firm.", asked).explicit == "Ann asked Bo Berg's firm."
    # In a quotation, others are *I*; two people may be *he*; whoever is named already needs no name.
    quoted = said("left", ("subject", "I", "Ann Lee"))
    assert sentence('"I left," he said.', quoted).explicit == '"I left," he said.'
    two = said("met", ("subject", "he", "Bo Berg")), said("saw", ("subject", "he", "Cy Dahl"))
    assert sentence("Then he met her, and he saw it.", *two).explicit == "Then he met her, and he saw it."
    named = said("left", ("subject", "Ann", "Ann Lee")), said("met", ("subject", "she", "Ann Lee"))
    assert sentence("Ann left when she met us.", *named).explicit == "Ann left when she met us."


def test_a_row_of_a_table_is_read_as_what_it_states():
    cells = said("has interval", ("subject", "Seal"), ("object", "2 years"))
    cost = said("costs", ("subject", "Seal"), ("object", "8 EUR"), ("context", "Maintenance"))
    (row,) = windows([replace(sentence("Seal 2 years 8 EUR", cells, cost), is_row=True)], 100, len)
    assert row.text == "Seal has interval 2 years; Seal costs 8 EUR."
    question = Asked("What does a seal cost?", AnswerForm.WHAT)
    (answer,) = best_answers(question, [(row, reading(row.text, ("8", 0.9)))])
    assert (answer.answer, answer.statement) == ("8 EUR", "Seal costs 8 EUR")
    # In a graph, headings are arguments.
    made = said("has maker", ("subject", "Seal"), ("object", "Orlo"), ("argument", "Prices"))
    (row,) = windows([replace(sentence("Seal Orlo", made), is_row=True)], 100, len)
    (answer,) = best_answers(question, [(row, reading(row.text, ("Orlo Prices", 0.9)))])
    assert answer.answer == "Orlo"


def test_what_a_pronoun_means_is_marked_where_it_stands():
    one = sentence("The firm: she founded it.", said("founded", ("subject", "she", "Ann Lee")))
    assert [one.text[start:end] for start, end, _ in one.evidence(None, "Ann Lee").marks] == ["she"]


@pytest.mark.parametrize(
    ("relation", "begins", "ends"), [("succeeded", "ann", "bo"), ("was succeeded by", "bo", "ann")]
)
def test_an_event_begins_for_one_and_ends_for_another(relation, begins, ends):
    parts = ("subject", "Ann"), ("object", "Bo"), ("object", "from Oslo")
    one = said(relation, *parts, validity=Validity("2019", "2019", "event"), published=date(2022, 1, 1))
    before, after = ([date(year, 1, 1)] * 2 for year in (2018, 2021))
    assert one.away(ends, *after) == one.away("oslo", *after) == NOT
    assert one.away(begins, *before) == LATER
    assert one.away(begins, *after) < one.away(ends, *before) < NOT


@pytest.mark.parametrize(
    ("validity", "published", "year", "expected"),
    [
        # A state that goes on was last known to hold when the text said so.
        (Validity("2012", OPEN, "state"), date(2019, 1, 31), 2019, (0, -date(2012, 1, 1).toordinal())),
        (Validity("2012", OPEN, "state"), date(2019, 1, 1), 2015, (0, -date(2012, 1, 1).toordinal())),
        (Validity("2012", OPEN, "state"), date(2018, 1, 1), 2019, (365, -date(2012, 1, 1).toordinal())),
        (Validity("2012", "2020", "state"), date(2022, 1, 1), 2023, NOT),
        (Validity("2012", OPEN, "state"), date(2019, 1, 1), 2011, LATER),
        (Validity(None, OPEN, "state"), date(2012, 1, 1), 2011, (365, 0)),
        (NO_TIME, None, 2015, UNKNOWN),
    ],
)
def test_how_far_a_tuple_is_from_a_time(validity, published, year, expected):
    assert said(*FOUNDED, validity=validity, published=published).away("ann", *[date(year, 1, 1)] * 2) == expected


def test_who_held_an_office_before_is_over_or_no_rival():
    office, since = ("object", "mayor"), Validity("2012", OPEN, "state")
    first = said("is", ("subject", "Ann", "Ann Lee"), office, validity=since, published=date(2013, 1, 1))
    former = said("is", ("subject", "Ann", "Ann Lee"), ("object", "former mayor"), published=date(2020, 1, 1))
    later = said("is", ("subject", "Bo", "Bo Berg"), office, published=date(2016, 1, 1))
    windows = [window(sentence("Ann is mayor.", first)), window(sentence("Bo is mayor.", later))]
    read = [(one, reading(one.text, (name, 0.9))) for one, name in zip(windows, ("Ann", "Bo"), strict=True)]
    asked = Asked("Who is the mayor?", AnswerForm.WHO, is_now=True)

    def signals(read):
        return {one.answer: dict(one.signals) for one in distinct_answers(asked, read)[1]}

    found = signals(read)
    assert found["Bo Berg"]["rival"] == found["Ann Lee"]["over"] == 0 < found["Ann Lee"]["rival"]
    told = window(sentence("Ann is a former mayor.", former))
    assert signals([*read, (told, reading(told.text, ("Ann", 0.9)))])["Ann Lee"]["over"] == 1


def test_two_names_of_one_are_one_answer():
    one = sentence("Wally won.", said("won", ("subject", "Wally", "Walter Lee")))
    other = sentence("Walter Lee won.", said("won", ("subject", "Walter Lee", "Walter Lee")))
    read = [(window(one), reading("Wally won.", ("Wally", 0.5)))]
    read.append((window(other), reading("Walter Lee won.", ("Walter Lee", 0.5))))
    (answer,) = best_answers(Asked("Who won?", AnswerForm.WHO), read)
    assert answer.confidence == pytest.approx(1 - (1 - 0.45) ** 2)


def test_every_learned_weight_has_the_sign_of_its_signal():
    against = {"constant", "rival", "other role", "over", "not then"}
    for weights in _TRUST.values():
        assert all((value <= 0) if name in against else (value >= 0) for name, value in weights.items())


def test_the_tuple_that_fits_the_question_decides():
    left = said("left", ("subject", "Ann", "Ann Lee"), ("object", "Oslo"), negated=True)
    own = window(sentence("Ann founded Acme and did not leave Oslo.", left, said(*FOUNDED)))
    read = [(own, reading(own.text, ("Ann", 0.9)))]
    assert best_answers(WHO, read)[0].answer == "Ann Lee"
    assert best_answers(Asked("Who left Oslo?", AnswerForm.WHO), read) == []


def test_a_list_is_what_is_marked_beside_the_best_answer():
    own = window(sentence("Ann, Bo and Cy founded Acme."))
    read = [(own, reading(own.text, ("Ann", 0.6), parts=("Ann", "Bo", "Cy")))]
    assert [one.answer for one in best_answers(WHO, read)] == ["Ann", "Bo", "Cy"]
    told = best_answers(WHO, read, lambda words, sentence: [words, "Di"])
    assert [one.answer for one in told] == ["Ann", "Di"]
    single = Asked("Which person founded Acme?", AnswerForm.WHAT)
    assert [one.answer for one in best_answers(single, read)] == ["Ann"]
    assert counted(best_answers(WHO, read))[0].answer == "3"
    assert counted(best_answers(single, read)) == []


def test_what_the_question_says_itself_is_no_answer_and_a_count_needs_a_number():
    own = window(sentence("Acme has 40 ships."))
    read = [(own, reading(own.text, ("Acme", 0.8), ("40 ships", 0.1)))]
    asked = Asked("How many ships does Acme have?", AnswerForm.COUNT)
    assert [one.answer for one in best_answers(asked, read)] == ["40 ships"]
    assert best_answers(asked, [(own, reading(own.text, ("Acme", 0.8)))]) == []


def test_the_clearest_passage_says_yes_or_no():
    one = window(sentence("It rained."), sentence("Ann left Oslo."))
    asked = Asked("Did Ann leave Oslo?", AnswerForm.YES_NO)
    read = [(one, PassageReading(0.1, 0.2, 0.6, 0.1)), (one, PassageReading(0.0, 0.9, 0.0, 0.1))]
    (answer,) = yes_or_no(asked, read)
    assert (answer.answer, answer.confidence, answer.statement) == ("yes", 0.6, "Ann left Oslo.")
    assert yes_or_no(asked, []) == []


def test_long_passages_are_read_in_windows_that_share_a_sentence():
    sentences = [sentence(text) for text in ("a b c.", "d e", "f g h.", "i j k l m n.")]
    found = list(windows(sentences, 5, lambda text: len(text.split())))
    assert [one.text for one in found] == ["a b c. d e.", "d e. f g h.", "i j k l m n."]
    assert found[1].place_of(found[1].text.index("g")) == (5, sentences[2])


def test_phrases_lose_prepositions_and_articles():
    texts = ("in the mill", "' kalamaki'", "The", "The Interview", "The old firm")
    assert [bare(text) for text in texts] == ["mill", "kalamaki", "The", "The Interview", "old firm"]


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
