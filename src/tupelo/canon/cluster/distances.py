"""Cosine distances between rows, all close pairs, and the merges that agglomeration makes of them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tupelo.core import InputError

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

# Cosine distances are stored as whole multiples of 2**-30 in four bytes. Equal distances are thus equal numbers,
# whatever the order of summation, and ties are broken by rule, not by rounding noise.
GRID = float(2**30)
NOT_CLOSE = np.iinfo(np.uint32).max


@dataclass(frozen=True, slots=True, eq=False)
class Merges:
    """The merges of one run over `count` points, from the closest pair on.

    A cluster is named after its smallest member, so the i-th merge joins cluster `second[i]` to cluster `first[i]`,
    which keeps its name. `heights` never fall. Every merge below `limit` is there; a full tree has no limit.
    """

    count: int
    first: Integers
    second: Integers
    heights: Floats
    limit: float = math.inf

    def labels(self, threshold: float) -> Integers:
        """The clusters when all merges strictly below the threshold are done, numbered by first appearance."""
        if math.isnan(threshold) or threshold > self.limit:
            raise InputError(f"the cut at {threshold} was asked of merges that are known below {self.limit} only")
        done = int(np.searchsorted(self.heights, threshold, side="left"))
        parents = np.arange(self.count)
        parents[self.second[:done]] = self.first[:done]
        while not np.array_equal(parents, grandparents := parents[parents]):
            parents = grandparents
        # A cluster is named after its smallest member, so the order of names is that of first appearance.
        return np.unique(parents, return_inverse=True)[1].astype(np.int64).reshape(-1)

    def children(self) -> Integers:
        """A row per merge with the two nodes that it joins; points are 0 to n-1, the i-th merge makes node n+i."""
        nodes = list(range(self.count))
        rows = np.empty((len(self.first), 2), dtype=np.int64)
        for number, (first, second) in enumerate(zip(self.first.tolist(), self.second.tolist(), strict=True)):
            rows[number] = nodes[first], nodes[second]
            nodes[first] = self.count + number
        return rows


def merges_in_order(count: int, first: Integers, second: Integers, units: Integers, limit: float) -> Merges:
    """Merges found in any order, as they follow from taking the closest pair first, ties by smallest names."""
    order = np.lexsort((second, first, units))
    return Merges(count, first[order], second[order], units[order] / GRID, limit)


Rows = NDArray[np.float32]
Units = NDArray[np.uint32]

# Error bound of products in single precision; close pairs are measured again in double precision.
SINGLE_PRECISION_MARGIN = 1e-5
_BLOCK_ROWS = 1024
_BLOCK_COLUMNS = 4096
# Numbers per batch of pair distances: 16 MB of double precision on each side.
_GATHERED = 1 << 21


class Pairs(NamedTuple):
    """Pairs of rows, `first` < `second`, each once, with their distance in units of 1 / GRID."""

    first: Integers
    second: Integers
    units: Units


def check_vectors(vectors: NDArray[Any]) -> NDArray[Any]:
    """The vectors, if a cosine is defined between all of them."""
    checked = np.asarray(vectors)
    if checked.ndim != 2:
        raise InputError(f"vectors of shape {checked.shape}, expected one row for each phrase")
    if not np.issubdtype(checked.dtype, np.floating):
        checked = checked.astype(np.float64)
    if not len(checked):
        return checked
    with np.errstate(over="ignore", invalid="ignore"):
        lengths = np.einsum("ij,ij->i", checked, checked, dtype=np.float64)
    if not np.isfinite(lengths).all():
        row = int(np.flatnonzero(~np.isfinite(lengths))[0])
        raise InputError(f"vector {row} holds NaN or infinity, expected finite numbers")
    if not lengths.all():
        row = int(np.flatnonzero(lengths == 0)[0])
        raise InputError(
            f"vector {row} is zero and has no direction, expected a cosine to be defined for every vector"
        )
    return checked


def unit_rows(vectors: NDArray[Any], dtype: type[np.float32] | type[np.float64] = np.float64) -> NDArray[Any]:
    """Rows scaled to length 1; the scaling itself is done in double precision, a block of rows at a time."""
    if dtype is np.float32 and vectors.dtype == np.float32:
        squares = np.einsum("ij,ij->i", vectors, vectors)
        if (np.abs(squares - 1) < SINGLE_PRECISION_MARGIN / 10).all():
            # Exact enough to find candidates, and a copy of a million rows would be expensive.
            return vectors
    scaled = np.empty(vectors.shape, dtype=dtype)
    for start in range(0, len(vectors), _BLOCK_COLUMNS):
        block = vectors[start : start + _BLOCK_COLUMNS].astype(np.float64)
        scaled[start : start + _BLOCK_COLUMNS] = block / np.linalg.norm(block, axis=1, keepdims=True)
    return scaled


def in_units(cosines: NDArray[np.float64]) -> Units:
    """1 - cosine as a whole number of grid steps."""
    distances = np.clip(1.0 - cosines, 0.0, 2.0)
    return np.rint(distances * GRID).astype(np.uint32)


def measure_pairs(vectors: NDArray[Any], first: Integers, second: Integers) -> Units:
    """The distances of given pairs of rows, in double precision."""
    units = np.empty(len(first), dtype=np.uint32)
    step = max(1, _GATHERED // max(1, vectors.shape[1]))
    for start in range(0, len(first), step):
        left = vectors[first[start : start + step]].astype(np.float64)
        right = vectors[second[start : start + step]].astype(np.float64)
        lengths = np.einsum("ij,ij->i", left, left) * np.einsum("ij,ij->i", right, right)
        units[start : start + step] = in_units(np.einsum("ij,ij->i", left, right) / np.sqrt(lengths))
    return units


def close_pairs(vectors: NDArray[Any], threshold: float) -> Pairs:
    """All pairs nearer than the threshold. Memory grows with their number, not with the square of the rows."""
    nothing = np.empty(0, dtype=np.int64)
    none = Pairs(nothing, nothing, np.empty(0, dtype=np.uint32))
    found = zip(*(none, *close_pair_blocks(vectors, threshold)), strict=True)
    return Pairs(*(np.concatenate(side) for side in found))


def close_pair_blocks(vectors: NDArray[Any], threshold: float) -> Iterator[Pairs]:
    """The pairs of `close_pairs` in batches."""
    least = np.float32(1.0 - threshold - SINGLE_PRECISION_MARGIN)
    for first, second in _candidate_blocks(unit_rows(vectors, np.float32), least):
        yield keep_close(vectors, threshold, first, second)


def keep_close(vectors: NDArray[Any], threshold: float, first: Integers, second: Integers) -> Pairs:
    """The candidate pairs that are nearer than the threshold."""
    units = measure_pairs(vectors, first, second)
    close = units / GRID < threshold
    return Pairs(first[close], second[close], units[close])


def _candidate_blocks(rows: Rows, least: np.float32) -> Iterator[tuple[Integers, Integers]]:
    products = np.empty((_BLOCK_ROWS, _BLOCK_COLUMNS), dtype=np.float32)
    for top in range(0, len(rows), _BLOCK_ROWS):
        upper = rows[top : top + _BLOCK_ROWS]
        for left in range(top, len(rows), _BLOCK_COLUMNS):
            lower = rows[left : left + _BLOCK_COLUMNS]
            product = products[: len(upper), : len(lower)]
            np.matmul(upper, lower.T, out=product)
            first, second = np.nonzero(product >= least)
            first += top
            second += left
            once = first < second
            if once.any():
                yield first[once], second[once]


def pair_keys(one: Integers, other: Integers | int) -> NDArray[np.uint64]:
    """The pairs of two different points, each as one number with the smaller point in its upper half."""
    apart = one != other
    first, second = np.minimum(one, other)[apart], np.maximum(one, other)[apart]
    return np.asarray(first.astype(np.uint64) << np.uint64(32) | second.astype(np.uint64))


def pairs_of_keys(keys: NDArray[np.uint64]) -> tuple[Integers, Integers]:
    return (keys >> np.uint64(32)).astype(np.int64), (keys & np.uint64(0xFFFFFFFF)).astype(np.int64)


def distinct_rows(vectors: NDArray[Any]) -> tuple[Integers, Integers]:
    """The first row of each kind, in order, and for every row the place of its kind in that list."""
    numbers: dict[bytes, int] = {}
    kinds = np.empty(len(vectors), dtype=np.int64)
    for start in range(0, len(vectors), _BLOCK_COLUMNS):
        # -0.0 and 0.0 are one number with two patterns of bits; adding 0 makes them one.
        rows = np.ascontiguousarray(vectors[start : start + _BLOCK_COLUMNS] + vectors.dtype.type(0))
        for place, row in enumerate(rows, start):
            kinds[place] = numbers.setdefault(blake2b(row, digest_size=16).digest(), len(numbers))
    return np.unique(kinds, return_index=True)[1].astype(np.int64), kinds
