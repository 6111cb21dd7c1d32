"""Exact complete linkage: the same merges as the literal rule, the same partitions as scipy and fastcluster."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.canon.cluster.literal import distances, literal_merges
from tupelo.canon.cluster import complete_linkage, linkage_tree
from tupelo.canon.cluster import linkage as linkage_module
from tupelo.canon.cluster import sparse as sparse_module
from tupelo.canon.cluster.distances import check_vectors, close_pairs, distinct_rows
from tupelo.canon.cluster.linkage import full_tree
from tupelo.canon.cluster.sparse import agglomerate, join_by_mean
from tupelo.core import InputError, UnknownNameError

fastcluster = pytest.importorskip("fastcluster", reason="the referee of these tests")
hierarchy = pytest.importorskip("scipy.cluster.hierarchy", reason="the referee of these tests")
pdist = pytest.importorskip("scipy.spatial.distance", reason="the referee of these tests").pdist
fcluster, scipy_linkage = hierarchy.fcluster, hierarchy.linkage


def planted(count: int, seed: int, size: int = 16, noise: float = 0.35) -> np.ndarray:
    """Points around a tenth as many centres."""
    random = np.random.default_rng(seed)
    centres = random.normal(size=(max(1, count // 10), size))
    return centres[random.integers(0, len(centres), count)] + noise * random.normal(size=(count, size))


def renumbered(labels: np.ndarray) -> list[int]:
    names: dict[int, int] = {}
    return [names.setdefault(label, len(names)) for label in labels.tolist()]


@pytest.fixture
def always_sparse(monkeypatch):
    """Few points take the dense way unless told otherwise."""
    monkeypatch.setattr(linkage_module, "_SMALL", 0)


def as_triples(merges) -> list[tuple[float, int, int]]:
    return list(zip(merges.heights.tolist(), merges.first.tolist(), merges.second.tolist(), strict=True))


# Few different numbers in few dimensions: nearly every distance is there many times.
tied_points = st.lists(st.tuples(*[st.integers(-1, 2)] * 3).filter(any), min_size=1, max_size=24).map(
    lambda points: np.array(points, dtype=np.float64)
)


@pytest.mark.model
@given(points=tied_points)
@settings(max_examples=60, deadline=None)
def test_ties_are_broken_by_the_smallest_members(points):
    _, kinds = distinct_rows(points)
    points = points[np.unique(kinds, return_index=True)[1]]
    expected = literal_merges(distances(points))
    assert as_triples(full_tree(points)) == expected
    limit = 0.6
    below = [merge for merge in expected if merge[0] < limit]
    assert as_triples(agglomerate(len(points), close_pairs(points, limit), limit)) == below


@given(points=tied_points, in_rounds=st.booleans(), threshold=st.sampled_from([0.05, 0.3, 0.8, 1.2, 2.5]))
@settings(max_examples=60, deadline=None)
def test_rounds_and_the_heap_make_the_same_merges(points, in_rounds, threshold):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sparse_module, "_FEW_PAIRS", 0 if in_rounds else 10**9)
        patch.setattr(sparse_module, "_LEAST_SHARE", 0.0)
        found = agglomerate(len(points), close_pairs(points, threshold), threshold)
    assert as_triples(found) == literal_merges(distances(points), threshold)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("threshold", [0.1, 0.3, 0.7])
def test_the_partition_is_that_of_scipy_and_fastcluster(seed, threshold, always_sparse):
    points = planted(900, seed)
    found = complete_linkage(points.astype(np.float32), threshold).labels(threshold)
    condensed = pdist(points.astype(np.float32).astype(np.float64), "cosine")
    for make in (scipy_linkage, fastcluster.linkage):
        # Their criterion is "at most"; no height is exactly at the threshold here.
        assert found.tolist() == renumbered(fcluster(make(condensed, "complete"), threshold, "distance"))


def test_repeated_points_do_not_change_the_partition(always_sparse):
    points = planted(300, 7)
    repeated = points[np.random.default_rng(1).integers(0, len(points), 900)]
    expected = fcluster(scipy_linkage(pdist(repeated, "cosine"), "complete"), 0.3, "distance")
    assert complete_linkage(repeated, 0.3).labels(0.3).tolist() == renumbered(expected)


def test_one_run_gives_every_lower_cut(always_sparse):
    points = planted(800, 3)
    high = complete_linkage(points, 0.8)
    for threshold in (0.0, 0.05, 0.2, 0.5, 0.8):
        assert high.labels(threshold).tolist() == complete_linkage(points, threshold).labels(threshold).tolist()


def test_a_cut_above_the_limit_is_refused(always_sparse):
    with pytest.raises(InputError, match=r"cut at 0\.5 .* below 0\.4"):
        complete_linkage(planted(50, 0), 0.4).labels(0.5)


def test_a_merge_at_the_threshold_is_not_done():
    corner = np.array([[1.0, 0.0], [0.0, 1.0]])
    assert complete_linkage(corner).labels(1.0).tolist() == [0, 1]
    assert complete_linkage(corner).labels(1.0 + 1e-9).tolist() == [0, 0]
    # Even equal points stay apart at 0, as the reference procedure has it.
    assert complete_linkage(np.ones((2, 3))).labels(0.0).tolist() == [0, 1]


@given(points=tied_points, threshold=st.floats(0.01, 2.1), repeat=st.integers(1, 3))
@settings(max_examples=60, deadline=None)
def test_members_are_close_and_clusters_cannot_be_joined(points, threshold, repeat):
    points = np.repeat(points, repeat, axis=0)
    labels = complete_linkage(points, threshold).labels(threshold)
    matrix = distances(points)
    groups = [np.flatnonzero(labels == label) for label in range(labels.max() + 1)]
    assert labels.tolist() == renumbered(labels)
    for number, group in enumerate(groups):
        assert (matrix[np.ix_(group, group)] < threshold).all()
        for other in groups[:number]:
            assert matrix[np.ix_(group, other)].max() >= threshold


def test_all_identical_points_are_chained_into_one_cluster():
    merges = complete_linkage(np.ones((5, 4), dtype=np.float32))
    assert merges.labels(0.01).tolist() == [0] * 5
    assert merges.children().tolist() == [[0, 1], [5, 2], [6, 3], [7, 4]]


def test_children_name_the_nodes_as_scipy_does():
    points = planted(60, 5)
    merges = complete_linkage(points)
    expected = scipy_linkage(pdist(points, "cosine"), "complete")
    assert np.sort(merges.children(), axis=1).tolist() == np.sort(expected[:, :2], axis=1).astype(int).tolist()
    assert merges.heights == pytest.approx(expected[:, 2], abs=1e-8)


@pytest.mark.parametrize("linkage", ["complete", "single", "average"])
def test_every_linkage_cuts_as_scipy_does(linkage):
    points = planted(300, 11)
    tree, expected = linkage_tree(points, linkage), scipy_linkage(pdist(points, "cosine"), linkage)
    assert tree.heights == pytest.approx(expected[:, 2], abs=1e-8)
    for threshold in (0.05, 0.2, 0.6, 1.1):
        assert tree.labels(threshold).tolist() == renumbered(fcluster(expected, threshold, "distance"))


def test_joining_by_the_mean_is_average_linkage():
    near = np.random.default_rng(0).random(66)
    edges = zip(*np.triu_indices(12, 1), near, strict=True)
    found = join_by_mean([(int(one), int(other), height) for one, other, height in edges], lambda *_: True, 1.0)
    assert [height for *_, height in found] == pytest.approx(hierarchy.average(near)[:, 2])


def test_joining_by_the_mean_counts_a_missing_pair_as_far_and_ends_at_its_limit():
    edges = [(0, 1, 0.1), (1, 2, 0.2)]
    assert join_by_mean(edges, lambda *_: True, 0.7) == [(0, 1, 0.1), (0, 2, 0.6)]
    assert join_by_mean(edges, lambda *_: True, 0.5) == [(0, 1, 0.1)]


def test_joining_by_the_mean_weighs_pairs():
    edges = [(0, 1, 0.0), (0, 2, 0.2), (1, 2, 0.8), (2, 3, 0.5)]
    found = join_by_mean(edges, lambda *_: True, 1.0, [0.75, 0.25, 1.0, 1.0])
    near = 0.75 * 0.2 + 0.25 * 0.8
    assert found == [(0, 1, 0.0), (0, 2, pytest.approx(near)), (0, 3, pytest.approx((1.0 + 0.5) / 2))]


def test_joining_by_the_mean_never_joins_what_may_not_be_one():
    edges = [(0, 1, 0.1), (1, 2, 0.2), (2, 3, 0.3)]
    assert join_by_mean(edges, lambda one, other: {one, other} != {0, 2}, 1.0) == [(0, 1, 0.1), (2, 3, 0.3)]


def test_single_linkage_with_ties_ends_and_joins_components():
    points = np.array([[x, y, 1.0] for x in range(5) for y in range(5)])
    expected = fcluster(scipy_linkage(pdist(points, "cosine"), "single"), 0.05, "distance")
    assert linkage_tree(points, "single").labels(0.05).tolist() == renumbered(expected)


def test_no_point_and_one_point_are_fine():
    assert complete_linkage(np.empty((0, 3))).labels(1.0).tolist() == []
    assert complete_linkage(np.ones((1, 3)), 0.2).labels(0.2).tolist() == [0]
    assert complete_linkage(np.ones((1, 3))).children().shape == (0, 2)


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        (np.ones(3), "shape"),
        (np.array([[1.0], [np.nan]]), "vector 1 holds NaN"),
        (np.array([[np.inf], [1.0]]), "vector 0 holds NaN or infinity"),
        (np.array([[1.0, 1.0], [0.0, 0.0]]), "vector 1 is zero"),
    ],
)
def test_vectors_without_a_cosine_are_refused(vectors, message):
    with pytest.raises(InputError, match=message):
        complete_linkage(vectors)


@pytest.mark.parametrize("threshold", [-0.1, float("nan")])
def test_a_threshold_that_is_no_distance_is_refused(threshold):
    with pytest.raises(InputError, match="expected a cosine distance"):
        complete_linkage(np.ones((2, 2)), threshold)


def test_an_unknown_linkage_is_refused():
    with pytest.raises(UnknownNameError, match="Did you mean 'average'"):
        linkage_tree(np.ones((2, 2)), "averge")


def test_whole_numbers_are_vectors_too():
    assert complete_linkage(np.array([[1, 0], [2, 0], [0, 1]]), 0.5).labels(0.5).tolist() == [0, 0, 1]


def test_zero_and_minus_zero_are_one_kind_of_row():
    firsts, kinds = distinct_rows(np.array([[0.0, 1.0], [-0.0, 1.0], [1.0, 0.0]]))
    assert (firsts.tolist(), kinds.tolist()) == ([0, 2], [0, 0, 1])


@given(st.lists(st.lists(st.sampled_from([0.5, -1.5, 3.0]), min_size=3, max_size=3), max_size=30))
def test_distinct_rows_are_those_of_a_set(rows):
    table = np.array(rows, dtype=np.float32).reshape(len(rows), 3)
    firsts, kinds = distinct_rows(table)
    seen: dict[tuple[float, ...], int] = {}
    assert kinds.tolist() == [seen.setdefault(tuple(row), len(seen)) for row in rows]
    assert [tuple(rows[first]) for first in firsts.tolist()] == list(seen)


def test_check_vectors_keeps_single_precision():
    assert check_vectors(np.ones((2, 2), dtype=np.float32)).dtype == np.float32
