"""The same tuples with short and with long arguments."""

from __future__ import annotations

from tests.extract.checks import check
from tests.extract.parsed import parsed, tuples
from tupelo.core import Entity, Extraction
from tupelo.extract.postprocess import resize

NURSE = parsed(
    "The two old nurses, who knew Ann Lee, met a doctor from Oslo and no lawyers.",
    "The the DET DT 4 det",
    "two two NUM CD 4 nummod",
    "old old ADJ JJ 4 amod",
    "nurses nurse NOUN NNS 11 nsubj",
    ", , PUNCT , 7 punct",
    "who who PRON WP 7 nsubj",
    "knew know VERB VBD 4 acl:relcl",
    "Ann Ann PROPN NNP 7 obj",
    "Lee Lee PROPN NNP 8 flat",
    ", , PUNCT , 4 punct",
    "met meet VERB VBD 0 root",
    "a a DET DT 13 det",
    "doctor doctor NOUN NN 11 obj",
    "from from ADP IN 15 case",
    "Oslo Oslo PROPN NNP 13 nmod",
    "and and CCONJ CC 18 cc",
    "no no DET DT 18 det",
    "lawyers lawyer NOUN NNS 13 conj",
    ". . PUNCT . 11 punct",
    entities=(Entity("person", 7, 9), Entity("place", 14, 15)),
)


def resized(width: str) -> list[str]:
    found = [resize(extraction, NURSE, width) for extraction in tuples(NURSE)]
    for extraction in found:
        check(extraction, NURSE)
    return [str(extraction) for extraction in found]


def test_normal_arguments_leave_out_what_a_comma_sets_apart() -> None:
    assert [str(extraction) for extraction in tuples(NURSE)] == [
        "(The two old nurses; knew; Ann Lee)",
        "(The two old nurses; met; a doctor from Oslo)",
        "(The two old nurses; met; no lawyers)",
    ]


def test_minimal_arguments_are_names_numbers_and_heads() -> None:
    assert resized("minimal") == [
        "(two nurses; knew; Ann Lee)",
        "(two nurses; met; doctor)",
        "(two nurses; met; no lawyers)",
    ]


def test_maximal_arguments_take_in_clauses_but_no_other_part_of_the_tuple() -> None:
    assert resized("maximal") == [
        "(The two old nurses; knew; Ann Lee)",
        "(The two old nurses, who knew Ann Lee; met; a doctor from Oslo)",
        "(The two old nurses, who knew Ann Lee; met; no lawyers)",
    ]


def test_marks_rule_and_confidence_are_kept() -> None:
    extraction = tuples(NURSE)[2]
    small = resize(extraction, NURSE, "minimal")
    assert (small.negated, small.rule, small.confidence) == (True, extraction.rule, extraction.confidence)


def test_a_clause_as_an_argument_keeps_its_width() -> None:
    said = parsed(
        "Ann said the old dog barks.",
        "Ann Ann PROPN NNP 2 nsubj",
        "said say VERB VBD 0 root",
        "the the DET DT 5 det",
        "old old ADJ JJ 5 amod",
        "dog dog NOUN NN 6 nsubj",
        "barks bark VERB VBZ 2 ccomp",
        ". . PUNCT . 2 punct",
    )
    assert str(resize(tuples(said)[0], said, "minimal")) == "(Ann; said; the old dog barks)"


def test_parts_without_a_place_stay_as_they_are() -> None:
    plain = Extraction.of(NURSE.text, "met", ["The two old nurses", "a doctor"])
    assert resize(plain, NURSE, "minimal") == plain
