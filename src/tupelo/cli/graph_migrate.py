"""`tupelo graph migrate`: an older file, brought to the present version."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("graph", type=click.Path(path_type=Path), metavar="GRAPH")
def migrate(graph: Path) -> None:
    """Bring the GRAPH of an older Tupelo to the present version, in place.

    \b
    Example:
      tupelo graph migrate kg.duckdb

    All or nothing: a file that cannot be brought over stays as it is.
    """
    from tupelo.graph.schema import SCHEMA_VERSION
    from tupelo.graph.store import open_for_update

    open_for_update(graph).close()
    click.echo(f"{graph}: graph of version {SCHEMA_VERSION}")
