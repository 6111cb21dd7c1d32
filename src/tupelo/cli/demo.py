"""`tupelo demo`: the main job on bundled data."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from tupelo.api import scoring
from tupelo.api.text import load
from tupelo.cli.tuple_table import tuple_tables
from tupelo.core import Record
from tupelo.extract.page import document_page
from tupelo.io.examples import GOLD, SYSTEMS, TEXT, example_files
from tupelo.io.files import write_text
from tupelo.io.folders import copy_file, make_folder
from tupelo.io.text import read_whole
from tupelo.io.tuples import write_records


@click.command()
@click.option("-o", "--output", default="demo-output", show_default=True, type=click.Path(path_type=Path))
def demo(output: Path) -> None:
    """Extract tuples from a bundled text and make a graph of them; score two bundled systems and show their errors.

    \b
    Example:
      tupelo demo -o demo-output
    """
    make_folder(output)
    _extract(output)
    _graph(output)
    with example_files(GOLD, *SYSTEMS) as (gold_path, *system_paths):
        for path in (gold_path, *system_paths):
            copy_file(path, output / path.name)
        board = scoring.leaderboard("carb", gold_path, system_paths, sort="name", format="tab", keep_records=True)
        comparisons = scoring.compare("carb", gold_path, system_paths, format="tab")
    click.echo(f"{board}\n")
    click.echo(comparisons.table("f1", notes=False).text())
    scoring.write_report(output / "curves.png", board.plot(title="CaRB scores of two invented systems"))
    for name, score in board.scores.items():
        scoring.write_report(output / f"errors-{name}.html", score.error_page(title=f"What '{name}' got wrong"))
    pages = ", ".join(f"errors-{name}.html" for name in board.scores)
    click.echo(
        f"In {output}/: tuples.html, tuples.jsonl, graph.html, graph.svg, graph.png, graph.duckdb, curves.png, "
        f"{pages}, and the three files that were scored"
    )


def _extract(output: Path) -> None:
    """The tuples of the bundled text as a table, a page and a file."""
    with example_files(TEXT) as (path,):
        found = list(load().extract_sentences(read_whole(str(path))))
    for text in tuple_tables(found, colour=sys.stdout.isatty()):
        click.echo(text, nl=False)
    write_text(output / "tuples.html", document_page("The harbour at Lindvik", found, explain=True))
    records: Iterator[Record] = (record for item in found for record in (item.extractions or (item.sentence,)))
    write_records(output / "tuples.jsonl", records, "jsonl")
    click.echo(f"{sum(len(item.extractions) for item in found)} tuples in {len(found)} sentences\n")


def _graph(output: Path) -> None:
    """The same text as a knowledge graph: a file to query, a page to look at, a picture."""
    from tupelo.api.graph import Filters, Graph

    question, title = "Solheim ? ?", "The harbour at Lindvik"
    with example_files(TEXT) as (path,), Graph.build(path, output / "graph.duckdb", workers=1) as graph:
        click.echo(graph.report)
        click.echo(f"\n{question}")
        click.echo(graph.query(question, filters=Filters(min_confidence=0.5), evidence=1))
        graph.show(output / "graph.html", title=title)
        for name in ("graph.svg", "graph.png"):
            graph.show(output / name, title=title, min_confidence=0.5)
    click.echo()
