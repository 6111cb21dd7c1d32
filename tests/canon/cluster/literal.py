"""Complete linkage word for word: look at all pairs of clusters, join the first, begin again."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.cluster.distances import GRID


def distances(vectors: NDArray[Any]) -> NDArray[np.float64]:
    rows = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.rint(np.clip(1 - rows @ rows.T, 0, 2) * GRID) / GRID


def literal_merges(matrix: NDArray[np.float64], threshold: float = np.inf) -> list[tuple[float, int, int]]:
    """Height and names of every merge below the threshold, closest first, ties by the smallest members."""
    clusters = {point: [point] for point in range(len(matrix))}
    merges: list[tuple[float, int, int]] = []
    while len(clusters) > 1:
        height, one, other = min(
            (float(matrix[np.ix_(clusters[one], clusters[other])].max()), one, other)
            for one in clusters
            for other in clusters
            if one < other
        )
        if height >= threshold:
            break
        merges.append((height, one, other))
        clusters[one] += clusters.pop(other)
    return merges
