"""`tupelo annotate import`: more items for a project."""

from __future__ import annotations

from pathlib import Path

import click

from tupelo.cli.annotate_project import database_option, open_desk, project_argument


@click.command("import")
@project_argument
@click.argument("files", nargs=-1, required=True)
@click.option("--format", "format_name", default="auto", show_default=True, help="lines, rows, or a tuple format.")
@database_option
def import_items(project: Path, files: tuple[str, ...], format_name: str, database: str | None) -> None:
    """Add the items of FILES to PROJECT; those that are there already are left as they are.

    \b
    Examples:
      tupelo annotate import birds more-sentences.txt
      tupelo annotate import birds system-output.tsv --format tab

    lines: one sentence a line. rows: JSON lines, one object for each item. Tuple formats as 'tupelo formats' lists
    them: tuples in the file are shown as suggestions where the project wants suggestions.
    """
    with open_desk(project, database, create=True) as desk:
        from tupelo.annotate.exchange import items_of_rows, read_rows
        from tupelo.annotate.stock import add_items

        # Everything is read before anything is added.
        found = [
            item
            for name in files
            for item in items_of_rows(
                desk.task, read_rows(desk.task.reads, name, format_name), desk.project.settings, name
            )
        ]
        new, known = add_items(desk, found)
        click.echo(f"{new} new items, {known} known")
