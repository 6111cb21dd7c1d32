"""The order of two events: stated by a claim, found in a source by dates, ordinals or words, or not found."""

from __future__ import annotations

import pytest

from tupelo.checking.calculations import Outcome
from tupelo.checking.order import ClaimedOrder, compare_order


@pytest.mark.parametrize(
    ("source", "first", "second"),
    [
        ("Ruiz won the Cup in 1998 and the Medal in 2003 .", "the Cup", "the Medal"),
        ("Ann finished first , Bea second and Cleo third .", "Bea", "Cleo"),
        ("They toured Japan and later recorded an album .", "they toured Japan", "they recorded an album"),
        ("The mill closed in 2009 ; the forge had closed two years earlier .", "the forge", "the mill"),
        ("Following the verdict , crowds gathered .", "the verdict", "crowds gathered"),
        ("The chapel was finished twelve years after the bridge .", "the bridge", "the chapel"),
        ("Before he wrote books , Ferro treated horses .", "Ferro treated horses", "he wrote books"),
    ],
)
def test_an_order_is_confirmed_and_its_opposite_contradicted(source: str, first: str, second: str) -> None:
    sentences = [source.split()]
    for claim, outcome in (
        (f"{first} came before {second}", Outcome.CONFIRMS),
        (f"{second} came before {first}", Outcome.CONTRADICTS),
        (f"{second} came after {first}", Outcome.CONFIRMS),
        (f"{first} came after {second}", Outcome.CONTRADICTS),
        (f"{second} was younger than {first}", Outcome.CONFIRMS),
        (f"{second} was older than {first}", Outcome.CONTRADICTS),
    ):
        assert [one.outcome for one in compare_order(claim.split(), sentences, [0])] == [outcome], claim


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The mill closed before the forge", "The mill closed , and the forge closed ."),
        ("The mill closed before the forge", "The mill closed in 2009 ."),
        ("The mill closed in 2009", "The mill closed in 2009 and the forge in 2011 ."),
        # A year says nothing about a day without one.
        ("The mill closed before the forge", "The mill closed in 2009 and the forge on 3 May ."),
    ],
)
def test_nothing_follows_where_nothing_orders_them(claim: str, source: str) -> None:
    assert compare_order(claim.split(), [source.split()], [0]) == []


def test_the_clause_after_an_opening_word_ends_at_the_comma() -> None:
    claimed = ClaimedOrder.of(["After", "the", "war", ",", "Ann", "left", "Rome"])
    assert claimed is not None
    assert claimed.first == {"war"}
    assert claimed.second == {"ann", "left", "rome"}
