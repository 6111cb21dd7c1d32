"""`tupelo convert`: tuples from any known format into any other."""

from __future__ import annotations

from typing import Annotated

from tupelo.api.tuples import Conversion
from tupelo.api.tuples import convert as convert_file
from tupelo.cli.options import InputFile, warn
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
