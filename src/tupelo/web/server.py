"""Serving ASGI applications over HTTP."""

from __future__ import annotations

import socket
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tupelo.core import InputError, MissingExtraError
from tupelo.web.limits import ServerLimits

# The database, its pool and threads need files as well.
_OWN_FILES = 256


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


def serve_app(
    app: Any,
    place: socket.socket,
    *,
    proxies: str = "",
    limits: ServerLimits | None = None,
    ready: Callable[[], None] | None = None,
) -> None:
    """Serve until interrupted. `ready` is called once connections are answered.

    `proxies` are addresses whose word about the client is believed. Addresses are not logged: invitations are among
    them.
    """
    make_server(app, proxies=proxies, limits=limits, ready=ready).run(sockets=[place])


def make_server(
    app: Any, *, proxies: str = "", limits: ServerLimits | None = None, ready: Callable[[], None] | None = None
) -> Any:
    """The server behind `serve_app`, a `uvicorn.Server`."""
    try:
        import uvicorn

        from tupelo.web.bounded_http import bounded_protocol
    except ImportError as error:
        raise MissingExtraError("serving", "serve") from error

    class Server(uvicorn.Server):
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            if self.started and ready is not None:
                ready()

    limits = _within_open_files(limits or ServerLimits())
    config = uvicorn.Config(
        app,
        http=bounded_protocol(limits, tuple(filter(None, (proxy.strip() for proxy in proxies.split(","))))),
        access_log=False,
        # What strangers send is no warning of ours.
        log_level="error",
        server_header=False,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies or None,
        timeout_keep_alive=int(limits.idle_seconds) + 1,
        timeout_graceful_shutdown=10,
        lifespan="off",
        ws="none",
    )
    return Server(config)


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
