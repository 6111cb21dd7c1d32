"""A graph of near neighbours by faiss, as a peer of `tupelo.canon.cluster.neighbours`.

The `width` nearest neighbours of each point are those of a navigable graph (HNSW). A point with more close neighbours
loses some; these are searched among the neighbours of its neighbours.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.cluster.distances import (
    SINGLE_PRECISION_MARGIN,
    Pairs,
    keep_close,
    pair_keys,
    pairs_of_keys,
    unit_rows,
)

BLOCK = 4096


def hnsw_pairs(vectors: NDArray[Any], threshold: float, width: int = 32) -> Pairs:
    """Most of the pairs nearer than the threshold."""
    import faiss

    rows = unit_rows(vectors, np.float32)
    index = faiss.IndexHNSWFlat(rows.shape[1], 16, faiss.METRIC_INNER_PRODUCT)
    # Several threads would insert points in random order.
    threads = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1)
    try:
        index.add(rows)
        index.hnsw.efSearch = max(64, 2 * width)
        found = np.empty((len(rows), min(width + 1, len(rows))), dtype=np.int64)
        for start in range(0, len(rows), BLOCK):
            products, near = index.search(rows[start : start + BLOCK], found.shape[1])
            close = products >= np.float32(1 - threshold - SINGLE_PRECISION_MARGIN)
            found[start : start + BLOCK] = np.where(close, near, -1)
    finally:
        faiss.omp_set_num_threads(threads)
    full = np.flatnonzero((found >= 0).all(axis=1))
    one, column = np.nonzero(found >= 0)
    keys = [pair_keys(one, found[one, column])]
    is_full = np.zeros(len(rows), dtype=bool)
    is_full[full] = True
    for point in full:
        # Only two points with more neighbours than the list is long can have missed each other.
        known = found[point][is_full[found[point]]]
        beyond = np.unique(found[known])
        keys.append(pair_keys(beyond[beyond >= 0], int(point)))
    return keep_close(vectors, threshold, *pairs_of_keys(np.unique(np.concatenate(keys))))


def edge_recall(vectors: NDArray[Any], pairs: Pairs, threshold: float, *, sample: int = 500, seed: int = 0) -> float:
    """The share of close pairs in the graph, on a sample of points compared with all; 1 when there is none."""
    chosen = np.sort(np.random.default_rng(seed).permutation(len(vectors))[:sample])
    rows = unit_rows(vectors, np.float32)
    known = np.sort(pair_keys(pairs.first, pairs.second))
    true = found = 0
    for start in range(0, len(rows), 4 * BLOCK):
        products = rows[chosen] @ rows[start : start + 4 * BLOCK].T
        left, right = np.nonzero(products >= np.float32(1 - threshold - SINGLE_PRECISION_MARGIN))
        one, other = pairs_of_keys(pair_keys(chosen[left], right + start))
        close = keep_close(vectors, threshold, one, other)
        keys = pair_keys(close.first, close.second)
        places = np.minimum(np.searchsorted(known, keys), max(0, len(known) - 1))
        true += len(keys)
        found += int((known[places] == keys).sum()) if len(known) else 0
    return found / true if true else 1.0
