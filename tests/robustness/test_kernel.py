"""The tree kernel against a count of all fragments, one by one."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.robustness.trees import TREES, tree, tree_similarity
from tupelo.core import InputError
from tupelo.robustness.measures import kernel, prepare
from tupelo.robustness.trees import ConstituencyTree

DECAYS = st.sampled_from([0.1, 0.4, 1.0])
# A fragment: its label and, where the node is expanded, its children.
Fragment = tuple[str, tuple["Fragment", ...]]


def fragments_at(made: ConstituencyTree, node: int) -> list[tuple[Fragment, int]]:
    """All fragments that start at a node, with their number of productions."""
    if not made.children[node]:
        return []
    choices = [[((made.labels[child], ()), 0), *fragments_at(made, child)] for child in made.children[node]]
    return [
        ((made.labels[node], tuple(part for part, _ in chosen)), 1 + sum(size for _, size in chosen))
        for chosen in product(*choices)
    ]


def count_common(first: ConstituencyTree, second: ConstituencyTree, decay: float) -> float:
    counts = [
        Counter(found for node in range(len(made.labels)) for found in fragments_at(made, node))
        for made in (first, second)
    ]
    return sum(counts[0][found] * counts[1][found] * decay ** found[1] for found in counts[0])


def test_the_worked_example():
    first, second = tree("S(NP VP(V NP))"), tree("S(NP VP(V))")
    assert kernel(prepare(first, 1.0), prepare(second, 1.0), 1.0) == 1.0
    assert prepare(first, 1.0).itself == prepare(second, 1.0).itself == 3.0
    assert tree_similarity(first, second, decay=1.0) == pytest.approx(1 / 3)


def test_the_six_fragments_of_the_noun_phrase_of_collins_and_duffy():
    # "the man": NP -> D N, D -> the, N -> man have 1 * 2 * 2 fragments with NP, and 2 without.
    assert prepare(tree("NP(D(the) N(man))"), 1.0).itself == 6.0


@given(TREES, TREES, DECAYS)
def test_the_kernel_counts_common_fragments(first, second, decay):
    counted = count_common(first, second, decay)
    assert kernel(prepare(first, decay), prepare(second, decay), decay) == pytest.approx(counted)


@given(TREES, TREES, DECAYS)
def test_the_similarity_is_symmetric_between_0_and_1_and_1_for_equal_trees(first, second, decay):
    value = tree_similarity(first, second, decay=decay)
    assert value == pytest.approx(tree_similarity(second, first, decay=decay), abs=1e-12)
    assert 0.0 <= value <= 1.0
    assert tree_similarity(first, first, decay=decay) == 1.0


def test_trees_without_a_common_production_have_similarity_0():
    assert tree_similarity(tree("S(NP VP)"), tree("S(VP NP)")) == 0.0


def test_a_deep_tree_needs_no_deep_stack():
    depth = 3000
    labels = tuple(f"X{node}" for node in range(depth))
    chain = ConstituencyTree(labels, (*((node + 1,) for node in range(depth - 1)), ()))
    other = ConstituencyTree((*labels[:-1], "Y"), chain.children)
    # Chains with one difference at the very bottom, and small fragments that outweigh large ones.
    assert 0.99 < tree_similarity(chain, other, decay=0.5) < 1.0


@pytest.mark.parametrize("decay", [0.0, 1.1, -1.0])
def test_a_decay_outside_its_range_is_an_error(decay):
    with pytest.raises(InputError, match="expected above 0 and up to 1"):
        tree_similarity(tree("S(NP)"), tree("S(NP)"), decay=decay)
