"""Vectors by name, and their neighbours."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tupelo.core import InputError, UnknownNameError
from tupelo.core import vectors as module
from tupelo.core.vectors import Vectors

FEW = Vectors(("cat", "dog", "car", "void"), np.array([[3, 4], [4, 3], [-4, 3], [0, 0]], dtype=np.float32))


def test_neighbours_are_ordered_by_cosine_without_the_name_itself():
    found = FEW.neighbours("cat", 2)
    assert [item.name for item in found] == ["dog", "car"]
    assert [item.cosine for item in found] == pytest.approx([24 / 25, 0], abs=1e-6)


def test_a_cosine_needs_both_names():
    assert FEW.cosine("cat", "dog") == pytest.approx(24 / 25)
    assert FEW.cosine("cat", "cow") is None


def test_a_vector_of_zeros_is_near_to_nothing():
    assert FEW.cosine("void", "cat") == 0


def test_an_unknown_name_is_an_error_with_a_guess():
    with pytest.raises(UnknownNameError, match=r"no vector named 'cad'\. Did you mean 'cat'"):
        FEW.vector("cad")


def test_the_first_of_equal_names_counts():
    assert Vectors(("a", "a"), np.array([[1], [2]], dtype=np.float32)).vector("a") == [1]


def test_names_and_rows_must_agree():
    with pytest.raises(InputError, match="1 names and a matrix of shape"):
        Vectors(("a",), np.ones((2, 2), np.float32))


@given(st.integers(1, 40), st.integers(1, 45), st.integers(0, 1000))
def test_neighbours_equal_sorting_everything(count, wanted, seed):
    chance = np.random.default_rng(seed)
    # One axis each: ties are common, and exact however the sums are made.
    matrix = np.eye(3, dtype=np.float32)[chance.integers(0, 3, count)] * chance.choice([-2, 1, 0], (count, 1))
    vectors = Vectors(tuple(f"n{i}" for i in range(count)), matrix.astype(np.float32))
    before, module._ROWS = module._ROWS, 7
    try:
        found = vectors.neighbours("n0", wanted)
    finally:
        module._ROWS = before
    cosines = [(-float(vectors.directions[row] @ vectors.directions[0]), row) for row in range(1, count)]
    assert [item.name for item in found] == [f"n{row}" for _, row in sorted(cosines)[:wanted]]
