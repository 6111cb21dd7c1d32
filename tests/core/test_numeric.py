"""The logistic function: the same formula for numbers and arrays, dtype kept."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tupelo.core.numeric import sigmoid


@pytest.mark.parametrize("x", [-3.7, -0.1, 0.0, 0.3, 12.0])
def test_a_number_is_computed_with_the_standard_library(x: float) -> None:
    assert sigmoid(x) == 1 / (1 + math.exp(-x))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_arrays_keep_their_dtype(dtype: type) -> None:
    x = np.linspace(-20, 20, 101).astype(dtype)
    assert sigmoid(x).dtype == dtype
    assert (sigmoid(x) == 1 / (1 + np.exp(-x))).all()


def test_clipping_bounds_the_result() -> None:
    assert sigmoid(100.0, limit=50.0) == 1 / (1 + math.exp(-50.0))
    assert (
        sigmoid(np.array([-100.0], dtype=np.float32), limit=30)[0] == sigmoid(np.array([-30.0], dtype=np.float32))[0]
    )


def test_extreme_numbers_do_not_overflow() -> None:
    assert sigmoid(1e9) == 1.0
    assert sigmoid(-1e9) < 1e-300
