"""The HTTP API and its page: `tupelo serve`. Routes read a request, call `tupelo.api` and send its `to_dict()`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from tupelo.core import InputError
from tupelo.core.parameters import AllowedHosts, At, Host, Input, PathLike, Port, Spelled
from tupelo.serve.options import ServiceOptions
from tupelo.web.limits import ServerLimits

__all__ = ["ServiceOptions", "serve"]


def serve(
    graph: Annotated[Input | None, Spelled.of("KG"), "A knowledge graph to answer from; it is only read."] = None,
    *,
    files: Annotated[
        PathLike | None,
        At.SOURCE_FOLDER,
        Spelled.of("FOLDER"),
        "Documents that the page may open by their file: addresses; no other file can be read.",
    ] = None,
    host: Host = "127.0.0.1",
    port: Port = 8780,
    allowed_hosts: AllowedHosts = (),
    options: ServiceOptions | None = None,
    limits: ServerLimits | None = None,
    report: Callable[[str], None] = print,
) -> None:
    """Serve the API and its page until interrupted; `report` is called with lines about the start.

    `graph` is the file of a knowledge graph, which is only read. `files` is a folder whose documents may be read by
    their addresses. There is no password: only this machine can connect unless `host` says otherwise. `limits` bound
    the time, size and number of connections of clients.
    """
    from contextlib import ExitStack

    # First: it names the extra that is missing.
    from tupelo.web.app import add_errors  # noqa: F401  # isort: skip
    from tupelo.api.graph import Graph
    from tupelo.api.text import load
    from tupelo.serve.app import make_app
    from tupelo.serve.service import Service
    from tupelo.web.server import WebServer

    options = options or ServiceOptions()
    if files is not None and not Path(files).is_dir():
        raise InputError(f"{files}: no folder, expected one with documents")
    with ExitStack() as stack:
        opened = None if graph is None else stack.enter_context(Graph.open(graph))
        toolkit = stack.enter_context(load(options.parser, extractor=options.extractor))
        # Now, so that nobody waits for a model, and one that is missing is noticed.
        toolkit.extract("Ann Lee founded Acme in Oslo. She sold it in May.")
        service = stack.enter_context(Service(toolkit, opened, options, files=files))
        app = make_app(service, (*allowed_hosts, host))
        server = stack.enter_context(WebServer(host, port, limits=limits))
        server.serve(app, lambda: report(f"Serving at {server.address}  (Ctrl-C ends)"))
