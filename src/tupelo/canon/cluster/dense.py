"""The full tree over all pairs of points, by nearest-neighbour chains.

Each step goes from a cluster to its nearest one until two clusters are each
other's nearest, and joins them. Time and memory grow with the square of the
points: four bytes for every ordered pair.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.cluster.distances import in_units, unit_rows
from tupelo.canon.cluster.merges import GRID, NOT_CLOSE, Merges, merges_in_order
from tupelo.core import UnknownNameError

LINKAGES = ("complete", "single", "average")
_BLOCK = 512


def full_tree(vectors: NDArray[Any], linkage: str = "complete") -> Merges:
    """All merges of the points, whatever their distance; `vectors` as `check_vectors` returns them."""
    if linkage not in LINKAGES:
        raise UnknownNameError.among("linkage", linkage, LINKAGES)
    matrix = _distance_matrix(vectors, np.float64 if linkage == "average" else np.uint32)
    found = _chain(matrix, linkage)
    if linkage == "complete":
        table = np.array(found, dtype=np.int64).reshape(len(found), 3)
        return merges_in_order(len(vectors), table[:, 0], table[:, 1], table[:, 2], np.inf)
    # Here a tie may put a parent before its child; chains find children first, and a stable order keeps that.
    found.sort(key=lambda merge: merge[2])
    first, second = (np.array([merge[side] for merge in found], dtype=np.int64) for side in (0, 1))
    return Merges(len(vectors), first, second, np.array([merge[2] for merge in found]) / GRID)


def _distance_matrix(vectors: NDArray[Any], dtype: type[np.float64] | type[np.uint32]) -> NDArray[Any]:
    rows = unit_rows(vectors)
    matrix: NDArray[Any] = np.empty((len(rows), len(rows)), dtype=dtype)
    for start in range(0, len(rows), _BLOCK):
        end = min(start + _BLOCK, len(rows))
        matrix[start:end, start:] = in_units(rows[start:end] @ rows[start:].T)
        # Mirrored, not computed twice: the two halves must not differ by a rounding error.
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
    """Whether the way back is the best way on."""
    if linkage == "complete":
        return nearest == previous
    # The order of names is not kept by these merges; going back on a tie is what ends every chain.
    return bool(distances[nearest] == distances[previous])
