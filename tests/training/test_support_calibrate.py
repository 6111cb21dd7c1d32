"""Which claims are right, and a curve that is fitted to them."""

from __future__ import annotations

import numpy as np
import pytest

from tupelo_training.support.calibrate import equal_parts, fitted, label_of
from tupelo_training.support.table import NO, OPEN, YES

MARKS = [(0, 4, YES), (5, 9, NO), (10, 14, OPEN)]


def test_a_claim_with_a_wrong_word_is_false_and_one_of_right_words_true() -> None:
    assert label_of([0, 5], MARKS) is False
    assert label_of([0, 2], MARKS) is True
    assert label_of([0, 10], MARKS) is None
    assert label_of([0, 20], MARKS) is None


def test_the_curve_of_a_coin_that_falls_three_times_in_four() -> None:
    (constant,) = fitted(np.ones((400, 1)), np.array([1.0, 1.0, 1.0, 0.0] * 100), np.ones(400))
    assert constant == pytest.approx(np.log(3), abs=1e-6)


def test_kinds_count_the_same_however_many_claims_they_have() -> None:
    parts = equal_parts(["judged", "written", "written", "written"])
    assert parts.tolist() == pytest.approx([2.0, 2 / 3, 2 / 3, 2 / 3])
    # One false claim of one kind against three true ones of another: as likely as not.
    (constant,) = fitted(np.ones((4, 1)), np.array([0.0, 1.0, 1.0, 1.0]), parts)
    assert constant == pytest.approx(0, abs=1e-6)
