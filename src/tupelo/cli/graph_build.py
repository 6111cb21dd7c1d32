"""`tupelo graph build`: documents to a knowledge graph."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from tupelo.cli.options import FOLDER, INPUT, OUTPUT, SHARE, Whole, limit_option

if TYPE_CHECKING:
    from tupelo.api.graph import BuildReport

_FAILURES_SHOWN = 20


@click.command()
@click.argument("documents", type=INPUT, nargs=-1, required=True, metavar="DOCS...")
@click.option(
    "--output", "-o", type=OUTPUT, required=True, metavar="FILE", help="The graph: made, or brought up to date."
)
@click.option(
    "--add", is_flag=True, help="Keep the documents of the graph that are not among DOCS. [default: remove them]"
)
@click.option(
    "--engine",
    default="local",
    show_default=True,
    metavar="NAME",
    help="local; or a Spark master: spark://HOST:PORT, local[CORES], yarn.",
)
@click.option("--workers", type=Whole(1), metavar="N", help="Processes of the local engine. [default: one per core]")
@click.option(
    "--extractor",
    default="default",
    show_default=True,
    metavar="NAME",
    help="default, rules or an added one.",
)
@click.option(
    "--canonicalizer",
    default="lexical",
    show_default=True,
    metavar="NAME",
    help="What makes two wordings one entity or relation: lexical (names and base forms), relations (the same "
    "entities, and relations that mean the same are one), or a method of `tupelo canonicalize`.",
)
@click.option(
    "--parser", default="en", show_default=True, metavar="NAME", help="The shipped model, or another parser."
)
@click.option(
    "--schema",
    metavar="NAME",
    help="wikidata: add the Wikidata properties that edges share their meaning with (package tupelo-facts-en).",
)
@click.option(
    "--min-confidence",
    type=SHARE,
    metavar="X",
    help="Leave out tuples below this confidence. [default: the extractor's own, 0.5 of default]",
)
@click.option(
    "--no-coref",
    "coreference",
    is_flag=True,
    flag_value=False,
    default=True,
    help="Leave pronouns and short names unresolved.",
)
@click.option(
    "--aliases",
    type=INPUT,
    metavar="FILE",
    help="A table of names: canonical name, alias and perhaps type, as TSV or JSON lines. [default: the graph's own]",
)
@click.option(
    "--corrections",
    type=INPUT,
    metavar="FILE",
    help="Corrections to add to those of the graph, as `graph review --export` writes them.",
)
@click.option(
    "--vectors",
    is_flag=True,
    help="Encode passages too, for better `graph retrieve`; a graph that has vectors keeps them up to date.",
)
@click.option(
    "--work",
    type=FOLDER,
    metavar="FOLDER",
    help="Folder for unfinished work; with Spark, one that all machines see. [default: beside the graph]",
)
@click.option("--keep-work", is_flag=True, help="Do not remove that folder when the graph is done.")
@click.option(
    "--partition-size",
    type=Whole(1),
    default=100_000,
    show_default=True,
    metavar="CHARACTERS",
    help="How much is handed to a worker at a time, and lost at most when it is killed.",
)
@click.option(
    "--encoding",
    default="utf-8",
    show_default=True,
    metavar="NAME",
    help="Encoding of text that does not name its own and is not UTF-8, such as cp1252.",
)
@limit_option
@click.option("--strict", is_flag=True, help="Exit with 1 when a document could not be read.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def build(documents: tuple[str, ...], output: str, strict: bool, as_json: bool, **options: Any) -> None:
    """Make a knowledge graph from documents, or bring one up to date.

    DOCS are files (.txt, .md, .html, .jsonl, .parquet, .pdf, .docx, .zip, .tar.gz), or folders with everything below
    them. Only documents that are new or changed are read again; those that are gone are removed. A run that was
    killed resumes when the same command is given again. What is passed over is listed with the reason; when nothing
    at all could be read, the exit status is 1.

    \b
    Examples:
      tupelo graph build notes/ -o kg.duckdb
      tupelo graph build notes/ news.jsonl report.pdf -o kg.duckdb --workers 8
      tupelo graph build more/ -o kg.duckdb --add
      tupelo graph build notes/ -o kg.duckdb --schema wikidata
      tupelo graph build notes/ -o kg.duckdb --engine spark://host:7077 --work /shared/tupelo
    """
    from tupelo.api.graph import BuildOptions, Graph
    from tupelo.api.text import load
    from tupelo.cli.progress import progress_bar

    nlp = load(options.pop("parser"), extractor=options.pop("extractor"))
    add, chosen = options.pop("add"), BuildOptions(**options)
    with (
        progress_bar() as progress,
        Graph.build(documents, output, nlp=nlp, add=add, options=chosen, progress=progress) as graph,
    ):
        report = graph.changes
    assert report is not None
    print_report(report, as_json)
    if report.nothing_read:
        click.echo("nothing could be read, expected documents; the graph holds what it held before", err=True)
    if report.nothing_read or (strict and report.failures):
        sys.exit(1)


def print_report(report: BuildReport, as_json: bool) -> None:
    """Failures on standard error, what was done on standard output."""
    for failure in report.failures[:_FAILURES_SHOWN]:
        click.echo(f"skipped {failure}", err=True)
    if len(report.failures) > _FAILURES_SHOWN:
        click.echo(f"skipped {len(report.failures) - _FAILURES_SHOWN} more; see --json", err=True)
    if report.started_over:
        click.echo("the graph was made with other options, so all documents were read again", err=True)
    click.echo(json.dumps(report.to_dict(), ensure_ascii=False, indent=2) if as_json else str(report))
