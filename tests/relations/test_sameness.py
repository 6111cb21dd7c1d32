"""Wordings of relations: which are one form, and which may not be one relation."""

from __future__ import annotations

import pytest

from tupelo.relations.sameness import FAMILY, SHARED, SURE, TYPED, form_key, may_be_one
from tupelo.relations.wordings import wording_of


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("founded", "had founded", True),
        ("is founding", "has founded the", True),
        ("founded", "may found", False),
        ("founded", "did not found", False),
        ("is president of", "was president of", False),
        ("was president of", "is a former president of", True),
        ("is engaged to", "used to be engaged to", False),
        ("is soon to be replaced by", "was replaced by", False),
        ("owns", "owned", False),
        ("owns", "has owned", True),
        ("is led by", "was led by", False),
        ("leads to", "led to", True),
    ],
)
def test_tense_and_auxiliaries_do_not_make_another_form(one, other, same):
    assert (key_of(one) == key_of(other)) is same


def key_of(relation, sentence=""):
    said = wording_of("Ann", relation, "Acme", sentence=sentence)
    return form_key(said.text, said.form)


def test_what_lasts_may_be_over():
    assert may_be_one("is the owner of", "owns", False, SURE)
    assert not may_be_one("is the owner of", "owned", False, SURE)
    assert may_be_one("was the owner of", "owned", False, SURE)
    assert may_be_one("owns", "owned by", True, SURE)
    assert may_be_one("is the founder of", "founded", False, SURE)


def test_what_somebody_is_may_be_cut_short():
    plain = key_of("is head at")
    assert key_of("is head at", "Bo met Ann, the head of trading at Acme.") != plain
    assert key_of("is head at", "Bo met Ann, the head at Acme.") == plain
    assert key_of("is head at", "The head of Ann at Acme.") == plain
    assert key_of("is head at", "Bo, the head of trading, met Ann, the head at Acme.") == plain


def test_a_verb_that_says_little_may_have_lost_what_follows():
    """*went public in 1989*, *went missing on Friday*"""
    assert "die on" in wording_of("Bo", "died in", "1989", ("person", "datetime")).variants
    assert wording_of("Bo", "went in", "1989", ("person", "datetime")).variants == ("go in",)


def test_a_date_is_no_agent():
    assert wording_of("It", "was finished by", "Bo").form.turned
    assert not wording_of("It", "was finished by", "May 1990").form.turned


@pytest.mark.parametrize(
    ("one", "other", "source", "possible"),
    [
        ("bought", "acquired", SHARED, True),
        ("bought", "sold", SHARED, False),
        ("died in", "died of", SHARED, False),
        ("is head of", "was boss of", SHARED, False),
        ("bought", "acquired", TYPED, True),
        ("bought", "did not acquire", TYPED, False),
        ("bought", "will acquire", TYPED, False),
        ("bought", "tried to acquire", TYPED, False),
        ("is the capital of", "is the state capital of", FAMILY, False),
        ("is the capital of", "is the capital city of", FAMILY, True),
        ("is in", "is located in", FAMILY, True),
    ],
)
def test_words_keep_relations_apart(one, other, source, possible):
    assert may_be_one(one, other, turned=False, source=source) is possible


def test_the_less_speaks_for_a_pair_the_more_words_keep_it_apart():
    assert may_be_one("is near", "is not far from", turned=False, source=FAMILY)
    assert not may_be_one("is near", "is not far from", turned=False, source=TYPED)
    assert may_be_one("kept on loving", "did not stop loving", turned=False, source=SHARED)
    assert not may_be_one("acquired", "did not acquire", turned=False, source=SHARED)
    assert may_be_one("sold to", "bought from", turned=True, source=SHARED)
    assert not may_be_one("is permitted to enter", "must go into", turned=False, source=SHARED)
    assert not may_be_one("hangs in", "formerly hung in", turned=False, source=SHARED)


@pytest.mark.parametrize(
    ("one", "other", "possible"),
    [
        ("founded", "was the founder of", True),
        ("is the founder of", "was the founder of", True),
        ("is the owner of", "was the owner of", False),
        ("owned", "was the owner of", True),
        ("founded", "was founding", False),
    ],
)
def test_families_of_what_happened_once_have_no_tense(one, other, possible):
    assert may_be_one(one, other, turned=False, source=FAMILY) is possible


def test_what_is_only_near_a_thing_says_nothing_of_it():
    assert not may_be_one("is by", "wrote", turned=True, source=SHARED)
    assert not may_be_one("acquired definitions in work of", "created", turned=True, source=SHARED)


def test_what_will_probably_happen_is_another_form():
    sure, likely = key_of("will be replaced by"), key_of("will probably be replaced by")
    assert sure[0] == likely[0] == "replace"
    assert sure != likely
