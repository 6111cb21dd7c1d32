"""`tupelo facts triples`: a dataset for canonicalization from articles and a knowledge base."""

from __future__ import annotations

import sys
from itertools import islice
from typing import Any

import click

from tupelo.api.facts import build_triple_dataset
from tupelo.cli.facts_dataset import FAILURES_SHOWN, run_options
from tupelo.cli.options import AT_LEAST_ONE, FOLDER, INPUT, json_option, print_json, report_skipped
from tupelo.cli.progress import progress_bar


@click.command()
@click.argument("articles", type=INPUT, nargs=-1, required=True, metavar="ARTICLES...")
@click.option(
    "--knowledge",
    type=INPUT,
    multiple=True,
    required=True,
    metavar="FILE",
    help="The knowledge base: Wikidata's JSON dump (.json), N-Triples (.nt) or .tsv; .gz, .bz2. May be repeated.",
)
@click.option("--knowledge-format", metavar="NAME", help="wikidata, ntriples or tsv. [default: by the ending]")
@click.option("--output", "-o", type=FOLDER, required=True, metavar="FOLDER", help="Where dev.json and test.json go.")
@click.option(
    "--property", "properties", multiple=True, metavar="ID", help="A relation that counts; repeat. [default: all]"
)
@click.option(
    "--least", type=AT_LEAST_ONE, default=1, show_default=True, help="Leave out relations with fewer triples."
)
@click.option("--extractor", default="default", show_default=True, metavar="NAME", help="What finds triples.")
@run_options
@click.option("--strict", is_flag=True, help="Exit with 1 when an article or a line could not be read.")
@json_option("One JSON document with all counts.")
def triples(articles: tuple[str, ...], strict: bool, as_json: bool, **options: Any) -> None:
    """Make triples with gold clusters of entities, relations and types, as COMBO was made.

    ARTICLES are MediaWiki dumps (.xml, .xml.bz2) or JSON lines with `title` and `text`, whose links are written
    `[[page|words]]`. A triple is kept if subject and object are linked, and the knowledge base has one relation
    between them. The same command resumes a run that was killed.

    \b
    Examples:
      tupelo facts triples articles.jsonl --knowledge facts.tsv -o triples/
      tupelo facts triples enwiki-pages-articles.xml.bz2 --knowledge latest-all.json.bz2 -o triples/ --least 50
    """
    with progress_bar() as progress:
        made = build_triple_dataset(articles, progress=progress, **options)
    report_skipped(islice(made.failures, FAILURES_SHOWN))
    if as_json:
        print_json(made.to_dict())
    else:
        click.echo(str(made))
    if strict and made.failures:
        sys.exit(1)
