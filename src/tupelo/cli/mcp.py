"""`tupelo mcp`: tools for assistants over standard input and output."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from tupelo.cli.signature import command
from tupelo.core.parameters import At


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
