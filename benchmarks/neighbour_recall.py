"""How many of the close pairs a graph of near neighbours has, on a sample of points compared with all others."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.cluster.distances import SINGLE_PRECISION_MARGIN, Pairs, keep_close, unit_rows

_BLOCK = 16_384


def edge_recall(vectors: NDArray[Any], pairs: Pairs, threshold: float, *, sample: int = 500, seed: int = 0) -> float:
    """The share of close pairs in the graph, on a sample of points compared with all; 1 when there is none."""
    chosen = np.sort(np.random.default_rng(seed).permutation(len(vectors))[:sample])
    rows = unit_rows(vectors, np.float32)
    known = np.sort(_keys(pairs.first, pairs.second))
    true = found = 0
    for start in range(0, len(rows), _BLOCK):
        products = rows[chosen] @ rows[start : start + _BLOCK].T
        left, right = np.nonzero(products >= np.float32(1 - threshold - SINGLE_PRECISION_MARGIN))
        one, other = chosen[left], right + start
        apart = one != other
        close = keep_close(vectors, threshold, np.minimum(one, other)[apart], np.maximum(one, other)[apart])
        keys = _keys(close.first, close.second)
        places = np.minimum(np.searchsorted(known, keys), max(0, len(known) - 1))
        true += len(keys)
        found += int((known[places] == keys).sum()) if len(known) else 0
    return found / true if true else 1.0


def _keys(first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.uint64]:
    return first.astype(np.uint64) << np.uint64(32) | second.astype(np.uint64)
