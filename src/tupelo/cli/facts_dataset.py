"""`tupelo facts dataset`: training examples by distant supervision."""

from __future__ import annotations

import sys
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from tupelo.api.facts import FactDatasetOptions, RunOptions, build_fact_dataset
from tupelo.cli.options import (
    AT_LEAST_ONE,
    FOLDER,
    INPUT,
    Finite,
    json_option,
    option_group,
    print_json,
    report_skipped,
    seed_option,
)
from tupelo.cli.progress import progress_bar

if TYPE_CHECKING:
    from tupelo.api.facts import BuiltDataset

_FAILURES_SHOWN = 20
RUN = ("engine", "workers", "work", "keep_work")

sources = option_group(
    click.argument("articles", type=INPUT, nargs=-1, required=True, metavar="ARTICLES..."),
    click.option(
        "--knowledge",
        type=INPUT,
        multiple=True,
        required=True,
        metavar="FILE",
        help="The knowledge base: Wikidata's JSON dump (.json), N-Triples (.nt) or .tsv; .gz, .bz2. May be repeated.",
    ),
    click.option("--knowledge-format", metavar="NAME", help="wikidata, ntriples or tsv. [default: by the ending]"),
)
run_options = option_group(
    click.option(
        "--engine",
        default="local",
        show_default=True,
        metavar="NAME",
        help="local; or a Spark master: spark://HOST:PORT, local[CORES], yarn.",
    ),
    click.option("--workers", type=AT_LEAST_ONE, metavar="N", help="Local processes. [default: one per core]"),
    click.option("--parser", default="en", show_default=True, metavar="NAME", help="The shipped model, or another."),
    click.option(
        "--work", type=FOLDER, metavar="FOLDER", help="Where unfinished work is kept. [default: beside the output]"
    ),
    click.option("--keep-work", is_flag=True, help="Do not remove that folder when the examples are done."),
    click.option("--strict", is_flag=True, help="Exit with 1 when an article or a line could not be read."),
    json_option("One JSON document with all counts."),
)


def report_dataset(made: BuiltDataset, *, strict: bool, as_json: bool) -> None:
    """Print what was made and what could not be read."""
    report_skipped(islice(made.failures, _FAILURES_SHOWN))
    if as_json:
        print_json(made.to_dict())
    else:
        click.echo(str(made))
    if strict and made.failures:
        sys.exit(1)


@click.command()
@sources
@click.option("--output", "-o", type=FOLDER, required=True, metavar="FOLDER", help="Where the examples go.")
@click.option(
    "--negatives",
    type=Finite(min=0),
    metavar="X",
    help="Negative examples per positive one, at most, in each article. [default: all of them]",
)
@seed_option(help="For the choice of negative examples.")
@run_options
def dataset(articles: tuple[str, ...], strict: bool, as_json: bool, **options: Any) -> None:
    """Make training examples for fact models: articles against a knowledge base.

    ARTICLES are MediaWiki dumps (.xml, .xml.bz2) or JSON lines with `title` and `text`. The topic of an article is
    the subject; entities that the knowledge base relates to it make positive examples, the others negative ones.
    The same command resumes a run that was killed.

    \b
    Examples:
      tupelo facts dataset articles.jsonl --knowledge facts.tsv -o examples/
      tupelo facts dataset enwiki-pages-articles.xml.bz2 --knowledge latest-all.json.bz2 -o examples/ --negatives 12
    """
    with progress_bar() as progress:
        run = RunOptions(**{name: options.pop(name) for name in RUN})
        chosen = FactDatasetOptions(negatives=options.pop("negatives"), seed=options.pop("seed"))
        made = build_fact_dataset(articles, options=chosen, run=run, progress=progress, **options)
    report_dataset(made, strict=strict, as_json=as_json)
