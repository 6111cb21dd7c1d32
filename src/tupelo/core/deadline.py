"""A limit of time for work that somebody waits for. A server sets it; work that may be long asks now and then.

The limit belongs to the thread that set it. Without one, nothing is checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import TypeVar

from tupelo.core.errors import TupeloError

Item = TypeVar("Item")
_END: ContextVar[float | None] = ContextVar("_END", default=None)


class OutOfTimeError(TupeloError, TimeoutError):
    """Work that took longer than its limit."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """End the work of the block with `OutOfTimeError` once it has taken so long."""
    token = _END.set(monotonic() + seconds)
    try:
        yield
    except OutOfTimeError:
        raise OutOfTimeError(f"more than {seconds:g} seconds of work, expected less") from None
    finally:
        _END.reset(token)


def time_left() -> float | None:
    """Seconds until the limit; `None` without one. Past the limit, `OutOfTimeError` is raised."""
    end = _END.get()
    if end is None:
        return None
    if (left := end - monotonic()) <= 0:
        raise OutOfTimeError
    return left


def in_time(items: Iterable[Item]) -> Iterator[Item]:
    """The items, as long as there is time."""
    for item in items:
        time_left()
        yield item
