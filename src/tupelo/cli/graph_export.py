"""`tupelo graph export`: RDF, GraphML, CSV for Neo4j, Parquet, and what is registered or installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tupelo.cli.graph_options import graph_argument, min_confidence_option
from tupelo.cli.options import OutputPath


@click.command()
@graph_argument
@click.option("--to", "format", metavar="FORMAT", help="The format. [default: by the name of the output]")
@click.option(
    "--output",
    "-o",
    type=OutputPath(allow_dash=True),
    default="-",
    metavar="FILE",
    help="File, or folder for neo4j and parquet. [default: standard output]",
)
@click.option(
    "--reify",
    type=click.Choice(["classic", "rdf12", "graphs", "none"]),
    default="classic",
    show_default=True,
    help="RDF: how stance, confidence and sources are attached to statements.",
)
@click.option("--base", default="urn:tupelo:", show_default=True, metavar="IRI", help="RDF: prefix of our IRIs.")
@min_confidence_option
@click.option("--list", "listed", is_flag=True, is_eager=True, help="List the formats.")
def export(graph: Path, output: str, listed: bool, **options: Any) -> None:
    """Write a GRAPH in a format that other programs read. Rows are written as they come.

    \b
    Examples:
      tupelo graph export kg.duckdb -o kg.ttl
      tupelo graph export kg.duckdb --to ntriples --reify rdf12 | gzip > kg.nt.gz
      tupelo graph export kg.duckdb -o kg.trig --reify graphs
      tupelo graph export kg.duckdb -o kg.graphml --min-confidence 0.5
      tupelo graph export kg.duckdb --to neo4j -o import/
    """
    from tupelo.api.graph import Graph

    if listed:
        for name, title in Graph.export_formats().items():
            click.echo(f"{name:9} {title}")
        return
    with Graph.open(graph) as opened:
        opened.export(output, **options)
