"""`tupelo facts triples`: a dataset for canonicalization from articles and a knowledge base."""

from __future__ import annotations

from typing import Any

import click

from tupelo.api.facts import RunOptions, TripleDatasetOptions, build_triple_dataset
from tupelo.cli.facts_dataset import RUN, report_dataset, run_options, sources
from tupelo.cli.options import AT_LEAST_ONE, FOLDER
from tupelo.cli.progress import progress_bar


@click.command()
@sources
@click.option("--output", "-o", type=FOLDER, required=True, metavar="FOLDER", help="Where dev.json and test.json go.")
@click.option(
    "--property", "properties", multiple=True, metavar="ID", help="A relation that counts; repeat. [default: all]"
)
@click.option(
    "--min-triples", type=AT_LEAST_ONE, default=1, show_default=True, help="Leave out relations with fewer triples."
)
@click.option("--extractor", default="default", show_default=True, metavar="NAME", help="What finds triples.")
@run_options
def triples(articles: tuple[str, ...], strict: bool, as_json: bool, **options: Any) -> None:
    """Make triples with gold clusters of entities, relations and types, as COMBO was made.

    ARTICLES are MediaWiki dumps (.xml, .xml.bz2) or JSON lines with `title` and `text`, whose links are written
    `[[page|words]]`. A triple is kept if subject and object are linked, and the knowledge base has one relation
    between them. The same command resumes a run that was killed.

    \b
    Examples:
      tupelo facts triples articles.jsonl --knowledge facts.tsv -o triples/
      tupelo facts triples enwiki-pages-articles.xml.bz2 --knowledge latest-all.json.bz2 -o triples/ --min-triples 50
    """
    with progress_bar() as progress:
        run = RunOptions(**{name: options.pop(name) for name in RUN})
        names = ("properties", "min_triples", "extractor")
        chosen = TripleDatasetOptions(**{name: options.pop(name) for name in names})
        made = build_triple_dataset(articles, options=chosen, run=run, progress=progress, **options)
    report_dataset(made, strict=strict, as_json=as_json)
