"""`tupelo canonicalize` and `tupelo rules`: equal phrases and rules of triples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import click

from tupelo.api import canonical
from tupelo.api.canonical import Rules, mine_rules
from tupelo.cli.groups import listing
from tupelo.cli.options import InputFile, Json, OutputFile, report_skipped, show
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

    Reads triples with their sentences (Tupelo's tuples, COMBO's JSON, CESI's and CUVA's files, or plain tabs) and
    prints clusters as a table, or writes them with members, a name, evidence and confidence as JSON lines (-o).

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


@command(mine_rules)
def rules(
    run: Run[Rules],
    as_json: Annotated[Json, "One JSON document with all rules, and relations that are equal by them."] = False,
) -> None:
    """Find rules between relations, as AMIE does.

    A rule has one or two atoms in its body: *lives in(x, y)* implies *resides in(x, y)*; *was born in(x, z)* and
    *is in(z, y)* imply *comes from(x, y)*. Prints support, head coverage, confidence, PCA confidence and the rule.

    \b
    Examples:
      tupelo rules triples.tsv
      tupelo rules triples.tsv --atoms 1 --min-support 10 --min-confidence 0.5 --json
    """
    show(run(), as_json)
