"""`tupelo graph show`: a graph as one page."""

from __future__ import annotations

from pathlib import Path

import click

from tupelo.cli.graph_options import graph_argument


@click.command()
@graph_argument
@click.option("--output", "-o", default="-", metavar="FILE", help="Where to write. [default: standard output]")
@click.option("--start", "names", multiple=True, metavar="NAME", help="Begin with this entity; repeat for more.")
@click.option(
    "--limit",
    type=click.IntRange(1, 100_000),
    default=5_000,
    show_default=True,
    help="Put at most so many edges on the page, the surest ones.",
)
@click.option(
    "--min-confidence",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=True,
    metavar="C",
    help="Only edges at least this sure.",
)
@click.option("--sentences", type=click.IntRange(0), default=3, show_default=True, help="Sentences for each edge.")
@click.option("--title", help="The title. [default: the name of the file]")
def show(
    graph: Path,
    output: str,
    names: tuple[str, ...],
    limit: int,
    min_confidence: float,
    sentences: int,
    title: str | None,
) -> None:
    """Draw a GRAPH as one HTML page that needs nothing else, not even a network.

    \b
    Examples:
      tupelo graph show kg.duckdb -o kg.html
      tupelo graph show kg.duckdb -o kg.svg --min-confidence 0.5
      tupelo graph show kg.duckdb -o kg.png --min-confidence 0.5
      tupelo graph show kg.duckdb --start Watson --min-confidence 0.5 -o watson.html

    On the page: search, filters by type, confidence and reservation, neighbours of a node on a double
    click, and the sentences behind an edge on a click. A name that ends in .svg or .png gives a still picture.
    Larger graphs: tupelo graph serve.
    """
    from tupelo.graph.names import find_entities, unknown
    from tupelo.graph.page import graph_page
    from tupelo.graph.picture import MOST_EDGES, draw_png, draw_svg
    from tupelo.graph.store import open_graph
    from tupelo.graph.views import embedded
    from tupelo.io.files import open_output, write_text
    from tupelo.io.web import graph_script, graph_style

    with open_graph(graph) as store:
        start: list[str] = []
        for name in names:
            found = find_entities(store, name)
            if not found.ids:
                raise unknown(store, "entity", name)
            start += found.ids
        limit = min(limit, MOST_EDGES) if output.endswith((".svg", ".png")) else limit
        data = embedded(store, limit=limit, start=start, min_confidence=min_confidence, sentences=sentences)
    if output.endswith(".svg"):
        write_text(output, draw_svg(title or graph.stem, data))
    elif output.endswith(".png"):
        picture = draw_png(title or graph.stem, data)
        with open_output(output) as stream:
            stream.write(picture)
    else:
        write_text(output, graph_page(title or graph.stem, data, graph_script(), graph_style()))
    if limit == data["held"]["edges"] < data["total"]["edges"]:
        held, total = data["held"]["edges"], data["total"]["edges"]
        click.echo(f"{held:,} of {total:,} edges are shown; tupelo graph serve opens all of them", err=True)
