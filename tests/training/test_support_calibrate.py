"""A curve that is fitted to judged texts: what each of them weighs, and which of their claims count."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs torch: pip install 'tupelo[train]'")

from tupelo_training.support.calibrate import (
    FEATURES,
    SETS,
    Example,
    Judged,
    chance,
    curve_of,
    drawn,
    equal_parts,
    fitted,
    held_out,
)
from tupelo_training.support.documents import runs
from tupelo_training.support.given import spliced_claims


def test_the_curve_of_a_coin_that_falls_three_times_in_four() -> None:
    (constant,) = fitted(np.ones((400, 1)), np.array([1.0, 1.0, 1.0, 0.0] * 100), np.ones(400))
    assert constant == pytest.approx(np.log(3), abs=1e-6)


def test_sets_and_outcomes_count_the_same_however_many_texts_they_have() -> None:
    parts = equal_parts([("bump", True), ("written", True), ("written", True), ("written", False)])
    assert parts.tolist() == pytest.approx([4 / 3, 2 / 3, 2 / 3, 4 / 3])
    # Of the outcomes that are known, two thirds are true: as likely as that.
    (constant,) = fitted(np.ones((4, 1)), np.array([1.0, 1.0, 1.0, 0.0]), parts)
    assert constant == pytest.approx(np.log(2), abs=1e-6)


def claim(supported: float) -> list[float]:
    return [{"constant": 1.0, "supported": supported}.get(name, 0.0) for name in FEATURES]


def example(number: int, good: bool, *supported: float) -> Example:
    return Example("written", f"text {number}", np.array([claim(one) for one in supported]), good)


def texts() -> list[Example]:
    """Texts of three claims; in a wrong one, one claim is wrong and the others are as good as those of right ones."""
    random = np.random.default_rng(3)
    found = []
    for number in range(200):
        sure = random.normal(3, 0.5, 3)
        found.append(example(number, number % 2 == 0, *sure, *([] if number % 2 == 0 else [random.normal(-3)])))
    return found


def test_a_wrong_text_says_nothing_about_its_better_claims() -> None:
    found = texts()
    weights = curve_of(found)
    assert chance(example(0, True, 3.0, 3.2), weights) > 0.95
    assert chance(example(0, False, 3.0, -3.0), weights) < 0.05
    chances = held_out(found)
    assert np.mean((chances >= 0.5) == np.array([one.good for one in found])) > 0.97


def test_texts_that_are_only_measured_on_are_not_drawn() -> None:
    reported = "one two three four five six seven eight nine ten eleven twelve thirteen"
    given = [Judged("a source", f"claim {number}", good=True) for number in range(9)]
    given += [Judged(reported, "a claim", good=True), Judged("another", f"so {reported}", good=False)]
    kept = drawn(given, runs(reported), 5)
    assert len(kept) == 5
    assert kept == drawn(reversed(given), runs(reported), 5)
    assert len(drawn(given, runs(reported), 99)) == 9


@pytest.mark.slow
def test_every_set_has_texts_of_both_outcomes(shared: Path) -> None:
    for name, read in SETS.items():
        assert {one.good for one in read(shared / "data")} == {True, False}, name


def test_a_spliced_sentence_is_joined_from_parts_of_its_text(tmp_path: Path) -> None:
    path = tmp_path / "spliced.tsv.gz"
    path.write_bytes(gzip.compress(b"gum:a#1\t+0-9,22-26\t-22-26,5-9\ngum:gone\t+0-4\n"))
    found = list(spliced_claims({"gum:a": "Rosa left the town of Oslo."}, path))
    assert found == [("gum:a", "Rosa left Oslo.", True), ("gum:a", "Oslo left.", False)]
