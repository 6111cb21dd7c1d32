"""`tupelo convert`: tuples from any known format into any other."""

from __future__ import annotations

import click

from tupelo.api.tuples import OnError
from tupelo.api.tuples import convert as convert_file
from tupelo.cli.options import INPUT, OUTPUT, on_error_option, strict_option, warn
from tupelo.cli.progress import progress_bar


@click.command()
@click.argument("source", type=INPUT, metavar="IN")
@click.argument("target", type=OUTPUT, metavar="OUT")
@click.option(
    "--from",
    "source_format",
    default="auto",
    show_default=True,
    metavar="FMT",
    help="Format of IN; `tupelo formats` lists them.",
)
@click.option(
    "--to", "target_format", metavar="FMT", help="Format of OUT. [default: by its ending, .jsonl or .parquet]"
)
@click.option(
    "--prepositions",
    type=click.Choice(["as-written", "relation"]),
    default="as-written",
    show_default=True,
    help="relation: put the preposition before a second argument at the end of the relation, as CaRB does.",
)
@on_error_option("A faulty line, or a tuple that OUT cannot hold: stop, or skip it and list it on standard error.")
@strict_option("Exit with status 1 when lines were skipped or fields dropped.")
@click.pass_context
def convert(
    context: click.Context,
    source: str,
    target: str,
    source_format: str,
    target_format: str | None,
    prepositions: str,
    on_error: OnError,
    strict: bool,
) -> None:
    """Convert the tuples of IN to another format and write them to OUT.

    \b
    Examples:
      tupelo convert openie5_output.txt tuples.jsonl
      tupelo convert openie5_output.txt - --from openie5 --to tab | head
      tupelo convert predictions.tsv.gz tuples.parquet --from tab

    IN and OUT may be `-` for standard input and output. Compressed input (gzip) is recognised;
    OUT is compressed when its name ends in .gz. What OUT cannot hold is named on standard error,
    field by field; a tuple whose words it cannot hold stops the conversion, or is skipped.
    """
    with progress_bar() as progress:
        done = convert_file(
            source,
            target,
            source_format=source_format,
            target_format=target_format,
            prepositions=prepositions,
            on_error=on_error,
            progress=progress,
            notice=warn,
        )
    if not done.complete:
        warn(str(done))
        context.exit(1 if strict else 0)
