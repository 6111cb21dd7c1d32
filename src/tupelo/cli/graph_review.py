"""`tupelo graph review`: who is who in a graph, and what people say about it."""

from __future__ import annotations

import json
from pathlib import Path

import click

from tupelo.cli.graph_options import graph_argument
from tupelo.cli.options import INPUT, OUTPUT, Whole

_Pairs = tuple[tuple[str, str], ...]


@click.command()
@graph_argument
@click.option("--limit", type=Whole(1), default=20, show_default=True, help="At most this many merges.")
@click.option("--evidence", type=Whole(0), default=1, show_default=True, help="Sentences on each side of a merge.")
@click.option("--same", nargs=2, multiple=True, metavar="A B", help="Say that two names mean one thing; repeatable.")
@click.option("--different", nargs=2, multiple=True, metavar="A B", help="Say that they mean two; repeatable.")
@click.option("--forget", nargs=2, multiple=True, metavar="A B", help="Take back what was said of them; repeatable.")
@click.option("--apply", type=INPUT, metavar="FILE", help="Take in corrections that another graph exported.")
@click.option("--export", type=OUTPUT, metavar="FILE", help="Write all corrections as a table.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def review(
    graph: Path,
    limit: int,
    evidence: int,
    same: _Pairs,
    different: _Pairs,
    forget: _Pairs,
    apply: str | None,
    export: str | None,
    as_json: bool,
) -> None:
    """List names of a GRAPH that are taken for one thing over documents, least probable first; or correct them.

    A and B are names, each for all documents, or for one: Paris@travel.txt. What is said holds at once, in every
    later build and after every update, until it is forgotten or the opposite is said.

    \b
    Examples:
      tupelo graph review kg.duckdb
      tupelo graph review kg.duckdb --different "Paris@travel.txt" "Paris"
      tupelo graph review kg.duckdb --same "Annie" "Ann Lee" --export corrections.tsv
      tupelo graph review other.duckdb --apply corrections.tsv
    """
    from tupelo.api.graph import Graph

    corrects = bool(same or different or forget or apply)
    with Graph.open(graph) as opened:
        if corrects:
            report = opened.correct(same=same, different=different, forget=forget, apply=apply)
            counts = {"corrections": report.corrections, **report.counts}
            listed = ", ".join(f"{count:,} {name}" for name, count in counts.items())
            click.echo(json.dumps(counts) if as_json else f"{graph}: {listed}")
        if export:
            opened.corrections(export)
        if not (corrects or export):
            found = opened.review(limit=limit, evidence=evidence)
            click.echo(json.dumps(found.to_dict(), ensure_ascii=False, indent=2) if as_json else str(found))
