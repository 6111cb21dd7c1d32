"""Agreement between people: textbook examples and properties."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tupelo.core import InputError
from tupelo.scorers.agreement import alpha_interval, cohen_kappa, fleiss_kappa, krippendorff_alpha

# Krippendorff (2011), "Computing Krippendorff's alpha-reliability", section C: four observers, twelve units.
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]
UNITS = [[answer for answer in unit if answer is not None] for unit in zip(*OBSERVERS, strict=True)]


@pytest.mark.parametrize(("level", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_the_example_of_the_author(level: str, alpha: float) -> None:
    assert krippendorff_alpha(UNITS, level) == pytest.approx(alpha, abs=5e-4)


def test_the_sum_for_four_units() -> None:
    # Answers: a five times, b three times. Seen: 2 of 8 in mixed pairs; by chance 2 * 5 * 3 / 7.
    assert krippendorff_alpha([["a", "a"], ["b", "b"], ["a", "b"], ["a", "a"]]) == pytest.approx(1 - 2 / (30 / 7))


def test_what_is_not_defined() -> None:
    assert krippendorff_alpha([]) is None
    assert krippendorff_alpha([["a"], ["b"]]) is None
    assert krippendorff_alpha([["a", "a"], ["a", "a"]]) is None
    with pytest.raises(InputError, match="level of measurement 'ratio'"):
        krippendorff_alpha(UNITS, "ratio")


@given(st.lists(st.lists(st.integers(1, 4), min_size=2, max_size=4), min_size=2, max_size=8), st.randoms())
def test_nothing_depends_on_the_order(units: list[list[int]], random: object) -> None:
    shuffled = [sorted(unit, reverse=True) for unit in reversed(units)]
    for level in ("nominal", "ordinal", "interval"):
        first, second = krippendorff_alpha(units, level), krippendorff_alpha(shuffled, level)
        assert (first is None) == (second is None)
        if first is not None and second is not None:
            assert first == pytest.approx(second)
            assert first <= 1 + 1e-12


@given(st.lists(st.sampled_from("ab"), min_size=2, max_size=9).filter(lambda answers: len(set(answers)) > 1))
def test_agreeing_with_oneself_is_perfect(answers: list[str]) -> None:
    assert krippendorff_alpha([[answer, answer] for answer in answers]) == pytest.approx(1)
    assert cohen_kappa(answers, answers) == pytest.approx(1)
    assert fleiss_kappa([[answer, answer] for answer in answers]) == pytest.approx(1)


def test_cohen_by_hand() -> None:
    # 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: seen 0.7, by chance 0.5 * 0.6 + 0.5 * 0.4.
    first = ["yes"] * 25 + ["no"] * 25
    second = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    assert cohen_kappa(first, second) == pytest.approx((0.7 - 0.5) / (1 - 0.5))
    assert cohen_kappa([], []) is None
    assert cohen_kappa(["a"], ["a"]) is None
    with pytest.raises(InputError, match="expected equally many"):
        cohen_kappa(["a"], [])


def test_fleiss_by_hand() -> None:
    # Three raters. Agreement 1, 1/3; shares of a and b: 5/6 and 1/6.
    chance = (5 / 6) ** 2 + (1 / 6) ** 2
    assert fleiss_kappa(["aaa", "aab"]) == pytest.approx(((1 + 1 / 3) / 2 - chance) / (1 - chance))
    assert fleiss_kappa([]) is None
    assert fleiss_kappa(["aa", "aa"]) is None
    with pytest.raises(InputError, match="units with 1 to 2 answers"):
        fleiss_kappa(["a", "ab"])


def test_the_interval_of_alpha_lies_around_it() -> None:
    units = [("a", "a", "b"), ("b", "b", "b"), ("a", "a", "a"), ("a", "b", "b")] * 10
    alpha, interval = krippendorff_alpha(units), alpha_interval(units)
    assert alpha is not None
    assert interval is not None
    assert interval[0] < alpha < interval[1]
    assert alpha_interval(units) == interval
    # More of the same says the same, more surely.
    wide = alpha_interval(units[:8])
    assert wide is not None
    assert wide[1] - wide[0] > interval[1] - interval[0]


def test_alpha_of_nothing_has_no_interval() -> None:
    assert alpha_interval([("a",), ("a", "a")]) is None
