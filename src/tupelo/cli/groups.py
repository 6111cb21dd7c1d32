"""Groups of commands that are known by name and imported only to be run."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from inspect import cleandoc
from pathlib import Path
from typing import Any

import click

from tupelo.core import InputError
from tupelo.core.registry import Registry, import_part
from tupelo.core.shipped import declared


class LazyGroup(click.Group):
    """`places` maps the name of a command to its module and attribute, and to the line that `--help` shows."""

    def __init__(self, name: str, help: str, places: Mapping[str, tuple[str, str]], **settings: Any) -> None:
        super().__init__(name, help=cleandoc(help), **settings)
        self.places = places

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.places)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in self.places:
            return None
        place = self.places[name][0]
        if place.startswith("papers."):
            _find_clone()
        command = import_part(place)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in self.places.items()])


def listing(heading: str, parts: Registry[Any]) -> type[click.Command]:
    """Commands whose help ends with all registered parts, titles looked up only when help is asked for."""

    class ListingCommand(click.Command):
        def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
            with formatter.section(heading):
                formatter.write_dl([(name, parts.title(name)) for name in parts])

    return ListingCommand


def _find_clone() -> None:
    """Make `papers/` importable, which stands beside `src/` in a clone of the repository and is in no wheel."""
    clone = Path(__file__).resolve().parents[3]
    if not (clone / "papers" / "__init__.py").is_file():
        raise InputError("the papers are not installed: this command runs from a clone of Tupelo's repository")
    if str(clone) not in sys.path:
        sys.path.append(str(clone))


GROUPS = declared(__name__, "commands.toml")


def declared_group(name: str, kind: type[LazyGroup] = LazyGroup, **settings: Any) -> LazyGroup:
    """A group of `commands.toml`."""
    return kind(name, GROUPS[name]["help"], GROUPS[name]["commands"], **settings)


graph, cliques, reproduce, facts, assertions, embed = map(
    declared_group, ("graph", "cliques", "reproduce", "facts", "assertions", "embed")
)
