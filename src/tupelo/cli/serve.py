"""`tupelo serve` and `tupelo mcp`: the HTTP API with its page, and tools for assistants."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import click

from tupelo.cli.signature import Run, command
from tupelo.core.parameters import At
from tupelo.serve import serve as serve_all


@command(serve_all)
def serve(run: Run[None]) -> None:
    """Serve an HTTP API and a page on which to try everything.

    \b
    Examples:
      tupelo serve
      tupelo serve --graph kg.duckdb
      tupelo serve --files notes/
      curl -d '{"text": "Ann Lee founded Acme in Oslo."}' -H 'Content-Type: application/json' \\
        http://127.0.0.1:8780/v1/extract

    The page is at the address that is printed, the description of the API at /docs. Only this machine can connect
    unless --host says otherwise; there is no password. Ctrl-C ends it.
    """
    try:
        run(report=click.echo)
    except KeyboardInterrupt:
        click.echo()


@command()
def mcp(graph: Annotated[Path, At.INPUT]) -> None:
    """Give assistants tools to use a GRAPH on this machine, by the Model Context Protocol.

    \b
    Examples:
      tupelo mcp kg.duckdb
      claude mcp add notes -- tupelo mcp /home/ann/notes.duckdb

    An assistant starts this command and talks to it over standard input and output; nothing else can
    connect. The tools are search, entities, neighbours, retrieve, ask and check. They only read the graph.
    """
    from tupelo.serve.mcp import serve_mcp

    serve_mcp(graph)
