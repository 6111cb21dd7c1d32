"""A real HTTP server on this machine that can be told to misbehave."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Resource:
    """What is served under one path, and how.

    `statuses` and `cuts` are used up one per request: a status that is sent
    instead of the content, and after how many bytes of an answer the
    connection is closed. `hold` keeps the connection open and silent after
    that many bytes, until the test lets go.
    """

    content: bytes = b""
    etag: str | None = '"one"'
    date: str | None = None
    ranges: bool = True
    length: bool = True
    statuses: list[int] = field(default_factory=list)
    cuts: list[int] = field(default_factory=list)
    hold: int | None = None
    redirect: str | None = None
    headers: dict[str, str] = field(default_factory=dict)


class Server:
    """The resources by path, and every request that came."""

    def __init__(self) -> None:
        self.resources: dict[str, Resource] = {}
        self.requests: list[tuple[str, dict[str, str]]] = []
        self.holding = threading.Event()
        self.let_go = threading.Event()
        self.address = ""

    def ranges(self) -> list[str | None]:
        """The Range header of every request, in order."""
        return [headers.get("range") for _, headers in self.requests]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    site: Server

    def do_GET(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.site.requests.append((self.path, headers))
        self.close_connection = True
        resource = self.site.resources.get(self.path)
        if resource is None:
            return self._bare(404)
        if resource.statuses:
            return self._bare(resource.statuses.pop(0), resource.headers)
        if resource.redirect is not None:
            return self._bare(302, {"Location": resource.redirect})
        start = self._start(resource, headers)
        if start is not None and start >= len(resource.content):
            return self._bare(416, {"Content-Range": f"bytes */{len(resource.content)}"})
        body = resource.content[start or 0 :]
        self.send_response(200 if start is None else 206)
        if start is not None:
            whole = len(resource.content)
            self.send_header("Content-Range", f"bytes {start}-{whole - 1}/{whole}")
        if resource.length:
            self.send_header("Content-Length", str(len(body)))
        for name, value in (("ETag", resource.etag), ("Last-Modified", resource.date), *resource.headers.items()):
            if value is not None:
                self.send_header(name, value)
        self.end_headers()
        self._send(resource, body)

    def _start(self, resource: Resource, headers: dict[str, str]) -> int | None:
        """Where a range begins that the server honours; `None` for the whole content."""
        wanted = headers.get("range")
        if not resource.ranges or wanted is None:
            return None
        if headers.get("if-range") not in (None, resource.etag, resource.date):
            return None
        return int(wanted.removeprefix("bytes=").removesuffix("-"))

    def _send(self, resource: Resource, body: bytes) -> None:
        if resource.cuts:
            self.wfile.write(body[: resource.cuts.pop(0)])
        elif resource.hold is not None:
            pause, resource.hold = resource.hold, None
            self.wfile.write(body[:pause])
            self.site.holding.set()
            self.site.let_go.wait(30)
            self.wfile.write(body[pause:])
        else:
            self.wfile.write(body)

    def _bare(self, status: int, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        return None


class _QuietServer(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients that go away in the middle are part of the tests."""


@contextmanager
def serve() -> Iterator[Server]:
    site = Server()
    handler = type("Handler", (_Handler,), {"site": site})
    with _QuietServer(("127.0.0.1", 0), handler) as server:
        site.address = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield site
        finally:
            site.let_go.set()
            server.shutdown()
            thread.join()
