from __future__ import annotations

import pytest

from benchmarks.gap import GapAnswer, score_gap


def test_gap_counts_two_answers_an_example() -> None:
    examples = [
        (GapAnswer(True, False), GapAnswer(True, True), "his"),
        (GapAnswer(False, True), GapAnswer(False, False), "He"),
        (GapAnswer(False, False), GapAnswer(False, True), "She"),
        (GapAnswer(True, False), GapAnswer(True, False), "her"),
    ]
    found = score_gap(examples)
    # Masculine: one right of two given and of two wanted. Feminine: one right of two given, one wanted.
    assert (found.masculine.precision, found.masculine.recall, found.masculine.f1) == (1 / 2, 1 / 2, 1 / 2)
    assert (found.feminine.precision, found.feminine.recall) == (1 / 2, 1)
    assert found.feminine.f1 == pytest.approx(2 / 3)
    assert found.overall.f1 == pytest.approx(2 * (2 / 3) * (2 / 4) / (2 / 3 + 2 / 4))
    assert found.bias == pytest.approx((2 / 3) / (1 / 2))
    assert score_gap(examples[2:]).bias is None
