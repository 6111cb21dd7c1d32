"""Counts the operations of our own code that a call runs, so that growth can be tested without a clock.

An operation is a call, a line that is run, or a round of a loop. What happens inside one, such as a search in a text
or a regular expression, is not seen: `tests/steps.py` counts the steps of patterns, `benchmarks/hostile` measures
seconds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

import tupelo

OURS = str(Path(tupelo.__file__).parent)
Input = TypeVar("Input")


def operations(run: Callable[[Input], object], given: Input) -> int:
    """How many operations of the package a call runs."""
    count = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        if not frame.f_code.co_filename.startswith(OURS):
            return None
        count += event in ("call", "line")
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        run(given)
    finally:
        sys.settrace(before)
    return count


def growth(run: Callable[[Input], object], make: Callable[[int], Input], size: int) -> float:
    """How the work from 2n to 4n compares with that from n to 2n: twice is linear, four times quadratic."""
    run(make(size))  # what is loaded once does not count
    small, middle, large = (operations(run, make(factor * size)) for factor in (1, 2, 4))
    return (large - middle) / max(middle - small, size)
