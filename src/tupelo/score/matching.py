"""The heaviest matching of a bipartite graph, for scorers that pair two sets of clusters one to one.

Most graphs of clusters fall into many small parts that share nothing, and are matched part by part. Within a part,
rows are added one after the other along shortest augmenting paths (the Hungarian method; Jonker and Volgenant 1987),
with all columns of a step at once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray


def heaviest_matching(weights: Mapping[tuple[int, int], float]) -> float:
    """The largest total weight of edges (row, column) that share no end; no weight may be negative.

    >>> heaviest_matching({(0, 0): 3, (0, 1): 2, (1, 0): 2})
    4.0
    """
    total = 0.0
    for edges in _parts(weights):
        rows, columns = ({pair[side]: None for pair in edges} for side in (0, 1))
        if len(rows) == 1 or len(columns) == 1:
            total += max(weights[pair] for pair in edges)
            continue
        row_of, column_of = ({end: number for number, end in enumerate(ends)} for ends in (rows, columns))
        table = np.zeros((len(rows), len(columns)))
        for row, column in edges:
            table[row_of[row], column_of[column]] = weights[row, column]
        total += _matched(table if len(rows) <= len(columns) else table.T)
    return total


def _parts(weights: Mapping[tuple[int, int], float]) -> Iterator[list[tuple[int, int]]]:
    """The edges of each connected part."""
    by_end: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for pair in weights:
        by_end[0, pair[0]].append(pair)
        by_end[1, pair[1]].append(pair)
    seen: set[tuple[int, int]] = set()
    for first in by_end:
        if first in seen:
            continue
        seen.add(first)
        pending, edges = [first], []
        while pending:
            end = pending.pop()
            for pair in by_end[end]:
                # Every edge is met from both of its ends; it is listed from its row.
                if end[0] == 0:
                    edges.append(pair)
                other = (1 - end[0], pair[1 - end[0]])
                if other not in seen:
                    seen.add(other)
                    pending.append(other)
        yield edges


def _matched(table: NDArray[np.float64]) -> float:
    """The total of the best assignment of every row to a column of its own; there are at least as many columns."""
    rows, columns = table.shape
    # Column 0 and row 0 stand for "none yet"; prices keep the reduced costs of all edges at 0 or more.
    row_price, column_price = np.zeros(rows + 1), np.zeros(columns + 1)
    row_of = np.zeros(columns + 1, dtype=np.int64)
    for row in range(1, rows + 1):
        row_of[0], column = row, 0
        nearest = np.full(columns + 1, np.inf)
        before = np.zeros(columns + 1, dtype=np.int64)
        reached = np.zeros(columns + 1, dtype=bool)
        while row_of[column]:
            reached[column] = True
            current = row_of[column]
            cost = np.full(columns + 1, np.inf)
            cost[1:] = -table[current - 1] - row_price[current] - column_price[1:]
            closer = ~reached & (cost < nearest)
            nearest[closer], before[closer] = cost[closer], column
            following = int(np.argmin(np.where(reached, np.inf, nearest)))
            step = nearest[following]
            row_price[row_of[reached]] += step
            column_price[reached] -= step
            nearest[~reached] -= step
            column = following
        while column:
            row_of[column] = row_of[before[column]]
            column = int(before[column])
    taken = np.flatnonzero(row_of[1:])
    return float(table[row_of[1:][taken] - 1, taken].sum())
