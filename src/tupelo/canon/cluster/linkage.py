"""Agglomerative clustering of vectors by cosine distance: the choice of the algorithm, and full trees.

Complete linkage: the distance of two clusters is that of their farthest members. A cut at t keeps the merges strictly
below t, so no two members of a cluster are t or more apart.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.cluster.distances import (
    GRID,
    NOT_CLOSE,
    Merges,
    Pairs,
    check_vectors,
    close_pairs,
    distinct_rows,
    in_units,
    merges_in_order,
    unit_rows,
)
from tupelo.canon.cluster.neighbours import cells_of, neighbour_pairs
from tupelo.canon.cluster.sparse import agglomerate
from tupelo.core import InputError
from tupelo.core.errors import require_name

# Up to this number of rows, all pairs take 16 MB and less time than a search for the close ones.
_SMALL = 2048
# Maximum number of rows of a cell whose members are all compared with each other.
_CELL = 1024


def complete_linkage(vectors: NDArray[Any], threshold: float | None = None) -> Merges:
    """Exact complete linkage. Without a threshold the full tree, in memory that grows with the square of the rows.

    With one, only merges below it are made and memory grows with the number of pairs below it. Cut the result with
    `labels` at that threshold or any lower one. Equal rows are merged first, one by one, at height 0.

    >>> points = np.array([[1.0, 0.0], [1.0, 0.1], [0.0, 1.0]])
    >>> complete_linkage(points, threshold=0.5).labels(0.5).tolist()
    [0, 0, 1]
    """
    checked = check_vectors(vectors)
    if threshold is not None:
        _check_threshold(threshold)

    distinct, firsts, kinds = _distinct(checked)
    if threshold is None or len(distinct) <= _SMALL:
        merges = full_tree(distinct)
    else:
        merges = agglomerate(len(distinct), close_pairs(distinct, threshold), threshold)
    return _with_repeats(merges, firsts, kinds)


def approximate_linkage(
    vectors: NDArray[Any], threshold: float, *, find: Callable[[NDArray[Any], float], Pairs] = neighbour_pairs
) -> Merges:
    """Complete linkage over a graph of near neighbours, for more rows than can be compared with each other.

    A pair that the graph lacks counts as far apart: clusters may be split, but never contain a pair beyond the
    threshold. `find` returns the pairs of the graph.
    """
    checked = check_vectors(vectors)
    _check_threshold(threshold)
    distinct, firsts, kinds = _distinct(checked)
    return _with_repeats(agglomerate(len(distinct), find(distinct, threshold), threshold), firsts, kinds)


def linkage_tree(vectors: NDArray[Any], linkage: str = "complete") -> Merges:
    """The full tree by `complete`, `single` or `average` linkage."""
    if linkage == "complete":
        return complete_linkage(vectors)
    return full_tree(check_vectors(vectors), linkage)


def linkage_in_cells(vectors: NDArray[Any], linkage: str) -> Merges:
    """The trees of cells of near rows, each up to one cluster; rows of different cells stay apart."""
    distinct, firsts, kinds = _distinct(check_vectors(vectors))
    none = np.empty(0, dtype=np.int64)
    found: list[tuple[NDArray[Any], ...]] = [(none, none, np.empty(0))]
    for members in cells_of(distinct, _CELL):
        tree = full_tree(distinct[members], linkage)
        found.append((members[tree.first], members[tree.second], tree.heights))
    first, second, heights = (np.concatenate(column) for column in zip(*found, strict=True))
    order = np.argsort(heights, kind="stable")
    return _with_repeats(Merges(len(distinct), first[order], second[order], heights[order]), firsts, kinds)


def _check_threshold(threshold: float) -> None:
    if math.isnan(threshold) or threshold < 0:
        raise InputError(f"threshold {threshold}, expected a cosine distance: 0 or more")


def _distinct(vectors: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64], NDArray[np.int64]]:
    """The distinct rows, the position of the first of each, and for every row its number among them."""
    firsts, kinds = distinct_rows(vectors)
    return vectors if len(firsts) == len(vectors) else vectors[firsts], firsts, kinds


def _with_repeats(merges: Merges, firsts: NDArray[np.int64], kinds: NDArray[np.int64]) -> Merges:
    """Merges of distinct rows extended to all rows: repeated rows are merged first."""
    if len(firsts) == len(kinds):
        return merges
    repeated = np.flatnonzero(firsts[kinds] != np.arange(len(kinds)))
    repeated = repeated[np.argsort(firsts[kinds[repeated]], kind="stable")]
    below = Merges(len(kinds), firsts[kinds[repeated]], repeated, np.zeros(len(repeated)))
    return stacked(below, merges, firsts)


def stacked(below: Merges, above: Merges, firsts: NDArray[np.int64]) -> Merges:
    """One run of merges after another whose points are the clusters of the first, named in `firsts`."""
    return Merges(
        below.count,
        np.concatenate([below.first, firsts[above.first]]),
        np.concatenate([below.second, firsts[above.second]]),
        np.concatenate([below.heights, above.heights]),
        above.limit,
    )


LINKAGES = ("complete", "single", "average")
_BLOCK = 512


def full_tree(vectors: NDArray[Any], linkage: str = "complete") -> Merges:
    """All merges of the points, whatever their distance; `vectors` as `check_vectors` returns them."""
    require_name("linkage", linkage, LINKAGES)
    matrix = _distance_matrix(vectors, np.float64 if linkage == "average" else np.uint32)
    found = _chain(matrix, linkage)
    if linkage == "complete":
        table = np.array(found, dtype=np.int64).reshape(len(found), 3)
        return merges_in_order(len(vectors), table[:, 0], table[:, 1], table[:, 2], np.inf)
    # With ties a parent could come before its child; chains find children first, and a stable sort keeps that.
    found.sort(key=lambda merge: merge[2])
    first, second = (np.array([merge[side] for merge in found], dtype=np.int64) for side in (0, 1))
    return Merges(len(vectors), first, second, np.array([merge[2] for merge in found]) / GRID)


def _distance_matrix(vectors: NDArray[Any], dtype: type[np.float64] | type[np.uint32]) -> NDArray[Any]:
    rows = unit_rows(vectors)
    matrix: NDArray[Any] = np.empty((len(rows), len(rows)), dtype=dtype)
    for start in range(0, len(rows), _BLOCK):
        end = min(start + _BLOCK, len(rows))
        matrix[start:end, start:] = in_units(rows[start:end] @ rows[start:].T)
        # Mirrored, so that the two halves do not differ by rounding.
        matrix[start:, start:end] = matrix[start:end, start:].T
        square = matrix[start:end, start:end]
        upper = np.triu_indices(end - start)
        square.T[upper] = square[upper]
    np.fill_diagonal(matrix, _far(matrix))
    return matrix


def _far(matrix: NDArray[Any]) -> Any:
    return NOT_CLOSE if matrix.dtype == np.uint32 else np.inf


def _chain(matrix: NDArray[Any], linkage: str) -> list[tuple[int, int, float]]:
    far = _far(matrix)
    sizes = np.ones(len(matrix))
    alive = np.ones(len(matrix), dtype=bool)
    chain: list[int] = []
    found: list[tuple[int, int, float]] = []
    oldest = 0
    while len(found) < len(matrix) - 1:
        if not chain:
            while not alive[oldest]:
                oldest += 1
            chain.append(oldest)
        tip = chain[-1]
        # The first of equal distances is the cluster of the smallest name.
        nearest = int(matrix[tip].argmin())
        if len(chain) == 1 or not _mutual(matrix[tip], nearest, chain[-2], linkage):
            chain.append(nearest)
            continue
        one, other = sorted((tip, chain[-2]))
        del chain[-2:]
        found.append((one, other, matrix[one, other].item()))
        if linkage == "complete":
            joined = np.maximum(matrix[one], matrix[other])
        elif linkage == "single":
            joined = np.minimum(matrix[one], matrix[other])
        else:
            joined = (sizes[one] * matrix[one] + sizes[other] * matrix[other]) / (sizes[one] + sizes[other])
        sizes[one] += sizes[other]
        joined[one] = joined[other] = far
        alive[other] = False
        matrix[one] = joined
        matrix[:, one] = joined
        matrix[other] = far
        matrix[:, other] = far
    return found


def _mutual(distances: NDArray[Any], nearest: int, previous: int, linkage: str) -> bool:
    """Whether the previous cluster of the chain is a nearest one."""
    if linkage == "complete":
        return nearest == previous
    # These merges do not keep the order of names; chains end because a tie goes back.
    return bool(distances[nearest] == distances[previous])
