"""`tupelo graph`: the knowledge graph. One module per subcommand, imported only when it is called."""

from __future__ import annotations

from pathlib import Path

import click

from tupelo.cli.graph_options import graph_argument
from tupelo.cli.lazy import LazyGroup


class GraphCommands(LazyGroup):
    places = {  # noqa: RUF012, a table of names
        "build": ("tupelo.cli.graph_build:build", "Documents to a graph; again to bring it up to date."),
        "query": ("tupelo.cli.graph_query:query", "Query it: patterns, neighbours, paths, full text, SQL, SPARQL."),
        "retrieve": ("tupelo.cli.graph_retrieve:retrieve", "Find the passages that help to answer a question."),
        "show": ("tupelo.cli.graph_show:show", "Draw it as one page that needs nothing else."),
        "serve": ("tupelo.cli.graph_show:serve", "Look at a graph of any size in the browser."),
        "stats": ("tupelo.cli.graph_stats:stats", "Sizes, degrees, merged names, low confidence, communities."),
        "review": (
            "tupelo.cli.graph_review:review",
            "Who is who: names that were merged, and corrections.",
        ),
        "export": ("tupelo.cli.graph_export:export", "Write it as RDF, GraphML, CSV for Neo4j or Parquet."),
        "migrate": ("tupelo.cli.graph:migrate", "Bring the file of an older Tupelo to the present version."),
    }


@click.group(cls=GraphCommands)
def graph() -> None:
    """Build, query, look at and export a knowledge graph.

    \b
    Examples:
      tupelo graph build notes/ -o kg.duckdb
      tupelo graph query kg.duckdb "?who founded ?company" --evidence
    """


@click.command()
@graph_argument
def migrate(graph: Path) -> None:
    """Bring the GRAPH of an older Tupelo to the present version, in place.

    \b
    Example:
      tupelo graph migrate kg.duckdb

    All or nothing: a file that cannot be migrated stays as it is.
    """
    from tupelo.api.graph import Graph

    click.echo(f"{graph}: graph of version {Graph.migrate(graph)}")
