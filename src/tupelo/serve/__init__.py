"""The HTTP API and its page: `tupelo serve`. Routes read a request, call `tupelo.api` and send its `to_dict()`."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tupelo.web.limits import ServerLimits

__all__ = ["serve"]


def serve(
    graph: str | os.PathLike[str] | None = None,
    *,
    host: str = "127.0.0.1",
    port: int = 8780,
    allowed_hosts: Sequence[str] = (),
    parser: str = "en",
    extractor: str = "default",
    max_text: int = 100_000,
    queue: int = 64,
    max_seconds: float = 30,
    files: str | os.PathLike[str] | None = None,
    limits: ServerLimits | None = None,
    report: Callable[[str], None] = print,
) -> None:
    """Serve the API and its page until interrupted; `report` is called with lines about the start.

    `graph` is the file of a knowledge graph, which is only read. A request may have `max_text` characters; `queue`
    requests wait while another is worked on, and more are refused with status 429. A text, pair or query that takes
    more than `max_seconds` is refused with status 413. `files` is a folder whose documents may be read by their
    addresses. There is no password: only this machine can connect unless
    `host` says otherwise.
    """
    from contextlib import ExitStack

    # First: it names the extra that is missing.
    from tupelo.web.app import add_errors  # noqa: F401  # isort: skip
    from tupelo.api.graph import Graph
    from tupelo.api.text import load
    from tupelo.serve.app import make_app
    from tupelo.serve.service import Service
    from tupelo.web.server import WebServer

    with ExitStack() as stack:
        opened = None if graph is None else stack.enter_context(Graph.open(graph))
        toolkit = stack.enter_context(load(parser, extractor=extractor))
        # Now, so that nobody waits for a model, and one that is missing is noticed.
        toolkit.extract("Ann Lee founded Acme in Oslo. She sold it in May.")
        service = stack.enter_context(
            Service(toolkit, opened, max_text=max_text, waiting=queue, max_seconds=max_seconds, files=files)
        )
        app = make_app(service, (*allowed_hosts, host))
        server = stack.enter_context(WebServer(host, port, limits=limits))
        server.serve(app, lambda: report(f"Serving at {server.address}  (Ctrl-C ends)"))
