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
    try:
        run(report=click.echo)
    except KeyboardInterrupt:
        click.echo()


@command()
def mcp(graph: Annotated[Path, At.INPUT]) -> None:
    from tupelo.serve.mcp import serve_mcp

    serve_mcp(graph)
