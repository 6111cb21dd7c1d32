"""Clefts give the tuples of the plain clause."""

from __future__ import annotations

import pytest

from tests.extract.parsed import parsed, told
from tupelo.core import Analysis, Entity
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
FLAT = parsed(
    "It was in May that Ann found a door .",
    "It it PRON PRP 7 expl",
    "was be AUX VBD 7 cop",
    "in in ADP IN 4 case",
    "May May PROPN NNP 7 obl",
    "that that SCONJ IN 7 mark",
    "Ann Ann PROPN NNP 7 nsubj",
    "found find VERB VBD 0 root",
    "a a DET DT 9 det",
    "door door NOUN NN 7 obj",
    ". . PUNCT . 7 punct",
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
FRAME = parsed(
    "What happened was that Ann left Rome .",
    "What what PRON WP 6 nsubj:outer",
    "happened happen VERB VBD 1 acl:relcl",
    "was be AUX VBD 6 cop",
    "that that SCONJ IN 6 mark",
    "Ann Ann PROPN NNP 6 nsubj",
    "left leave VERB VBD 0 root",
    "Rome Rome PROPN NNP 6 obj",
    ". . PUNCT . 6 punct",
)
REPORT = parsed(
    "What Ann said was that Bob left Rome .",
    "What what PRON WP 7 nsubj:outer",
    "Ann Ann PROPN NNP 3 nsubj",
    "said say VERB VBD 1 acl:relcl",
    "was be AUX VBD 7 cop",
    "that that SCONJ IN 7 mark",
    "Bob Bob PROPN NNP 7 nsubj",
    "left leave VERB VBD 0 root",
    "Rome Rome PROPN NNP 7 obj",
    ". . PUNCT . 7 punct",
)
ACTION = parsed(
    "What Ann did was leave Rome .",
    "What what PRON WP 5 nsubj:outer",
    "Ann Ann PROPN NNP 3 nsubj",
    "did do VERB VBD 1 acl:relcl",
    "was be AUX VBD 5 cop",
    "leave leave VERB VB 0 root",
    "Rome Rome PROPN NNP 5 obj",
    ". . PUNCT . 5 punct",
)
ATTEMPT = parsed(
    "What Ann tried to do was leave Rome .",
    "What what PRON WP 7 nsubj:outer",
    "Ann Ann PROPN NNP 3 nsubj",
    "tried try VERB VBD 1 acl:relcl",
    "to to PART TO 5 mark",
    "do do VERB VB 3 xcomp",
    "was be AUX VBD 7 cop",
    "leave leave VERB VB 0 root",
    "Rome Rome PROPN NNP 7 obj",
    ". . PUNCT . 7 punct",
)
WHAT_SUBJECT = parsed(
    "In May what hit Rome was a storm .",
    "In in ADP IN 2 case",
    "May May PROPN NNP 8 nmod",
    "what what PRON WP 8 nsubj",
    "hit hit VERB VBD 3 acl:relcl",
    "Rome Rome PROPN NNP 4 obj",
    "was be AUX VBD 8 cop",
    "a a DET DT 8 det",
    "storm storm NOUN NN 0 root",
    ". . PUNCT . 8 punct",
    entities=(Entity("datetime", 1, 2),),
)
PERSON = parsed(
    "The person who left Rome was Ann .",
    "The the DET DT 2 det",
    "person person NOUN NN 7 nsubj",
    "who who PRON WP 4 nsubj",
    "left leave VERB VBD 2 acl:relcl",
    "Rome Rome PROPN NNP 4 obj",
    "was be AUX VBD 7 cop",
    "Ann Ann PROPN NNP 0 root",
    ". . PUNCT . 7 punct",
)
THE_ONE = parsed(
    "Rome is the one that was founded by Ann .",
    "Rome Rome PROPN NNP 4 nsubj",
    "is be AUX VBZ 4 cop",
    "the the DET DT 4 det",
    "one one NOUN NN 0 root",
    "that that PRON WDT 7 nsubj:pass",
    "was be AUX VBD 7 aux:pass",
    "founded found VERB VBN 4 acl:relcl",
    "by by ADP IN 9 case",
    "Ann Ann PROPN NNP 7 obl:agent",
    ". . PUNCT . 4 punct",
)
YEAR = parsed(
    "1990 was the year in which Ann left Rome .",
    "1990 1990 NUM CD 4 nsubj",
    "was be AUX VBD 4 cop",
    "the the DET DT 4 det",
    "year year NOUN NN 0 root",
    "in in ADP IN 6 case",
    "which which PRON WDT 8 obl",
    "Ann Ann PROPN NNP 8 nsubj",
    "left leave VERB VBD 4 acl:relcl",
    "Rome Rome PROPN NNP 8 obj",
    ". . PUNCT . 4 punct",
    entities=(Entity("datetime", 0, 1),),
)
INSIDE = parsed(
    "Bob said it was Ann who left Rome .",
    "Bob Bob PROPN NNP 2 nsubj",
    "said say VERB VBD 0 root",
    "it it PRON PRP 5 nsubj",
    "was be AUX VBD 5 cop",
    "Ann Ann PROPN NNP 2 ccomp",
    "who who PRON WP 7 nsubj",
    "left leave VERB VBD 5 acl:relcl",
    "Rome Rome PROPN NNP 7 obj",
    ". . PUNCT . 2 punct",
)
POINTER = parsed(
    "That is what hit Rome .",
    "That that PRON DT 3 nsubj",
    "is be AUX VBZ 3 cop",
    "what what PRON WP 0 root",
    "hit hit VERB VBD 3 acl:relcl",
    "Rome Rome PROPN NNP 4 obj",
    ". . PUNCT . 3 punct",
)
MISTAKE = parsed(
    "What Ann did was a mistake .",
    "What what PRON WP 6 nsubj",
    "Ann Ann PROPN NNP 3 nsubj",
    "did do VERB VBD 1 acl:relcl",
    "was be AUX VBD 6 cop",
    "a a DET DT 6 det",
    "mistake mistake NOUN NN 0 root",
    ". . PUNCT . 6 punct",
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


def test_the_focus_is_parsed_as_an_argument_of_the_verb() -> None:
    assert told(FLAT) == ["clause (Ann; found; a door; in May)"]


def test_the_focus_is_the_object() -> None:
    assert told(OBJECT) == ["clause (Ann; found; a door)"]


@pytest.mark.parametrize(
    ("sentence", "tuples"),
    [
        (FRAME, ["clause (Ann; left; Rome)"]),
        (REPORT, ["clause (Ann; said that; Bob left Rome)", "clause (Bob; left; Rome)"]),
        (ACTION, ["clause (Ann; leave; Rome)"]),
        (ATTEMPT, ["control (Ann; tried to leave; Rome)"]),
        (WHAT_SUBJECT, ["clause (a storm; hit; Rome; In May)"]),
        (PERSON, ["clause (Ann; left; Rome)"]),
        (THE_ONE, ["clause (Rome; was founded by; Ann)"]),
        (YEAR, ["clause (Ann; left; Rome; in 1990)"]),
        (INSIDE, ["clause (Bob; said; it was Ann who left Rome)", "clause (Ann; left; Rome)"]),
        (MISTAKE, ["clause (Ann; did; a mistake)"]),
    ],
    ids=["frame", "report", "action", "attempt", "what", "person", "the one", "year", "inside", "mistake"],
)
def test_every_kind_of_cleft_tells_its_plain_clause(sentence: Analysis, tuples: list[str]) -> None:
    assert told(sentence) == tuples


def test_what_may_be_no_cleft_stays_as_it_is() -> None:
    assert straighten(FILM) is FILM
    assert straighten(POSSIBLE) is POSSIBLE
    assert straighten(POINTER) is POINTER
    assert any(line.startswith("copula (It; is; a film") for line in told(FILM))
