"""`tupelo demo`: the main job on bundled data."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from tupelo.cli.options import OutputPath


@click.command()
@click.option(
    "-o", "--output", default="demo-output", show_default=True, type=OutputPath(file_okay=False, path_type=Path)
)
def demo(output: Path) -> None:
    """Extract tuples from a bundled text and make a graph of them; score two bundled systems and show their errors.

    \b
    Example:
      tupelo demo -o demo-output
    """
    from tupelo.api.demo import demo as demonstration
    from tupelo.cli.tuple_table import tuple_tables

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
    click.echo(f"In {output}/: {', '.join(shown.files)}, and the three files that were scored")
    if not shown.draws_png:
        click.echo("Figures as PNG need an extra: pip install 'tupelo[plot]'")
