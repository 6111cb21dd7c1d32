"""`tupelo graph ask`: answers to questions in plain English."""

from __future__ import annotations

import json
from pathlib import Path

import click

from tupelo.api.files import write_lines
from tupelo.api.graph import Graph
from tupelo.cli.graph_options import graph_argument
from tupelo.cli.options import SHARE, output_option


@click.command()
@graph_argument
@click.argument("question", nargs=-1, required=True, metavar="QUESTION...")
@click.option(
    "--min-confidence",
    type=SHARE,
    metavar="X",
    help="Answer only if it is at least this probable; by default 0.7.",
)
@click.option("--plan", is_flag=True, help="Show what is asked first, and what the reader says.")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of a table.")
@output_option()
def ask(
    graph: Path, question: tuple[str, ...], min_confidence: float | None, plan: bool, as_json: bool, output: str
) -> None:
    """Answer a QUESTION in plain English from a GRAPH, with the sentences that say so.

    \b
    Examples:
      tupelo graph ask kg.duckdb "Who founded Acme?"
      tupelo graph ask kg.duckdb "Who founded Acme, and where?"
      tupelo graph ask kg.duckdb "When was Acme sold?" --json

    Who, what, which, where, when, how many, and yes or no. Without a probable answer it says so and
    quotes the closest passages. No language model is used, and every answer is words of its sentence.
    """
    with Graph.open(graph) as opened:
        found = opened.ask(" ".join(question), min_confidence=min_confidence, plan=plan)
    write_lines(output, [json.dumps(found.to_dict(), ensure_ascii=False, indent=2) if as_json else str(found)])
