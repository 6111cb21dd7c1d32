"""`tupelo annotate`: the annotation application."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from tupelo.cli.options import (
    AT_LEAST_ONE,
    INPUT,
    OUTPUT,
    Finite,
    InputPath,
    OutputPath,
    Whole,
    address_options,
    json_option,
    warn,
)

project_argument = click.argument("project", type=InputPath(path_type=Path))
names_option = click.option("--names", is_flag=True, help="Real names instead of annotator-1, annotator-2, …")


def database_option(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--database",
        metavar="URL",
        envvar="TUPELO_ANNOTATE_DATABASE",
        help="postgresql://… instead of what project.toml says; also from the environment TUPELO_ANNOTATE_DATABASE.",
    )(command)


def _open(project: Path, database: str | None) -> Any:
    from tupelo.api.annotation import AnnotationProject

    return AnnotationProject(project, database=database)


class _InOrder(click.Group):
    """Lists its commands in the order in which people need them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


@click.group(cls=_InOrder)
def annotate() -> None:
    """Make and judge tuples, paraphrases, inferences and facts with people, in the browser.

    \b
    Examples:
      tupelo annotate init birds --task tuples --items sentences.txt
      tupelo annotate serve birds
    """


class _ListsTasks(click.Command):
    """Ends its help with every task there is, those of installed packages included."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from tupelo.api.annotation import TASKS as tasks

        with formatter.section("Tasks"):
            formatter.write_dl([(name, tasks.title(name)) for name in tasks])


@annotate.command(cls=_ListsTasks)
@click.argument("project", type=OutputPath(file_okay=False, path_type=Path))
@click.option("--task", required=True, metavar="TASK", help="What people do; see the tasks below.")
@click.option("--name", help="Name of the project. Default: the name of the folder.")
@click.option(
    "--items",
    multiple=True,
    type=InputPath(path_type=Path),
    metavar="FILE",
    help="Your own items instead of the example's; repeat for more files.",
)
@click.option("--overlap", type=Whole(1, 100), help="How many people do each item.")
@click.option("--database", metavar="URL", help="postgresql://… instead of a file in the project.")
@click.option("--url", metavar="URL", help="The address under which people will reach the server.")
def init(project: Path, **options: Any) -> None:
    """Make the folder PROJECT with everything a project needs, filled from a worked example.

    \b
    Examples:
      tupelo annotate init birds --task tuples --items sentences.txt
      tupelo annotate init ratings --task accuracy --overlap 5

    Then edit project.toml, guidelines.md, tutorial.toml and qualification.jsonl as you like, and run
    'tupelo annotate serve PROJECT'.
    """
    from tupelo.api.annotation import AnnotationProject

    made = AnnotationProject.create(project, **options)
    click.echo(f"{project}: {', '.join(made.files())}")
    click.echo(f"Next: tupelo annotate serve {project}")


@annotate.command()
@click.argument("projects", nargs=-1, required=True, metavar="PROJECT...", type=InputPath(path_type=Path))
@address_options(8770)
@click.option("--proxy", default="", metavar="ADDRESS", help="A proxy that is trusted to name its clients.")
@click.option("--url", metavar="URL", help="The address under which people reach it, if project.toml has none.")
@click.option("--connections", type=AT_LEAST_ONE, default=2000, show_default=True, help="Connections at a time.")
@click.option(
    "--client-connections",
    type=AT_LEAST_ONE,
    default=500,
    show_default=True,
    help="Connections at a time from one address; a --proxy may open more.",
)
@database_option
def serve(
    projects: tuple[Path, ...],
    host: str,
    port: int,
    allowed_hosts: tuple[str, ...],
    proxy: str,
    url: str | None,
    connections: int,
    client_connections: int,
    database: str | None,
) -> None:
    """Serve PROJECT in the browser until Ctrl-C; several projects each under the name of its folder.

    \b
    Examples:
      tupelo annotate serve birds
      tupelo annotate serve birds --host 0.0.0.0 --port 8080 --allow-host annotate.example.org
      tupelo annotate serve birds --proxy 127.0.0.1 --url https://annotate.example.org
      tupelo annotate serve birds boats

    The first start makes the database, adds the items and prints a link for the first admin, who invites the others.
    Several projects share nothing but the server: each has its own database and its own accounts.
    """
    from tupelo.api.annotation import ServerLimits
    from tupelo.api.annotation import serve as serve_projects

    if database is not None and len(projects) > 1:
        raise click.UsageError("--database is for one project; others name theirs in project.toml")
    limits = ServerLimits(connections=connections, connections_per_client=client_connections)
    with ExitStack() as stack:
        opened = [stack.enter_context(_open(project, database)) for project in projects]
        serve_projects(
            opened, host, port, allowed_hosts=allowed_hosts, proxy=proxy, url=url, limits=limits, report=click.echo
        )


@annotate.command()
@project_argument
@click.option("--role", type=click.Choice(["annotator", "reviewer", "admin"]), default="annotator", show_default=True)
@click.option("-n", "--number", type=Whole(1, 1000), default=1, show_default=True, help="How many links.")
@click.option("--days", type=Finite(0.001, 365), default=14, show_default=True, help="How long they work.")
@click.option("--url", metavar="URL", help="The address of the server. Default: that of the last 'annotate serve'.")
@database_option
def invite(project: Path, role: str, number: int, days: float, url: str | None, database: str | None) -> None:
    """Print links that let people into PROJECT. Each works once.

    \b
    Example:
      tupelo annotate invite birds --role annotator -n 3

    The links lead to the address in project.toml, or else to where the project was last served.
    """
    with _open(project, database) as opened:
        for link in opened.invite(role, number, days=days, url=url):
            click.echo(link)


@annotate.command("import")
@project_argument
@click.argument("files", type=INPUT, nargs=-1, required=True)
@click.option("--format", "format_name", default="auto", show_default=True, help="lines, rows, or a tuple format.")
@database_option
def import_items(project: Path, files: tuple[str, ...], format_name: str, database: str | None) -> None:
    """Add the items of FILES to PROJECT; items that are there already stay as they are.

    \b
    Examples:
      tupelo annotate import birds more-sentences.txt
      tupelo annotate import birds system-output.tsv --format tab

    lines: one sentence a line. rows: JSON lines, one object for each item. Tuple formats as 'tupelo formats' lists
    them: tuples in the file are shown as suggestions if the project asks for suggestions.
    """
    with _open(project, database) as opened:
        new, known = opened.add(*files, format=format_name)
    click.echo(f"{new} new items, {known} known")


@annotate.command()
@project_argument
@click.option("-o", "--output", type=OUTPUT, default="-", show_default=True, help="The file to write.")
@click.option("--format", "format_name", default="jsonl", show_default=True, help="Any of 'tupelo formats'.")
@click.option(
    "--what",
    type=click.Choice(["answers", "gold", "records"]),
    default="gold",
    show_default=True,
    help="One answer per item; everybody's answers; or everything that happened.",
)
@names_option
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
    with _open(project, database) as opened:
        made = opened.export(output, format=format_name, what=what, names=names)
    if made.left_out:
        warn(f"{made.left_out} records left out, which {format_name} cannot hold")


@annotate.command()
@project_argument
@click.option(
    "-o", "--output", type=OutputPath(dir_okay=False, path_type=Path), required=True, help="The file to write."
)
@database_option
def backup(project: Path, output: Path, database: str | None) -> None:
    """Write a copy of the database of PROJECT to a file, also while it is served.

    \b
    Example:
      tupelo annotate backup birds -o birds-backup.sqlite

    The copy holds everything up to one moment, is checked, and only its owner may read it. PostgreSQL has its own
    program for this: pg_dump.
    """
    with _open(project, database) as opened:
        opened.backup(output)


@annotate.command()
@project_argument
@click.argument("backup", type=InputPath(path_type=Path))
@database_option
def restore(project: Path, backup: Path, database: str | None) -> None:
    """Make the database of PROJECT from BACKUP, a file that 'annotate backup' wrote.

    \b
    Example:
      tupelo annotate restore birds birds-backup.sqlite

    PROJECT must have no database; move an old one away first, with the server stopped.
    """
    with _open(project, database) as opened:
        opened.restore(backup)


@annotate.command()
@project_argument
@json_option()
@names_option
@database_option
def agreement(project: Path, as_json: bool, names: bool, database: str | None) -> None:
    """How far the annotators of PROJECT agree.

    \b
    Example:
      tupelo annotate agreement birds

    The grade is the mean agreement of two answers to the same item (for tuples CaRB's F1, both ways). Questions with
    labels also get Krippendorff's alpha with a 95 % bootstrap interval, and Fleiss' and Cohen's kappa.
    """
    with _open(project, database) as opened:
        report = opened.agreement(names=names)
    click.echo(json.dumps(report.to_dict()) if as_json else report)


@annotate.command()
@project_argument
@click.option("--since", metavar="TIME", help="Only from this date or time on, such as 2026-11-16 (UTC).")
@json_option()
@database_option
def audit(project: Path, since: str | None, as_json: bool, database: str | None) -> None:
    """Who came into PROJECT, and who changed, decided, exported or erased what.

    \b
    Examples:
      tupelo annotate audit birds
      tupelo annotate audit birds --since 2026-11-01 --json

    One event a line: time, person, kind, whom or what it is about, details. No passwords, no addresses, no free text.
    """
    with _open(project, database) as opened:
        log = opened.audit(since)
    click.echo(json.dumps(log.to_dict()) if as_json else log)


@annotate.group(cls=_InOrder)
def person() -> None:
    """The data on a person: all of it as a file, or its erasure.

    \b
    Example:
      tupelo annotate person export birds "Ann Berg"
    """


@person.command("export")
@project_argument
@click.argument("name")
@click.option("-o", "--output", type=OUTPUT, default="-", show_default=True, help="The file to write.")
@database_option
def export_person(project: Path, name: str, output: str, database: str | None) -> None:
    """Write everything that PROJECT holds on the person NAME, as JSON; no passwords and no tokens.

    \b
    Example:
      tupelo annotate person export birds "Ann Berg" -o ann.json
    """
    from tupelo.api.files import write_text

    with _open(project, database) as opened:
        data = opened.person_data(name)
    write_text(output, json.dumps(data, ensure_ascii=False, indent=1) + "\n")


@person.command("erase")
@project_argument
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
@database_option
def erase_person(project: Path, name: str, yes: bool, database: str | None) -> None:
    """Remove the person NAME from PROJECT for ever. Their answers stay, under a neutral label.

    \b
    Example:
      tupelo annotate person erase birds "Ann Berg"

    Name, password, participant number, sessions, links, tokens and drafts go, and the name in remarks. Copies of the
    database and files that were exported before are yours to delete.
    """
    if not yes:
        click.confirm(f"Erase {name} from {project} for ever?", abort=True)
    with _open(project, database) as opened:
        done = opened.erase_person(name)
    click.echo(f"now called {done.label}; {done.records} records changed")
    if done.answers_with_name:
        warn(f"{done.answers_with_name} answers have the name in their own text and were left as they are")


@annotate.group(cls=_InOrder)
def token() -> None:
    """Tokens with which programs use the server.

    \b
    Example:
      tupelo annotate token create birds Ada --scope export
    """


@token.command("create")
@project_argument
@click.argument("name")
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    default=("read",),
    show_default=True,
    type=click.Choice(["read", "answer", "export", "import"]),
    help="What it is for; repeat for more. export and import need an admin.",
)
@click.option("--label", default="", help="What the program is called. Default: the name of the person.")
@click.option("--days", type=Finite(0.001, 366), default=90, show_default=True, help="How long it works.")
@database_option
def create_token(
    project: Path, name: str, scopes: tuple[str, ...], label: str, days: float, database: str | None
) -> None:
    """Print a new token for a program that acts for the person NAME. It cannot be shown again.

    \b
    Example:
      tupelo annotate token create birds Ada --scope read --scope export --label nightly
    """
    with _open(project, database) as opened:
        click.echo(opened.make_token(name, scopes, label=label, days=days))


@token.command("list")
@project_argument
@json_option()
@database_option
def list_tokens(project: Path, as_json: bool, database: str | None) -> None:
    """All tokens of PROJECT, the newest first, each with its first characters only.

    \b
    Example:
      tupelo annotate token list birds
    """
    with _open(project, database) as opened:
        found = opened.tokens()
    if as_json:
        click.echo(json.dumps({"tokens": found}))
        return
    for each in found:
        state = "revoked" if each["revoked"] else f"expires {each['expires']}"
        about = (each["id"], f"{each['prefix']}…", each["person"], " ".join(each["scopes"]), each["label"], state)
        click.echo("  ".join(map(str, about)))


@token.command("revoke")
@project_argument
@click.argument("number", type=Whole(1))
@database_option
def revoke_token(project: Path, number: int, database: str | None) -> None:
    """End the token with this NUMBER at once; 'token list' shows the numbers.

    \b
    Example:
      tupelo annotate token revoke birds 3
    """
    with _open(project, database) as opened:
        opened.revoke_token(number)
