"""The HWS distance: worked examples, its properties, and the quick way against the plain loops."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.plain_hws import algorithm_1, hws_distance, sequence_distance
from tests.robustness.trees import SEQUENCES, TREES, tree
from tupelo.core import InputError, UnknownNameError
from tupelo.robustness.distance import VARIANTS, numbered_distance, pairwise_distances

DISCOUNTS = st.sampled_from([0.0, 0.3, 0.5, 1.0])
DISTANCES = st.sampled_from(["revised", "whole-blocks"])


def labels(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def test_blocks_count_with_their_length_and_are_discounted_in_order():
    first, second = labels("S NP VP NP PP VBD VP"), labels("S NP VP NP , SBAR , VBD VP")
    assert sequence_distance(first, second, 0.5) == 1 - (4 + 2 * 0.5) / 7
    assert sequence_distance(first, second, 1.0) == 1 - (4 + 2) / 7
    assert sequence_distance(first, second, 0.0) == 1 - 4 / 7


def test_a_block_of_one_label_counts_only_where_both_sequences_end():
    assert sequence_distance(labels("S NP VP ."), labels("X NP Y ."), 0.5) == 1 - 1 / 4
    assert sequence_distance(labels("S NP VP ."), labels("X NP Y ,"), 0.5) == 1.0


def test_a_block_that_ends_one_sequence_only_counts_in_whole_blocks():
    first, second = labels("S NP VP"), labels("S NP VP .")
    assert sequence_distance(first, second, 0.5) == 1.0
    assert sequence_distance(first, second, 0.5, "whole-blocks") == 0.0


def test_a_repeated_span_is_not_counted_twice():
    # The footnote of the paper: S VP NP against itself, once and repeated.
    once, repeated = labels("S VP NP PP IN"), labels("S VP NP S VP NP")
    assert sequence_distance(once, repeated, 1.0) == 1 - 3 / 5


def test_algorithm_1_alone_depends_on_the_order_where_blocks_lie_crosswise():
    first, second = labels("a b c x d e y"), labels("d e u a b c v")
    assert algorithm_1(first, second, 0.5) == 1 - (3 + 2 * 0.5) / 7
    assert algorithm_1(second, first, 0.5) == 1 - (2 + 3 * 0.5) / 7
    assert sequence_distance(first, second, 0.5) == sequence_distance(second, first, 0.5) == 1 - 4 / 7


def test_algorithm_1_alone_can_fall_below_zero_and_the_distance_cannot():
    # b c d is counted where it stands alone, and again inside a b c d.
    first, second = labels("x a b c d y"), labels("b c d u v a b c d w")
    assert algorithm_1(first, second, 1.0) == 1 - (3 + 4) / 6
    assert sequence_distance(first, second, 1.0) == 0.0


def test_the_height_decides_what_is_compared():
    first, second = tree("S(NP(PRP) VP(VBD) .)"), tree("S(NP(NNP) VP(VBZ) .)")
    assert hws_distance(first, second, height=2) == 0.0
    assert hws_distance(first, second, height=3) == 1 - 4 / 6


def test_the_released_form_counts_blocks_and_gives_a_tree_a_distance_to_itself():
    same = labels("S NP VP .")
    assert sequence_distance(same, same, 0.5, "released") == 1 - 1 / 4
    assert sequence_distance(labels("S NP VP ."), labels("S NP PP VP ."), 0.5, "released") == 1 - 1.5 / 4


def test_the_released_form_takes_labels_that_stop_the_original():
    assert sequence_distance(labels("S AFX"), labels("S AFX"), 0.5, "released") == 1 - 1 / 2


def test_the_cap_of_the_released_form_comes_from_digits():
    assert numbered_distance([4, 4, 5, 3, 5, 6, 0], [1, 0, 3, 5, 6, 6], 0.5) == pytest.approx(1 - 1 / 6)


@given(TREES, DISCOUNTS, DISTANCES)
def test_a_tree_has_no_distance_to_itself(made, discount, variant):
    assert hws_distance(made, made, discount=discount, variant=variant) == 0.0


@given(SEQUENCES, SEQUENCES, DISCOUNTS, DISTANCES)
def test_the_distance_is_symmetric_and_between_0_and_1(first, second, discount, variant):
    distance = sequence_distance(first, second, discount, variant)
    assert distance == sequence_distance(second, first, discount, variant)
    assert 0.0 <= distance <= 1.0


@given(SEQUENCES, SEQUENCES)
def test_the_released_form_lies_between_0_and_1(first, second):
    assert 0.0 <= sequence_distance(first, second, 1.0, "released") <= 1.0


@given(SEQUENCES, SEQUENCES)
def test_a_smaller_discount_never_brings_trees_closer(first, second):
    assert sequence_distance(first, second, 0.2) >= sequence_distance(first, second, 0.8) - 1e-12


@pytest.mark.slow
@given(st.lists(SEQUENCES, min_size=1, max_size=12), DISCOUNTS, st.sampled_from(VARIANTS))
def test_many_pairs_at_once_give_the_values_of_the_plain_loops(sequences, discount, variant):
    pairs = np.array([(a, b) for a in range(len(sequences)) for b in range(len(sequences))])
    expected = [sequence_distance(sequences[a], sequences[b], discount, variant) for a, b in pairs]
    assert pairwise_distances(sequences, pairs, discount=discount, variant=variant).tolist() == expected


@pytest.mark.slow
@pytest.mark.parametrize("labels", [63, 64, 65, 200])
def test_long_sequences_are_no_problem(labels):
    long, longer = tuple("ab" * 300)[: labels - 1], tuple("abc" * 20 + "ab" * 200)[:labels]
    for variant in ("revised", "whole-blocks"):
        values = pairwise_distances([long, longer], np.array([(0, 1)]), discount=1.0, variant=variant)
        assert values.tolist() == [sequence_distance(long, longer, 1.0, variant)]


def test_no_pairs_give_no_values():
    assert pairwise_distances([("S",)], np.zeros((0, 2), dtype=np.int64)).shape == (0,)


def test_unknown_variants_and_discounts_are_named():
    with pytest.raises(UnknownNameError, match="Did you mean 'revised'"):
        sequence_distance(("S",), ("S",), variant="revise")
    with pytest.raises(InputError, match=r"discount of 1\.5, expected 0 to 1"):
        sequence_distance(("S",), ("S",), 1.5)
