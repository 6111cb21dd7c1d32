"""Options that several graph commands share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from tupelo.cli.options import SHARE, InputPath

Command = TypeVar("Command", bound=Callable[..., Any])

graph_argument = click.argument("graph", type=InputPath(path_type=Path), metavar="GRAPH")
min_confidence_option = click.option(
    "--min-confidence",
    type=SHARE,
    default=0.0,
    show_default=True,
    metavar="C",
    help="Only edges with at least this confidence.",
)
start_option = click.option("--start", multiple=True, metavar="NAME", help="Start with this entity; repeat for more.")


def grouped(name: str, kind: type[Any], *options: Callable[[Any], Any]) -> Callable[[Command], Command]:
    """Options whose values reach the command as one argument: the dataclass `kind`, whose fields they fill."""

    def decorate(command: Command) -> Command:
        @wraps(command)
        def collect(**values: Any) -> Any:
            own = {field.name: values.pop(field.name) for field in fields(kind)}
            return command(**values, **{name: kind(**own)})

        decorated: Any = collect
        for option in reversed(options):
            decorated = option(decorated)
        return decorated  # type: ignore[no-any-return]

    return decorate
