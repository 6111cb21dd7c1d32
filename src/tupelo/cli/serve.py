"""`tupelo serve`: the HTTP API and its page."""

from __future__ import annotations

import click

from tupelo.cli.signature import Run, command
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
