"""Claims from frames: labels, pairs in the same words, and numbers that are right or wrong."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tupelo_training.support import frames
from tupelo_training.support.frames import Teller, read_frames
from tupelo_training.support.prepare import part_of
from tupelo_training.support.quantities import Numbers
from tupelo_training.support.table import NO, SUPPORTED


@pytest.fixture
def teller() -> Teller:
    return Teller(0)


def test_half_of_the_claims_are_true_and_each_has_a_false_one_beside_it(teller: Teller) -> None:
    told = [*teller.swapped(), *teller.told_numbers()]
    assert len(told) > 10_000
    for true, false in zip(told[::2], told[1::2], strict=True):
        assert true.premise == false.premise
        assert (true.claim.label, false.claim.label == SUPPORTED) == (SUPPORTED, False)
        assert true.claim.claim != false.claim.claim


def test_exchanged_names_are_marked_and_the_words_stay(teller: Teller) -> None:
    told = list(teller.swapped())
    for true, false in zip(told[::2], told[1::2], strict=True):
        assert Counter(true.claim.claim.lower()) == Counter(false.claim.claim.lower())
        assert any(mark == NO for _, _, mark in false.claim.marks)


@pytest.mark.slow
def test_no_slot_stays_open(teller: Teller, monkeypatch: pytest.MonkeyPatch) -> None:
    # Each frame is told often enough for all of its wordings.
    monkeypatch.setattr(frames, "TIMES", {name: times // 3 for name, times in frames.TIMES.items()})
    for kind, told in teller.all():
        text = " ".join([*told.premise, told.claim.claim])
        assert "{" not in text, (kind, text)


def test_whole_frames_are_held_out(teller: Teller) -> None:
    told_of = {told.frame for told in teller.classes()}
    held = {frame for frame in told_of if part_of(frame).aside}
    assert 0 < len(held) < len(told_of) / 3
    assert len(told_of) == len(list(read_frames("classes")))


def test_a_true_number_is_calculated_and_a_false_one_is_another() -> None:
    numbers = Numbers(random.Random(1))
    values = {"x": 200.0, "y": 250.0, "z": 7.0, "Y": 1901.0, "Z": 1950.0, "n": 3.0}
    assert numbers.told("rose by {diff x y}", "down", values) == ("rose by 50", [])
    assert numbers.told("{age Y Z} years", "year", values) == ("49 years", [])
    assert numbers.told("{percent x y}", "down", values)[0].startswith("25")
    text, changed = numbers.told("in {Z}", "year", values, wrong=True)
    assert text == f"in {changed[0]}"
    assert changed != ["1950"]


def test_a_length_is_the_same_in_another_unit() -> None:
    numbers = Numbers(random.Random(3))
    written = {numbers.told("{other x}", "length", {"x": 5000.0})[0] for _ in range(60)}
    assert {"5 km", "5,000 metres", "5 kilometres"} < written
