"""`tupelo graph serve`: the page of a graph of any size, which loads what it shows."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tupelo.cli.graph_options import graph_argument

if TYPE_CHECKING:
    from tupelo.graph.store import Store
    from tupelo.io.server import Handler, Reply


@click.command()
@graph_argument
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="0 takes a free one.")
@click.option("--allow-host", "allowed", multiple=True, metavar="NAME", help="Another name of this machine.")
@click.option("--start", "names", multiple=True, metavar="NAME", help="Begin with this entity; repeat for more.")
def serve(graph: Path, host: str, port: int, allowed: tuple[str, ...], names: tuple[str, ...]) -> None:
    """Show a GRAPH of any size in the browser, loading what is looked at.

    \b
    Example:
      tupelo graph serve kg.duckdb

    Only this machine can ask unless --host says otherwise; there is no password. Ctrl-C ends it.
    """
    from tupelo.graph.names import find_entities, unknown
    from tupelo.graph.store import open_graph
    from tupelo.io.server import PageServer

    with open_graph(graph) as store:
        start: list[str] = []
        for name in names:
            found = find_entities(store, name)
            if not found.ids:
                raise unknown(store, "entity", name)
            start += found.ids
        with PageServer(routes(store, graph.stem, start), host, port, frozenset(allowed)) as server:
            click.echo(f"{graph}: {server.address}  (Ctrl-C ends)")
            if not server.is_loopback():
                click.echo("Everyone who reaches this address can read the graph.", err=True)
            try:
                server.serve_forever()
            except KeyboardInterrupt:
                click.echo()


def routes(store: Store, title: str, start: list[str]) -> dict[str, Handler]:
    """Path -> what answers it."""
    from tupelo.core import InputError
    from tupelo.graph import views
    from tupelo.graph.page import graph_page, policy
    from tupelo.io.server import Reply, json_reply
    from tupelo.io.web import graph_script, graph_style

    script, style = graph_script(), graph_style()
    page = graph_page(title, views.served(store), script, style).encode("utf-8")
    guard = {"Content-Security-Policy": policy(script, style, served=True) + "; frame-ancestors 'none'"}

    def whole(_: Mapping[str, str]) -> Reply:
        return Reply(page, "text/html; charset=utf-8", guard)

    # Asked for by everyone who opens the page, and always the same.
    first = json_reply(views.first_view(store, start))

    def neighbours(values: Mapping[str, str]) -> Reply:
        offset = values.get("offset", "0")
        if not offset.isdecimal() or len(offset) > 12:
            raise InputError("offset is no number, expected 0 or more")
        return json_reply(views.neighbours(store, values.get("id", ""), int(offset)))

    return {
        "/": whole,
        "/api/start": lambda _: first,
        "/api/search": lambda values: json_reply(views.search(store, values.get("q", ""))),
        "/api/neighbours": neighbours,
        "/api/evidence": lambda values: json_reply(views.sentences_of(store, values.get("id", ""))),
    }
