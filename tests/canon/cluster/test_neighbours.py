"""The neighbour graph of the approximate method, against all pairs."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.hnsw import edge_recall, hnsw_pairs
from tests.canon.cluster.test_linkage import planted
from tupelo.canon.cluster import approximate_linkage, complete_linkage
from tupelo.canon.cluster.distances import Pairs, close_pairs
from tupelo.canon.cluster.neighbours import cells_of, nearest_rows, neighbour_pairs

POINTS = planted(1200, 2, size=24).astype(np.float32)
FINDERS = [neighbour_pairs, hnsw_pairs]


def as_set(pairs: Pairs) -> set[tuple[int, int, int]]:
    return set(zip(pairs.first.tolist(), pairs.second.tolist(), pairs.units.tolist(), strict=True))


@pytest.mark.parametrize("find", FINDERS)
def test_the_graph_has_true_pairs_only_and_nearly_all_of_them(find):
    if find is hnsw_pairs:
        pytest.importorskip("faiss", reason="needs the extra 'scale'")
    found, true = find(POINTS, 0.3), close_pairs(POINTS, 0.3)
    assert as_set(found) <= as_set(true)
    assert len(as_set(found)) >= 0.98 * len(true.units)
    assert edge_recall(POINTS, found, 0.3, sample=len(POINTS)) == pytest.approx(
        len(as_set(found)) / len(as_set(true)), abs=1e-12
    )


def test_points_with_more_neighbours_than_the_list_is_long_find_them_through_others():
    pytest.importorskip("faiss", reason="needs the extra 'scale'")
    crowd = np.ones((120, 16)) + 0.02 * np.random.default_rng(0).normal(size=(120, 16))
    found = hnsw_pairs(crowd, 0.3, width=20)
    # All 120 * 119 / 2 pairs are close; the lists alone hold at most 120 * 20 of them.
    assert len(found.units) > 0.85 * 120 * 119 / 2


@pytest.mark.parametrize("find", FINDERS)
def test_the_partition_is_nearly_that_of_exact_linkage(find):
    if find is hnsw_pairs:
        pytest.importorskip("faiss", reason="needs the extra 'scale'")
    exact = complete_linkage(POINTS, 0.3).labels(0.3)
    labels = approximate_linkage(POINTS, 0.3, find=find).labels(0.3)
    same = (labels[:, None] == labels) == (exact[:, None] == exact)
    assert same.mean() > 0.999


def test_the_graph_is_the_same_each_time():
    one, other = (neighbour_pairs(POINTS, 0.3) for _ in range(2))
    assert one.first.tobytes() + one.units.tobytes() == other.first.tobytes() + other.units.tobytes()


def test_repeated_points_are_looked_up_once():
    repeated = np.concatenate([POINTS, POINTS[:300]])
    sizes = []

    def find(rows, threshold):
        sizes.append(len(rows))
        return neighbour_pairs(rows, threshold)

    labels = approximate_linkage(repeated, 0.2, find=find).labels(0.2)
    assert sizes == [len(POINTS)]
    assert (labels[len(POINTS) :] == labels[:300]).all()


def test_recall_is_one_when_nothing_is_close_and_falls_when_pairs_are_missing():
    far = np.eye(8)
    nothing = neighbour_pairs(far, 0.5)
    assert (len(nothing.units), edge_recall(far, nothing, 0.5)) == (0, 1.0)
    near = np.ones((6, 3)) + 0.01 * np.random.default_rng(1).normal(size=(6, 3))
    all_pairs = close_pairs(near, 0.5)
    half = Pairs(all_pairs.first[:5], all_pairs.second[:5], all_pairs.units[:5])
    assert edge_recall(near, half, 0.5) == pytest.approx(5 / 15)


def test_few_points_and_opposite_points_are_fine():
    assert approximate_linkage(np.ones((1, 4)), 0.3).labels(0.3).tolist() == [0]
    assert approximate_linkage(np.array([[1.0], [-1.0], [2.0]]), 0.3).labels(0.3).tolist() == [0, 1, 0]
    assert approximate_linkage(np.empty((0, 4)), 0.3).labels(0.3).tolist() == []


def nearest_by_hand(points, width, threshold):
    """All cosines at once, every row sorted."""
    unit = points / np.linalg.norm(points, axis=1, keepdims=True)
    cosines = unit @ unit.T
    np.fill_diagonal(cosines, -1)
    order = np.argsort(-cosines, axis=1, kind="stable")[:, :width]
    return [
        (row, int(near)) for row, nears in enumerate(order) for near in nears if cosines[row, near] > 1 - threshold
    ]


def test_nearest_rows_in_blocks_are_nearly_those_of_all_cosines(monkeypatch):
    monkeypatch.setattr("tupelo.canon.cluster.neighbours._BLOCK", 256)
    expected = nearest_by_hand(POINTS, 3, 0.3)
    some = set(zip(*(side.tolist() for side in nearest_rows(POINTS, 3, 0.3)), strict=True))
    assert len(some & set(expected)) > 0.97 * len(expected)
    # So few rows that every cell is among the nearest ones.
    few = POINTS[:60]
    exact = list(zip(*(side.tolist() for side in nearest_rows(few, 3, 0.9)), strict=True))
    assert exact == nearest_by_hand(few, 3, 0.9)
    assert nearest_rows(POINTS[:1], 3, 0.3)[0].tolist() == []
    # A row of which there are fewer others than asked for.
    assert nearest_rows(np.ones((2, 4)), 3, 0.3)[1].tolist() == [1, 0]


def test_cells_hold_every_row_once_and_are_small():
    cells = list(cells_of(POINTS, 100))
    assert sorted(np.concatenate(cells).tolist()) == list(range(len(POINTS)))
    assert max(map(len, cells)) <= 100
    assert all((np.diff(cell) > 0).all() for cell in cells)
