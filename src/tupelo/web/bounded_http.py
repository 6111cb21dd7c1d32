"""HTTP connections of an ASGI application, each within the limits of its server.

uvicorn knows no limit on how long a client takes over headers, a body or a reply, nor on the size of headers. This
protocol adds them: it notes how far a connection is, as its parser reports it, and looks at the clock at intervals.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from tupelo.web.limits import Connections, ServerLimits

# How far a connection is: waiting for a request, within its headers, within its body, or waiting for our reply.
IDLE, HEAD, BODY, ANSWER = "idle", "head", "body", "answer"
# So often within the shortest time that a client may take, the clock is looked at.
_LOOKS = 10


class BoundedProtocol(HttpToolsProtocol):
    """One connection. Made into a class of a server by `bounded_protocol`."""

    limits: ServerLimits
    open_connections: Connections

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._address = self.client[0] if self.client is not None else ""
        self._phase, self._unread_by, self._drained_by = HEAD, 0.0, 0.0
        # Bytes that came since the parser last got somewhere, and bytes of a body with the time at which it began.
        self._pending, self._received, self._began = 0, 0, 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._admitted = self.open_connections.enter(self._address)
        if not self._admitted:
            self._refuse(503)
            return
        self._expect(HEAD, self.limits.head_seconds)
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self._timer is not None:
            self._timer.cancel()
        if self._admitted:
            self.open_connections.leave(self._address)

    def data_received(self, data: bytes) -> None:
        self._pending += len(data)
        super().data_received(data)
        if self._phase in (HEAD, BODY) and self._pending > self.limits.head_size:
            self._refuse(431)

    # What the parser reports.

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._expect(HEAD, self.limits.head_seconds)

    def on_header(self, name: bytes, value: bytes) -> None:
        # What stands behind a body is no header: the request was checked without it.
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

    def _look(self) -> None:
        """Close the connection if its client has run out of time, else look again later."""
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
        self._timer = self.loop.call_later(shortest / _LOOKS, self._look)

    def _refuse(self, status: int) -> None:
        """Close the connection, with a reply where a request is being read and none has begun."""
        answered = self._phase == IDLE or (self._phase == BODY and self.cycle.response_started)
        if not answered and not self.transport.is_closing():
            self.transport.write(STATUS_LINE[status] + b"content-length: 0\r\nconnection: close\r\n\r\n")
        self.transport.close()


def bounded_protocol(limits: ServerLimits, unlimited: tuple[str, ...] = ()) -> type[asyncio.Protocol]:
    """The protocol of one server. `unlimited` are proxies, which may open any number of connections."""
    own: dict[str, Any] = {"limits": limits, "open_connections": Connections(limits, unlimited)}
    return type("Bounded", (BoundedProtocol,), own)
