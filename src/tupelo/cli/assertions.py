"""`tupelo assertions`: who does what to whom, counted over whole corpora."""

from __future__ import annotations

import json
from typing import Annotated, Any

import click

from tupelo.api import assertions as api
from tupelo.api.resources import RunOptions
from tupelo.api.text import LoadOptions
from tupelo.cli.options import InputFile, Json, OutputFile, report_skipped, warn
from tupelo.cli.progress import progress_bar
from tupelo.cli.signature import Run, command
from tupelo.core.parameters import Spelled, Work

# Skipped lines that are named one by one.
_SHOWN = 20

Files = Annotated[tuple[InputFile, ...], Spelled.of("FILE...")]
Table = Annotated[OutputFile, "Where to write: .parquet, else text with tabs. [default: standard output]"]
Figures = Annotated[Json, "Figures as one JSON document; needs -o."]


@click.group()
def assertions() -> None:
    """Assertions from syntactic n-grams, and answers to questions among them.

    \b
    Example:
      echo "Dogs chase cats." | tupelo assertions ngrams | tupelo assertions extract - --min-pairs 1
    """


@command(api.write_ngrams, group=assertions)
def ngrams(
    run: Run[None],
    files: Annotated[tuple[InputFile, ...], Spelled.of("[FILE]...")] = (),
    output: OutputFile = "-",
    lines: bool = False,
    pretokenized: bool = False,
    engine: Annotated[
        str | None,
        Spelled.of("NAME"),
        "Take FILEs as documents, folders too, and keep what is finished: local, or a Spark master.",
    ] = None,
    work: Annotated[Work, "With --engine, where that is kept. [default: beside the output]"] = None,
    loading: LoadOptions = api.USUAL,
    **options: Any,
) -> None:
    """Parse the text of each FILE (or of standard input) and count the small subtrees of its parses.

    \b
    Examples:
      echo "Dogs chase cats." | tupelo assertions ngrams
      tupelo assertions ngrams treebank.conllu --parser conllu -o ngrams.tsv.gz
      tupelo assertions ngrams book.txt --verbs | tupelo assertions extract - -o assertions.parquet
      tupelo assertions ngrams library/ --engine local --workers 8 -o ngrams.tsv.gz

    The form is that of Google's extended syntactic n-grams, Stanford's labels included, without years. Without
    --engine an n-gram of a large corpus can come more than once; its counts are meant to be added.
    """
    if engine is None:
        run()
        return
    if lines or pretokenized or not files:
        raise click.UsageError("--engine reads documents: name files or folders, without --lines or --pretokenized.")
    where = RunOptions(engine=engine, workers=loading.workers, work=work)
    counting: dict[str, Any] = {"parser": loading.parser, **{name: options[name] for name in ("kinds", "verbs")}}
    with progress_bar() as progress:
        failures = api.count_ngrams(files, output, run=where, progress=progress, **counting)
    report_skipped(failures)


@command(api.extract, group=assertions)
def extract(run: Run[api.AssertionReport], files: Files, output: Table = "-", as_json: Figures = False) -> None:
    """Extract assertions from syntactic n-grams in Google's form, as Levy and Dagan (2016) do.

    \b
    Examples:
      tupelo assertions extract extended-biarcs.00-of-99.gz -o assertions.parquet
      tupelo assertions extract syntactic-ngrams/ -o assertions.parquet --workers 8
      tupelo assertions extract ngrams.tsv --min-pairs 1 --on-error skip

    Of a folder, the extended biarcs, triarcs and quadarcs are read; files are read whatever their name.
    """
    _report(run, output, as_json)


@command(api.aggregate, group=assertions)
def aggregate(run: Run[api.AssertionReport], files: Files, output: Table = "-", as_json: Figures = False) -> None:
    """Add up the assertions of several FILEs and drop rare relations.

    \b
    Example:
      tupelo assertions aggregate biarcs.parquet triarcs.parquet quadarcs.tsv.gz -o all.parquet

    Extract with `--min-pairs 1` what is to be added up later: a relation that is rare in each part may be
    frequent in the whole.
    """
    _report(run, output, as_json)


def _report(run: Run[api.AssertionReport], output: Any, as_json: bool) -> None:
    if as_json and output == "-":
        raise click.UsageError(
            "the figures and the assertions cannot both go to standard output; name a file with -o."
        )
    found = run()
    report_skipped(found.skipped[:_SHOWN])
    if as_json:
        click.echo(json.dumps(found.to_dict()))
    else:
        warn(found)


@command(api.candidates, group=assertions)
def candidates(
    run: Run[Any],
    assertions: InputFile,
    argument: Annotated[str | None, Spelled.of("TEXT"), "What the question says besides its relation."] = None,
    relation: Annotated[
        str | None, Spelled.of("TEXT"), "The relation of the question; assertions with it are ignored."
    ] = None,
    type_: Annotated[str | None, Spelled.of("NOUN"), "What kind of thing answers the question."] = None,
    questions: Annotated[
        InputFile | None,
        Spelled.of("FILE"),
        "Many questions in one pass: argument, relation and type, with tabs between.",
    ] = None,
    output: OutputFile = "-",
    as_json: Annotated[Json, "JSON Lines instead of text with tabs."] = False,
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
    found = run(questions=asked)
    api.write_candidates(found, output, as_json=as_json)
    warn(found)
