"""`tupelo graph export`: RDF, GraphML, CSV for Neo4j, Parquet."""

from __future__ import annotations

from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from tupelo.cli.graph_options import graph_argument

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from tupelo.graph.export import Exporter

# Sorting a large graph goes over the disk rather than into memory.
_MEMORY = "1GB"


@click.command()
@graph_argument
@click.option("--to", "name", metavar="FORMAT", help="The format. [default: told by the name of the output]")
@click.option(
    "--output",
    "-o",
    default="-",
    metavar="FILE",
    help="File, or folder for neo4j and parquet. [default: standard output]",
)
@click.option(
    "--reify",
    type=click.Choice(["classic", "rdf12", "none"]),
    default="classic",
    show_default=True,
    help="RDF: how confidence and sources are attached to statements.",
)
@click.option("--base", default="urn:tupelo:", show_default=True, metavar="IRI", help="RDF: how our IRIs begin.")
@click.option(
    "--min-confidence",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=True,
    metavar="C",
    help="Only edges at least this sure.",
)
@click.option("--list", "listed", is_flag=True, is_eager=True, expose_value=True, help="List the formats.")
def export(
    graph: Path, name: str | None, output: str, reify: str, base: str, min_confidence: float, listed: bool
) -> None:
    """Write a GRAPH in a format that other programs read. Rows are written as they come.

    \b
    Examples:
      tupelo graph export kg.duckdb -o kg.ttl
      tupelo graph export kg.duckdb --to ntriples --reify rdf12 | gzip > kg.nt.gz
      tupelo graph export kg.duckdb -o kg.graphml --min-confidence 0.5
      tupelo graph export kg.duckdb --to neo4j -o import/
    """
    from tupelo.graph.export import EXPORTERS, ExportOptions
    from tupelo.graph.store import open_graph
    from tupelo.io.files import open_output
    from tupelo.io.folders import make_folder

    if listed:
        for known in EXPORTERS:
            click.echo(f"{known:9} {EXPORTERS.get(known).title}")
        return
    exporter: Exporter = EXPORTERS.get(name or _format_of(output))
    if not exporter.suffixes and output == "-":
        raise click.UsageError(f"{exporter.name} writes several files, expected a folder: -o FOLDER")

    def opener(file: str) -> AbstractContextManager[IO[bytes]]:
        return open_output(Path(output) / file if file else output)

    with open_graph(graph, memory=_MEMORY) as store:
        if not exporter.suffixes:
            make_folder(output)
        exporter.write(store, opener, ExportOptions(base, reify, min_confidence))


def _format_of(output: str) -> str:
    from tupelo.graph.export import EXPORTERS

    plain = output.removesuffix(".gz")
    for name in EXPORTERS:
        if plain.endswith(EXPORTERS.get(name).suffixes or ("\0",)):
            return name
    raise click.UsageError(f"the name '{output}' tells no format, expected --to {'|'.join(EXPORTERS)}")
