"""Every command that prints JSON has a test that compares it with what the library returns."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import click
import pytest

from tupelo.cli import tupelo

TESTS = Path(__file__).parents[1]
MODULES = sorted(path for room in ("api", "papers") for path in TESTS.joinpath(room).glob("test_*.py"))


def commands(group: click.Group, path: str = "") -> Iterator[tuple[str, click.Command]]:
    """Every command below a group, by its words."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        words = f"{path} {name}".strip()
        if isinstance(command, click.Group):
            yield from commands(command, words)
        else:
            yield words, command


ALL = dict(commands(tupelo))


def covered() -> set[str]:
    """The commands that the tests of the library name in `COMMANDS`."""
    modules = [import_module(f"tests.{path.parent.name}.{path.stem}") for path in MODULES]
    return {name for module in modules for name in getattr(module, "COMMANDS", ())}


@pytest.mark.slow
def test_every_command_with_json_is_compared_with_the_library():
    with_json = {name for name, command in ALL.items() if any("--json" in option.opts for option in command.params)}
    assert with_json
    assert with_json - covered() == set()


@pytest.mark.slow
def test_the_tests_name_commands_that_exist():
    assert covered() - set(ALL) == set()


def test_every_command_has_help_with_an_example():
    assert [name for name, each in ALL.items() if f"tupelo {name}" not in (each.help or "")] == []
