"""`tupelo convert` and `tupelo formats`: tuples from any known format into any other, and what the formats are."""

from __future__ import annotations

from typing import Annotated

import click

from tupelo.api import tuples
from tupelo.api.tuples import Conversion
from tupelo.api.tuples import convert as convert_file
from tupelo.cli.options import InputFile, Json, print_json, warn
from tupelo.cli.signature import Run, command
from tupelo.core.parameters import At, Spelled


@command(convert_file)
def convert(
    run: Run[Conversion],
    source: Annotated[InputFile, Spelled.of("IN")],
    target: Annotated[str, At.OUTPUT, Spelled.of("OUT")],
    strict: Annotated[bool, "Exit with status 1 when lines were skipped or fields dropped."] = False,
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
    done = run(notice=warn)
    if not done.complete:
        warn(str(done))
        if strict:
            raise SystemExit(1)


@command()
def formats(
    name: Annotated[str | None, Spelled.of("[NAME]")] = None,
    *,
    as_json: Annotated[Json, "One JSON document."] = False,
) -> None:
    """List the tuple formats, or describe the one called NAME.

    \b
    Examples:
      tupelo formats
      tupelo formats openie5
      tupelo formats --json
    """
    known = tuples.list_formats()
    if as_json:
        print_json((known if name is None else known[name]).to_dict())
    elif name is None:
        click.echo(f"{known}\n\ntupelo formats NAME shows the layout of one, with a sample.\n")
    else:
        click.echo(f"{known[name]}\n")
