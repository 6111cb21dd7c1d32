"""Trees of merges: cutting them, finishing them, and laying them over repeated phrases."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from papers.hierarchies import finished, tree_of
from tupelo.canon.cuts import TreeCut, distinct, in_order_of_appearance
from tupelo_training.canon.cuts import link_edges

# Distinct distances, so that no tie leaves the tree open.
distance_lists = st.integers(3, 8).flatmap(
    lambda count: st.permutations(range(count * (count - 1) // 2)).map(lambda ranks: (count, ranks))
)


def pairs(count: int) -> list[tuple[int, int]]:
    return [(left, right) for left in range(count) for right in range(left + 1, count)]


@pytest.mark.parametrize("linkage", ["complete", "single"])
@given(drawn=distance_lists)
def test_linkage_of_all_pairs_is_that_of_scipy(linkage: str, drawn: tuple[int, list[int]]) -> None:
    hierarchy = pytest.importorskip("scipy.cluster.hierarchy", reason="the referee of this test")
    count, ranks = drawn
    edges = [(left, right, float(rank)) for (left, right), rank in zip(pairs(count), ranks, strict=True)]
    tree = link_edges(count, edges, linkage)  # type: ignore[arg-type]
    theirs = hierarchy.linkage(np.array(ranks, dtype=float), linkage)
    assert tree.heights.tolist() == theirs[:, 2].tolist()
    for threshold in range(len(ranks) + 1):
        expected = hierarchy.fcluster(theirs, threshold - 0.5, "distance")
        assert tree.labels(threshold).tolist() == in_order_of_appearance(expected).tolist()


def test_what_is_not_listed_is_never_joined() -> None:
    tree = link_edges(4, [(0, 1, 0.2), (1, 2, 0.3)])
    assert tree.labels(9).tolist() == [0, 0, 1, 2]
    assert link_edges(4, [(0, 1, 0.2), (1, 2, 0.3)], "single").labels(9).tolist() == [0, 0, 0, 1]


def test_the_order_of_the_pairs_does_not_matter() -> None:
    edges = [(0, 1, 0.5), (1, 2, 0.5), (2, 3, 0.5), (0, 2, 0.5)]
    first = link_edges(4, edges)
    again = link_edges(4, [(right, left, distance) for left, right, distance in reversed(edges)])
    assert first.children().tolist() == again.children().tolist()


def test_a_merge_at_the_threshold_is_not_done() -> None:
    tree = link_edges(3, [(0, 1, 0.5), (1, 2, 0.7)], "single")
    assert tree.labels(0.5).tolist() == [0, 1, 2]
    assert tree.labels(0.6).tolist() == [0, 0, 1]
    assert tree.labels(0.8).tolist() == [0, 0, 0]


def test_a_finished_tree_has_one_root_and_rising_heights() -> None:
    tree = finished(link_edges(5, [(0, 1, 0.2), (3, 4, 0.4)]), 1.0)
    assert len(tree.heights) == 4
    assert sorted(tree.heights.tolist()) == tree.heights.tolist()
    assert set(tree.labels(2.0).tolist()) == {0}


def test_occurrences_of_a_phrase_are_one_at_every_threshold() -> None:
    _, inverse = distinct(["a", "b", "a", "c", "b", "a"])
    cut = TreeCut(link_edges(3, [(0, 1, 0.3)]), inverse)
    assert cut.labels(0.1).tolist() == [0, 1, 0, 2, 1, 0]
    assert cut.labels(0.4).tolist() == [0, 0, 0, 1, 0, 0]
    tree = tree_of(cut, 2.0)
    assert tree is not None
    # Five merges over six items; equal phrases come first, one by one.
    assert tree.heights.tolist() == [0.0, 0.0, 0.0, 0.3, 2.0]
    assert tree.children()[0].tolist() == [0, 2]
    assert tree.children()[2].tolist() == [6, 5]
