"""`tupelo annotate export`: what people said, as a file."""

from __future__ import annotations

from pathlib import Path

import click

from tupelo.cli.annotate_project import database_option, open_desk, project_argument


@click.command()
@project_argument
@click.option("-o", "--output", default="-", show_default=True, help="The file to write.")
@click.option("--format", "format_name", default="jsonl", show_default=True, help="Any of 'tupelo formats'.")
@click.option(
    "--what",
    type=click.Choice(["answers", "gold", "records"]),
    default="gold",
    show_default=True,
    help="One answer an item; everybody's answers; or everything that happened.",
)
@click.option("--names", is_flag=True, help="Real names instead of annotator-1, annotator-2, …")
@database_option
def export(project: Path, output: str, format_name: str, what: str, names: bool, database: str | None) -> None:
    """Write the answers of PROJECT to a file.

    \b
    Examples:
      tupelo annotate export birds -o gold.jsonl
      tupelo annotate export birds --format carb -o gold.tsv
      tupelo annotate export birds --what answers --names -o everybody.jsonl

    gold is the reviewers' decision on an item, else the answer that agrees best with the others.
    """
    with open_desk(project, database) as desk:
        from tupelo.annotate.export import export as make
        from tupelo.io.files import open_output

        made = desk.database.read(lambda connection: make(desk, connection, format_name, names=names, what=what))
        with open_output(output) as stream:
            stream.write(made.data)
        if made.left_out:
            click.echo(f"{made.left_out} records left out, which {format_name} cannot hold", err=True)
