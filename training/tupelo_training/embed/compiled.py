"""Training steps compiled by numba; imported only when training runs, since compiling takes seconds."""

# numba has no types that a checker could read.
# mypy: disable-error-code="untyped-decorator"

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit


@njit(nogil=True, fastmath=True, error_model="numpy")
def learn(
    pairs: Any, span: Any, vectors: Any, aliases: Any, negatives: int, schedule: Any, states: Any, number: int
) -> None:
    """Train on the pairs of a half-open span, one after the other; `states[number]` is the thread's random state.

    `pairs` and `vectors` are those of targets and of contexts, `schedule` is the learning rate and its decrement.
    """
    target, context = pairs
    targets, contexts = vectors
    keep, other = aliases
    rate, step = schedule
    size = targets.shape[1]
    change = np.empty(size, dtype=np.float32)
    state = states[number]
    columns = np.uint64(len(keep))
    for place in range(span[0], span[1]):
        own, positive = target[place], context[place]
        change[:] = 0
        for turn in range(negatives + 1):
            offered = positive
            if turn > 0:
                # xorshift64* (Vigna 2016): high bits choose the column, a second number whether to keep it.
                state ^= state >> np.uint64(12)
                state ^= state << np.uint64(25)
                state ^= state >> np.uint64(27)
                mixed = state * np.uint64(2685821657736338717)
                column = np.int64((mixed >> np.uint64(16)) % columns)
                state ^= state >> np.uint64(12)
                state ^= state << np.uint64(25)
                state ^= state >> np.uint64(27)
                mixed = state * np.uint64(2685821657736338717)
                fraction = np.float64(mixed >> np.uint64(11)) * 1.1102230246251565e-16
                offered = column if fraction < keep[column] else other[column]
                if offered == positive:
                    continue
            product = np.float32(0)
            for dimension in range(size):
                product += targets[own, dimension] * contexts[offered, dimension]
            label = np.float32(1.0 if turn == 0 else 0.0)
            error = np.float32(rate) * (label - np.float32(1) / (np.float32(1) + np.exp(-product)))
            for dimension in range(size):
                change[dimension] += error * contexts[offered, dimension]
                contexts[offered, dimension] += error * targets[own, dimension]
        for dimension in range(size):
            targets[own, dimension] += change[dimension]
        rate -= step
    states[number] = state
