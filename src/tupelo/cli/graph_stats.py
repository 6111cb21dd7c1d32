"""`tupelo graph stats`: figures about a graph."""

from __future__ import annotations

import json
from pathlib import Path

import click

from tupelo.cli.graph_options import graph_argument


@click.command()
@graph_argument
@click.option("--top", type=click.IntRange(1), default=10, show_default=True, help="Length of the lists.")
@click.option(
    "--low",
    type=click.FloatRange(0, 1),
    default=0.5,
    show_default=True,
    metavar="C",
    help="What counts as low confidence.",
)
@click.option("--communities", is_flag=True, help="Find groups by label propagation; reads all edges into memory.")
@click.option("--html", metavar="FILE", help="Write a small page as well.")
@click.option("--check", is_flag=True, help="Look for broken references and double keys; exit with 1 on any.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def stats(graph: Path, top: int, low: float, communities: bool, html: str | None, check: bool, as_json: bool) -> None:
    """Sizes, degrees, frequent relations, merged names, low confidence and communities of a GRAPH.

    \b
    Examples:
      tupelo graph stats kg.duckdb
      tupelo graph stats kg.duckdb --communities --html kg-stats.html
      tupelo graph stats kg.duckdb --check --json
    """
    from tupelo.graph.report import report_page, report_text
    from tupelo.graph.stats import statistics
    from tupelo.graph.store import open_graph
    from tupelo.io.files import write_text

    with open_graph(graph) as store:
        found = statistics(store, top=top, low=low, communities=communities)
        problems = store.problems() if check else []
    if html:
        write_text(html, report_page(f"Figures of {graph.stem}", found))
    if as_json:
        record = {**found.record(), **({"problems": problems} if check else {})}
        click.echo(json.dumps(record, ensure_ascii=False, indent=2))
    else:
        click.echo(report_text(found), nl=False)
        for problem in problems:
            click.echo(f"problem: {problem}")
    if problems:
        raise click.exceptions.Exit(1)
