"""`tupelo extract`: text to tuples."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import partial
from typing import Any

import click

from tupelo.cli.options import (
    AT_LEAST_ONE,
    INPUT,
    OUTPUT,
    SHARE,
    exit_after,
    limit_option,
    list_flag,
    option_group,
    output_option,
    parser_option,
    report_skipped,
    settings_option,
    warn,
)
from tupelo.cli.progress import progress_bar
from tupelo.core.limits import Limits


def _list_extractors(context: click.Context, option: click.Parameter, wanted: bool) -> None:
    if wanted:
        from tupelo.api.text_files import extractors

        for name, title in extractors().items():
            click.echo(f"{name:<8}  {title}")
        context.exit()


# The form of the tuples: fields of `tupelo.extract.pipeline.ExtractionOptions`.
FORM = ("width", "prepositions", "coreference", "min_confidence", "all")
form_options = option_group(
    click.option("--minimal", "width", flag_value="minimal", help="Arguments without what can be left out."),
    click.option("--maximal", "width", flag_value="maximal", help="Arguments with everything that belongs to them."),
    click.option(
        "--prepositions",
        type=click.Choice(["relation", "argument"]),
        default="relation",
        show_default=True,
        help="Where a preposition between verb and argument goes: `born in; Oslo` or `born; in Oslo`.",
    ),
    click.option(
        "--no-coref", "coreference", flag_value=False, default=True, help="Leave pronouns and short names unresolved."
    ),
    click.option(
        "--min-confidence",
        type=SHARE,
        metavar="X",
        help="Leave out tuples below this confidence; 0 keeps every candidate. [default: the extractor's own]",
    ),
    click.option("--all", is_flag=True, help="Also shorter forms of a tuple, and tuples that say little."),
)
# Parser, extractor and how many processes they get: arguments of `tupelo.load`.
loading_options = option_group(
    click.option(
        "--extractor",
        default="default",
        show_default=True,
        metavar="NAME",
        help="default, rules, command:PROGRAM, llm:MODEL, or another one of --list.",
    ),
    settings_option("A setting of the extractor; repeat for several."),
    parser_option,
    click.option(
        "--workers",
        type=AT_LEAST_ONE,
        help="Processes to work in. [default: 1; one per core when the files are large]",
    ),
    click.option("--threads", type=AT_LEAST_ONE, help="Threads of each process. [default: all cores; 1 in a pool]"),
    click.option("--batch-size", type=AT_LEAST_ONE, default=32, show_default=True, help="Sentences per batch."),
)


@click.command()
@click.argument("files", type=INPUT, nargs=-1, metavar="[FILE]...")
@output_option()
@click.option(
    "--format",
    metavar="FMT",
    help="table for people; jsonl, csv, parquet, tab or any other of `tupelo formats`. [default: by the ending of "
    "the output; table without one]",
)
@click.option(
    "--html",
    "page",
    type=OUTPUT,
    metavar="PAGE",
    help="Write a page of the whole document, beside other output or alone.",
)
@click.option("--lines", is_flag=True, help="Every line is one sentence.")
@click.option(
    "--pretokenized", is_flag=True, help="Every line is one sentence, its words separated by single spaces."
)
@form_options
@limit_option
@click.option("--explain", is_flag=True, help="Say which rule made each tuple.")
@loading_options
@list_flag(_list_extractors, "List the extractors.")
def extract(
    files: tuple[str, ...],
    output: str,
    format: str | None,
    page: str | None,
    lines: bool,
    pretokenized: bool,
    limits: Limits,
    explain: bool,
    **options: Any,
) -> None:
    """Extract tuples from the text of each FILE (or of standard input).

    \b
    Examples:
      echo "Ann, a nurse, moved to Oslo in May." | tupelo extract
      tupelo extract book.txt -o book.jsonl --workers 2
      tupelo extract sentences.txt --lines --format tab > tuples.tsv
      tupelo extract news.txt --html news.html
      tupelo extract news.txt --extractor rules --explain
      tupelo extract news.txt --extractor "command:./other-system --fast" --set format=openie5
      tupelo extract news.txt --extractor llm:some-model --set base-url=http://localhost:8000/v1 --set shots=3

    Text is split into sentences; a blank line always ends one. Words in square brackets are implied, not
    written. What comes out does not depend on batch size, threads or processes. A sentence that fails is named,
    and the exit status is then 1.
    """
    from tupelo.api.text_files import TextReading, TupleLayout, extract_files
    from tupelo.cli.tuple_table import tuple_tables

    given: Mapping[str, Any] = {name: value for name, value in options.items() if value is not None}
    to_terminal = output == "-" and sys.stdout.isatty()
    with progress_bar() as progress:
        report = extract_files(
            files,
            output,
            layout=TupleLayout(
                format=format,
                page=page,
                render=partial(tuple_tables, colour=to_terminal, explain=explain),
                explain=explain,
            ),
            reading=TextReading(lines=lines, pretokenized=pretokenized, limits=limits),
            form={name: value for name, value in given.items() if name in FORM},
            loading={name: value for name, value in given.items() if name not in FORM},
            # A bar would be torn apart by the tables.
            progress=None if to_terminal else progress,
        )
    report_skipped(report.skipped)
    for line in report.notes:
        warn(line)
    exit_after(report.failures)
