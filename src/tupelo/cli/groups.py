"""Groups of commands that are known by name and imported only to be run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from tupelo.core.registry import Registry, import_part


class LazyGroup(click.Group):
    """`places` maps the name of a command to its module and attribute, and to the line that `--help` shows."""

    places: Mapping[str, tuple[str, str]] = {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.places)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in self.places:
            return None
        command = import_part(self.places[name][0])
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in self.places.items()])


def listing(heading: str, parts: Registry[Any]) -> type[click.Command]:
    """Commands whose help ends with all registered parts, titles looked up only when help is asked for."""

    class ListingCommand(click.Command):
        def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
            with formatter.section(heading):
                formatter.write_dl([(name, parts.title(name)) for name in parts])

    return ListingCommand


class GraphCommands(LazyGroup):
    places = {  # noqa: RUF012, a table of names
        "build": ("tupelo.cli.graph:build", "Documents to a graph; again to bring it up to date."),
        "query": ("tupelo.cli.graph:query", "Query it: patterns, neighbours, paths, full text, SQL, SPARQL."),
        "ask": ("tupelo.cli.graph:ask", "Answer a question in plain English, with the sentences that say so."),
        "retrieve": ("tupelo.cli.graph:retrieve", "Find the passages that help to answer a question."),
        "report": ("tupelo.cli.graph:report", "What the documents are about, in sentences of their own."),
        "show": ("tupelo.cli.graph:show_graph", "Draw it as one page that needs nothing else."),
        "serve": ("tupelo.cli.graph:serve", "Look at a graph of any size in the browser."),
        "stats": ("tupelo.cli.graph:stats", "Sizes, degrees, merged names, low confidence, communities."),
        "review": ("tupelo.cli.graph:review", "Who is who: names that were merged, and corrections."),
        "export": ("tupelo.cli.graph:export", "Write it as RDF, GraphML, CSV for Neo4j or Parquet."),
    }


@click.group(cls=GraphCommands)
def graph() -> None:
    """Build, query, look at and export a knowledge graph.

    \b
    Examples:
      tupelo graph build notes/ -o kg.duckdb
      tupelo graph query kg.duckdb "?who founded ?company" --evidence
    """
