"""No subject is made of the subjects of two clauses."""

from __future__ import annotations

from tests.extract.parsed import parsed
from tupelo.extract.neural.extractor import joins_subjects
from tupelo.nlp.syntax import DependencyTree

PILOT = parsed(
    "The pilot , who slept , woke when he fell .",
    "The the DET DT 2 det",
    "pilot pilot NOUN NN 7 nsubj",
    ", , PUNCT , 5 punct",
    "who who PRON WP 5 nsubj",
    "slept sleep VERB VBD 2 acl:relcl",
    ", , PUNCT , 5 punct",
    "woke wake VERB VBD 0 root",
    "when when ADV WRB 10 advmod",
    "he he PRON PRP 10 nsubj",
    "fell fall VERB VBD 7 advcl",
    ". . PUNCT . 7 punct",
)


def test_words_of_two_subjects_are_no_subject() -> None:
    tree = DependencyTree(PILOT)
    assert joins_subjects((0, 1, 8), tree)
    assert not joins_subjects((0, 1), tree)
    assert not joins_subjects((0, 1, 2, 3, 4), tree)  # "who" belongs to the pilot
    assert not joins_subjects(("is", 8), tree)
