"""Algorithm 1 as machine code, where numba is installed: the plain loops of `distance.algorithm_1`, pair by pair."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any


@cache
def compiled_distances() -> Callable[..., Any] | None:
    """A function that fills in the distance of each pair; `None` without numba.

    It takes the labels (a row per sequence), their lengths, the two columns of
    pairs, the powers of the discount, whether whole blocks count, two rows of
    memory as long as the longest sequence, and the array for the distances. The
    first call ever compiles, which takes seconds; numba keeps the result.
    """
    try:
        import numba
    except ImportError:
        return None
    compile_it: Callable[[Any], Callable[..., Any]] = numba.njit(cache=True, nogil=True)
    return compile_it(_fill_in)


def _fill_in(
    table: Any, sizes: Any, first: Any, second: Any, powers: Any, whole_blocks: bool, scratch: Any, distances: Any
) -> None:
    # One row of A is enough; what stood at its left above is kept in `diagonal`. J as in the paper.
    row, longest = scratch[0], scratch[1]
    for pair in range(len(first)):
        a, b = table[first[pair]], table[second[pair]]
        n, m = sizes[first[pair]], sizes[second[pair]]
        if n == 0 or first[pair] == second[pair]:
            # An empty sequence has distance 1 to all but itself.
            distances[pair] = 0.0 if first[pair] == second[pair] else 1.0
            continue
        total, blocks = 0.0, 0
        for j in range(m):
            row[j] = longest[j] = 1 if a[0] == b[j] else 0
        for i in range(1, n):
            label = a[i]
            diagonal = row[0]
            seen = 1 if label == b[0] else 0
            row[0] = seen
            for j in range(1, m):
                length = diagonal
                diagonal = row[j]
                row[j] = 0
                if label == b[j]:
                    if length >= seen and length >= longest[j]:
                        row[j] = seen = longest[j] = length + 1
                elif length > 1:
                    total += length * powers[blocks]
                    blocks += 1
            if whole_blocks and diagonal > 1:
                # It reached the end of the second sequence in the row above.
                total += diagonal * powers[blocks]
                blocks += 1
        if whole_blocks:
            for j in range(m - 1):
                if row[j] > 1:
                    total += row[j] * powers[blocks]
                    blocks += 1
        if row[m - 1] > 0:
            total += row[m - 1] * powers[blocks]
        distances[pair] = max(0.0, 1.0 - total / n)
