"""Limits of a server on its clients: time, size, connections."""

from __future__ import annotations

import ipaddress
import threading
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """Limits of a server; times are seconds.

    A client has `head_seconds` for a request line and its headers. For a body it has `body_seconds`, for reading a
    reply `write_seconds`, and for both a second more for every `least_rate` bytes. An unused connection is
    closed after `idle_seconds`.
    """

    head_seconds: float = 20
    body_seconds: float = 20
    write_seconds: float = 20
    idle_seconds: float = 30
    least_rate: int = 16_384
    head_size: int = 32_768
    connections: int = 2_000
    connections_per_client: int = 500

    def body_time(self, received: int) -> float:
        """Seconds within which a body must be complete of which this many bytes are received."""
        return self.body_seconds + received / self.least_rate

    def write_time(self, size: int) -> float:
        """Seconds within which a client must have read this many bytes."""
        return self.write_seconds + size / self.least_rate


# Of a server for the page of one person.
PAGE_LIMITS = ServerLimits(connections=200, connections_per_client=50)


class Connections:
    """Counts open connections, in all and of every client. Clients in `unlimited` are proxies: many in one."""

    def __init__(self, limits: ServerLimits, unlimited: Iterable[str] = ()) -> None:
        self._most, self._most_each = limits.connections, limits.connections_per_client
        self._unlimited = frozenset(unlimited)
        self._open: Counter[str] = Counter()
        self._lock = threading.Lock()

    def enter(self, address: str) -> bool:
        """Count a new connection, unless a limit is reached."""
        key = _client(address)
        with self._lock:
            full = self._open.total() >= self._most
            if full or (self._open[key] >= self._most_each and address not in self._unlimited):
                return False
            self._open[key] += 1
            return True

    def leave(self, address: str) -> None:
        key = _client(address)
        with self._lock:
            self._open[key] -= 1
            if not self._open[key]:
                del self._open[key]


def _client(address: str) -> str:
    """The key of a client: an IPv4 address, or the network of an IPv6 address, of which a client has many."""
    if ":" not in address:
        return address
    try:
        return str(ipaddress.ip_network((address.partition("%")[0], 64), strict=False))
    except ValueError:
        return address
