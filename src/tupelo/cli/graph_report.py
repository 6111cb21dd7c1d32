"""`tupelo graph report`: a dossier of a graph or of one entity."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from tupelo.cli.graph_options import graph_argument
from tupelo.cli.options import Whole, output_option


@click.command()
@graph_argument
@output_option("Where to write: a page for .html, Markdown for .md. [default: Markdown on standard output]")
@click.option("--entity", metavar="NAME", help="A report of this entity and what is around it.")
@click.option(
    "--communities",
    type=Whole(1, 1000),
    default=10,
    show_default=True,
    help="At most N communities, not counting parts.",
)
@click.option(
    "--facts",
    type=Whole(1, 100),
    default=5,
    show_default=True,
    help="Sentences of a community; an entity has twice N.",
)
@click.option("--title", help="The title. [default: the name of the file]")
@click.option("--json", "as_json", is_flag=True, help="One JSON document, wherever it is written.")
def report(graph: Path, output: str, as_json: bool, **options: Any) -> None:
    """What the documents of a GRAPH are about: its communities, or one entity, in sentences of the documents.

    \b
    Examples:
      tupelo graph report kg.duckdb -o report.html
      tupelo graph report kg.duckdb --entity "Ann Watson" -o watson.md
      tupelo graph report kg.duckdb --communities 3 --json

    No language model is used and nothing is generated. A community has a title, its share of all
    importance, its main entities, its key facts, and smaller communities within it. A fact is a sentence
    that a document asserts; its number leads to the sentence among the sources.
    """
    from tupelo.api.files import write_text
    from tupelo.api.graph import Graph

    with Graph.open(graph) as opened:
        found = opened.report(None if as_json else output, **options)
    if as_json:
        write_text(output, json.dumps(found.to_dict(), ensure_ascii=False, indent=2) + "\n")
