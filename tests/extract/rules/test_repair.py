"""Parses that cannot be right: titles read as clauses, copulas without a subject."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tupelo.core import Analysis, Entity, Word
from tupelo.extract.rules import RuleExtractor
from tupelo.extract.rules.repair import repair


def parsed(rows: str, *entities: Entity) -> Analysis:
    """A sentence from `form/upos/head/label`, heads from 1."""
    words, place = [], 0
    for row in rows.split():
        form, upos, head, label = row.split("/")
        words.append(Word(form, place, place + len(form), form.lower(), upos, None, "", int(head) - 1, label))
        if head == "0":
            words[-1] = Word(form, place, place + len(form), form.lower(), upos, None, "", None, label)
        place += len(form) + 1
    return Analysis(" ".join(word.text for word in words), tuple(words), entities=entities)


TITLE = parsed(
    "Lover/NOUN/2/nsubj Come/VERB/6/acl Back/ADV/2/advmod is/AUX/6/cop a/DET/6/det comedy/NOUN/0/root",
    Entity("work", 0, 3),
)
SHIP = parsed(
    "The/DET/2/det HD/PROPN/6/compound 26/NUM/2/flat was/AUX/6/cop a/DET/6/det seaplane/NOUN/0/root ./PUNCT/6/punct"
)


@pytest.mark.parametrize(
    ("sentence", "tuple_"), [(TITLE, "(Lover Come Back; is; a comedy)"), (SHIP, "(The HD 26; was; a seaplane)")]
)
def test_a_mended_sentence_gives_its_tuple(sentence: Analysis, tuple_: str) -> None:
    assert tuple_ in [str(item) for item in RuleExtractor().propose(sentence)[0]]


def test_a_sentence_that_can_be_right_is_left_as_it_is() -> None:
    right = parsed("Ann/PROPN/4/nsubj is/AUX/4/cop a/DET/4/det nurse/NOUN/0/root", Entity("person", 0, 1))
    there = parsed("In/ADP/2/case Oslo/PROPN/4/nmod is/AUX/4/cop home/NOUN/0/root")
    clause = parsed("Ann/PROPN/2/nsubj sang/VERB/0/root", Entity("work", 0, 2))
    assert all(repair(sentence) is sentence for sentence in (right, there, clause))


def test_a_name_in_lower_case_is_no_title() -> None:
    first, verb, *others = TITLE.words
    lower = replace(TITLE, words=(first, replace(verb, text="come"), *others))
    assert repair(lower).words[1].deprel == "acl"


def test_the_noun_between_for_and_to_does_it() -> None:
    rows = "She/PRON/2/nsubj arranged/VERB/0/root for/SCONJ/6/mark Ann/PROPN/2/obl to/PART/6/mark go/VERB/2/advcl"
    assert [(word.head, word.deprel) for word in repair(parsed(rows)).words][3] == (5, "nsubj")


def test_of_two_subjects_the_pronoun_counts() -> None:
    rows = "Films/NOUN/4/nsubj ,/PUNCT/4/punct they/PRON/4/nsubj bore/VERB/0/root me/PRON/4/obj"
    assert [word.deprel for word in repair(parsed(rows)).words][:3] == ["dislocated", "punct", "nsubj"]
