"""The one HTTP server: an ASGI application on uvicorn, every connection within limits.

uvicorn has no limit on how long a client takes for headers, a body or reading a reply, nor on the size of headers.
`BoundedProtocol` adds them: it tracks the phase of a connection, as its parser reports it, and checks the clock at
intervals.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import socket
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

from tupelo.core import InputError
from tupelo.core.closing import Closing
from tupelo.core.errors import needs_extra
from tupelo.web.guard import HEADERS, App, error_body
from tupelo.web.limits import Connections, ServerLimits

with needs_extra("serving", "serve"):
    import uvicorn
    from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

# Phases of a connection: waiting for a request, reading its headers, reading its body, waiting for our reply.
IDLE, HEAD, BODY, ANSWER = "idle", "head", "body", "answer"
# Checks of the clock within the shortest time that a client may take.
_CHECKS = 10
# Files that the database, its pool and threads need.
_OWN_FILES = 256
# Replies to requests that no application gets to see.
_REFUSALS = {
    400: ("bad-request", "The request cannot be read."),
    408: ("too-slow", "The request took too long."),
    431: ("long-headers", "The headers are too long."),
    503: ("busy", "The server is busy. Try again."),
}


class WebServer(Closing):
    """A place on this machine that listens from the start, and answers once an application is served there.

    Port 0 takes a free one. `proxies` are addresses that are trusted to name the client. Requested addresses are
    never logged: invitations are among them.
    """

    def __init__(self, host: str, port: int, *, proxies: str = "", limits: ServerLimits | None = None) -> None:
        self.host, self.limits = host, _within_open_files(limits or ServerLimits())
        self._proxies = proxies
        self._running: uvicorn.Server | None = None
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            self._socket = socket.create_server((host, port), family=family, backlog=2048)
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise InputError(f"{host}:{port}: {reason}, expected a free address to listen on") from error
        self._socket.setblocking(False)
        self.port = int(self._socket.getsockname()[1])

    @property
    def address(self) -> str:
        shown = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{shown}:{self.port}/"

    def is_loopback(self) -> bool:
        """Whether only this machine can connect."""
        return ipaddress.ip_address(self._socket.getsockname()[0].partition("%")[0]).is_loopback

    def serve(self, app: App, ready: Callable[[], None] | None = None) -> None:
        """Serve an application until interrupted or stopped; `ready` is called once connections are answered."""
        proxies = [proxy.strip() for proxy in self._proxies.split(",") if proxy.strip()]
        own = {"limits": self.limits, "open_connections": Connections(self.limits, proxies)}
        config = uvicorn.Config(
            app,
            http=type("Bounded", (BoundedProtocol,), own),
            access_log=False,
            # Malformed requests are no warnings of ours.
            log_level="error",
            server_header=False,
            proxy_headers=bool(proxies),
            forwarded_allow_ips=self._proxies or None,
            timeout_keep_alive=int(self.limits.idle_seconds) + 1,
            timeout_graceful_shutdown=10,
            lifespan="off",
            ws="none",
        )
        self._running = _Announcing(config, ready)
        self._running.run(sockets=[self._socket])

    def stop(self) -> None:
        """End `serve`, from another thread."""
        if self._running is not None:
            self._running.should_exit = True

    def close(self) -> None:
        self._socket.close()


class _Announcing(uvicorn.Server):
    """Says when it answers."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None] | None) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        if self.started and self._ready is not None:
            self._ready()


class BoundedProtocol(HttpToolsProtocol):
    """One connection; a subclass has the limits of its server."""

    limits: ServerLimits
    open_connections: Connections

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._address = self.client[0] if self.client is not None else ""
        self._phase, self._unread_by, self._drained_by = HEAD, 0.0, 0.0
        # Bytes received since the last progress of the parser; bytes of a body, and the time at which it began.
        self._pending, self._first, self._received, self._began = 0, 0, 0, 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._admitted = self.open_connections.enter(self._address)
        if not self._admitted:
            self._refuse(503)
            return
        self._expect(HEAD, self.limits.head_seconds)
        self._check()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self._timer is not None:
            self._timer.cancel()
        if self._admitted:
            self.open_connections.leave(self._address)

    def data_received(self, data: bytes) -> None:
        self._pending += len(data)
        # A request that begins with these bytes counts them: its head may fill all of them.
        self._first = len(data) if self._phase in (IDLE, HEAD) else 0
        super().data_received(data)
        if self._phase in (HEAD, BODY) and self._pending > self.limits.head_size:
            self._refuse(431)

    # Callbacks of the parser.

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._expect(HEAD, self.limits.head_seconds)
        self._pending, self._first = self._first, 0

    def on_header(self, name: bytes, value: bytes) -> None:
        # A trailer is no header: the request was checked without it.
        if self._phase == HEAD:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self._received, self._began = 0, self.loop.time()
        self._expect(BODY, self.limits.body_time(0))

    def on_body(self, body: bytes) -> None:
        super().on_body(body)
        self._pending = 0
        self._received += len(body)
        self._unread_by = self._began + self.limits.body_time(self._received)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._expect(ANSWER)
        self._rest_if_done()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._rest_if_done()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._drained_by = 0.0

    # The clock.

    def _expect(self, phase: str, seconds: float = 0) -> None:
        self._phase, self._pending = phase, 0
        self._unread_by = self.loop.time() + seconds if seconds else 0.0

    def _rest_if_done(self) -> None:
        if self._phase == ANSWER and self.cycle.response_complete:
            self._expect(IDLE, self.limits.idle_seconds)

    def _check(self) -> None:
        """Close the connection if its client has run out of time, else check again later."""
        limits, now = self.limits, self.loop.time()
        if self._unread_by and now >= self._unread_by:
            self._unread_by = 0.0
            self._refuse(408)
        waiting = self.transport.get_write_buffer_size()
        if not waiting:
            self._drained_by = 0.0
        elif not self._drained_by:
            self._drained_by = now + limits.write_time(waiting)
        elif now >= self._drained_by:
            self.transport.abort()
            return
        shortest = min(limits.head_seconds, limits.body_seconds, limits.write_seconds, limits.idle_seconds)
        self._timer = self.loop.call_later(shortest / _CHECKS, self._check)

    def _refuse(self, status: int) -> None:
        """Close the connection, with a reply where a request is being read and none has begun."""
        answered = self._phase == IDLE or (self._phase == BODY and self.cycle.response_started)
        if not answered and not self.transport.is_closing():
            self.transport.write(_bare_reply(status))
        self.transport.close()

    def send_400_response(self, _: str) -> None:
        """Refuse what the parser cannot read."""
        self.transport.write(_bare_reply(400))
        self.transport.close()


@cache
def _bare_reply(status: int) -> bytes:
    """A whole reply in the common form of errors."""
    body = json.dumps(error_body(*_REFUSALS[status])).encode()
    own = {"Content-Type": "application/json", "Content-Length": str(len(body)), "Connection": "close"}
    lines = [f"{name.lower()}: {value}\r\n".encode() for name, value in (own | HEADERS).items()]
    return b"".join([STATUS_LINE[status], *lines, b"\r\n", body])


def _within_open_files(limits: ServerLimits) -> ServerLimits:
    """The limits with no more connections than this process may have files open, some of which it needs itself."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return limits
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = limits.connections + _OWN_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        return replace(limits, connections=min(limits.connections, max(1, soft - _OWN_FILES)))
    return limits
