"""Other words in a sentence whose parse is written out: frames, forms, and what stays as it is."""

from __future__ import annotations

import pytest

from tests.extract.parsed import parsed
from tests.robustness.rewrite.sentences import FOUND, QUOTED, SAID
from tupelo.core import Analysis
from tupelo.nlp.languages.en.inflection import article, gerund, plural
from tupelo.nlp.paraphrases import Lexicon, by_first_word, read_line, shipped_lexicon
from tupelo.nlp.syntax import DependencyTree
from tupelo.robustness.rewrite.carry import carry
from tupelo.robustness.rewrite.compose import changed
from tupelo.robustness.rewrite.draft import finish
from tupelo.robustness.rewrite.wording import changes

BOUGHT = parsed(
    "A rival purchased the company in 1990 .",
    "A a DET DT 2 det",
    "rival rival NOUN NN 3 nsubj",
    "purchased purchase VERB VBD 0 root",
    "the the DET DT 5 det",
    "company company NOUN NN 3 obj",
    "in in ADP IN 7 case",
    "1990 1990 NUM CD 3 obl",
    ". . PUNCT . 3 punct",
)
TOOK_PART = parsed(
    "Ann took part in the race .",
    "Ann Ann PROPN NNP 2 nsubj",
    "took take VERB VBD 0 root",
    "part part NOUN NN 2 obj",
    "in in ADP IN 6 case",
    "the the DET DT 6 det",
    "race race NOUN NN 2 obl",
    ". . PUNCT . 2 punct",
)
RULED = parsed(
    "He ruled from 1970 to 1985 alone .",
    "He he PRON PRP 2 nsubj",
    "ruled rule VERB VBD 0 root",
    "from from ADP IN 4 case",
    "1970 1970 NUM CD 2 obl",
    "to to ADP IN 6 case",
    "1985 1985 NUM CD 4 nmod",
    "alone alone ADV RB 2 advmod",
    ". . PUNCT . 2 punct",
)
LEFT = parsed(
    "The company began to pay .",
    "The the DET DT 2 det",
    "company company NOUN NN 3 nsubj",
    "began begin VERB VBD 0 root",
    "to to PART TO 5 mark",
    "pay pay VERB VB 3 xcomp",
    ". . PUNCT . 3 punct",
)
CROSSED = parsed(
    "They have crossed lines and returned to work .",
    "They they PRON PRP 3 nsubj",
    "have have AUX VBP 3 aux",
    "crossed cross VERB VBN 0 root",
    "lines line NOUN NNS 3 obj",
    "and and CCONJ CC 6 cc",
    "returned return VERB VBD 3 conj",
    "to to ADP IN 8 case",
    "work work NOUN NN 6 obl",
    ". . PUNCT . 3 punct",
)
WAY = parsed(
    "The way in order to win took many many years .",
    "The the DET DT 2 det",
    "way way NOUN NN 7 nsubj",
    "in in ADP IN 6 mark",
    "order order NOUN NN 3 fixed",
    "to to PART TO 6 mark",
    "win win VERB VB 2 acl",
    "took take VERB VBD 0 root",
    "many many ADJ JJ 10 amod",
    "many many ADJ JJ 10 amod",
    "years year NOUN NNS 7 obj",
    ". . PUNCT . 7 punct",
)
KNOWS = parsed(
    "They know that it rained .",
    "They they PRON PRP 2 nsubj",
    "know know VERB VBP 0 root",
    "that that SCONJ IN 5 mark",
    "it it PRON PRP 5 nsubj",
    "rained rain VERB VBD 2 ccomp",
    ". . PUNCT . 2 punct",
)


# Changes that need no table.
SMALL = ("in > in the year", "that >")


def lexicon(*lines: str) -> Lexicon:
    return by_first_word(wording for line in lines for wording in read_line(line))


def reworded(analysis: Analysis, *lines: str) -> list[str]:
    tree = DependencyTree(analysis)
    table = lexicon(*lines) if lines else shipped_lexicon()
    found = [change for group in changes(tree, table) for change in group if change.name not in SMALL]
    made = (finish(tree, changed(tree, [change])) for change in found)
    return [rewrite.text for rewrite in made if rewrite is not None]


@pytest.mark.parametrize(
    ("analysis", "line", "expected"),
    [
        (BOUGHT, "vt: buy; purchase", ["A rival bought the company in 1990 ."]),
        (BOUGHT, "vt {firm}: buy; purchase", []),
        (BOUGHT, "vt {company}: buy; purchase", ["A rival bought the company in 1990 ."]),
        (BOUGHT, "vi: purchase > shop", []),
        (BOUGHT, "n: rival > opponent", ["An opponent purchased the company in 1990 ."]),
        (BOUGHT, "n: company; rival", []),  # it is already in the sentence
        (BOUGHT, "c: in > during", []),
        (TOOK_PART, "vp: take part in > participate in", ["Ann participated in the race ."]),
        (TOOK_PART, "vt: take > seize", ["Ann seized part in the race ."]),
        (LEFT, "vx: begin; start", ["The company started to pay ."]),
        (LEFT, "vt: begin; start", []),
        (KNOWS, "vs: know > be aware", ["They are aware that it rained ."]),
        (RULED, "vi: rule > reign", ["He reigned from 1970 to 1985 alone ."]),
    ],
)
def test_a_wording_needs_its_frame(analysis: Analysis, line: str, expected: list[str]) -> None:
    assert [text for text in reworded(analysis, line) if "between" not in text] == expected


def test_a_preposition_before_a_noun_is_none_before_a_year() -> None:
    assert reworded(FOUND, "c: under > beneath") == ["Mr. Baker found an opening beneath the house in 1990 ."]
    assert reworded(FOUND, "c: in > during") == []


def test_a_word_is_not_added_to_one_that_it_is_made_of() -> None:
    assert reworded(BOUGHT, "n: rival > companyman") == []


def test_years_can_be_said_both_ways() -> None:
    assert reworded(RULED, "k: x; y") == ["He ruled between 1970 and 1985 alone ."]


def test_a_quotation_is_not_reworded() -> None:
    assert all("The plan failed" in text for text in reworded(QUOTED, "n: plan > scheme", "vi: fail > flop"))
    assert reworded(SAID, "n: plan > scheme") == ["Critics said that the scheme failed ."]


def test_tuples_follow_other_words_and_what_stands_for_several_is_said_once() -> None:
    tree = DependencyTree(TOOK_PART)
    (change,) = changes(tree, lexicon("vp: take part in > participate in"))[0]
    rewrite = finish(tree, changed(tree, [change]))
    assert rewrite is not None
    assert carry([("took part in", "Ann", "the race")], tree, rewrite) == (("participated in", "Ann", "the race"),)
    assert change.merges == ["participated"]


def test_the_shipped_table_reads_the_same_from_both_sides() -> None:
    table = shipped_lexicon()
    assert sum(len(each) for each in table.values()) > 300
    for wordings in table.values():
        for wording in wordings:
            assert wording.others, wording
            assert wording.words not in wording.others, wording


@pytest.mark.parametrize(("noun", "expected"), [("firm", "firms"), ("inquiry", "inquiries"), ("loss", "losses")])
def test_plurals(noun: str, expected: str) -> None:
    assert plural(noun) == expected


def test_articles_and_gerunds() -> None:
    assert [article(word) for word in ("owner", "unit", "hour", "European")] == ["an", "a", "an", "a"]
    assert gerund("begin") == "beginning"


def test_a_verb_that_shares_an_auxiliary_keeps_its_form() -> None:
    assert reworded(CROSSED, "vp: return to > go back to") == []


def test_a_purpose_after_a_noun_and_a_doubled_adjective_stay_as_they_are() -> None:
    assert reworded(WAY, "k: in order to > so as to", "a: many > numerous") == []


def test_small_words_change_by_rule() -> None:
    said = DependencyTree(SAID)
    (shorter,) = [change for group in changes(said, {}) for change in group]
    rewrite = finish(said, changed(said, [shorter]))
    assert rewrite is not None
    assert rewrite.text == "Critics said the plan failed ."
    found = DependencyTree(FOUND)
    (dated,) = [change for group in changes(found, {}) for change in group]
    rewrite = finish(found, changed(found, [dated]))
    assert rewrite is not None
    assert rewrite.text.endswith("under the house in the year 1990 .")
    assert carry([("found", "Mr. Baker", "an opening", "in 1990")], found, rewrite)[0][-1] == "in the year 1990"
