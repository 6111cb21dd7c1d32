"""Algorithm 1 pair by pair, in a loop that numba compiles to machine code.

Most cells of the algorithm's table have unequal labels and no block that ends
there: nothing happens in them. So the places of every label in the second
sequence are kept as the bits of a number, and a row visits only the cells whose
labels are equal and those where a block of the row above ends, from left to right.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from tupelo.core.cache import share_cache

# The number of labels whose positions fit into one integer.
BITS = 64
# The powers of two below 2 ** 64 all have different remainders.
_PRIME = 67


@cache
def compiled_distances() -> Callable[..., Any] | None:
    """A function that fills in the distance of each pair of sequences of up to `BITS` labels; `None` without numba.

    It takes the labels (a row per sequence, numbers from 0), their lengths, the
    two columns of pairs, the powers of the discount, whether whole blocks count,
    and the array for the distances. The very first call compiles, which takes
    seconds; numba caches the result.
    """
    share_cache("numba", "NUMBA_CACHE_DIR")
    try:
        import numba
    except ImportError:
        return None
    compiled: Callable[..., Any] = numba.njit(cache=True, nogil=True)(_by_bits)

    def fill_in(
        table: Any, sizes: Any, first: Any, second: Any, powers: Any, whole_blocks: bool, distances: Any
    ) -> None:
        places = np.zeros(int(table.max(initial=0)) + 1, np.uint64)
        scratch = np.zeros((3, BITS), np.int32)
        compiled(table, sizes, first, second, powers, whole_blocks, places, _bit_numbers(), scratch, distances)

    return fill_in


def _bit_numbers() -> Any:
    """The number of the bit that is set, by the remainder of a power of two."""
    numbers = np.zeros(_PRIME, np.int64)
    for bit in range(BITS):
        numbers[(1 << bit) % _PRIME] = bit
    return numbers


def _by_bits(
    table: Any,
    sizes: Any,
    first: Any,
    second: Any,
    powers: Any,
    whole_blocks: bool,
    places: Any,
    bit_number: Any,
    scratch: Any,
    distances: Any,
) -> None:
    # Two rows of A in turn; only cells whose bit is in `there` count. J as in the paper.
    one, prime = np.uint64(1), np.uint64(_PRIME)
    longest = scratch[2]
    for pair in range(len(first)):
        a, b = table[first[pair]], table[second[pair]]
        n, m = sizes[first[pair]], sizes[second[pair]]
        if n == 0 or first[pair] == second[pair]:
            # An empty sequence has distance 1 to all but itself.
            distances[pair] = 0.0 if first[pair] == second[pair] else 1.0
            continue
        total, blocks = 0.0, 0
        bit = one
        everything = np.uint64(0)
        for j in range(m):
            places[b[j]] |= bit
            everything |= bit
            bit <<= one
            longest[j] = 1 if a[0] == b[j] else 0
        above, row = scratch[0], scratch[1]
        there = places[a[0]]
        long = np.uint64(0)
        last = one << np.uint64(m - 1)
        for j in range(m):
            above[j] = 1
        for i in range(1, n):
            equal = places[a[i]]
            now, now_long = equal & one, np.uint64(0)
            seen: int = np.int64(now)  # type: ignore[assignment]  # numba wants one kind of number throughout
            row[0] = seen
            cells = (equal | ((long << one) & everything)) & ~one
            while cells:
                low = cells & (~cells + one)
                cells ^= low
                j = bit_number[np.int64(low % prime)]
                length = above[j - 1] if there & (low >> one) else 0
                if equal & low:
                    if length >= seen and length >= longest[j]:
                        row[j] = seen = longest[j] = length + 1
                        now |= low
                        if length:
                            now_long |= low
                else:
                    total += length * powers[blocks]
                    blocks += 1
            if whole_blocks and long & last:
                # The block reached the end of the second sequence in the row above.
                total += above[m - 1] * powers[blocks]
                blocks += 1
            there, long = now, now_long
            above, row = row, above
        if whole_blocks:
            for j in range(m - 1):
                if long & (one << np.uint64(j)):
                    total += above[j] * powers[blocks]
                    blocks += 1
        if there & last:
            total += above[m - 1] * powers[blocks]
        for j in range(m):
            places[b[j]] = 0
        distances[pair] = max(0.0, 1.0 - total / n)
