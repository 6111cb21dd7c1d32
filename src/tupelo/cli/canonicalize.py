"""`tupelo canonicalize`: which phrases mean the same entity, relation or type."""

from __future__ import annotations

from typing import Any

import click

from tupelo.api import canonical
from tupelo.cli.groups import listing
from tupelo.cli.options import (
    INPUT,
    NUMBER,
    OUTPUT,
    Whole,
    format_option,
    json_option,
    on_error_option,
    option_group,
    output_option,
    report_skipped,
    seed_option,
    settings_option,
)
from tupelo.cli.progress import progress_bar
from tupelo.core.canonical import TASKS

# What the method uses besides the triples.
_resource_options = option_group(
    click.option("--encoder", type=INPUT, metavar="FOLDER", help="A BERT-like model instead of the shipped encoder."),
    click.option(
        "--word-vectors", type=INPUT, metavar="FILE", help="Static word vectors: GloVe or word2vec, text or binary."
    ),
    click.option("--paraphrases", type=INPUT, metavar="FILE", help="PPDB clusters for side information."),
    click.option("--wordnet", type=INPUT, metavar="FOLDER", help="WordNet's database files for side information."),
)


@click.command(cls=listing("Methods", canonical.METHODS))
@click.argument("triples", type=INPUT)
@click.option("--method", default="tupelo", show_default=True, help="How to canonicalize (see below).")
@click.option(
    "--task",
    "tasks",
    multiple=True,
    type=click.Choice(list(TASKS)),
    help="Entities (npc-e), relations (rpc) or types (npc-o); repeat. [default: all]",
)
@format_option("combo, cesi, okg, tsv or tuples.")
@settings_option("An option of the method, such as layer=5 or form=triple; repeat.")
@_resource_options
@click.option("--approximate", is_flag=True, help="Compare only near neighbours, for very many phrases.")
@click.option(
    "--corrections", type=INPUT, metavar="TSV", help="Pairs that must or cannot be one; see the documentation."
)
@click.option("--review", type=OUTPUT, metavar="HTML", help="Write a page of clusters, borderline merges first.")
@click.option("--threshold", type=NUMBER, help="Cut here, instead of at the thresholds that ship.")
@output_option("Where the clusters go, as JSON lines. [default: standard output]")
@json_option("One JSON document instead of lines.")
@click.option("--evidence", default=3, show_default=True, type=Whole(min=0), help="Sentences quoted per cluster.")
@seed_option(help="For methods that draw random numbers.")
@on_error_option()
def canonicalize(
    triples: str,
    settings: dict[str, Any],
    approximate: bool,
    review: str | None,
    output: str,
    as_json: bool,
    evidence: int,
    **options: Any,
) -> None:
    """Find the phrases that mean the same.

    Reads triples with their sentences (Tupelo's tuples, COMBO's JSON, CESI's
    and CUVA's files, or plain tabs) and writes clusters with members, a name,
    evidence and confidence.

    \b
    Examples:
      tupelo canonicalize triples.tsv --task npc-e
      tupelo canonicalize triples.tsv --review review.html -o clusters.jsonl
      tupelo extract --format jsonl text.txt | tupelo canonicalize -
    """
    chosen = {**settings, **({"approximate": True} if approximate else {})}
    with progress_bar() as progress:
        names = ("encoder", "word_vectors", "paraphrases", "wordnet", "corrections", "seed", "on_error")
        given = canonical.CanonOptions(**{name: options.pop(name) for name in names})
        found = canonical.canonicalize(triples, settings=chosen, options=given, progress=progress, **options)
    report_skipped(found.skipped)
    if review is not None:
        canonical.write_review(found, review)
    canonical.write_clusters(found, output, as_json=as_json, evidence=evidence)
