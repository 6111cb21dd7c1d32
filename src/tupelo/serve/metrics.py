"""Counts of requests, in the text form that Prometheus reads."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping

from tupelo.web.guard import App, Receive, Scope, Send

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
