"""Clients that do not behave: bare sockets that stall, trickle, flood and never read."""

from __future__ import annotations

import select
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tupelo.web.limits import ServerLimits
from tupelo.web.server import WebServer

# Short enough for a test; nothing is asserted about how long anything takes.
SHORT = ServerLimits(head_seconds=0.3, body_seconds=0.3, write_seconds=0.3, idle_seconds=0.3)
# How long a test waits for what must happen.
PATIENCE = 60


@contextmanager
def serving(server: WebServer, app: Any) -> Iterator[None]:
    """An application at a server that listens, in a thread, until the block ends."""
    thread = threading.Thread(target=server.serve, args=(app,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.stop()
        thread.join(60)
        server.close()


def dial(port: int, sent: bytes = b"", receive_buffer: int | None = None) -> socket.socket:
    client = socket.socket()
    if receive_buffer is not None:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    client.settimeout(PATIENCE)
    client.connect(("127.0.0.1", port))
    client.sendall(sent)
    return client


def until_closed(client: socket.socket) -> bytes:
    """Everything that comes until the server closes the connection."""
    received = b""
    try:
        while piece := client.recv(65_536):
            received += piece
    except ConnectionError:
        pass
    client.close()
    return received


def trickle(client: socket.socket, piece: bytes) -> bytes:
    """Send a piece every few milliseconds until the server closes the connection, and return what it said."""
    received = b""
    with client:
        for _ in range(50 * PATIENCE):
            try:
                client.sendall(piece)
                if select.select([client], [], [], 0.02)[0]:
                    data = client.recv(65_536)
                    if not data:
                        return received
                    received += data
            except ConnectionError:
                return received
    raise AssertionError("the connection stayed open")


def until_answered(ask: Callable[[], int]) -> int:
    """Ask again until there is an answer: a place becomes free when the server notices, and
    a slow machine may itself be too late for a server without patience."""
    for _ in range(50 * PATIENCE):
        try:
            status = ask()
        except OSError:
            status = 503
        if status not in (408, 503):
            return status
        select.select([], [], [], 0.02)
    raise AssertionError("no answer")


def replies(data: bytes) -> list[bytes]:
    """The status of every reply in what was received."""
    return [part[:3] for part in data.split(b"HTTP/1.1 ")[1:]]
