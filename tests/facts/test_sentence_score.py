"""The parts of a sentence and the number they become."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tupelo.facts.calibration import SentenceFindings
from tupelo.facts.network import Judgement

SHARE = st.floats(0, 1)


def test_without_a_network_it_is_support_less_a_quarter_of_what_is_refuted() -> None:
    assert SentenceFindings(0.8, 0.5, None).score == pytest.approx(0.8 * (1 - 0.25 * 0.5))


def test_half_syntax_half_network() -> None:
    assert SentenceFindings(0.8, 0.0, Judgement(0.5, ((0, 1, 0.1),))).score == pytest.approx((0.8 + 0.5) / 2)


@given(SHARE, SHARE, SHARE, SHARE)
def test_scores_are_shares_and_grow_with_what_the_network_says(
    support: float, refuted: float, one: float, other: float
) -> None:
    low, high = sorted((one, other))
    scores = [SentenceFindings(support, refuted, Judgement(chance, ())).score for chance in (low, high)]
    assert 0 <= scores[0] <= scores[1] + 1e-12
    assert scores[1] <= 1
