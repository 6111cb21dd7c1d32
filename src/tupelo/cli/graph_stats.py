"""`tupelo graph stats`: figures about a graph."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from tupelo.cli.graph_options import graph_argument
from tupelo.cli.options import OUTPUT, SHARE, Whole


@click.command()
@graph_argument
@click.option("--top", type=Whole(1), default=10, show_default=True, help="Length of the lists.")
@click.option(
    "--low",
    type=SHARE,
    default=0.5,
    show_default=True,
    metavar="C",
    help="What counts as low confidence.",
)
@click.option("--communities", is_flag=True, help="Find groups by Louvain's method; reads all edges into memory.")
@click.option("--html", type=OUTPUT, metavar="FILE", help="Write a small page as well.")
@click.option("--check", is_flag=True, help="Look for broken references and duplicate keys; exit with 1 on any.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def stats(graph: Path, html: str | None, as_json: bool, **options: Any) -> None:
    """Sizes, degrees, frequent relations, merged names, low confidence and communities of a GRAPH.

    \b
    Examples:
      tupelo graph stats kg.duckdb
      tupelo graph stats kg.duckdb --communities --html kg-stats.html
      tupelo graph stats kg.duckdb --check --json
    """
    from tupelo.api.files import write_text
    from tupelo.api.graph import Graph

    with Graph.open(graph) as opened:
        found = opened.stats(**options)
    if html:
        write_text(html, found.page(f"Figures of {graph.stem}"))
    click.echo(json.dumps(found.to_dict(), ensure_ascii=False, indent=2) if as_json else str(found))
    if found.problems:
        raise click.exceptions.Exit(1)
