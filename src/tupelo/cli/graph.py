"""`tupelo graph`: the knowledge graph. One module per subcommand, imported only when it is called."""

from __future__ import annotations

import click

from tupelo.cli.lazy import LazyGroup


class GraphCommands(LazyGroup):
    places = {  # noqa: RUF012, a table of names
        "build": ("tupelo.cli.graph_build:build", "Documents to a graph; again to bring it up to date."),
        "query": ("tupelo.cli.graph_query:query", "Query it: patterns, neighbours, paths, full text, SQL, SPARQL."),
        "ask": ("tupelo.cli.graph_ask:ask", "Answer a question in plain English, with the sentences that say so."),
        "retrieve": ("tupelo.cli.graph_retrieve:retrieve", "Find the passages that help to answer a question."),
        "report": ("tupelo.cli.graph_report:report", "What the documents are about, in sentences of their own."),
        "show": ("tupelo.cli.graph_show:show", "Draw it as one page that needs nothing else."),
        "serve": ("tupelo.cli.graph_show:serve", "Look at a graph of any size in the browser."),
        "stats": ("tupelo.cli.graph_stats:stats", "Sizes, degrees, merged names, low confidence, communities."),
        "review": (
            "tupelo.cli.graph_review:review",
            "Who is who: names that were merged, and corrections.",
        ),
        "export": ("tupelo.cli.graph_export:export", "Write it as RDF, GraphML, CSV for Neo4j or Parquet."),
    }


@click.group(cls=GraphCommands)
def graph() -> None:
    """Build, query, look at and export a knowledge graph.

    \b
    Examples:
      tupelo graph build notes/ -o kg.duckdb
      tupelo graph query kg.duckdb "?who founded ?company" --evidence
    """
