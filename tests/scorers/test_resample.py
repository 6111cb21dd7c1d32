"""Bootstrap on corpora small enough to reason about."""

from __future__ import annotations

import numpy as np
import pytest

from tupelo.core import Extraction, InputError
from tupelo.scorers.carb import Carb
from tupelo.scorers.resample import bootstrap, compare_systems, holm

GOLD = [Extraction.of(f"sentence {n}", "ate", ["I", f"apple {n}"]) for n in range(30)]
WORSE = [Extraction.of(f"sentence {n}", "ate", ["I", "nothing"]) for n in range(30)]
MIXED = GOLD[:15] + WORSE[15:]


def evaluations(*systems):
    return [Carb().evaluate(GOLD, system) for system in systems]


def test_the_same_seed_gives_the_same_draws():
    one, two = (bootstrap(evaluations(MIXED), samples=20, seed=7) for _ in range(2))
    assert np.array_equal(one, two)
    assert not np.array_equal(one, bootstrap(evaluations(MIXED), samples=20, seed=8))


def test_a_clear_difference_has_a_small_p_value_and_an_interval_without_zero():
    _, better = compare_systems(["worse", "gold"], evaluations(WORSE, GOLD), samples=200)
    gap = better.differences["f1"]
    assert gap.value == pytest.approx(1 - 4 / 7)  # 2 of 4 gold words, 2 of 3 predicted
    assert gap.low > 0
    assert gap.p_value == 1 / 201


def test_a_system_does_not_differ_from_itself():
    _, same = compare_systems(["a", "b"], evaluations(MIXED, MIXED), samples=50)
    assert (same.differences["f1"].value, same.differences["f1"].p_value) == (0.0, 1.0)


def test_the_interval_holds_the_value_and_the_baseline_has_no_difference():
    first, _ = compare_systems(["mixed", "gold"], evaluations(MIXED, GOLD), samples=200)
    estimate = first.estimates["f1"]
    assert estimate.low < estimate.value < estimate.high
    assert first.differences == {}


def test_resampled_figures_are_those_of_a_repeated_corpus():
    evaluation = evaluations(MIXED)[0]
    weights = np.zeros(30)
    weights[[0, 29]] = [2, 1]
    score = evaluation.score(weights)
    # Two perfect sentences, one with 2 of 3 predicted and 2 of 4 gold words.
    assert score.precision == pytest.approx((1 + 1 + 2 / 3) / 3)
    assert score.recall == pytest.approx((1 + 1 + 2 / 4) / 3)


def test_progress_is_reported():
    steps: list[int] = []
    bootstrap(evaluations(GOLD), samples=130, advance=steps.append)
    assert sum(steps) == 128


def test_without_gold_there_is_nothing_to_resample():
    with pytest.raises(InputError, match="no gold sentence to resample"):
        bootstrap([Carb().evaluate([], GOLD)])


def test_systems_must_be_measured_on_the_same_sentences():
    with pytest.raises(InputError, match="same gold sentences"):
        bootstrap([Carb().evaluate(GOLD, GOLD), Carb().evaluate(GOLD[1:], GOLD)])


def test_holm_multiplies_the_smallest_most_and_keeps_the_order():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []
