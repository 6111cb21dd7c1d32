"""Equation 1 on the paper's examples and by properties."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tupelo.core import Triple
from tupelo.factmodels.metric import fact_accuracy, same_phrase

FACTS = st.builds(
    Triple,
    st.sampled_from(["Ann", "Bob"]),
    st.sampled_from(["born in", "lives in"]),
    st.sampled_from(["Oslo", "Rome", "1963"]),
)


def test_brad_pitt() -> None:
    known, said = Triple("Brad Pitt", "born in", "1963"), Triple("Brad Pitt", "born in", "1961")
    found = fact_accuracy([said], [known])
    assert (found.value, found.refuted, found.checked) == (0, (said,), 1)


def test_peter_duryea() -> None:
    # Table 1: the summary gives Peter the birth date of his father Dan; the rest of what it says is right.
    source = [
        Triple("Peter Duryea", "date of birth", "July 14, 1939"),
        Triple("Peter Duryea", "date of death", "March 24, 2013"),
        Triple("Peter Duryea", "occupation", "actor"),
        Triple("Dan Duryea", "date of birth", "1907"),
    ]
    generated = [
        Triple("Peter Duryea", "date of birth", "April 23, 1907"),
        Triple("Peter Duryea", "date of death", "24 March 2013"),
        Triple("Peter Duryea", "occupation", "an actor"),
        Triple("Peter Duryea", "role", "Lt. Jose Tyler"),
    ]
    found = fact_accuracy(generated, source)
    assert found.value == pytest.approx(2 / 3)
    assert [claim.object for claim in found.refuted] == ["April 23, 1907"]
    assert [claim.relation for claim in found.unverifiable] == ["role"]


def test_nothing_to_check_is_not_a_number() -> None:
    ann = Triple("Ann", "born in", "Oslo")
    assert (fact_accuracy([], [ann]).value, fact_accuracy([], [ann]).reason) == (None, "the text makes no claim")
    found = fact_accuracy([ann], [Triple("Ann", "lives in", "Oslo")])
    assert (found.value, found.reason) == (None, "the source says nothing about any claim")


def test_a_claim_that_is_made_twice_counts_once() -> None:
    ann, bob = Triple("Ann", "born in", "Oslo"), Triple("Bob", "born in", "Rome")
    found = fact_accuracy([ann, replace(ann, object="the Oslo"), bob], [ann, replace(bob, object="Oslo")])
    assert found.value == 0.5


@given(st.lists(FACTS, min_size=1, max_size=6))
def test_a_text_agrees_with_itself(facts: list[Triple]) -> None:
    assert fact_accuracy(facts, facts).value == 1


@given(st.lists(FACTS, min_size=1, max_size=5), st.integers(0, 4))
def test_another_object_never_raises_the_accuracy_of_a_true_text(facts: list[Triple], place: int) -> None:
    place %= len(facts)
    changed = [*facts[:place], replace(facts[place], object="Atlantis"), *facts[place + 1 :]]
    found = fact_accuracy(changed, facts)
    assert found.value is not None
    assert found.value < 1


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("The Cage", "the cage", True),
        ("July 14, 1939", "14 July 1939", True),
        ("about 1.2 million people", "about 1,200,000 people", True),
        ("25 men", "twenty-five men", True),
        ("25 men", "twenty-five women", False),
        ("1963", "1961", False),
        ("Oslo", "Rome", False),
        ("two cats", "two cats and 3 dogs", False),
    ],
)
def test_phrases_by_words_and_values(left: str, right: str, same: bool) -> None:
    assert same_phrase(left, right) is same_phrase(right, left) is same
