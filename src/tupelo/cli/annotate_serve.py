"""`tupelo annotate serve`: the application over HTTP."""

from __future__ import annotations

from pathlib import Path

import click

from tupelo.cli.annotate_project import database_option, open_desk, project_argument


@click.command()
@project_argument
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8770, show_default=True, help="0 takes a free one.")
@click.option("--allow-host", "allowed", multiple=True, metavar="NAME", help="Another name of this machine.")
@click.option("--proxy", default="", metavar="ADDRESS", help="A proxy whose word about clients is believed.")
@database_option
def serve(project: Path, host: str, port: int, allowed: tuple[str, ...], proxy: str, database: str | None) -> None:
    """Serve PROJECT in the browser until Ctrl-C.

    \b
    Examples:
      tupelo annotate serve birds
      tupelo annotate serve birds --host 0.0.0.0 --port 8080 --allow-host annotate.example.org

    The first start makes the database, adds the items and prints a link for the first admin, who invites the others.
    """
    from tupelo.cli.annotate_invite import address
    from tupelo.io.server import listen, serve_app

    with listen(host, port) as place, open_desk(project, database, create=True, port=place.getsockname()[1]) as desk:
        from tupelo.annotate.apart import Apart
        from tupelo.annotate.app import make_app
        from tupelo.annotate.people import has_admin, make_link
        from tupelo.annotate.stock import stock_up

        apart = Apart(desk.project)
        app = make_app(desk, (*allowed, host), apart=apart)
        new, known = stock_up(desk)
        click.echo(f"{desk.project.name}: {new + known} items ({new} new), task {desk.project.task}")

        def ready() -> None:
            url = desk.project.server.url
            click.echo(f"Serving at {url}  (Ctrl-C ends)")
            if not desk.database.read(has_admin):
                _, token = make_link(desk, "admin", label="first admin")
                click.echo(f"The first admin enters here, once: {address(url, token)}")

        try:
            serve_app(app, place, proxies=proxy, ready=ready)
        finally:
            apart.close()
