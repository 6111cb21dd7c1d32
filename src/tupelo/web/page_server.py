"""A server for pages of this machine: GET only, known paths, known host names, a thread for each connection."""

from __future__ import annotations

import io
import ipaddress
import json
import logging
import socket
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from typing import Any, TypeAlias
from urllib.parse import parse_qs, urlsplit

from tupelo.core import InputError, TupeloError
from tupelo.web.limits import Connections, ServerLimits

LOOPBACK = "127.0.0.1"
# A connection is a thread here.
PAGE_LIMITS = ServerLimits(connections=200, connections_per_client=50)
_LONGEST_PATH = 4_000
# What is read of a body that nobody asked for, so that its sender gets to see the reply: bytes, and seconds.
_MOST_UNREAD, _LONGEST_UNREAD = 1 << 20, 2
_SAFE_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
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
    request_queue_size = 128

    def __init__(
        self,
        routes: Mapping[str, Handler],
        host: str = LOOPBACK,
        port: int = 0,
        hosts: frozenset[str] = frozenset(),
        limits: ServerLimits = PAGE_LIMITS,
    ) -> None:
        self.routes, self.limits = dict(routes), limits
        self._connections = Connections(limits)
        self._addresses: dict[Any, str] = {}
        try:
            super().__init__((host, port), _Requests)
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise InputError(f"{host}:{port}: {reason}, expected an address to listen on") from error
        self.host, self.port = host, int(self.server_address[1])
        self.hosts = {"localhost", "127.0.0.1", "[::1]", host, *hosts}

    def server_bind(self) -> None:
        """Take the address. The standard library would also ask the resolver for a name of it, which nobody reads."""
        TCPServer.server_bind(self)

    @property
    def address(self) -> str:
        return f"http://{self.host}:{self.port}/"

    def is_loopback(self) -> bool:
        try:
            return ipaddress.ip_address(str(self.server_address[0])).is_loopback
        except ValueError:
            return False

    def verify_request(self, request: Any, client_address: Any) -> bool:
        """Whether there is a place for this connection; without one it is closed before a thread is made."""
        address = str(client_address[0])
        if not self._connections.enter(address):
            return False
        self._addresses[request] = address
        return True

    def shutdown_request(self, request: Any) -> None:
        address = self._addresses.pop(request, None)
        super().shutdown_request(request)
        if address is not None:
            self._connections.leave(address)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A reader who went away is no error worth a traceback."""


class _Requests(BaseHTTPRequestHandler):
    server: PageServer
    server_version, sys_version = "tupelo", ""
    protocol_version = "HTTP/1.1"
    # Headers and body are two packets; the second would wait for the client's word on the first.
    disable_nagle_algorithm = True
    # For errors before a request line was read.
    command = requestline = ""

    def setup(self) -> None:
        super().setup()
        self.rfile.close()
        self._source = _Deadline(self.connection)
        self.rfile = self._input = io.BufferedReader(self._source)

    def handle_one_request(self) -> None:
        limits = self.server.limits
        self._source.allow(limits.idle_seconds, limits.head_size)
        if not self._input.peek(1):
            self.close_connection = True
            return
        self._source.allow(limits.head_seconds, limits.head_size)
        try:
            super().handle_one_request()
        except _TooMuch:
            self.send_error(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        if fault := self._fault():
            self._fail(HTTPStatus.BAD_REQUEST, fault, last=True)
        elif not self._known_host():
            self._fail(HTTPStatus.MISDIRECTED_REQUEST, "unknown host name")
        elif len(self.path) > _LONGEST_PATH:
            self._fail(HTTPStatus.REQUEST_URI_TOO_LONG, "the address is too long")
        elif (handler := self.server.routes.get(parts.path)) is None:
            self._fail(HTTPStatus.NOT_FOUND, "no such page")
        else:
            self._answer(handler, parts.query)

    do_HEAD = do_GET

    def _not_allowed(self) -> None:
        reply = json_reply({"error": "this server only answers GET"})
        self._send(HTTPStatus.METHOD_NOT_ALLOWED, replace(reply, headers={"Allow": "GET, HEAD"}), last=True)

    do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = _not_allowed

    def handle_expect_100(self) -> bool:
        """No body is wanted, so nobody is asked to go on."""
        return True

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """What the base class finds wrong, in the form of our own errors."""
        self._fail(HTTPStatus(code), HTTPStatus(code).phrase.lower(), last=True)

    def _fault(self) -> str | None:
        """What makes it unclear where the request ends or to whom it goes."""
        if self.request_version == "HTTP/0.9" or self.headers.defects:
            return "the headers cannot be read"
        if "Transfer-Encoding" in self.headers or self.headers.get("Content-Length", "0").strip() != "0":
            return "a request with a body"
        if any(len(self.headers.get_all(name, ())) > 1 for name in ("Host", "Content-Length")):
            return "a header that may stand only once"
        return None

    def _known_host(self) -> bool:
        name, _, port = self.headers.get("Host", "").rpartition(":")
        return name in self.server.hosts and port == str(self.server.port)

    def _answer(self, handler: Handler, query: str) -> None:
        try:
            values = {name: found[-1] for name, found in parse_qs(query, keep_blank_values=True).items()}
            reply = handler(values)
        except TupeloError as error:
            self._fail(HTTPStatus.BAD_REQUEST, str(error))
        except Exception:
            # Whatever a handler stumbles over: it is logged here, and the client learns nothing about it.
            logging.getLogger(__name__).exception("a request failed")
            self._fail(HTTPStatus.INTERNAL_SERVER_ERROR, "something went wrong on the server")
        else:
            self._send(HTTPStatus.OK, reply)

    def _fail(self, status: HTTPStatus, message: str, *, last: bool = False) -> None:
        self._send(status, json_reply({"error": message}), last=last)

    def _send(self, status: HTTPStatus, reply: Reply, *, last: bool = False) -> None:
        """Reply. With `last` it is uncertain where the request ends, and nothing is read as another one."""
        headers = {"Content-Type": reply.media_type, "Content-Length": str(len(reply.body)), **_SAFE_HEADERS}
        headers |= dict(reply.headers or {})
        if last or self.close_connection:
            # Also closes it.
            headers["Connection"] = "close"
        # Otherwise a request without a version would be answered without a status.
        self.request_version = self.protocol_version
        # The timeout of a socket is that of a whole call.
        self.connection.settimeout(self.server.limits.write_time(len(reply.body)))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(reply.body)
        if last:
            self._read_the_rest()

    def _read_the_rest(self) -> None:
        """Let the client finish, within limits: closing on what it still sends would destroy the reply."""
        self.connection.shutdown(socket.SHUT_WR)
        self._source.allow(_LONGEST_UNREAD, _MOST_UNREAD)
        with suppress(TimeoutError, _TooMuch):
            while self._input.read1():
                pass

    def log_message(self, format: str, *arguments: Any) -> None:
        """Quiet: the terminal belongs to the command."""


class _TooMuch(Exception):
    """A client sent more than it may."""


class _Deadline(io.RawIOBase):
    """Reads from a socket until a point in time and up to a number of bytes, however the bytes arrive."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._end, self._left = 0.0, 0

    def allow(self, seconds: float, size: int) -> None:
        self._end, self._left = time.monotonic() + seconds, size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._left <= 0:
            raise _TooMuch
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._connection.settimeout(left)
        count = self._connection.recv_into(buffer)
        self._left -= count
        return count
