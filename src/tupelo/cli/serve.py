"""`tupelo serve`: the HTTP API and its page."""

from __future__ import annotations

from typing import Any

import click

from tupelo.cli.options import AT_LEAST_ONE, INPUT, Whole, address_options, parser_option

_OF_THE_SERVICE = ("parser", "extractor", "max_text", "max_seconds", "queue")


@click.command()
@click.option("--graph", type=INPUT, metavar="KG", help="A knowledge graph to answer from; it is only read.")
@click.option(
    "--files",
    type=click.Path(exists=True, file_okay=False),
    metavar="FOLDER",
    help="Documents that the page may open by their file: addresses; no other file can be read.",
)
@address_options(8780)
@parser_option
@click.option("--extractor", default="default", show_default=True, metavar="NAME", help="What finds the tuples.")
@click.option(
    "--max-text", type=AT_LEAST_ONE, default=100_000, show_default=True, metavar="N", help="Characters in a request."
)
@click.option(
    "--max-seconds",
    type=AT_LEAST_ONE,
    default=30,
    show_default=True,
    metavar="N",
    help="Time for one text, pair or query; what takes longer is refused.",
)
@click.option(
    "--queue",
    type=Whole(0, 10_000),
    default=64,
    show_default=True,
    metavar="N",
    help="Requests that may wait; more are told when to come back.",
)
def serve(**options: Any) -> None:
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
    from tupelo.serve import ServiceOptions
    from tupelo.serve import serve as serve_all

    service = ServiceOptions(**{name: options.pop(name) for name in _OF_THE_SERVICE})
    try:
        serve_all(**options, options=service, report=click.echo)
    except KeyboardInterrupt:
        click.echo()
