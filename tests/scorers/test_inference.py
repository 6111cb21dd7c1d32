"""The inference yardstick: by hand, against a slow literal computation, and by its properties."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tupelo.core import InputError
from tupelo.core.entailment import EntailmentPair
from tupelo.core.extraction import Triple
from tupelo.scorers.inference import Inference, area_above, count_kept, find_couples


def pair(premise: str, hypothesis: str, entailed: bool | None) -> EntailmentPair:
    return EntailmentPair(Triple("a", premise, "b"), Triple("a", hypothesis, "b"), entailed)


def numbered(labels) -> list[EntailmentPair]:
    return [pair(f"p{number}", f"q{number}", label) for number, label in enumerate(labels)]


def measure(labels, scores):
    return Inference().evaluate(numbered(labels), scores).score()


def test_the_example_of_the_module():
    score = measure([True, False, True, False], [0.9, 0.8, 0.8, 0.1])
    assert [(p, r) for p, r, _ in score.curve] == [(1, 1 / 2), (2 / 3, 1), (1 / 2, 1)]
    assert score.auc == pytest.approx((1 + 1 / 2 + math.log(3) / 4) / 2)
    assert score.details["auc_p50"] == pytest.approx(score.auc)
    assert (score.precision, score.recall, score.f1) == (2 / 3, 1, pytest.approx(4 / 5))
    assert (score.threshold, score.gold, score.predicted) == (0.8, 2, 3)


def test_only_the_part_of_the_curve_above_one_half_counts():
    # One pair alone, then one entailing pair among five: x of them with 5x - 4 in all, precision 1/2 at x = 4/3.
    score = measure([True, True, False, False, False, False], [1, 0, 0, 0, 0, 0])
    assert score.details["auc_p50"] == pytest.approx((1 + (1 / 3) / 5 + 4 / 25 * math.log(5 * 4 / 3 - 4)) / 2)
    assert score.auc == pytest.approx((1 + 1 / 5 + 4 / 25 * math.log(5 * 2 - 4)) / 2)


def test_a_constant_score_has_the_base_rate_as_its_area():
    score = measure([True, False, False, False], [7, 7, 7, 7])
    assert (score.auc, score.details["auc_p50"]) == (pytest.approx(1 / 4), 0)


def test_a_rising_curve_counts_from_where_it_crosses():
    # The first pair is wrong: precision starts at 0 and rises as x / (x + 1), which is 1/4 at x = 1/3.
    counts = count_kept(np.array([False, True]), np.array([2.0, 1.0]), np.ones(2))
    curve = counts.curve()
    assert (curve.precision.tolist(), curve.recall.tolist()) == ([0, 1 / 2], [0, 1])
    assert area_above(counts, 0.25) == pytest.approx((1 - 1 / 3) - math.log(2 / (4 / 3)))


def test_ties_are_worth_what_a_random_order_is_worth_on_average():
    chance = np.random.default_rng(0)
    labels = np.arange(400) % 4 == 0
    # Two values only; breaking the ties at random changes the area by noise alone.
    scores = (np.arange(400) % 7 == 0).astype(float)
    broken = [measure(labels, (scores + 0.5 * chance.random(400)).tolist()).auc for _ in range(30)]
    assert measure(labels, scores.tolist()).auc == pytest.approx(np.mean(broken), abs=0.01)


def slow_curve(labels, scores) -> list[tuple[Fraction, Fraction]]:
    """Recall and precision at each threshold, counted literally."""
    points = []
    for threshold in sorted(set(scores), reverse=True):
        kept = [label for label, score in zip(labels, scores, strict=True) if score >= threshold]
        points.append((Fraction(sum(kept), sum(labels)), Fraction(sum(kept), len(kept))))
    return points


def slow_area(labels, scores, floor: float, steps: int = 1000) -> float:
    """Entailing and other pairs of each score come in evenly; precision at the middle of many small steps."""
    area, right, kept = 0.0, 0.0, 0.0
    for threshold in sorted(set(scores), reverse=True):
        inside = [label for label, score in zip(labels, scores, strict=True) if score == threshold]
        for step in range(steps if any(inside) else 0):
            part = (step + 0.5) / steps
            precision = (right + part * sum(inside)) / (kept + part * len(inside))
            area += sum(inside) / steps * precision * (precision >= floor)
        right, kept = right + sum(inside), kept + len(inside)
    return area / right


judged = st.lists(st.tuples(st.booleans(), st.integers(0, 6)), min_size=1, max_size=25).filter(
    lambda rows: any(label for label, _ in rows)
)


@given(judged)
def test_all_figures_equal_the_literal_computation(rows):
    labels, scores = [label for label, _ in rows], [float(score) for _, score in rows]
    points = slow_curve(labels, scores)
    score = measure(labels, scores)
    assert score.auc == pytest.approx(slow_area(labels, scores, 0), abs=1e-3)
    assert score.details["auc_p50"] == pytest.approx(slow_area(labels, scores, 0.5), abs=3e-3)
    assert score.f1 == pytest.approx(max(float(2 * p * r / (p + r)) if p + r else 0 for r, p in points))


@given(judged, st.randoms(use_true_random=False))
def test_neither_order_nor_a_rising_function_of_the_scores_matters(rows, chance):
    labels, scores = [label for label, _ in rows], [float(score) for _, score in rows]
    mixed = rows[:]
    chance.shuffle(mixed)
    one = measure(labels, scores)
    other = measure([label for label, _ in mixed], [float(np.exp(score / 3)) for _, score in mixed])
    assert (one.auc, one.f1) == (pytest.approx(other.auc), pytest.approx(other.f1))


@given(judged)
def test_figures_stay_in_their_bounds(rows):
    score = measure([label for label, _ in rows], [float(score) for _, score in rows])
    assert 0 <= score.details["auc_p50"] <= score.auc + 1e-12 <= 1 + 2e-12
    base = score.gold / len(rows)
    assert score.f1 >= 2 * base / (1 + base) - 1e-12  # to keep everything is one of the choices


@given(judged, st.data())
def test_integer_weights_equal_repeated_pairs(rows, data):
    labels, scores = [label for label, _ in rows], [float(score) for _, score in rows]
    weights = data.draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows)))
    repeated = [item for item, weight in zip(rows, weights, strict=True) for _ in range(weight)]
    weighted = Inference().evaluate(numbered(labels), scores).score(np.array(weights, dtype=float))
    plain = measure([label for label, _ in repeated], [float(score) for _, score in repeated])
    assert weighted.auc == pytest.approx(plain.auc)
    assert weighted.f1 == pytest.approx(plain.f1)


def test_couples_are_found_whatever_the_case_and_the_order():
    pairs = [
        pair("kills", "is useful in", True),
        pair("Is useful  in", "kills", False),
        pair("sold", "bought", False),
        pair("bought", "sold", False),
        pair("wrote", "is the author of", True),
        pair("is the author of", "wrote", True),
    ]
    assert find_couples(pairs) == [(0, 1)]
    assert find_couples([pairs[1], pairs[0]]) == [(1, 0)]
    assert find_couples([pairs[0], pairs[0], pairs[1]]) == [(0, 2)]


@given(st.lists(st.integers(0, 3), min_size=1, max_size=10))
def test_a_symmetric_score_is_at_chance_on_direction(values):
    pairs, scores = [], []
    for number, value in enumerate(values):
        pairs += [pair(f"p{number}", f"q{number}", True), pair(f"q{number}", f"p{number}", False)]
        scores += [float(value), float(value)]
    details = Inference().evaluate(pairs, scores).score().details
    assert details["directional_pairs"] == len(values)
    assert details["directional_accuracy"] == 0.5
    assert details["directional_auc"] == pytest.approx(0.5)


def test_direction_counts_couples_won_and_half_of_the_ties():
    pairs = [
        pair("a", "b", True),
        pair("b", "a", False),
        pair("c", "d", True),
        pair("d", "c", False),
        pair("e", "f", True),
        pair("f", "e", False),
    ]
    details = Inference().evaluate(pairs, [0.9, 0.1, 0.2, 0.3, 0.4, 0.4]).score().details
    assert details["directional_accuracy"] == pytest.approx((1 + 0 + 1 / 2) / 3)


def test_without_couples_there_is_no_directional_figure():
    assert measure([True], [1.0]).details["directional_accuracy"] is None


def test_nothing_that_entails_scores_zero_and_does_not_crash():
    score = measure([False, False], [1.0, 2.0])
    assert (score.f1, score.auc, score.details["auc_p50"], score.predicted) == (0, 0, 0, 0)
    assert measure([], []).f1 == 0


def test_infinite_scores_are_the_largest_and_the_smallest():
    assert measure([True, False], [float("inf"), float("-inf")]).auc == 1


@pytest.mark.parametrize(
    ("pairs", "scores", "message"),
    [
        (numbered([True, False]), [1.0], "1 scores for 2 pairs"),
        (numbered([True, None]), [1.0, 2.0], "pair 2 has no judgement"),
        (numbered([True]), [float("nan")], "the score of pair 1 is NaN"),
    ],
)
def test_what_cannot_be_scored_is_refused(pairs, scores, message):
    with pytest.raises(InputError, match=message):
        Inference().evaluate(pairs, scores)


def test_the_signature_says_how_ties_are_treated():
    assert measure([True], [1.0]).signature.startswith("inference|ties:random-order|precise:0.5|v:")
