"""`tupelo facts dataset`: training examples by distant supervision."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from tupelo.cli.progress import progress
from tupelo.cli.scoring import print_json

_FAILURES_SHOWN = 20
_PROPERTIES_SHOWN = 10


@click.command()
@click.argument("articles", nargs=-1, required=True, metavar="ARTICLES...")
@click.option(
    "--knowledge",
    multiple=True,
    required=True,
    metavar="FILE",
    help="The knowledge base: Wikidata's JSON dump (.json), N-Triples (.nt) or .tsv; .gz, .bz2. May be repeated.",
)
@click.option("--knowledge-format", metavar="NAME", help="wikidata, ntriples or tsv. [default: by the ending]")
@click.option("--output", "-o", required=True, metavar="FOLDER", help="Where the examples go.")
@click.option(
    "--negatives",
    type=click.FloatRange(min=0),
    metavar="X",
    help="Negative examples per positive one, at most, in each article. [default: all of them]",
)
@click.option("--seed", default=0, show_default=True, type=int, help="For the choice of negative examples.")
@click.option(
    "--engine",
    default="local",
    show_default=True,
    metavar="NAME",
    help="local; or a Spark master: spark://HOST:PORT, local[CORES], yarn.",
)
@click.option(
    "--workers", type=click.IntRange(1), metavar="N", help="Processes of the local engine. [default: one per core]"
)
@click.option(
    "--parser", default="en", show_default=True, metavar="NAME", help="The shipped model, or another parser."
)
@click.option("--work", metavar="FOLDER", help="Where unfinished work lies. [default: beside the output]")
@click.option("--keep-work", is_flag=True, help="Do not remove that folder when the examples are done.")
@click.option("--strict", is_flag=True, help="Exit with 1 when an article or a line could not be read.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document with all counts.")
def dataset(
    articles: tuple[str, ...],
    knowledge: tuple[str, ...],
    knowledge_format: str | None,
    output: str,
    negatives: float | None,
    seed: int,
    engine: str,
    workers: int | None,
    parser: str,
    work: str | None,
    keep_work: bool,
    strict: bool,
    as_json: bool,
) -> None:
    """Make training examples for fact models: articles against a knowledge base.

    ARTICLES are MediaWiki dumps (.xml, .xml.bz2) or JSON lines with `title` and `text`. The topic of an article is
    the subject; entities that the knowledge base relates to it make positive examples, the others negative ones.
    A run that was killed goes on where it stopped when the same command is given again.

    \b
    Examples:
      tupelo facts dataset articles.jsonl --knowledge facts.tsv -o examples/
      tupelo facts dataset enwiki-pages-articles.xml.bz2 --knowledge latest-all.json.bz2 -o examples/ --negatives 12
    """
    from tupelo.engine import open_engine
    from tupelo.facts.dataset import KINDS, Supervise, build_dataset, example_lines
    from tupelo.io.documents.find import find_documents
    from tupelo.io.documents.stage import ReadDocuments, partition_files
    from tupelo.io.files import open_output, write_text
    from tupelo.io.folders import make_folder
    from tupelo.io.knowledge.stage import ReadKnowledge, partition_knowledge
    from tupelo.io.workspace import FolderWorkspace, work_folder
    from tupelo.nlp import PARSERS
    from tupelo.nlp.pipeline import available_cores

    PARSERS.resolve(parser.partition(":")[0])
    pieces = partition_knowledge(knowledge, knowledge_format)
    files = partition_files(find_documents(articles).files)
    folder = Path(output)
    make_folder(folder)
    workspace = FolderWorkspace(work or work_folder(output))
    workspace.sweep()
    runner = open_engine(engine, workspace, workers=workers or available_cores())
    try:
        with progress("supervising") as advance:
            made = build_dataset(
                runner,
                (ReadKnowledge(), pieces),
                (ReadDocuments(), files),
                Supervise(parser, negatives=negatives, seed=seed),
                {"supervision": advance},
            )
        for kind in KINDS:
            with open_output(folder / f"{kind}.jsonl.gz") as stream:
                for line in example_lines(made.examples, kind):
                    stream.write(line.encode("utf-8"))
    finally:
        runner.close()
    figures = {**made.statistics, "failed": len(made.failures)}
    write_text(folder / "statistics.json", json.dumps(figures, ensure_ascii=False, indent=1) + "\n")
    if not keep_work:
        workspace.remove()
    for failure in made.failures[:_FAILURES_SHOWN]:
        click.echo(f"skipped {failure}", err=True)
    if as_json:
        failures = [{"record": failure.record, "reason": failure.reason} for failure in made.failures]
        print_json({**figures, "failures": failures, "output": output})
    else:
        _print(figures)
    if strict and made.failures:
        sys.exit(1)


def _print(figures: Mapping[str, Any]) -> None:
    click.echo(f"knowledge base: {figures['names']:,} names, {figures['facts']:,} facts")
    click.echo(
        f"articles: {figures['articles']:,}, {figures['articles_with_topic']:,} with a topic, "
        f"{figures['sentences']:,} sentences"
    )
    click.echo(
        f"classifier: {figures['positive']:,} positive, {figures['negative']:,} negative "
        f"of {figures['negative_before_sampling']:,}"
    )
    click.echo(f"end to end: {figures['end_to_end']:,}")
    for name, count in list(figures["properties"].items())[:_PROPERTIES_SHOWN]:
        click.echo(f"  {name}: {count:,}")
