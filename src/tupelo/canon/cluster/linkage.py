"""Agglomeration of vectors by cosine distance: which method to run, and what all of them agree on.

Complete linkage: the distance of two clusters is that of their farthest
members. A cut at t keeps the merges strictly below t, so no two members of a
cluster are t or more apart.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.cluster.dense import full_tree
from tupelo.canon.cluster.distances import Pairs, check_vectors, close_pairs, distinct_rows
from tupelo.canon.cluster.merges import Merges
from tupelo.canon.cluster.neighbours import edge_recall, neighbour_pairs
from tupelo.canon.cluster.sparse import agglomerate
from tupelo.core import InputError

# Up to here all pairs take 16 MB and less time than the overhead of looking for the close ones.
_SMALL = 2048


@dataclass(frozen=True, slots=True, eq=False)
class Approximation:
    """Merges over a graph of most close pairs; `recall` is its measured share of all close pairs."""

    merges: Merges
    pairs: int
    distinct: int
    recall: float


def complete_linkage(vectors: NDArray[Any], threshold: float | None = None) -> Merges:
    """Exact complete linkage. Without a threshold the full tree, in memory that grows with the square of the rows.

    With one, only merges below it are made and memory grows with the number of
    pairs below it. Cut the result with `labels` at that threshold or any lower one.
    Equal rows are joined first, one by one, at height 0.

    >>> points = np.array([[1.0, 0.0], [1.0, 0.1], [0.0, 1.0]])
    >>> complete_linkage(points, threshold=0.5).labels(0.5).tolist()
    [0, 0, 1]
    """
    checked = check_vectors(vectors)
    if threshold is not None:
        _check_threshold(threshold)
    firsts, kinds = distinct_rows(checked)
    distinct = checked if len(firsts) == len(checked) else checked[firsts]
    if threshold is None or len(distinct) <= _SMALL:
        merges = full_tree(distinct)
    else:
        merges = agglomerate(len(distinct), close_pairs(distinct, threshold), threshold)
    return _with_repeats(merges, firsts, kinds)


def approximate_linkage(
    vectors: NDArray[Any],
    threshold: float,
    *,
    kind: str = "cells",
    probes: int = 16,
    width: int = 32,
    sample: int = 500,
    seed: int = 0,
) -> Approximation:
    """Complete linkage over a graph of near neighbours, for more rows than can be compared with each other.

    A pair that the graph lacks counts as far apart: clusters may fall into
    pieces, and never hold a pair beyond the threshold.
    """
    checked = check_vectors(vectors)
    _check_threshold(threshold)
    firsts, kinds = distinct_rows(checked)
    distinct = checked if len(firsts) == len(checked) else checked[firsts]
    pairs: Pairs = neighbour_pairs(distinct, threshold, kind=kind, probes=probes, width=width, seed=seed)
    recall = edge_recall(distinct, pairs, threshold, sample=sample, seed=seed)
    merges = agglomerate(len(distinct), pairs, threshold)
    return Approximation(_with_repeats(merges, firsts, kinds), len(pairs.units), len(firsts), recall)


def linkage_tree(vectors: NDArray[Any], linkage: str = "complete") -> Merges:
    """The full tree by `complete`, `single` or `average` linkage."""
    if linkage == "complete":
        return complete_linkage(vectors)
    return full_tree(check_vectors(vectors), linkage)


def _check_threshold(threshold: float) -> None:
    if math.isnan(threshold) or threshold < 0:
        raise InputError(f"threshold {threshold}, expected a cosine distance: 0 or more")


def _with_repeats(merges: Merges, firsts: NDArray[np.int64], kinds: NDArray[np.int64]) -> Merges:
    """Merges of distinct rows told of all rows: each repeated row first joins the row that it repeats."""
    if len(firsts) == len(kinds):
        return merges
    repeated = np.flatnonzero(firsts[kinds] != np.arange(len(kinds)))
    repeated = repeated[np.argsort(firsts[kinds[repeated]], kind="stable")]
    return Merges(
        len(kinds),
        np.concatenate([firsts[kinds[repeated]], firsts[merges.first]]),
        np.concatenate([repeated, firsts[merges.second]]),
        np.concatenate([np.zeros(len(repeated)), merges.heights]),
        merges.limit,
    )
