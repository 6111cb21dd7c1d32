"""The parts that routes work with, queues for their work (bounded in threads and in places), and counts of it."""

from __future__ import annotations

import asyncio
import math
import os
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cached_property
from typing import TypeVar

from tupelo.api.checking import Checker
from tupelo.api.graph import Graph
from tupelo.api.text import Toolkit
from tupelo.core.closing import Closing
from tupelo.core.deadline import OutOfTimeError, time_limit
from tupelo.serve.options import ServiceOptions
from tupelo.web.guard import App, Receive, Refusal, Scope, Send

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
# A path that has no route is counted under this name, so that strangers cannot make the table grow.
OTHER = "other"


class Metrics:
    """Counts of requests by path and reply, and their durations."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, int]] = Counter()
        self.seconds: defaultdict[str, float] = defaultdict(float)

    def text(self, gauges: Mapping[str, float]) -> str:
        lines = ["# TYPE tupelo_requests_total counter"]
        for (path, status), count in sorted(self.requests.items()):
            lines.append(f'tupelo_requests_total{{path="{path}",status="{status}"}} {count}')
        lines.append("# TYPE tupelo_request_seconds_total counter")
        for path, seconds in sorted(self.seconds.items()):
            lines.append(f'tupelo_request_seconds_total{{path="{path}"}} {seconds:.6f}')
        for name, value in gauges.items():
            kind = "counter" if name.endswith("_total") else "gauge"
            lines += [f"# TYPE tupelo_{name} {kind}", f"tupelo_{name} {value:g}"]
        return "\n".join(lines) + "\n"


class Counted:
    """An application whose replies are counted."""

    def __init__(self, app: App, metrics: Metrics, paths: Collection[str]) -> None:
        self._app, self._metrics, self._paths = app, metrics, frozenset(paths)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        path = path if path in self._paths else OTHER
        start, status = time.monotonic(), 500

        async def noted(message: Scope) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, noted)
        finally:
            self._metrics.requests[path, status] += 1
            self._metrics.seconds[path] += time.monotonic() - start


Result = TypeVar("Result")
# A graph is read by several threads at a time; text is analysed by one, which uses all cores.
_GRAPH_THREADS = 4
# The weight of the latest piece of work in the mean duration.
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
            raise Refusal(
                "too-many", "The server is busy. Try again.", headers={"Retry-After": str(self.retry_after())}
            )
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


class Service(Closing):
    """The parts that routes work with. Everything is read-only, so nothing is lost when the process ends."""

    def __init__(
        self,
        toolkit: Toolkit,
        graph: Graph | None = None,
        options: ServiceOptions | None = None,
        *,
        files: str | os.PathLike[str] | None = None,
    ) -> None:
        options = options or ServiceOptions()
        self.toolkit, self.graph, self.max_text, self.files = toolkit, graph, options.max_text, files
        self.texts = WorkQueue(1, options.queue, options.max_seconds)
        self.queries = WorkQueue(_GRAPH_THREADS, options.queue, options.max_seconds)
        self.metrics = Metrics()

    @cached_property
    def checker(self) -> Checker:
        return Checker(nlp=self.toolkit)

    def check_size(self, characters: int) -> None:
        if characters > self.max_text:
            raise Refusal("too-large", f"{characters:,} characters, expected at most {self.max_text:,} in a request.")

    def gauges(self) -> dict[str, float]:
        return {
            "text_requests": self.texts.inside,
            "graph_requests": self.queries.inside,
            "refused_total": self.texts.refused + self.queries.refused,
        }

    def close(self) -> None:
        self.texts.close()
        self.queries.close()
