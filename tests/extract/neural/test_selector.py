from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tupelo.extract.neural.scores import masks_of
from tupelo.extract.neural.selector import Selector, in_order, order_features
from tupelo.extract.rules import TupleCandidate


def candidate(
    predicate: int, subject: tuple[int, ...], relation: tuple[int, ...], argument: tuple[int, ...]
) -> TupleCandidate:
    return TupleCandidate("clause", "whole", predicate, subject, relation, (argument,), (None,))


FOUND = [candidate(1, (0,), (1,), (2, 3, 4)), candidate(1, (0,), (1,), (2, 3)), candidate(6, (5,), (6,), (7,))]
MASKS = masks_of(FOUND, 8)


def test_the_best_comes_first_and_of_equals_the_earlier_one() -> None:
    assert in_order(np.array([0.2, 0.9, 0.2, 0.5], dtype=np.float32)) == [1, 3, 0, 2]


def test_a_candidate_is_compared_with_the_better_ones_only() -> None:
    alone = np.array([0.9, 0.5, 0.4], dtype=np.float32)
    rows = order_features(FOUND, MASKS, alone, in_order(alone))
    assert not rows[0, 2:].any()
    # The second lies wholly inside the first and has the same predicate.
    assert rows[1, 2] == np.float32(4 / 5)
    assert rows[1, 5] == 1
    assert rows[1, 8] == 1
    # The third shares nothing with either.
    assert rows[2, 2:6].tolist() == [0, 0, 0, 0]


def test_the_answer_is_the_mean_of_the_members() -> None:
    (answer,) = Selector.judge(weights(), np.array([[2.0]], dtype=np.float32))
    assert abs(answer - 1 / (1 + np.exp(-(2.0 * 1 + 2.0 * 3) / 2))) < 1e-6


def weights() -> dict[str, NDArray[np.float32]]:
    """Two members with one unit in each layer."""
    return {
        "mean": np.zeros(1, dtype=np.float32),
        "spread": np.ones(1, dtype=np.float32),
        "first": np.ones((2, 1, 1), dtype=np.float32),
        "first_bias": np.zeros((2, 1, 1), dtype=np.float32),
        "second": np.ones((2, 1, 1), dtype=np.float32),
        "second_bias": np.zeros((2, 1, 1), dtype=np.float32),
        "last": np.array([[[1.0]], [[3.0]]], dtype=np.float32),
        "last_bias": np.zeros((2, 1, 1), dtype=np.float32),
    }


def test_no_candidates_no_confidences() -> None:
    parts = ("alone", "ordered", "fact")
    selector = Selector({f"{part}.{name}": array for part in parts for name, array in weights().items()})
    nothing = np.zeros((0, 4), dtype=np.float32)
    assert selector.confidences(nothing, [], []).shape == (0,)
    assert selector.facts(nothing, np.zeros(0, dtype=np.float32)).shape == (0,)
