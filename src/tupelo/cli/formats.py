"""`tupelo formats`: every tuple format with its layout, what it keeps, and a sample."""

from __future__ import annotations

from typing import Annotated

import click

from tupelo.api import tuples
from tupelo.cli.options import Json, print_json
from tupelo.cli.signature import command
from tupelo.core.parameters import Spelled


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
