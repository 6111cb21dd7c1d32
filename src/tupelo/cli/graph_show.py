"""`tupelo graph show` and `tupelo graph serve`: a graph as one page, or as pages that load what they show."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tupelo.cli.graph_options import graph_argument, min_confidence_option, start_option
from tupelo.cli.options import OUTPUT, Whole, address_options


@click.command()
@graph_argument
@click.option(
    "--output", "-o", type=OUTPUT, default="-", metavar="FILE", help="Where to write. [default: standard output]"
)
@start_option
@click.option(
    "--limit",
    type=Whole(1, 100_000),
    default=5_000,
    show_default=True,
    help="At most N edges on the page: confident ones between important entities.",
)
@min_confidence_option
@click.option("--sentences", type=Whole(0), default=3, show_default=True, help="Sentences for each edge.")
@click.option("--title", help="The title. [default: the name of the file]")
def show(graph: Path, output: str, **options: Any) -> None:
    """Draw a GRAPH as one HTML page that needs nothing else, not even a network.

    \b
    Examples:
      tupelo graph show kg.duckdb -o kg.html
      tupelo graph show kg.duckdb -o kg.svg --min-confidence 0.5
      tupelo graph show kg.duckdb -o kg.png --min-confidence 0.5
      tupelo graph show kg.duckdb --start Watson --min-confidence 0.5 -o watson.html

    The page opens on the main entities of every community. More on demand: search, a community, the
    neighbours of an entity, or all edges; filters by type, confidence and stance; the sentences behind an
    edge on a click. A name that ends in .svg or .png gives a still picture of the main entities.
    Larger graphs: tupelo graph serve.
    """
    from tupelo.api.graph import Graph

    with Graph.open(graph) as opened:
        view = opened.show(output, **options)
    if view.is_partial:
        click.echo(
            f"{view.shown:,} of {view.total:,} edges are shown; tupelo graph serve opens all of them", err=True
        )


@click.command()
@graph_argument
@address_options(8765)
@start_option
def serve(graph: Path, **options: Any) -> None:
    """Show a GRAPH of any size in the browser, loading what is looked at.

    \b
    Example:
      tupelo graph serve kg.duckdb

    Only this machine can connect unless --host says otherwise; there is no password. Ctrl-C ends it.
    """
    from tupelo.api.graph import Graph

    def announce(server: Any) -> None:
        click.echo(f"{graph}: {server.address}  (Ctrl-C ends)")
        if not server.is_loopback():
            click.echo("Everyone who reaches this address can read the graph.", err=True)

    with Graph.open(graph) as opened:
        try:
            opened.serve(**options, announce=announce)
        except KeyboardInterrupt:
            click.echo()
