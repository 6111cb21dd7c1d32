"""`tupelo assertions`: who does what to whom, counted over whole corpora."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import click

from tupelo.api import assertions as api
from tupelo.api.resources import RunOptions
from tupelo.api.text import load
from tupelo.cli.options import (
    AT_LEAST_ONE,
    FOLDER,
    INPUT,
    engine_options,
    json_option,
    on_error_option,
    option_group,
    output_option,
    processing_options,
    report_skipped,
    warn,
)
from tupelo.cli.progress import progress_bar

# Skipped lines that are named one by one.
_SHOWN = 20

_table_options = option_group(
    output_option("Where to write: .parquet, else text with tabs. [default: standard output]"),
    click.option(
        "--min-pairs",
        type=AT_LEAST_ONE,
        default=10,
        show_default=True,
        help="Drop relations with fewer different pairs of arguments.",
    ),
    engine_options,
    on_error_option(),
    json_option("Figures as one JSON document; needs -o."),
)


@click.group()
def assertions() -> None:
    """Assertions from syntactic n-grams, and answers to questions among them.

    \b
    Example:
      echo "Dogs chase cats." | tupelo assertions ngrams | tupelo assertions extract - --min-pairs 1
    """


@assertions.command(short_help="Text or parses to syntactic n-grams.")
@click.argument("files", type=INPUT, nargs=-1, metavar="[FILE]...")
@output_option()
@click.option(
    "--kind",
    "kinds",
    type=click.Choice(["biarcs", "triarcs", "quadarcs"]),
    multiple=True,
    help="Size of the n-grams, counted in arcs between content words; repeat for several. [default: all]",
)
@click.option("--verbs", is_flag=True, help="Only n-grams with a verb at the root: all that assertions need.")
@click.option("--lines", is_flag=True, help="Every line is one sentence.")
@click.option(
    "--pretokenized", is_flag=True, help="Every line is one sentence, its words separated by single spaces."
)
@click.option(
    "--parser",
    default="en",
    show_default=True,
    metavar="NAME",
    help="The shipped model, or model:FOLDER, spacy:MODEL, stanza:LANGUAGE, conllu.",
)
@click.option(
    "--engine",
    metavar="NAME",
    help="Take FILEs as documents, folders too, and keep what is finished: local, or a Spark master.",
)
@click.option(
    "--work", type=FOLDER, metavar="DIR", help="With --engine, where that is kept. [default: beside the output]"
)
@processing_options
def ngrams(
    files: tuple[str, ...],
    lines: bool,
    pretokenized: bool,
    engine: str | None,
    work: str | None,
    workers: int,
    threads: int | None,
    batch_size: int,
    **options: Any,
) -> None:
    """Parse the text of each FILE (or of standard input) and count the small subtrees of its parses.

    \b
    Examples:
      echo "Dogs chase cats." | tupelo assertions ngrams
      tupelo assertions ngrams treebank.conllu --parser conllu -o ngrams.tsv.gz
      tupelo assertions ngrams book.txt --verbs | tupelo assertions extract - -o assertions.parquet
      tupelo assertions ngrams library/ --engine local --processes 8 -o ngrams.tsv.gz

    The form is that of Google's extended syntactic n-grams, Stanford's labels included, without years. Without
    --engine an n-gram of a large corpus can come more than once; its counts are meant to be added.
    """
    with progress_bar() as progress:
        if engine is None:
            nlp = load(options.pop("parser"), workers=workers, threads=threads, batch_size=batch_size)
            api.write_ngrams(files, lines=lines, pretokenized=pretokenized, nlp=nlp, progress=progress, **options)
        elif lines or pretokenized or not files:
            raise click.UsageError(
                "--engine reads documents: name files or folders, without --lines or --pretokenized."
            )
        else:
            run = RunOptions(engine=engine, workers=workers, work=work)
            report_skipped(api.count_ngrams(files, run=run, progress=progress, **options))


@assertions.command(short_help="Syntactic n-grams to counted assertions.")
@click.argument("files", type=INPUT, nargs=-1, required=True, metavar="FILE...")
@_table_options
def extract(files: tuple[str, ...], **options: Any) -> None:
    """Extract assertions from syntactic n-grams in Google's form, as Levy and Dagan (2016) do.

    \b
    Examples:
      tupelo assertions extract extended-biarcs.00-of-99.gz -o assertions.parquet
      tupelo assertions extract syntactic-ngrams/ -o assertions.parquet --workers 8
      tupelo assertions extract ngrams.tsv --min-pairs 1 --on-error skip

    Of a folder, the extended biarcs, triarcs and quadarcs are read; files are read whatever their name.
    """
    _report(api.extract, files, **options)


@assertions.command(short_help="Add up files of assertions, drop rare relations.")
@click.argument("files", type=INPUT, nargs=-1, required=True, metavar="FILE...")
@_table_options
def aggregate(files: tuple[str, ...], **options: Any) -> None:
    """Add up the assertions of several FILEs and drop rare relations.

    \b
    Example:
      tupelo assertions aggregate biarcs.parquet triarcs.parquet quadarcs.tsv.gz -o all.parquet

    Extract with `--min-pairs 1` what is to be added up later: a relation that is rare in each part may be
    frequent in the whole.
    """
    _report(api.aggregate, files, **options)


def _report(
    make: Callable[..., api.AssertionReport], files: tuple[str, ...], output: str, as_json: bool, **options: Any
) -> None:
    if as_json and output == "-":
        raise click.UsageError(
            "the figures and the assertions cannot both go to standard output; name a file with -o."
        )
    with progress_bar() as progress:
        run = RunOptions(**{name: options.pop(name) for name in ("engine", "workers", "work")})
        found = make(files, output, run=run, progress=progress, **options)
    report_skipped(found.skipped[:_SHOWN])
    if as_json:
        click.echo(json.dumps(found.to_dict()))
    else:
        warn(found)


@assertions.command(short_help="Assertions that could answer a question.")
@click.argument("assertions", type=INPUT, metavar="ASSERTIONS")
@click.option("--argument", metavar="TEXT", help="What the question says besides its relation.")
@click.option("--relation", metavar="TEXT", help="The relation of the question; assertions with it are ignored.")
@click.option("--type", "type_", metavar="NOUN", help="What kind of thing answers the question.")
@click.option(
    "--questions",
    type=INPUT,
    metavar="FILE",
    help="Many questions in one pass: argument, relation and type, with tabs between.",
)
@output_option()
@json_option("JSON Lines instead of text with tabs.")
@click.option(
    "--wordnet", type=INPUT, metavar="DIR", help="Folder of WordNet 3.0. [default: TUPELO_WORDNET, else the system's]"
)
@click.option(
    "--ties",
    type=click.Choice(["name", "first"]),
    default="name",
    show_default=True,
    help="Which sense of an answer counts when Lesk cannot decide: by NLTK's order of names, or the most frequent.",
)
def candidates(
    assertions: str,
    argument: str | None,
    relation: str | None,
    type_: str | None,
    questions: str | None,
    output: str,
    as_json: bool,
    wordnet: str | None,
    ties: str,
) -> None:
    """Find the assertions that could answer a question, as Levy and Dagan (2016) do.

    \b
    Examples:
      tupelo assertions candidates all.parquet --argument headaches --relation prevents --type drug
      tupelo assertions candidates all.parquet --questions questions.tsv -o candidates.tsv

    ASSERTIONS is what `extract` or `aggregate` wrote. The columns are argument, relation and type of the question,
    subject, relation and object of the assertion, its count, and which side of it is the answer.
    """
    if questions is not None and (argument or relation or type_):
        raise click.UsageError("a question is given by --argument, --relation and --type, or in a file; not both.")
    single = [(argument, relation, type_)] if argument and relation and type_ else None
    asked = questions or single
    if asked is None:
        raise click.UsageError("a question needs --argument, --relation and --type, or a file with --questions.")
    with progress_bar() as progress:
        found = api.candidates(assertions, asked, wordnet=wordnet, ties=ties, progress=progress)
    api.write_candidates(found, output, as_json=as_json)
    warn(found)
