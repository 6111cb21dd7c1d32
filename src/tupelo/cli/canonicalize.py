"""`tupelo canonicalize`: which phrases mean the same entity, relation or type."""

from __future__ import annotations

import json
from typing import Any

import click

from tupelo.canon.methods import METHODS, TITLES
from tupelo.core import FormatError
from tupelo.core.canonical import TASKS

_METHOD_LINES = "\n".join(f"  {name:<12} {title}" for name, title in TITLES.items())


@click.command(epilog="\b\nMethods:\n" + _METHOD_LINES)
@click.argument("triples")
@click.option("--method", "method_name", default="tupelo", show_default=True, help="How to canonicalize (see below).")
@click.option(
    "--task",
    "tasks",
    multiple=True,
    type=click.Choice(list(TASKS)),
    help="Entities (npc-e), relations (rpc) or types (npc-o); repeat. [default: all]",
)
@click.option(
    "--format",
    "format_name",
    default="auto",
    show_default=True,
    metavar="FMT",
    help="combo, cesi, okg, tsv or tuples.",
)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the method, such as layer=5 or form=triple; repeat.",
)
@click.option("--encoder", metavar="FOLDER", help="A BERT-like model instead of the shipped encoder.")
@click.option("--word-vectors", metavar="FILE", help="Static word vectors: GloVe or word2vec, text or binary.")
@click.option("--paraphrases", metavar="FILE", help="PPDB clusters for side information.")
@click.option("--wordnet", metavar="FOLDER", help="WordNet's database files for side information.")
@click.option("--approximate", is_flag=True, help="Compare near neighbours only, for very many phrases.")
@click.option("--corrections", metavar="TSV", help="Pairs that must or cannot be one; see the documentation.")
@click.option("--review", metavar="HTML", help="Write a page of clusters, borderline merges first.")
@click.option("--threshold", type=float, help="Cut here, instead of at the thresholds that ship.")
@click.option("-o", "--output", default="-", show_default=True, help="Where the clusters go, as JSON lines.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document instead of lines.")
@click.option(
    "--evidence", default=3, show_default=True, type=click.IntRange(min=0), help="Sentences quoted a cluster."
)
@click.option("--seed", default=0, show_default=True, help="For methods that draw random numbers.")
@click.option(
    "--on-error",
    type=click.Choice(["raise", "skip"]),
    default="raise",
    show_default=True,
    help="What to do with a faulty line: stop, or skip it and list it on standard error.",
)
def canonicalize(triples: str, method_name: str, **options: Any) -> None:
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
    run(triples, METHODS.resolve(method_name), **options)


def run(
    triples: str,
    method_name: str,
    *,
    tasks: tuple[str, ...],
    format_name: str,
    settings: tuple[str, ...],
    approximate: bool,
    threshold: float | None,
    corrections: str | None,
    review: str | None,
    output: str,
    as_json: bool,
    evidence: int,
    seed: int,
    on_error: str,
    **places: str | None,
) -> None:
    from tupelo.canon.canonicalizer import MethodCanonicalizer
    from tupelo.canon.review import review_page
    from tupelo.cli.progress import progress
    from tupelo.cli.resources import method_options, open_resources, read_correction_file
    from tupelo.core.canonical import SUBTASKS
    from tupelo.io.clusters import cluster_json, cluster_lines
    from tupelo.io.files import write_text
    from tupelo.io.triples import read_triples

    skipped: list[FormatError] = []
    file = read_triples(triples, format_name, skipped.append if on_error == "skip" else None)
    for error in skipped:
        click.echo(f"skipped {error}", err=True)
    method = METHODS.get(method_name)(
        **method_options(method_name, (*settings, *(["approximate=true"] if approximate else [])))
    )
    with progress(f"canonicalizing by {method_name}") as advance:
        canonicalizer = MethodCanonicalizer(
            method,
            open_resources(method, file, **places),
            {} if threshold is None else dict.fromkeys(SUBTASKS, threshold),
            tasks or tuple(TASKS),
            read_correction_file(corrections) if corrections is not None else (),
            seed,
            advance,
        )
        found = canonicalizer.canonicalize(file.mentions)
    by_id = {mention.id: mention for mention in file.mentions}
    if review is not None:
        write_text(review, review_page(found, by_id, method=method_name))
    if as_json:
        rows = [cluster_json(cluster, by_id, evidence) for cluster in found.clusters]
        document = {"method": method_name, "triples": len(file.mentions), "clusters": rows}
        write_text(output, json.dumps(document, ensure_ascii=False, indent=2) + "\n")
    else:
        write_text(output, "".join(cluster_lines(found.clusters, by_id, evidence)))
