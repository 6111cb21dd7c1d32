"""A real HTTP server that answers like an OpenAI-compatible endpoint, and misbehaves when it is told to."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Misdeed:
    """What is done instead of a proper answer: a status, raw bytes, a cut connection or a long silence."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    cut_after: int | None = None
    hang: bool = False


class Endpoint:
    """Every request that came, the misdeeds that are still to be done, and how to answer otherwise."""

    def __init__(self) -> None:
        self.address = ""
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.misdeeds: list[Misdeed] = []
        self.answer: Callable[[str], str] = lambda prompt: "(left, Ann)"
        self.finish_reason = "stop"
        self.usage: Any = {"prompt_tokens": 100, "completion_tokens": 10}
        self.at_once = 0
        self.most_at_once = 0
        self.let_go = threading.Event()
        self.lock = threading.Lock()

    @property
    def prompts(self) -> list[str]:
        return [request["messages"][0]["content"] for request in self.requests]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    endpoint: Endpoint

    def do_POST(self) -> None:
        endpoint = self.endpoint
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with endpoint.lock:
            endpoint.requests.append(body)
            endpoint.headers.append({name.lower(): value for name, value in self.headers.items()})
            endpoint.at_once += 1
            endpoint.most_at_once = max(endpoint.most_at_once, endpoint.at_once)
            misdeed = endpoint.misdeeds.pop(0) if endpoint.misdeeds else None
        try:
            self._answer(body, misdeed)
        finally:
            with endpoint.lock:
                endpoint.at_once -= 1

    def _answer(self, body: dict[str, Any], misdeed: Misdeed | None) -> None:
        if misdeed is None:
            text = self.endpoint.answer(body["messages"][0]["content"])
            choice = {"message": {"role": "assistant", "content": text}, "finish_reason": self.endpoint.finish_reason}
            answer = {"choices": [choice], "usage": self.endpoint.usage}
            misdeed = Misdeed(body=json.dumps(answer).encode())
        if misdeed.hang:
            self.close_connection = True
            self.endpoint.let_go.wait(30)
            return
        self.send_response(misdeed.status)
        for name, value in misdeed.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(misdeed.body)))
        self.end_headers()
        self.wfile.write(misdeed.body if misdeed.cut_after is None else misdeed.body[: misdeed.cut_after])
        if misdeed.cut_after is not None:
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        return None


class _QuietServer(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients that go away in the middle are part of the tests."""


@contextmanager
def serve() -> Iterator[Endpoint]:
    endpoint = Endpoint()
    handler = type("Handler", (_Handler,), {"endpoint": endpoint})
    with _QuietServer(("127.0.0.1", 0), handler) as server:
        endpoint.address = f"http://127.0.0.1:{server.server_port}/v1"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield endpoint
        finally:
            endpoint.let_go.set()
            server.shutdown()
            thread.join()
