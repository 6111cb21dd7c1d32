"""The heaviest matching of a sparse bipartite graph, for scorers that pair two sets of clusters one to one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from heapq import heappop, heappush
from math import inf


def heaviest_matching(weights: Mapping[tuple[int, int], float]) -> float:
    """The largest total weight of edges (row, column) that share no end; no weight may be negative.

    The Hungarian method: rows are matched one after the other along shortest augmenting paths, where the length of an
    edge is what the prices of its ends exceed its weight by. A path ends at a free column, or at a row whose price it
    has used up, which is then free. Paths stay within few edges, so that the work grows about as the number of edges.

    >>> heaviest_matching({(0, 0): 3, (0, 1): 2, (1, 0): 2})
    4
    """
    edges: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for (row, column), weight in weights.items():
        edges[row].append((column, weight))
    row_price = {row: max(weight for _, weight in own) for row, own in edges.items()}
    column_price: dict[int, float] = defaultdict(float)
    row_of: dict[int, int] = {}
    column_of: dict[int, int] = {}
    for start in edges:
        row, length = start, 0.0
        rows = {start: 0.0}
        settled: dict[int, float] = {}
        nearest: dict[int, float] = {}
        came_from: dict[int, int] = {}
        waiting: list[tuple[float, int]] = []
        # The shortest path so far ends at a row; or at a free column, once one is reached.
        shortest, last_row, last_column = row_price[start], start, None
        while True:
            for column, weight in edges[row]:
                reached = length + row_price[row] + column_price[column] - weight
                if column not in settled and reached < min(shortest, nearest.get(column, inf)):
                    nearest[column], came_from[column] = reached, row
                    heappush(waiting, (reached, column))
            while waiting and waiting[0][1] in settled:
                heappop(waiting)
            if not waiting or waiting[0][0] >= shortest:
                break
            length, column = heappop(waiting)
            settled[column] = length
            if column not in row_of:
                shortest, last_column = length, column
                break
            row = row_of[column]
            rows[row] = length
            if length + row_price[row] < shortest:
                shortest, last_row = length + row_price[row], row
        for row, length in rows.items():
            row_price[row] -= shortest - length
        for column, length in settled.items():
            column_price[column] += shortest - length
        # Along the path, every row takes the column after it.
        free = last_column if last_column is not None else column_of.pop(last_row, None)
        while free is not None:
            row = came_from[free]
            row_of[free] = row
            column_of[row], free = free, column_of.get(row)
    return sum(weights[pair] for pair in column_of.items())
