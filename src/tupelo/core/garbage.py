"""Work on many small objects that form no cycles, without the search for cycles."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Pause the search for reference cycles; also a decorator.

    Strings and tuples form none, but each full search visits all of them, which costs a third of the time at a
    million tuples. Cycles that are made inside are freed afterwards, so keep the block short.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
