"""`tupelo annotate invite`: invitation links without opening the pages."""

from __future__ import annotations

from pathlib import Path

import click

from tupelo.cli.annotate_project import database_option, open_desk, project_argument


def address(base: str, token: str) -> str:
    return f"{base.rstrip('/')}/invite/{token}"


@click.command()
@project_argument
@click.option("--role", type=click.Choice(["annotator", "reviewer", "admin"]), default="annotator", show_default=True)
@click.option("-n", "--number", type=click.IntRange(1, 1000), default=1, show_default=True, help="How many links.")
@click.option("--days", type=click.FloatRange(0.001, 365), default=14, show_default=True, help="How long they work.")
@click.option("--url", help="The address of the server, where project.toml does not say it.")
@database_option
def invite(project: Path, role: str, number: int, days: float, url: str | None, database: str | None) -> None:
    """Print links that let people into PROJECT. Each works once.

    \b
    Example:
      tupelo annotate invite birds --role annotator -n 3
    """
    with open_desk(project, database) as desk:
        from tupelo.annotate.people import make_link

        for _ in range(number):
            _, token = make_link(desk, role, days=days)
            click.echo(address(url or desk.project.server.url, token))
