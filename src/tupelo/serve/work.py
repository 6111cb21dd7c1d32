"""Work in a bounded number of threads and places: whoever finds no place is told when to come back."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

from tupelo.api.hosting import Refusal
from tupelo.core.deadline import OutOfTimeError, time_limit

Result = TypeVar("Result")
# How much the latest piece of work counts in the mean duration.
_RECENT = 0.2
_LONGEST_WAIT = 60


class WorkQueue:
    """Threads of its own, and places for requests: those that are worked on, and `waiting` more.

    A request has one piece of work in the queue at a time, so the queue is as bounded as the places are, and a long
    request takes turns with short ones. A piece of work has `seconds`. Used from one event loop.
    """

    def __init__(self, threads: int, waiting: int, seconds: float = 30) -> None:
        self._pool = ThreadPoolExecutor(threads)
        self._threads, self._places = threads, threads + waiting
        self._limit = seconds
        self._seconds = 0.0
        self.inside = 0
        self.refused = 0

    @contextmanager
    def place(self) -> Iterator[None]:
        """A place for one request, or a refusal."""
        if self.inside >= self._places:
            self.refused += 1
            raise Refusal("too-many", "The server is busy. Try again.", retry_after=self.retry_after())
        self.inside += 1
        try:
            yield
        finally:
            self.inside -= 1

    def retry_after(self) -> int:
        """Seconds until those who are here have had a turn, as far as past work tells."""
        return max(1, min(_LONGEST_WAIT, math.ceil(self._seconds * self.inside / self._threads)))

    async def run(self, work: Callable[[], Result]) -> Result:
        """The result of a piece of work, done in one of the threads; work beyond the limit of time is refused."""

        def timed() -> Result:
            start = time.monotonic()
            try:
                with time_limit(self._limit):
                    return work()
            except OutOfTimeError:
                raise Refusal(
                    "too-long", f"It took more than {self._limit:g} seconds. Ask for less at a time."
                ) from None
            finally:
                self._seconds += _RECENT * (time.monotonic() - start - self._seconds)

        return await asyncio.get_running_loop().run_in_executor(self._pool, timed)

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)
