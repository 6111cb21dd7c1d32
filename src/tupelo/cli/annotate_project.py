"""What the commands of `tupelo annotate` share: opening a project with its database."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tupelo.core import Extraction, MissingExtraError

if TYPE_CHECKING:
    from tupelo.annotate.desk import Desk

project_argument = click.argument("project", type=click.Path(path_type=Path))


def database_option(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--database",
        metavar="URL",
        envvar="TUPELO_ANNOTATE_DATABASE",
        help="postgresql://… instead of what project.toml says; also from the environment TUPELO_ANNOTATE_DATABASE.",
    )(command)


@contextmanager
def open_desk(
    folder: Path, database: str | None = None, *, create: bool = False, port: int | None = None
) -> Iterator[Desk]:
    """A project, ready for work; its database is closed at the end.

    `port` is where it is served; it counts where the project does not say another address than this machine's.
    """
    try:
        from tupelo.annotate.database import open_database
        from tupelo.annotate.desk import make_desk
    except ImportError as error:
        raise MissingExtraError("annotation", "annotate") from error
    from tupelo.annotate.project import Serving, load_project

    project = load_project(folder)
    if database is not None:
        project = replace(project, database=database)
    if port is not None and project.server == Serving():
        project = replace(project, server=Serving(f"http://127.0.0.1:{port}"))
    opened = open_database(project.database_address(), create=create)
    try:
        extract = _extractor(project.preannotation.extractor) if project.preannotation.share else None
        yield make_desk(project, opened, extract=extract)
    finally:
        opened.close()


def _extractor(name: str) -> Callable[[Sequence[str]], list[list[Extraction]]]:
    """Sentences to tuples; the model is opened when the first suggestion is wanted."""
    toolkit: Any = None

    def extract(texts: Sequence[str]) -> list[list[Extraction]]:
        nonlocal toolkit
        if toolkit is None:
            from tupelo.api.text import load

            toolkit = load(extractor=name)
        return [list(found.extractions) for found in toolkit.extract_sentences(list(texts), lines=True)]

    return extract
