"""A real server for the API and its page, in a thread, and a client that speaks HTTP."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tests.sockets import serving
from tupelo.serve.app import make_app
from tupelo.serve.service import Service
from tupelo.web.limits import ServerLimits
from tupelo.web.server import WebServer


@dataclass
class Reply:
    status: int
    headers: dict[str, str]
    data: bytes

    @property
    def body(self) -> Any:
        return json.loads(self.data)

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.data.splitlines()]


@dataclass
class Live:
    service: Service
    port: int

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> Reply:
        """One request; a body that is no bytes is sent as JSON."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        if data is not None:
            sent.setdefault("Content-Type", "application/json")
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, data, sent)
            answer = connection.getresponse()
            return Reply(answer.status, {key.lower(): value for key, value in answer.getheaders()}, answer.read())
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Reply:
        return self.send("GET", path, **headers)

    def post(self, path: str, body: Any, **headers: str) -> Reply:
        return self.send("POST", path, body, **headers)


@contextmanager
def live(service: Service, limits: ServerLimits | None = None) -> Iterator[Live]:
    server = WebServer("127.0.0.1", 0, limits=limits)
    with serving(server, make_app(service)):
        yield Live(service, server.port)
