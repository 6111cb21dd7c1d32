"""`tupelo canonicalize`: which phrases mean the same entity, relation or type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import click

from tupelo.api import canonical
from tupelo.cli.groups import listing
from tupelo.cli.options import InputFile, Json, OutputFile, report_skipped
from tupelo.cli.signature import Run, command
from tupelo.core.parameters import Spelled, Whole


@command(canonical.canonicalize, cls=listing("Methods", canonical.METHODS))
def canonicalize(
    run: Run[Any],
    triples: InputFile,
    settings: Mapping[str, Any],
    approximate: Annotated[bool, "Compare only near neighbours, for very many phrases."] = False,
    review: Annotated[
        OutputFile | None, Spelled.of("HTML"), "Write a page of clusters, borderline merges first."
    ] = None,
    output: Annotated[
        OutputFile | None, "Write the clusters as JSON lines. [default: a table on standard output]"
    ] = None,
    as_json: Annotated[Json, "One JSON document instead of lines or a table."] = False,
    evidence: Annotated[Whole, "Sentences quoted per cluster."] = 3,
) -> None:
    """Find the phrases that mean the same.

    Reads triples with their sentences (Tupelo's tuples, COMBO's JSON, CESI's
    and CUVA's files, or plain tabs) and prints clusters as a table, or writes them
    with members, a name, evidence and confidence as JSON lines (-o).

    \b
    Examples:
      tupelo canonicalize triples.tsv --task npc-e
      tupelo canonicalize triples.tsv --review review.html -o clusters.jsonl
      tupelo extract --format jsonl text.txt | tupelo canonicalize - --task rpc
    """
    found = run(settings={**settings, **({"approximate": True} if approximate else {})})
    report_skipped(found.skipped)
    if review is not None:
        canonical.write_review(found, review)
    if output is not None or as_json:
        canonical.write_clusters(found, output or "-", as_json=as_json, evidence=evidence)
    else:
        click.echo(found)
