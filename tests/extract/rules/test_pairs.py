"""Lists whose members belong together in pairs: no tuple has members of two pairs."""

from __future__ import annotations

import pytest

from tests.extract.parsed import parsed, told
from tupelo.core import Entity


def test_respectively_pairs_subjects_with_places() -> None:
    sentence = parsed(
        "Tom and Ann live in Oslo and Rome respectively.",
        "Tom Tom PROPN NNP 4 nsubj",
        "and and CCONJ CC 3 cc",
        "Ann Ann PROPN NNP 1 conj",
        "live live VERB VBP 0 root",
        "in in ADP IN 6 case",
        "Oslo Oslo PROPN NNP 4 obl",
        "and and CCONJ CC 8 cc",
        "Rome Rome PROPN NNP 6 conj",
        "respectively respectively ADV RB 4 advmod",
        ". . PUNCT . 4 punct",
    )
    assert told(sentence) == ["clause (Tom; live in; Oslo)", "clause (Ann; live in; Rome)"]


def test_lists_of_two_lengths_are_not_paired() -> None:
    sentence = parsed(
        "Tom lives in Oslo and Rome respectively.",
        "Tom Tom PROPN NNP 2 nsubj",
        "lives live VERB VBZ 0 root",
        "in in ADP IN 4 case",
        "Oslo Oslo PROPN NNP 2 obl",
        "and and CCONJ CC 6 cc",
        "Rome Rome PROPN NNP 4 conj",
        "respectively respectively ADV RB 2 advmod",
        ". . PUNCT . 2 punct",
    )
    assert told(sentence) == [
        "clause (Tom; lives in; Oslo; respectively)",
        "clause (Tom; lives in; Rome; respectively)",
    ]


def test_each_conjunct_keeps_the_phrase_after_it() -> None:
    sentence = parsed(
        "She left Leeds in 1990 and Oslo in 1994.",
        "She she PRON PRP 2 nsubj",
        "left leave VERB VBD 0 root",
        "Leeds Leeds PROPN NNP 2 obj",
        "in in ADP IN 5 case",
        "1990 1990 NUM CD 2 obl",
        "and and CCONJ CC 7 cc",
        "Oslo Oslo PROPN NNP 3 conj",
        "in in ADP IN 9 case",
        "1994 1994 NUM CD 7 nmod",
        ". . PUNCT . 2 punct",
        entities=(Entity("datetime", 4, 5), Entity("datetime", 8, 9)),
    )
    assert told(sentence) == ["clause (She; left; Leeds; in 1990)", "clause (She; left; Oslo; in 1994)"]


def test_a_conjunct_goes_with_the_noun_whose_phrase_is_like_its_own() -> None:
    sentence = parsed(
        "He visited Paris with Ann and Rome with Tom.",
        "He he PRON PRP 2 nsubj",
        "visited visit VERB VBD 0 root",
        "Paris Paris PROPN NNP 2 obj",
        "with with ADP IN 5 case",
        "Ann Ann PROPN NNP 2 obl",
        "and and CCONJ CC 7 cc",
        "Rome Rome PROPN NNP 5 conj",
        "with with ADP IN 9 case",
        "Tom Tom PROPN NNP 2 obl",
        ". . PUNCT . 2 punct",
        entities=(Entity("place", 2, 3), Entity("person", 4, 5), Entity("place", 6, 7), Entity("person", 8, 9)),
    )
    assert told(sentence) == ["clause (He; visited; Paris; with Ann)", "clause (He; visited; Rome; with Tom)"]


def test_a_phrase_of_another_kind_makes_no_pair() -> None:
    sentence = parsed(
        "She met Tom in Oslo and Rome in May.",
        "She she PRON PRP 2 nsubj",
        "met meet VERB VBD 0 root",
        "Tom Tom PROPN NNP 2 obj",
        "in in ADP IN 5 case",
        "Oslo Oslo PROPN NNP 2 obl",
        "and and CCONJ CC 7 cc",
        "Rome Rome PROPN NNP 5 conj",
        "in in ADP IN 9 case",
        "May May PROPN NNP 2 obl",
        ". . PUNCT . 2 punct",
        entities=(Entity("person", 2, 3), Entity("place", 4, 5), Entity("place", 6, 7), Entity("datetime", 8, 9)),
    )
    assert told(sentence) == ["clause (She; met; Tom; in Oslo; in May)", "clause (She; met; Tom; in Rome; in May)"]


def test_a_verb_left_out_holds_for_the_next_subject() -> None:
    sentence = parsed(
        "Lee owns 31 percent, Moe 27 percent.",
        "Lee Lee PROPN NNP 2 nsubj",
        "owns own VERB VBZ 0 root",
        "31 31 NUM CD 4 nummod",
        "percent percent NOUN NN 2 obj",
        ", , PUNCT , 6 punct",
        "Moe Moe PROPN NNP 2 parataxis",
        "27 27 NUM CD 8 nummod",
        "percent percent NOUN NN 2 parataxis",
        ". . PUNCT . 2 punct",
    )
    assert told(sentence) == ["clause (Lee; owns; 31 percent)", "gapped (Moe; owns; 27 percent)"]


def test_a_name_before_an_amount_is_the_subject_of_its_own() -> None:
    sentence = parsed(
        "Lee got 420 votes and Moe 310 votes.",
        "Lee Lee PROPN NNP 2 nsubj",
        "got get VERB VBD 0 root",
        "420 420 NUM CD 4 nummod",
        "votes vote NOUN NNS 2 obj",
        "and and CCONJ CC 8 cc",
        "Moe Moe PROPN NNP 8 compound",
        "310 310 NUM CD 8 nummod",
        "votes vote NOUN NNS 4 conj",
        ". . PUNCT . 2 punct",
    )
    assert told(sentence) == ["clause (Lee; got; 420 votes)", "gapped (Moe; got; 310 votes)"]


def test_reasons_and_means_complete_a_tuple() -> None:
    sentence = parsed(
        "The court fined Acme for hiding debts.",
        "The the DET DT 2 det",
        "court court NOUN NN 3 nsubj",
        "fined fine VERB VBD 0 root",
        "Acme Acme PROPN NNP 3 obj",
        "for for SCONJ IN 6 mark",
        "hiding hide VERB VBG 3 advcl",
        "debts debt NOUN NNS 6 obj",
        ". . PUNCT . 3 punct",
    )
    assert "clause (The court; fined; Acme; for hiding debts)" in told(sentence)


@pytest.mark.parametrize(
    "second",
    [
        ("Moe Moe PROPN NNP 7 nsubj", "three three NUM CD 2 conj"),
        ("Moe Moe PROPN NNP 2 conj", "three three NUM CD 6 flat"),
        ("Moe Moe PROPN NNP 2 parataxis", "three three NUM CD 6 appos"),
    ],
)
def test_a_verb_left_out_is_found_however_its_words_are_linked(second: tuple[str, str]) -> None:
    sentence = parsed(
        "Lee got two men and Moe three.",
        "Lee Lee PROPN NNP 2 nsubj",
        "got get VERB VBD 0 root",
        "two two NUM CD 4 nummod",
        "men man NOUN NNS 2 obj",
        "and and CCONJ CC 6 cc",
        *second,
        ". . PUNCT . 2 punct",
    )
    assert told(sentence)[:2] == ["clause (Lee; got; two men)", "gapped (Moe; got; three)"]


def test_a_phrase_left_without_its_verb_keeps_its_own_subject() -> None:
    sentence = parsed(
        "Eggs went to shops, milk to schools.",
        "Eggs egg NOUN NNS 2 nsubj",
        "went go VERB VBD 0 root",
        "to to ADP IN 4 case",
        "shops shop NOUN NNS 2 obl",
        ", , PUNCT , 6 punct",
        "milk milk NOUN NN 2 nsubj",
        "to to ADP IN 8 case",
        "schools school NOUN NNS 2 obl",
        ". . PUNCT . 2 punct",
    )
    assert told(sentence) == ["clause (Eggs; went to; shops)", "gapped (milk; went to; schools)"]
