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
    if database is not None and len(projects) > 1:
        raise click.UsageError("--database is for one project; others name theirs in project.toml")
    limits = ServerLimits(connections=connections, connections_per_client=client_connections)
    with ExitStack() as stack:
        opened = [stack.enter_context(open_project(project, database)) for project in projects]
        run(projects=opened, limits=limits, report=click.echo)


@project_command(AnnotationProject.invite)
def invite(run: Run[list[str]]) -> None:
    for link in run():
        click.echo(link)


@project_command(AnnotationProject.add, name="import")
def import_items(run: Run[tuple[int, int]]) -> None:
    new, known = run()
    click.echo(f"{new} new items, {known} known")


@project_command(AnnotationProject.export)
def export(run: Run[Any], format: str, output: OutputFile = "-") -> None:
    made = run()
    if made.left_out:
        warn(f"{made.left_out} records left out, which {format} cannot hold")


@project_command(AnnotationProject.backup)
def backup(run: Run[None], output: Annotated[Path, At.OUTPUT, "The file to write."]) -> None:
    run()


@project_command(AnnotationProject.restore)
def restore(run: Run[None], backup: Project) -> None:
    run()


@project_command(AnnotationProject.agreement)
def agreement(run: Run[Any], as_json: Json = False) -> None:
    _show(run(), as_json)


@project_command(AnnotationProject.audit)
def audit(run: Run[Any], as_json: Json = False) -> None:
    _show(run(), as_json)


def _show(found: Any, as_json: bool) -> None:
    click.echo(json.dumps(found.to_dict()) if as_json else found)


@project_command(AnnotationProject.person_data, name="export", group=person)
def export_person(run: Run[dict[str, Any]], output: OutputFile = "-") -> None:
    write_text(output, json.dumps(run(), ensure_ascii=False, indent=1) + "\n")


@project_command(AnnotationProject.erase_person, name="erase", group=person)
def erase_person(run: Run[Any], project: Path, name: str, yes: Annotated[bool, "Do not ask."] = False) -> None:
    if not yes:
        click.confirm(f"Erase {name} from {project} for ever?", abort=True)
    done = run()
    click.echo(f"now called {done.label}; {done.records} records changed")
    if done.answers_with_name:
        warn(f"{done.answers_with_name} answers have the name in their own text and were left as they are")


@project_command(AnnotationProject.make_token, name="create", group=token)
def create_token(run: Run[str]) -> None:
    click.echo(run())


@project_command(AnnotationProject.tokens, name="list", group=token)
def list_tokens(run: Run[list[dict[str, Any]]], as_json: Json = False) -> None:
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
    run()
