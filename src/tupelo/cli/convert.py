"""`tupelo convert`: tuples from any known format into any other."""

from __future__ import annotations

from collections import Counter

import click

from tupelo.cli.progress import count, progress
from tupelo.core import TupeloError
from tupelo.io.formats import FORMATS
from tupelo.io.losses import watch_losses, writable
from tupelo.io.tuples import AUTO, format_of_name, open_records, write_records


@click.command()
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option(
    "--from",
    "source_format",
    default=AUTO,
    show_default=True,
    metavar="FMT",
    help="Format of IN; `tupelo formats` lists them.",
)
@click.option(
    "--to", "target_format", metavar="FMT", help="Format of OUT. [default: by its ending, .jsonl or .parquet]"
)
@click.option(
    "--on-error",
    type=click.Choice(["raise", "skip"]),
    default="raise",
    show_default=True,
    help="A faulty line, or a tuple that OUT cannot hold: stop, or skip it and list it on standard error.",
)
@click.option("--strict", is_flag=True, help="Exit with status 1 when lines were skipped or fields dropped.")
@click.pass_context
def convert(
    context: click.Context,
    source: str,
    target: str,
    source_format: str,
    target_format: str | None,
    on_error: str,
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
    target_format = target_format or format_of_name(target)
    if target_format is None:
        raise click.UsageError(f"the ending of '{target}' does not say which format to write; name one with --to.")
    chosen = FORMATS.get(target_format)
    skipped: list[TupeloError] = []
    losses: Counter[str] = Counter()
    with open_records(source, source_format, skipped.append if on_error == "skip" else None) as stream:
        if stream.format.name != source_format and source_format == AUTO:
            click.echo(f"reading {stream.name} as {stream.format.name}", err=True)
        with progress(f"converting {stream.name}") as advance:
            records = count(stream.records, advance)
            if on_error == "skip":
                records = writable(records, chosen, skipped.append)
            write_records(target, watch_losses(records, chosen, losses), chosen.name)
    for error in skipped:
        click.echo(f"skipped {error}", err=True)
    if skipped:
        click.echo(f"skipped {len(skipped):,} in all", err=True)
    for field, times in sorted(losses.items()):
        click.echo(f"dropped {field} of {times:,} record(s): {chosen.name} cannot hold them", err=True)
    if strict and (skipped or losses):
        context.exit(1)
