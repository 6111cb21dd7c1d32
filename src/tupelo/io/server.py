"""Serving HTTP: pages of this machine (GET only, known paths, known host names only), and ASGI applications."""

from __future__ import annotations

import ipaddress
import json
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias
from urllib.parse import parse_qs, urlsplit

from tupelo.core import InputError, MissingExtraError, TupeloError

LOOPBACK = "127.0.0.1"
_LONGEST_PATH = 4_000
_SAFE_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


@dataclass(frozen=True, slots=True)
class Reply:
    """What a handler answers."""

    body: bytes
    media_type: str = "application/json; charset=utf-8"
    headers: Mapping[str, str] | None = None


# Takes the values of the query string, the last one of each name.
Handler: TypeAlias = Callable[[Mapping[str, str]], Reply]


def json_reply(value: Any) -> Reply:
    return Reply(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace"))


class PageServer(ThreadingHTTPServer):
    """Serves a table of paths. `hosts` are names besides loopback under which it may be asked.

    A request that names another host is refused: a foreign page whose name
    was made to lead to this machine (DNS rebinding) gets nothing.
    """

    daemon_threads = True

    def __init__(
        self, routes: Mapping[str, Handler], host: str = LOOPBACK, port: int = 0, hosts: frozenset[str] = frozenset()
    ) -> None:
        self.routes = dict(routes)
        try:
            super().__init__((host, port), _Requests)
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise InputError(f"{host}:{port}: {reason}, expected an address to listen on") from error
        self.host, self.port = host, int(self.server_address[1])
        self.hosts = {"localhost", "127.0.0.1", "[::1]", host, *hosts}

    @property
    def address(self) -> str:
        return f"http://{self.host}:{self.port}/"

    def is_loopback(self) -> bool:
        try:
            return ipaddress.ip_address(str(self.server_address[0])).is_loopback
        except ValueError:
            return False

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A reader who went away is no error worth a traceback."""


class _Requests(BaseHTTPRequestHandler):
    server: PageServer
    server_version, sys_version = "tupelo", ""
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        if not self._known_host():
            self._fail(HTTPStatus.MISDIRECTED_REQUEST, "unknown host name")
        elif len(self.path) > _LONGEST_PATH:
            self._fail(HTTPStatus.REQUEST_URI_TOO_LONG, "the address is too long")
        elif (handler := self.server.routes.get(parts.path)) is None:
            self._fail(HTTPStatus.NOT_FOUND, "no such page")
        else:
            values = {name: found[-1] for name, found in parse_qs(parts.query, keep_blank_values=True).items()}
            try:
                self._send(HTTPStatus.OK, handler(values))
            except TupeloError as error:
                self._fail(HTTPStatus.BAD_REQUEST, str(error))

    do_HEAD = do_GET

    def _known_host(self) -> bool:
        name, _, port = self.headers.get("Host", "").rpartition(":")
        return name in self.server.hosts and port == str(self.server.port)

    def _fail(self, status: HTTPStatus, message: str) -> None:
        self._send(status, json_reply({"error": message}))

    def _send(self, status: HTTPStatus, reply: Reply) -> None:
        self.send_response(status)
        self.send_header("Content-Type", reply.media_type)
        self.send_header("Content-Length", str(len(reply.body)))
        for name, value in [*_SAFE_HEADERS.items(), *(reply.headers or {}).items()]:
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(reply.body)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Quiet: the terminal belongs to the command."""


def listen(host: str, port: int) -> socket.socket:
    """A socket that connections can queue at; port 0 takes a free one."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        taken = socket.create_server((host, port), family=family, backlog=2048)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{host}:{port}: {reason}, expected a free address to listen on") from error
    taken.setblocking(False)
    return taken


def serve_app(app: Any, place: socket.socket, *, proxies: str = "", ready: Callable[[], None] | None = None) -> None:
    """Serve until interrupted. `ready` is called once connections are answered.

    `proxies` are addresses whose word about the client is believed. Addresses are not logged: invitations are among
    them.
    """
    try:
        import uvicorn
    except ImportError as error:
        raise MissingExtraError("serving", "annotate") from error

    class Server(uvicorn.Server):
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            if self.started and ready is not None:
                ready()

    config = uvicorn.Config(
        app,
        access_log=False,
        log_level="warning",
        server_header=False,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies or None,
        timeout_keep_alive=30,
        h11_max_incomplete_event_size=65_536,
        lifespan="off",
        ws="none",
        limit_concurrency=2000,
    )
    Server(config).run(sockets=[place])
