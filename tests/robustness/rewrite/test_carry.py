"""Tuples follow the words of a rewrite."""

from __future__ import annotations

from tests.robustness.rewrite.sentences import (
    AGREED,
    BUILT,
    FOUND,
    OWNER,
    PARLIAMENT,
    PARTICIPLE,
    RELATIVE,
    SAID,
    carried,
    made,
)
from tupelo.nlp.syntax import DependencyTree
from tupelo.robustness.rewrite.carry import can_carry


def test_a_cleft_leaves_tuples_as_they_are() -> None:
    told = ("found", "Mr. Baker", "an opening", "under the house")
    assert carried("cleft-subject", FOUND, told) == [told]


def test_a_passive_turns_its_tuples_round() -> None:
    assert carried("passive", FOUND, ("found", "Mr. Baker", "an opening", "under the house")) == [
        ("was found by", "an opening", "Mr. Baker", "under the house")
    ]


def test_an_object_inside_the_relation_becomes_the_subject() -> None:
    assert carried("passive", FOUND, ("found an opening under", "Mr. Baker", "the house")) == [
        ("was found by", "an opening", "Mr. Baker", "under the house")
    ]


def test_an_active_clause_begins_with_its_agent() -> None:
    assert carried(
        "active", BUILT, ("was built by", "The bridge", "monks"), ("was built in", "The bridge", "Prague")
    ) == [("quickly built", "monks", "The bridge"), ("quickly built", "monks", "The bridge", "in Prague")]


def test_a_swapped_copula_swaps_whole_arguments_only() -> None:
    assert carried("swap-copula", OWNER, ("is", "Deseret", "the parent of the bank")) == [
        ("is", "the parent of the bank", "Deseret")
    ]
    inner = ("is the parent of", "Deseret", "the bank")
    assert carried("swap-copula", OWNER, inner) == [inner]


def test_a_phrase_in_another_order_is_told_so() -> None:
    assert carried("genitive-to-of", PARLIAMENT, ("ousted", "China 's parliament", "two members")) == [
        ("ousted", "the parliament of China", "two members")
    ]


def test_a_part_of_such_a_phrase_keeps_its_own_order() -> None:
    told = ("has", "China 's", "members")
    assert carried("genitive-to-of", PARLIAMENT, told) == [told]


def test_a_changed_form_is_told_so() -> None:
    assert carried("nominalize", AGREED, ("agreed to buy", "Chugai", "the firm")) == [
        ("reached an agreement to buy", "Chugai", "the firm")
    ]


def test_added_words_inside_an_argument_come_along() -> None:
    assert carried("participle-to-relative", PARTICIPLE, ("saw", "He", "a door built by monks")) == [
        ("saw", "He", "a door that was built by monks")
    ]


def test_a_relation_keeps_words_that_are_only_implied_now() -> None:
    told = ("was built by", "a door", "monks")
    assert carried("relative-to-participle", RELATIVE, told) == [told]
    said = ("said", "Critics", "the plan failed")
    assert carried("according-to", SAID, said) == [said]


def test_words_from_elsewhere_stay() -> None:
    told = ("is located in", "the house", "Norway")
    assert carried("cleft-subject", FOUND, told) == [told]


def test_repeated_tuples_are_told_once() -> None:
    told = ("found", "Mr. Baker", "an opening")
    assert carried("cleft-subject", FOUND, told, told) == [told]


def test_a_tuple_of_the_clause_with_another_subject_cannot_follow() -> None:
    tree = DependencyTree(FOUND)
    (passive,) = made("passive", FOUND)
    assert can_carry([("found", "Mr. Baker", "an opening")], tree, passive)
    assert not can_carry([("found", "somebody", "an opening")], tree, passive)
