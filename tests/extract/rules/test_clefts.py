"""Clefts give the tuples of the plain clause."""

from __future__ import annotations

from tests.extract.parsed import parsed, told
from tupelo.core import Entity
from tupelo.extract.rules.clefts import straighten

SUBJECT = parsed(
    "It was a judge who ordered a review .",
    "It it PRON PRP 4 nsubj",
    "was be AUX VBD 4 cop",
    "a a DET DT 4 det",
    "judge judge NOUN NN 0 root",
    "who who PRON WP 6 nsubj",
    "ordered order VERB VBD 4 acl:relcl",
    "a a DET DT 8 det",
    "review review NOUN NN 6 obj",
    ". . PUNCT . 4 punct",
)
TIME = parsed(
    "It was in 1990 that Ann found a door .",
    "It it PRON PRP 4 expl",
    "was be AUX VBD 4 cop",
    "in in ADP IN 4 case",
    "1990 1990 NUM CD 0 root",
    "that that SCONJ IN 7 mark",
    "Ann Ann PROPN NNP 7 nsubj",
    "found find VERB VBD 4 advcl:relcl",
    "a a DET DT 9 det",
    "door door NOUN NN 7 obj",
    ". . PUNCT . 4 punct",
    entities=(Entity("datetime", 3, 4),),
)
OBJECT = parsed(
    "What Ann found was a door .",
    "What what PRON WP 6 nsubj",
    "Ann Ann PROPN NNP 3 nsubj",
    "found find VERB VBD 1 acl:relcl",
    "was be AUX VBD 6 cop",
    "a a DET DT 6 det",
    "door door NOUN NN 0 root",
    ". . PUNCT . 6 punct",
)
FILM = parsed(
    "It is a film that won a prize .",
    "It it PRON PRP 4 nsubj",
    "is be AUX VBZ 4 cop",
    "a a DET DT 4 det",
    "film film NOUN NN 0 root",
    "that that PRON WDT 6 nsubj",
    "won win VERB VBD 4 acl:relcl",
    "a a DET DT 8 det",
    "prize prize NOUN NN 6 obj",
    ". . PUNCT . 4 punct",
)
POSSIBLE = parsed(
    "It is possible that Ann left .",
    "It it PRON PRP 3 expl",
    "is be AUX VBZ 3 cop",
    "possible possible ADJ JJ 0 root",
    "that that SCONJ IN 6 mark",
    "Ann Ann PROPN NNP 6 nsubj",
    "left leave VERB VBD 3 csubj",
    ". . PUNCT . 3 punct",
)


def test_the_focus_is_the_subject() -> None:
    assert told(SUBJECT) == ["clause (a judge; ordered; a review)"]


def test_the_focus_is_a_time() -> None:
    assert told(TIME) == ["clause (Ann; found; a door; in 1990)"]


def test_the_focus_is_the_object() -> None:
    assert told(OBJECT) == ["clause (Ann; found; a door)"]


def test_what_may_be_no_cleft_stays_as_it_is() -> None:
    assert straighten(FILM) is FILM
    assert straighten(POSSIBLE) is POSSIBLE
    assert any(line.startswith("copula (It; is; a film") for line in told(FILM))
