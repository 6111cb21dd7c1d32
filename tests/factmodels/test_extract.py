"""From text to facts with little random models: entities, windows, spans, formats, bad input."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

import tupelo
from tupelo.core import Analysis, Entity, InputError, Word
from tupelo.factmodels.extract import FactExtractor, FactOptions
from tupelo.factmodels.methods import PairMethod
from tupelo.factmodels.pairs import NEVER, Marked, MarkedMention, PairModel
from tupelo.names.entities import find_entities, tagged_entities
from tupelo_training.facts.beam import Hypothesis
from tupelo_training.facts.sentences import mark_pair, pairs_in_sentences
from tupelo_training.facts.written import (
    BETWEEN,
    END,
    MARKS,
    NEXT,
    Grammar,
    chunks,
    join_subwords,
    reduced,
    split_facts,
)
from tupelo_training.options import write_checksums

TEXT = (
    "Ann Lee was born in Oslo in 1960. She moved to Bergen with Bob Ray. "
    "The Norwegian Red Cross hired Lee. The NRC is in Oslo."
)


def sentence(text, *entities, start=0):
    """Words at single spaces; entities as label, first word, last word + 1."""
    words, place = [], start
    for form in text.split(" "):
        words.append(Word(form, place, place + len(form)))
        place += len(form) + 1
    return Analysis(text, tuple(words), start=start, entities=tuple(Entity(*one) for one in entities))


@pytest.fixture(scope="module")
def nlp():
    return tupelo.load(threads=1)


def test_a_name_in_lower_case_is_an_entity():
    found = find_entities([sentence("adidas sued iRobot .", ("organization", 0, 1), ("organization", 2, 3))])
    assert [one.name for one in found] == ["adidas", "iRobot"]


def test_one_name_is_one_entity():
    document = [
        sentence("Ann Lee met the Red Cross .", ("person", 0, 2), ("organization", 3, 6)),
        sentence("Lee left Red Cross 's house .", ("person", 0, 1), ("organization", 2, 5)),
    ]
    found = find_entities(document)
    assert [(one.name, one.label, len(one.mentions)) for one in found] == [
        ("Ann Lee", "person", 2),
        ("Red Cross", "organization", 2),
    ]
    assert (found[1].mentions[0].start, found[1].mentions[1].end) == (4, 4)


def test_a_short_name_with_two_owners_stays_alone():
    document = [
        sentence("Ann Lee met Tom Lee .", ("person", 0, 2), ("person", 3, 5)),
        sentence("Lee left .", ("person", 0, 1)),
    ]
    assert [one.name for one in find_entities(document)] == ["Ann Lee", "Tom Lee", "Lee"]


def test_initials_stand_for_the_only_name_that_they_abbreviate():
    document = [
        sentence("The Norwegian Red Cross came .", ("organization", 0, 4)),
        sentence("NRC went .", ("organization", 0, 1)),
    ]
    assert [(one.name, len(one.mentions)) for one in find_entities(document)] == [("Norwegian Red Cross", 2)]


def test_an_adjective_names_its_country():
    words = ("A Norwegian actor left Norway for the Red Sea ,", ("place", 4, 5), ("place", 8, 9))
    plain = sentence(*words)
    tags = ["DET", "ADJ", "NOUN", "VERB", "PROPN", "ADP", "DET", "ADJ", "PROPN", "PUNCT"]
    heads = [2, 2, 3, None, 3, 8, 8, 8, 3, 3]
    tagged = tuple(
        replace(word, upos=tag, head=head) for word, tag, head in zip(plain.words, tags, heads, strict=True)
    )
    found = find_entities([replace(plain, words=tagged)])
    assert [(one.name, one.label, len(one.mentions)) for one in found] == [
        ("Norway", "place", 2),
        ("Red Sea", "place", 1),
    ]


def test_which_one_is_no_number():
    document = [sentence("The first one of 12 left .", ("number", 1, 3), ("number", 4, 5))]
    assert [one.name for one in find_entities(document)] == ["12"]


@pytest.mark.model
def test_pronouns_join_the_one_they_mean(nlp):
    found = {one.name: one for one in find_entities(list(nlp.analyze(TEXT)))}
    assert any(mention.pronoun for mention in found["Ann Lee"].mentions)
    assert not any(mention.pronoun for name, one in found.items() if name != "Ann Lee" for mention in one.mentions)


def test_no_entities_at_all():
    assert find_entities([]) == []
    assert find_entities([sentence("nothing here")]) == []


def test_pairs_of_a_sentence_go_both_ways_and_lie_apart():
    document = [sentence("Ann Lee met Bob .", ("person", 0, 2), ("person", 3, 4))]
    pairs = pairs_in_sentences(find_entities(document))
    assert [(one.name, two.name) for one, two, _, _ in pairs] == [("Ann Lee", "Bob"), ("Bob", "Ann Lee")]


def test_marks_refuse_what_overlaps():
    assert mark_pair("Ann met Bob.", (8, 11), (0, 3)) == "OBJ{Ann} met SUBJ{Bob}."
    with pytest.raises(InputError, match="overlap"):
        mark_pair("Ann Lee", (0, 7), (4, 7))


def test_reduced_input_has_only_sentences_with_entities():
    document = [
        sentence("Ann sings .", ("person", 0, 1)),
        sentence("It rains ."),
        sentence("Bob .", ("person", 0, 1)),
    ]
    assert reduced(document) == [0, 2]


def test_chunks_lead_back_to_the_document():
    document, place = [], 0
    for number in range(7):
        text = f"Sentence number {number} is here ."
        document.append(sentence(text, start=place))
        place += len(text) + 3
    made = list(chunks(document, [0, 2, 3, 6], [6] * 7, 12))
    assert [part.numbers for part in made] == [(0, 2), (3, 6)]
    for part in made:
        for row, number in enumerate(part.numbers):
            at = part.starts[row]
            assert part.sentence(at) == number
            first, last = part.place(document, (at + 9, at + 15))
            assert (first - document[number].start, last - first) == (9, 6)


def test_a_sentence_longer_than_a_chunk_is_one_by_itself():
    document = [sentence("a b"), sentence("c"), sentence("d")]
    assert [part.text for part in chunks(document, [0, 1, 2], [100, 2, 2], 10)] == ["a b", "c d"]


def test_facts_that_were_not_finished_are_left_out():
    pieces = 10
    between, following, relation = pieces + BETWEEN, pieces + NEXT, pieces + MARKS + 1
    tokens = (1, between, relation, between, 2, 3, following, 4, between, relation)
    cut = Hypothesis(tokens, (-0.1,) * len(tokens), -1.0, finished=False)
    assert list(split_facts(cut, pieces)) == [(((1,), 1, (2, 3)), pytest.approx(np.exp(-0.7)))]
    whole = Hypothesis(tokens[:6], (-0.1,) * 7, -1.0)
    assert [fact for fact, _ in split_facts(whole, pieces)] == [((1,), 1, (2, 3))]


def test_every_way_through_the_grammar_is_whole_facts():
    random = np.random.default_rng(0)
    for _ in range(200):
        state, tokens = 0, []
        while len(tokens) < 60:
            pieces, marks, relations = Grammar.FOLLOWS[state]
            choices = ([None] * 2 if pieces else []) + list(marks) + ([MARKS] if relations else [])
            mark = choices[int(random.integers(len(choices)))]
            if mark == END:
                break
            tokens.append(5 if mark is None else 10 + mark)
            state = Grammar.after(state, mark)
        else:
            continue
        facts = list(split_facts(Hypothesis(tuple(tokens), (0.0,) * (len(tokens) + 1), 0.0), 10))
        assert len(facts) == (tokens.count(10 + NEXT) + 1 if tokens else 0)


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        (["alan", "b", ".", "miller", "hall"], "alan b. miller hall"),
        (["1", ",", "095"], "1, 095"),
        (["st", ".", "louis"], "st. louis"),
        (["##ing"], "ing"),
        ([], ""),
    ],
)
def test_pieces_join(pieces, text):
    assert join_subwords(pieces) == text


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "no such file"),
        ("{", "Expecting property name"),
        ('{"format": 9}', "format 9, expected a folder with a model of kind pairs"),
        ("[]", "not a JSON object"),
        ('{"format": 1}', "'kind' is missing"),
        ('{"format": 1, "kind": "writer"}', "a model of kind writer"),
        ('{"format": 1, "kind": "pairs", "name": "x", "version": "1", "relations": [1]}', "not subscriptable"),
    ],
)
def test_a_folder_that_is_no_model(tmp_path, content, message):
    if content is not None:
        (tmp_path / "config.json").write_text(content, encoding="utf-8")
        write_checksums(tmp_path)
    with pytest.raises(InputError, match=message):
        PairModel(tmp_path)


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    pytest.importorskip("torch", reason="needs the extra `train`")
    pytest.importorskip("onnx", reason="needs the extra `train`")
    from tests.factmodels.tiny import tiny_pairs, tiny_sentence, tiny_writer, write

    made = {"classifier": tiny_pairs, "sentence": tiny_sentence, "end-to-end": tiny_writer}
    return {name: str(write(tmp_path_factory.mktemp(name), make()[1])) for name, make in made.items()}


@pytest.mark.model
@pytest.mark.parametrize("method", ["classifier", "binary", "sentence", "end-to-end"])
def test_spans_and_evidence_are_in_the_text(nlp, folders, method):
    options = FactOptions(min_confidence=0.0, beam=2)
    extractor = FactExtractor(nlp, method, model=folders.get(method, folders["classifier"]), options=options)
    facts = extractor(TEXT)
    assert facts
    assert [fact.confidence for fact in facts] == sorted((fact.confidence for fact in facts), reverse=True)
    for fact in facts:
        assert 0 <= fact.confidence <= 1
        assert fact.evidence
        for one in fact.evidence:
            assert TEXT[one.start : one.end] == one.text
        for span in (fact.subject_span, fact.object_span):
            if span is not None:
                assert any(one.start <= span[0] < span[1] <= one.end for one in fact.evidence)
    assert extractor(TEXT) == facts


@pytest.mark.model
def test_pairs_of_all_entities_are_judged(nlp, folders):
    facts = FactExtractor(nlp, "binary", model=folders["classifier"], options=FactOptions(min_confidence=0.0))(TEXT)
    found = PairMethod(folders["classifier"], FactOptions()).entities(list(nlp.analyze(TEXT)))
    names = {one.name for one in found}
    assert len(names) > 2
    assert {(fact.subject, fact.object) for fact in facts} == {(a, b) for a in names for b in names if a != b}


@pytest.mark.model
@pytest.mark.parametrize("text", ["", "   ", "It rains.", "雨が降る。", "\x00 ?"])
@pytest.mark.parametrize("method", ["classifier", "end-to-end"])
def test_texts_without_facts(nlp, folders, text, method):
    options = FactOptions(min_confidence=1.0)
    assert FactExtractor(nlp, method, model=folders[method], options=options)(text).facts == ()


@pytest.mark.model
def test_entities_of_a_network_have_names_labels_and_pronouns(nlp):
    analyses = list(
        nlp.analyze("The French poet Ann Lee left France. She sang Blue Rain. Lee died.", coreference=True)
    )
    words = [word.text for one in analyses for word in one.words]
    assert [words[place] for place in (1, 3, 6, 10, 13)] == ["French", "Ann", "France", "Blue", "Lee"]
    mentions = [(0, 2, 0), (3, 5, 1), (6, 7, 0), (10, 12, 2), (13, 14, 1)]
    france, ann, song = tagged_entities(analyses, ["LOC", "PER", "MISC"], mentions)
    assert (france.name, france.label, len(france.mentions)) == ("France", "place", 2)
    assert (ann.name, ann.label) == ("Ann Lee", "person")
    assert [(one.sentence, one.start, one.pronoun) for one in ann.mentions] == [
        (0, 3, False),
        (1, 0, True),
        (2, 0, False),
    ]
    assert (song.name, song.label) in (("Blue Rain", "other"), ("Blue Rain", "work"))


@pytest.mark.model
def test_mentions_of_a_long_document_come_from_one_window_each(folders):
    model = PairModel(folders["classifier"])
    line = ("Ann", "saw", "Oslo", "and", "all", "the", "rest", "of", "it", ".")
    found = model.mark((line,) * 160)
    places = [place for mention in found.mentions for place in range(mention.start, mention.end)]
    assert len(places) == len(set(places))
    assert max(places) > 1500
    words = line * 160
    owner = {}
    for mention in found.mentions:
        assert owner.setdefault(words[mention.start : mention.end], mention.entity) == mention.entity
    assert {mention.entity for mention in found.mentions} == set(range(len(found.types)))
    assert model.mark([]) == Marked((), (), ())


@pytest.mark.model
def test_a_long_document_is_read_in_windows(folders):
    model = PairModel(folders["classifier"])
    line = ("Ann", "saw", "Oslo", "and", "all", "the", "rest", "of", "it", ".")
    many = 160
    mentions = []
    for number in range(many):
        mentions += [
            MarkedMention(number * 10, number * 10 + 1, number),
            MarkedMention(number * 10 + 2, number * 10 + 3, many),
        ]
    scores = model.read(Marked((line,) * many, ("PER",) * many + ("LOC",), tuple(mentions)))
    assert (scores.related[:many, many] > NEVER).all()
    assert scores.related[0, 1] > NEVER
    assert scores.related[0, many - 1] == NEVER
    endless = Marked(
        (line * 200,), ("PER", "LOC"), (MarkedMention(0, 1, 0), MarkedMention(1990, 1991, 0), MarkedMention(2, 3, 1))
    )
    assert model.read(endless).related[0, 1] > NEVER


@pytest.mark.model
@pytest.mark.parametrize("format_name", ["table", "jsonl", "tsv"])
def test_the_command(folders, tmp_path, format_name):
    from tupelo.cli.facts import extract

    source, target = tmp_path / "text.txt", tmp_path / "facts"
    source.write_text(TEXT, encoding="utf-8")
    arguments = [str(source), "--model", folders["classifier"], "--format", format_name, "-o", str(target)]
    done = CliRunner().invoke(extract, [*arguments, "--min-confidence", "0.3"], catch_exceptions=False)
    assert done.exit_code == 0
    lines = target.read_text("utf-8").splitlines()
    assert lines
    if format_name == "jsonl":
        assert set(json.loads(lines[0])) >= {"subject", "property", "object", "confidence", "evidence"}
    if format_name == "tsv":
        assert all(line.count("\t") == 3 for line in lines)


@pytest.mark.process
def test_the_command_says_in_one_line_what_is_wrong(tmp_path):
    text = tmp_path / "text.txt"
    text.write_text(TEXT, encoding="utf-8")
    command = [sys.executable, "-m", "tupelo", "facts", "extract", str(text), "--model", str(tmp_path / "none")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert "expected a folder with a model" in done.stderr
