"""Swapped dates, places and people."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papers.factual_accuracy import corrupt
from tests.parses import parsed

MET = parsed(
    "Ann/Ann/PROPN/2/nsubj met/meet/VERB/0/root Bob/Bob/PROPN/2/obj in/in/ADP/5/case Oslo/Oslo/PROPN/2/obl",
    ("person", 1, 1),
    ("person", 3, 3),
    ("place", 5, 5),
)


def test_names_are_swapped_within_their_kind() -> None:
    found = corrupt(MET.text, [MET], share=1)
    # The only place has no other place to be swapped with.
    assert found.text == "Bob met Ann in Oslo"
    assert [(change.kind, change.old, change.new) for change in found.changes] == [
        ("person", "Ann", "Bob"),
        ("person", "Bob", "Ann"),
    ]


def test_the_year_of_a_date_stays() -> None:
    text = "He was born on August 4, 1961 and married on October 3, 1992."
    assert corrupt(text, [], share=1).text == "He was born on October 3, 1961 and married on August 4, 1992."


def test_a_text_without_a_pair_stays_as_it_is() -> None:
    text = "Rain fell in May."
    assert corrupt(text, []).text == text
    assert corrupt(text, []).changes == ()


def test_two_spellings_of_a_name_are_not_swapped() -> None:
    both = parsed("US/US/PROPN/2/nsubj met/meet/VERB/0/root U.S./U.S./PROPN/2/obj", ("place", 1, 1), ("place", 3, 3))
    assert corrupt(both.text, [both], share=1).changes == ()


def test_the_same_seed_gives_the_same_text() -> None:
    text = "It opened on 4 May, closed on 7 June, opened on 9 July and closed on 1 August."
    assert corrupt(text, [], seed=3) == corrupt(text, [], seed=3)
    assert len({corrupt(text, [], seed=seed).text for seed in range(8)}) > 1


@pytest.mark.model
@given(st.lists(st.sampled_from(["4 May", "June 7", "9 July", "and", "rain,"]), max_size=8), st.floats(0, 1))
def test_changes_stand_where_they_say(words: list[str], share: float) -> None:
    text = " ".join(words)
    found = corrupt(text, [], share=share)
    for change in found.changes:
        assert change.span.of(found.text) == change.new
        assert change.new != change.old
    restored, shift = found.text, 0
    for change in found.changes:
        start = change.span.start + shift
        restored = restored[:start] + change.old + restored[start + len(change.new) :]
        shift += len(change.old) - len(change.new)
    assert restored == text
