"""Groups of commands that are known by name and imported only to be run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from tupelo.core.registry import Registry, import_part


class LazyGroup(click.Group):
    """`places` maps the name of a command to its module and attribute, and to the line that `--help` shows."""

    places: Mapping[str, tuple[str, str]] = {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.places)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in self.places:
            return None
        command = import_part(self.places[name][0])
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
