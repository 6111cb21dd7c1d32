"""`tupelo demo`: the main job on bundled data."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import click

from tupelo.cli.signature import command
from tupelo.core.parameters import At

# Pages beside the first, by the stem of their file.
_PAGES = {
    "graph": "Graph",
    "report": "Report",
    "errors-careful": "Errors of a careful system",
    "errors-eager": "Errors of an eager one",
}


@command()
def demo(output: Annotated[Path, At.FOLDER, "Where the pages go."] = Path("demo-output")) -> None:
    """Extract tuples from a bundled text and make a graph of them; score two bundled systems and show their errors.

    Writes pages that need no server, and says how to open them.

    \b
    Example:
      tupelo demo -o demo-output
    """
    from tupelo.api.demo import demo as demonstration
    from tupelo.cli.tuple_table import tuple_tables
    from tupelo.serve.still import still_page

    with demonstration(output) as shown:
        found = shown.extract()
        for text in tuple_tables(found, colour=sys.stdout.isatty()):
            click.echo(text, nl=False)
        click.echo(f"{sum(len(item.extractions) for item in found)} tuples in {len(found)} sentences\n")
        report, answers = shown.graph()
        click.echo(f"{report}\n\n{shown.question}\n{answers}\n")
        board, comparisons = shown.score()
        click.echo(f"{board}\n")
        click.echo(comparisons.table("f1", notes=False).text())
        others = [(name, f"{stem}.html") for stem, name in _PAGES.items()]
        shown.write(
            "index.html", still_page(shown.toolkit, shown.title, shown.text, answer=shown.claims, links=others)
        )
    click.echo(f"In {output}/: {', '.join(shown.files)}, and the three files that were scored")
    if not shown.draws_png:
        click.echo("Figures as PNG need an extra: pip install 'tupelo[plot]'")
    click.echo(f"\nLook at it, without a server: open {output / 'index.html'} in a browser")
    # As it was called: `make demo` calls Python.
    command = f"{os.path.relpath(sys.executable)} -m tupelo" if sys.argv[0].endswith("__main__.py") else "tupelo"
    click.echo(f"Try texts of your own:        {command} serve --graph {output / 'graph.duckdb'}")
    if find_spec("fastapi") is None:
        click.echo("It needs an extra: pip install 'tupelo[serve]'")
