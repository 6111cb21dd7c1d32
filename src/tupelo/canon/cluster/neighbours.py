"""A graph of near neighbours for data with too many pairs to compare all.

The points are assigned to cells around centres (spherical k-means on a sample), and every point is compared
with the members of the cells nearest to it, one matrix product per cell. This finds neighbours within a distance,
however many there are, and needs nothing but numpy.

Some pairs are missed; `benchmarks.hac` measures their share.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.cluster.distances import (
    SINGLE_PRECISION_MARGIN,
    Integers,
    Pairs,
    Rows,
    close_pairs,
    keep_close,
    pair_keys,
    pairs_of_keys,
    unit_rows,
)

_BLOCK = 4096
_TRAINED_PER_CELL = 40
_ROUNDS = 6
# The cells whose members a row is compared with.
_PROBES = 16


def neighbour_pairs(vectors: NDArray[Any], threshold: float) -> Pairs:
    """Most of the pairs nearer than the threshold; `vectors` as `check_vectors` returns them."""
    if not len(vectors):
        return close_pairs(vectors, threshold)
    first, second = _pairs_in_cells(unit_rows(vectors, np.float32), threshold)
    return keep_close(vectors, threshold, first, second)


def nearest_rows(vectors: NDArray[Any], width: int, threshold: float) -> tuple[Integers, Integers]:
    """Each row with its `width` nearest ones below the threshold, as two columns: row by row, the nearest first.

    Only rows in the nearest cells are compared.
    """
    rows = unit_rows(vectors, np.float32)
    cosines = np.full((len(rows), width), -np.inf, dtype=np.float32)
    nearest = np.full((len(rows), width), len(rows), dtype=np.int64)
    for some, members in _cells(rows):
        products = rows[some] @ rows[members].T
        itself = np.minimum(np.searchsorted(members, some), len(members) - 1)
        same = np.flatnonzero(members[itself] == some)
        products[same, itself[same]] = -np.inf
        top = np.argpartition(-products, min(width, len(members)) - 1, axis=1)[:, :width]
        found = np.concatenate([cosines[some], np.take_along_axis(products, top, axis=1)], axis=1)
        names = np.concatenate([nearest[some], members[top]], axis=1)
        # Ties: the smaller number first.
        order = np.lexsort((names, -found), axis=1)[:, :width]
        cosines[some] = np.take_along_axis(found, order, axis=1)
        nearest[some] = np.take_along_axis(names, order, axis=1)
    row, column = np.nonzero(cosines >= np.float32(1 - threshold))
    return row, nearest[row, column]


def _pairs_in_cells(rows: Rows, threshold: float) -> tuple[Integers, Integers]:
    least = np.float32(1 - threshold - SINGLE_PRECISION_MARGIN)
    found = [np.empty(0, dtype=np.uint64)]
    for some, members in _cells(rows):
        left, right = np.nonzero(rows[some] @ rows[members].T >= least)
        found.append(pair_keys(some[left], members[right]))
    return pairs_of_keys(np.unique(np.concatenate(found)))


def _cells(rows: Rows) -> Iterator[tuple[Integers, Integers]]:
    """Rows to be compared with the members of a cell, cell by cell."""
    # The work is minimal if finding the nearest cells costs as much as searching them.
    cells = max(1, min(len(rows), round(math.sqrt(len(rows) * _PROBES / 4))))
    probes = min(_PROBES, cells)
    centres = _centres(rows, cells)
    nearest = _nearest_cells(rows, centres, probes)
    order, starts = _members(nearest[:, 0], cells)
    askers, ask_starts = _members(nearest.reshape(-1), cells)
    askers //= probes
    for cell in range(cells):
        members = order[starts[cell] : starts[cell + 1]]
        asking = askers[ask_starts[cell] : ask_starts[cell + 1]]
        if len(members):
            for begin in range(0, len(asking), _BLOCK):
                yield asking[begin : begin + _BLOCK], members


def cells_of(vectors: NDArray[Any], most: int) -> Iterator[Integers]:
    """All rows in cells of near ones, at most `most` rows each, in ascending order."""
    rows = unit_rows(vectors, np.float32)
    cells = -(-2 * len(rows) // most)
    order, starts = _members(_nearest_cells(rows, _centres(rows, cells), 1)[:, 0], cells)
    for cell in range(cells):
        members = order[starts[cell] : starts[cell + 1]]
        yield from (members[begin : begin + most] for begin in range(0, len(members), most))


def _centres(rows: Rows, cells: int) -> Rows:
    """Centres of spherical k-means on a sample; a centre without points is kept."""
    random = np.random.default_rng(0)
    sample = rows[np.sort(random.permutation(len(rows))[: cells * _TRAINED_PER_CELL])]
    centres = sample[np.sort(random.permutation(len(sample))[:cells])]
    for _ in range(_ROUNDS):
        nearest = _nearest_cells(sample, centres, 1)[:, 0]
        order, starts = _members(nearest, cells)
        filled = np.flatnonzero(np.diff(starts))
        sums = np.add.reduceat(sample[order], starts[filled], axis=0)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        # Opposite points may cancel out; such a centre is kept too.
        placed = lengths[:, 0] > 0
        centres = centres.copy()
        centres[filled[placed]] = (sums / np.where(lengths > 0, lengths, 1))[placed]
    return centres


def _nearest_cells(rows: Rows, centres: Rows, probes: int) -> NDArray[np.int32]:
    """The nearest cells of each row, the nearest one first."""
    nearest = np.empty((len(rows), probes), dtype=np.int32)
    for start in range(0, len(rows), _BLOCK):
        products = rows[start : start + _BLOCK] @ centres.T
        if probes == 1:
            nearest[start : start + _BLOCK, 0] = products.argmax(axis=1)
            continue
        top = np.argpartition(products, -probes, axis=1)[:, -probes:]
        by_nearness = np.argsort(-np.take_along_axis(products, top, axis=1), axis=1, kind="stable")
        nearest[start : start + _BLOCK] = np.take_along_axis(top, by_nearness, axis=1)
    return nearest


def _members(cells_of: NDArray[np.int32], cells: int) -> tuple[Integers, Integers]:
    """Positions sorted by their cell, and where each cell begins."""
    starts = np.r_[0, np.bincount(cells_of, minlength=cells).cumsum()]
    return np.argsort(cells_of, kind="stable"), starts
