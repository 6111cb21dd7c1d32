"""`tupelo annotate`: the annotation application."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import click

from tupelo.api.annotation import TASKS, AnnotationProject, ServerLimits
from tupelo.api.annotation import serve as serve_projects
from tupelo.api.files import write_text
from tupelo.cli.groups import listing
from tupelo.cli.options import Json, OutputFile, warn
from tupelo.cli.signature import Run, command
from tupelo.core.parameters import At, Count, Environment, Spelled

Project = Annotated[Path, At.INPUT]
Database = Annotated[
    str | None,
    Spelled.of("URL"),
    Environment("TUPELO_ANNOTATE_DATABASE"),
    "postgresql://… instead of what project.toml says; also from the environment TUPELO_ANNOTATE_DATABASE.",
]


def open_project(project: Project, database: Database = None) -> AbstractContextManager[AnnotationProject]:
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


@annotate.group(cls=_InOrder)
def person() -> None:
    """The data on a person: all of it as a file, or its erasure.

    \b
    Example:
      tupelo annotate person export birds "Ann Berg"
    """


@annotate.group(cls=_InOrder)
def token() -> None:
    """Tokens with which programs use the server.

    \b
    Example:
      tupelo annotate token create birds Ada --scope export
    """


project_command = partial(command, opens=open_project, group=annotate)


@command(AnnotationProject.create, options=("task",), cls=listing("Tasks", TASKS), group=annotate)
def init(run: Run[AnnotationProject], folder: Annotated[Path, At.FOLDER, Spelled.of("PROJECT")]) -> None:
    """Make the folder PROJECT with everything a project needs, filled from a worked example.

    \b
    Examples:
      tupelo annotate init birds --task tuples --items sentences.txt
      tupelo annotate init ratings --task accuracy --overlap 5

    Then edit project.toml, guidelines.md, tutorial.toml and qualification.jsonl as you like, and run
    'tupelo annotate serve PROJECT'.
    """
    made = run()
    click.echo(f"{folder}: {', '.join(made.files())}")
    click.echo(f"Next: tupelo annotate serve {folder}")


@command(serve_projects, group=annotate)
def serve(
    run: Run[None],
    projects: Annotated[tuple[Project, ...], Spelled.of("PROJECT...")],
    connections: Annotated[Count, "Connections at a time."] = 2000,
    client_connections: Annotated[Count, "Connections at a time from one address; a --proxy may open more."] = 500,
    database: Database = None,
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
    if database is not None and len(projects) > 1:
        raise click.UsageError("--database is for one project; others name theirs in project.toml")
    limits = ServerLimits(connections=connections, connections_per_client=client_connections)
    with ExitStack() as stack:
        opened = [stack.enter_context(open_project(project, database)) for project in projects]
        run(projects=opened, limits=limits, report=click.echo)


@project_command(AnnotationProject.invite)
def invite(run: Run[list[str]]) -> None:
    """Print links that let people into PROJECT. Each works once.

    \b
    Example:
      tupelo annotate invite birds --role annotator -n 3

    The links lead to the address in project.toml, or else to where the project was last served.
    """
    for link in run():
        click.echo(link)


@project_command(AnnotationProject.add, name="import")
def import_items(run: Run[tuple[int, int]]) -> None:
    """Add the items of FILES to PROJECT; items that are there already stay as they are.

    \b
    Examples:
      tupelo annotate import birds more-sentences.txt
      tupelo annotate import birds system-output.tsv --format tab

    lines: one sentence a line. rows: JSON lines, one object for each item. Tuple formats as 'tupelo formats' lists
    them: tuples in the file are shown as suggestions if the project asks for suggestions.
    """
    new, known = run()
    click.echo(f"{new} new items, {known} known")


@project_command(AnnotationProject.export)
def export(run: Run[Any], format: str, output: OutputFile = "-") -> None:
    """Write the answers of PROJECT to a file.

    \b
    Examples:
      tupelo annotate export birds -o gold.jsonl
      tupelo annotate export birds --format carb -o gold.tsv
      tupelo annotate export birds --what answers --names -o everybody.jsonl

    gold is the reviewers' decision on an item, else the answer that agrees best with the others.
    """
    made = run()
    if made.left_out:
        warn(f"{made.left_out} records left out, which {format} cannot hold")


@project_command(AnnotationProject.backup)
def backup(run: Run[None], output: Annotated[Path, At.OUTPUT, "The file to write."]) -> None:
    """Write a copy of the database of PROJECT to a file, also while it is served.

    \b
    Example:
      tupelo annotate backup birds -o birds-backup.sqlite

    The copy holds everything up to one moment, is checked, and only its owner may read it. PostgreSQL has its own
    program for this: pg_dump.
    """
    run()


@project_command(AnnotationProject.restore)
def restore(run: Run[None], backup: Project) -> None:
    """Make the database of PROJECT from BACKUP, a file that 'annotate backup' wrote.

    \b
    Example:
      tupelo annotate restore birds birds-backup.sqlite

    PROJECT must have no database; move an old one away first, with the server stopped.
    """
    run()


@project_command(AnnotationProject.agreement)
def agreement(run: Run[Any], as_json: Json = False) -> None:
    """The agreement of the annotators of PROJECT.

    \b
    Example:
      tupelo annotate agreement birds

    The grade is the mean agreement of two answers to the same item (for tuples CaRB's F1, both ways). Questions with
    labels also get Krippendorff's alpha with a 95 % bootstrap interval, and Fleiss' and Cohen's kappa.
    """
    _show(run(), as_json)


@project_command(AnnotationProject.audit)
def audit(run: Run[Any], as_json: Json = False) -> None:
    """The log of PROJECT: who came in, and who changed, decided, exported or erased what.

    \b
    Examples:
      tupelo annotate audit birds
      tupelo annotate audit birds --since 2026-11-01 --json

    One event a line: time, person, kind, whom or what it is about, details. No passwords, no addresses, no free text.
    """
    _show(run(), as_json)


def _show(found: Any, as_json: bool) -> None:
    click.echo(json.dumps(found.to_dict()) if as_json else found)


@project_command(AnnotationProject.person_data, name="export", group=person)
def export_person(run: Run[dict[str, Any]], output: OutputFile = "-") -> None:
    """Write everything that PROJECT holds on the person NAME, as JSON; no passwords and no tokens.

    \b
    Example:
      tupelo annotate person export birds "Ann Berg" -o ann.json
    """
    write_text(output, json.dumps(run(), ensure_ascii=False, indent=1) + "\n")


@project_command(AnnotationProject.erase_person, name="erase", group=person)
def erase_person(run: Run[Any], project: Path, name: str, yes: Annotated[bool, "Do not ask."] = False) -> None:
    """Remove the person NAME from PROJECT for ever. Their answers stay, under a neutral label.

    \b
    Example:
      tupelo annotate person erase birds "Ann Berg"

    Name, password, participant number, sessions, links, tokens and drafts go, and the name in remarks. Copies of the
    database and files that were exported before are yours to delete.
    """
    if not yes:
        click.confirm(f"Erase {name} from {project} for ever?", abort=True)
    done = run()
    click.echo(f"now called {done.label}; {done.records} records changed")
    if done.answers_with_name:
        warn(f"{done.answers_with_name} answers have the name in their own text and were left as they are")


@project_command(AnnotationProject.make_token, name="create", group=token)
def create_token(run: Run[str]) -> None:
    """Print a new token for a program that acts for the person NAME. It cannot be shown again.

    \b
    Example:
      tupelo annotate token create birds Ada --scope read --scope export --label nightly
    """
    click.echo(run())


@project_command(AnnotationProject.tokens, name="list", group=token)
def list_tokens(run: Run[list[dict[str, Any]]], as_json: Json = False) -> None:
    """All tokens of PROJECT, the newest first, each with its first characters only.

    \b
    Example:
      tupelo annotate token list birds
    """
    found = run()
    if as_json:
        click.echo(json.dumps({"tokens": found}))
        return
    for each in found:
        state = "revoked" if each["revoked"] else f"expires {each['expires']}"
        about = (each["id"], f"{each['prefix']}…", each["person"], " ".join(each["scopes"]), each["label"], state)
        click.echo("  ".join(map(str, about)))


@project_command(AnnotationProject.revoke_token, name="revoke", group=token)
def revoke_token(run: Run[None]) -> None:
    """End the token with this NUMBER at once; 'token list' shows the numbers.

    \b
    Example:
      tupelo annotate token revoke birds 3
    """
    run()
