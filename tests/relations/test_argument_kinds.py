"""The kinds of the two things of a relation, and what may be said of which."""

from __future__ import annotations

import pytest

from tupelo.relations.wordings import fits, kind_of, same_kinds, same_prepositions


@pytest.mark.parametrize(
    ("text", "given", "kind"),
    [
        ("1990", None, "datetime"),
        ("the early 1990s", None, "datetime"),
        ("5 May 1990", None, "datetime"),
        ("2014 World Cup", None, None),
        ("about 50 people", None, "number"),
        ("1 Campus Drive", None, None),
        ("Room 5", None, None),
        ("Oslo", None, None),
        ("Oslo", "place", "place"),
        ("1990", "work", "work"),
        ("a fee", "abstract", "thing"),
        ("a chair", "object", "thing"),
        ("Booker Prize", "other", "other"),
    ],
)
def test_a_kind_is_given_or_seen(text, given, kind):
    assert kind_of(text, given) == kind


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (("organization", "datetime"), ("organization", "place"), False),
        (("organization", "datetime"), ("place", "datetime"), True),
        (("person", "place"), ("organization", "place"), True),
        (("person", "place"), ("event", "place"), False),
        (("person", "organization"), ("person", "place"), True),
        (("work", "organization"), ("work", "place"), False),
        (("work", "organization"), ("work", "person"), True),
        (("person", "person"), ("organization", "organization"), True),
        (("person", "person"), ("person", "organization"), False),
        ((None, None), ("person", "place"), True),
        ((None, None), (None, "datetime"), False),
        (("person", "thing"), ("person", "other"), False),
    ],
)
def test_the_same_is_said_of_the_same_kinds(one, other, same):
    assert same_kinds(one, other) is same
    assert same_kinds(other, one) is same


def test_what_is_done_to_a_person_is_not_what_is_done_to_a_company():
    assert not same_kinds(("person", "place"), ("organization", "place"), acting=False)
    assert same_kinds(("place", "place"), ("organization", "place"), acting=False)


def test_a_family_may_expect_kinds():
    anything, works = frozenset(), frozenset(["work", "thing"])
    assert fits(("person", "work"), (anything, works))
    assert fits(("person", "other"), (anything, works))
    assert fits((None, None), (anything, works))
    assert not fits(("person", "place"), (anything, works))


def test_prepositions_depend_on_what_follows():
    assert same_prepositions(("person", "datetime"), after_noun=False) == (frozenset(["", "in", "on"]),)
    assert same_prepositions(("organization", "place"), after_noun=True) == [frozenset(["of", "in", "from"])]
    assert not same_prepositions(("person", "place"), after_noun=True)
    assert not same_prepositions(("person", None), after_noun=False)
    assert not same_prepositions(("place", "place"), after_noun=True)
