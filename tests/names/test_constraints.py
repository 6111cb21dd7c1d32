"""Antecedents that a pronoun cannot have, and datelines and bylines, in parsed sentences."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.extract.parsed import parsed, tuples
from tupelo.core import Analysis, Entity, Mention
from tupelo.names.constraints import barred_antecedents, introduction, may_mean
from tupelo.names.coreference import resolve
from tupelo.nlp.syntax import DependencyTree

SUCCESSOR = parsed(
    "Priya Raman was named as his interim successor.",
    "Priya Priya PROPN NNP 4 nsubj:pass",
    "Raman Raman PROPN NNP 1 flat",
    "was be AUX VBD 4 aux:pass",
    "named name VERB VBN 0 root",
    "as as ADP IN 8 case",
    "his his PRON PRP$ 8 nmod:poss",
    "interim interim ADJ JJ 8 amod",
    "successor successor NOUN NN 4 obl",
    ". . PUNCT . 4 punct",
    entities=(Entity("person", 0, 2),),
)
WIFE = parsed(
    "Ann Lee, his wife, sang.",
    "Ann Ann PROPN NNP 7 nsubj",
    "Lee Lee PROPN NNP 1 flat",
    ", , PUNCT , 5 punct",
    "his his PRON PRP$ 5 nmod:poss",
    "wife wife NOUN NN 1 appos",
    ", , PUNCT , 5 punct",
    "sang sing VERB VBD 0 root",
    ". . PUNCT . 7 punct",
)
SAW = parsed("Ann saw her.", "Ann Ann PROPN NNP 2 nsubj", "saw see VERB VBD 0 root", "her she PRON PRP 2 obj")
OWN = parsed(
    "Ann is her own boss.",
    "Ann Ann PROPN NNP 5 nsubj",
    "is be AUX VBZ 5 cop",
    "her her PRON PRP$ 5 nmod:poss",
    "own own ADJ JJ 5 amod",
    "boss boss NOUN NN 0 root",
)
DATELINE = parsed(
    "TRONDHEIM, 3 March - Halden cut jobs.",
    "TRONDHEIM Trondheim PROPN NNP 7 nsubj",
    ", , PUNCT , 1 punct",
    "3 3 NUM CD 4 nummod",
    "March March PROPN NNP 1 appos",
    "- - PUNCT : 1 punct",
    "Halden Halden PROPN NNP 7 nsubj",
    "cut cut VERB VBD 0 root",
    "jobs job NOUN NNS 7 obj",
    ". . PUNCT . 7 punct",
    entities=(Entity("place", 0, 1), Entity("organization", 5, 6)),
)
BYLINE = parsed(
    "By Ann Lee, Oslo Times", "By by ADP IN 2 case", "Ann Ann PROPN NNP 0 root", "Lee Lee PROPN NNP 2 flat"
)


@pytest.mark.parametrize(
    ("pronoun", "label", "name", "expected"),
    [
        ("he", "organization", "Halden Robotics", False),
        ("she", "place", "Oslo", False),
        ("it", "person", "Ann Lee", False),
        ("it", "place", "Oslo", True),
        ("they", "person", "Ann Lee", False),
        ("they", "organization", "Halden Robotics", True),
        ("he", "person", "Priya Raman", True),
        ("his", "person", "Margaret Ashdown", False),
        ("her", "person", "James Okoro", False),
    ],
)
def test_a_pronoun_agrees_in_person_gender_and_number(pronoun: str, label: str, name: str, expected: bool) -> None:
    assert may_mean(pronoun, label, name) is expected


@pytest.mark.parametrize(
    ("sentence", "pronoun", "barred"), [(SUCCESSOR, 5, 0), (WIFE, 3, 0), (SAW, 2, 0), (OWN, 2, None)]
)
def test_a_pronoun_is_not_the_subject_of_its_noun(sentence: Analysis, pronoun: int, barred: int | None) -> None:
    found = barred_antecedents(DependencyTree(sentence), pronoun)
    assert (0 in found) is (barred == 0)


def test_nobody_is_her_own_successor() -> None:
    mentions = (Mention(0, 0, 2, 0, "person"), Mention(0, 5, 6, 5, "person", 0.95))
    sentence = replace(SUCCESSOR, mentions=mentions, document_id="d")
    [found] = resolve([sentence], [tuples(sentence)])
    assert found
    assert all(argument.resolved is None for one in found for argument in one.arguments)


def test_datelines_and_bylines_introduce_a_text() -> None:
    assert introduction(DependencyTree(DATELINE)) == (4, "place")
    assert introduction(DependencyTree(BYLINE)) == (3, "person")
    assert introduction(DependencyTree(SAW)) == (0, "")


def test_a_dateline_is_no_antecedent() -> None:
    it = parsed("It grew.", "It it PRON PRP 2 nsubj", "grew grow VERB VBD 0 root", ". . PUNCT . 2 punct")
    dateline = replace(DATELINE, mentions=(Mention(0, 0, 1, 0, "place"),), document_id="d")
    last = replace(it, mentions=(Mention(0, 0, 1, 0, "place", 0.95),), document_id="d")
    found = resolve([dateline, last], [tuples(dateline), tuples(last)])
    assert [argument.resolved for one in found[1] for argument in one.arguments] == [None]
