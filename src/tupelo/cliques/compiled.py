"""Algorithm 1 as machine code, where numba is installed: see `loops`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any


@cache
def compiled_distances() -> Callable[..., Any] | None:
    """A function that fills in the distance of each pair; `None` without numba.

    It takes the labels (a row per sequence, numbers from 0), their lengths, the
    two columns of pairs, the powers of the discount, whether whole blocks count,
    and the array for the distances. The first call ever compiles, which takes
    seconds; numba keeps the result.
    """
    try:
        import numba
    except ImportError:
        return None
    import numpy as np

    from tupelo.cliques.loops import BITS, bit_numbers, by_bits, cell_by_cell

    compile_it: Callable[[Any], Callable[..., Any]] = numba.njit(cache=True, nogil=True)
    few, many = compile_it(by_bits), compile_it(cell_by_cell)

    def fill_in(
        table: Any, sizes: Any, first: Any, second: Any, powers: Any, whole_blocks: bool, distances: Any
    ) -> None:
        width = table.shape[1]
        if width > BITS:
            many(table, sizes, first, second, powers, whole_blocks, np.zeros((2, width), np.int32), distances)
            return
        places = np.zeros(int(table.max(initial=0)) + 1, np.uint64)
        scratch = np.zeros((3, BITS), np.int32)
        few(table, sizes, first, second, powers, whole_blocks, places, bit_numbers(), scratch, distances)

    return fill_in
