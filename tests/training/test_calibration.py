"""Confidence as a probability: bins, their error, and intervals of shares."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.extras import needs
from tupelo.core import InputError
from tupelo_training.calibration import calibration_bins, calibration_error, wilson_interval


def test_the_error_is_the_distance_within_bins() -> None:
    # Bin of 0.2: mean 0.2, right 1 of 2; bin of 0.9: mean 0.9, right 2 of 2.
    bins = calibration_bins([0.2, 0.2, 0.9, 0.9], [True, False, True, True])
    assert [(each.count, each.right) for each in bins] == [(2, 1), (2, 2)]
    assert calibration_error(bins) == pytest.approx((2 * 0.3 + 2 * 0.1) / 4)


def test_the_ends_belong_to_the_first_and_the_last_bin() -> None:
    bins = calibration_bins([0.0, 0.05, 1.0, 0.95], [False, False, True, True])
    assert [each.count for each in bins] == [2, 2]
    assert calibration_error(bins) == pytest.approx(0.025)


def test_what_is_no_probability_is_refused() -> None:
    with pytest.raises(InputError, match=r"confidence 1\.2, expected 0 to 1"):
        calibration_bins([1.2], [True])
    with pytest.raises(InputError, match="expected equally many"):
        calibration_bins([0.2], [])
    assert calibration_error(calibration_bins([], [])) is None


def test_the_interval_by_hand() -> None:
    # Wilson's formula for 0 of n is 0 to z² / (n + z²).
    low, high = wilson_interval(0, 20)
    assert (low, high) == (pytest.approx(0, abs=1e-12), pytest.approx(1.959964**2 / (20 + 1.959964**2)))
    with pytest.raises(InputError, match="3 of 2"):
        wilson_interval(3, 2)
    with pytest.raises(InputError, match="0 of 0"):
        wilson_interval(0, 0)


@given(st.integers(1, 500).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total))))
def test_the_interval_holds_the_share(counts: tuple[int, int]) -> None:
    low, high = wilson_interval(*counts)
    assert 0 <= low <= counts[0] / counts[1] + 1e-9
    assert counts[0] / counts[1] - 1e-9 <= high <= 1


@pytest.mark.slow
@needs("matplotlib", "plot")
def test_a_diagram_per_kind_of_text() -> None:
    from tupelo_training.calibration import draw_reliability

    bins = calibration_bins([0.2, 0.4, 0.9, 0.95], [False, True, True, True])
    kinds = {"news": bins, "fiction": bins, "talk": bins, "mail": bins, "empty": []}
    image = draw_reliability(kinds, "svg")
    assert image == draw_reliability(kinds, "svg")
    assert image.count(b'<g id="axes_') == 6, "four panels in two rows, the last two without axes"
    with pytest.raises(InputError, match="nothing to draw"):
        draw_reliability({"news": []})


def test_a_share_has_the_interval_of_wilson() -> None:
    # (8 + 1.92) / (10 + 3.84) around, as in Brown, Cai and DasGupta (2001)
    low, high = wilson_interval(8, 10)
    assert (low + high) / 2 == pytest.approx((8 + 1.959964**2 / 2) / (10 + 1.959964**2))
    assert (round(low, 3), round(high, 3)) == (0.490, 0.943)
