"""What web applications above this package stand on: one guard, one form of errors, one bounded server."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tupelo.core import MissingExtraError
from tupelo.web.guard import LOOPBACK, App, Guard, Receive, Rules, Scope, Send
from tupelo.web.limits import ServerLimits
from tupelo.web.refusals import Refusal
from tupelo.web.server import listen, serve_app

try:
    from tupelo.web.app import add_errors, error_replies, refusal_reply, static_files
except ImportError as error:
    raise MissingExtraError("serving", "serve") from error

__all__ = [
    "App",
    "Receive",
    "Refusal",
    "Scope",
    "Send",
    "ServerLimits",
    "add_errors",
    "error_replies",
    "guarded",
    "host_app",
    "refusal_reply",
    "static_files",
]


def guarded(app: Any, allowed_hosts: Iterable[str], private: str, large: Mapping[str, int]) -> App:
    """The application behind a guard.

    `allowed_hosts` are its names besides those of this machine. Replies below `private` are not stored; `large` are
    the paths whose bodies may be larger than usual, with the most bytes.
    """
    return Guard(app, (*LOOPBACK, *allowed_hosts), Rules(private, large=large))


def host_app(
    app: Any, host: str, port: int, *, limits: ServerLimits | None = None, ready: Callable[[str], None]
) -> None:
    """Serve an application until interrupted; `ready` is called with its address once it answers."""
    with listen(host, port) as place:
        shown = f"[{host}]" if ":" in host else host
        address = f"http://{shown}:{place.getsockname()[1]}/"
        serve_app(app, place, limits=limits, ready=lambda: ready(address))
