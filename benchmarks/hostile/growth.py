"""How the time of a function grows with the size of its input: the exponent of n.

An exponent of 1 is linear, 2 quadratic. The input is doubled until the function takes long enough to be measured;
then the time at this size is compared with the times at twice and four times the size. Rounds take turns and the best
of each counts, in seconds of CPU of this process, so that other work on the machine disturbs little.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

Input = TypeVar("Input")

# Less than this is noise.
LEAST_SECONDS = 0.02
ROUNDS = 3
# n log n between 1,000 and 1,000,000 has an exponent below 1.15; the rest is room for noise.
WORST_EXPONENT = 1.35


@dataclass(frozen=True, slots=True)
class Growth:
    """Sizes n, 2n and 4n with the seconds that each took."""

    sizes: tuple[int, ...]
    seconds: tuple[float, ...]

    @property
    def exponent(self) -> float:
        """The slope of log seconds over log size, between the smallest and the largest."""
        return math.log(self.seconds[-1] / self.seconds[0]) / math.log(self.sizes[-1] / self.sizes[0])

    @property
    def microseconds(self) -> float:
        """Per unit of size, at the largest size."""
        return 1e6 * self.seconds[-1] / self.sizes[-1]

    @property
    def is_linear(self) -> bool:
        return self.exponent <= WORST_EXPONENT


def measure(
    run: Callable[[Input], object],
    make: Callable[[int], Input],
    *,
    smallest: int = 2_000,
    largest: int = 256_000,
    least_seconds: float = LEAST_SECONDS,
    rounds: int = ROUNDS,
) -> Growth:
    """The growth of `run(make(size))`; making the input is not measured.

    `largest` bounds the sizes, so a function that is too quick to be measured there has an unreliable exponent.
    """
    size = smallest
    while size * 4 < largest and _seconds(run, make(size)) < least_seconds:
        size *= 2
    sizes = (size, 2 * size, 4 * size)
    inputs = [make(size) for size in sizes]
    best = [math.inf] * len(sizes)
    for _ in range(rounds):
        best = [min(known, _seconds(run, given)) for known, given in zip(best, inputs, strict=True)]
    return Growth(sizes, tuple(max(seconds, 1e-7) for seconds in best))


def _seconds(run: Callable[[Input], object], given: Input) -> float:
    began = time.process_time()
    run(given)
    return time.process_time() - began
