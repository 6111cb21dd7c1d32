"""Serving an ASGI application over HTTP."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any

from tupelo.core import InputError, MissingExtraError


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
