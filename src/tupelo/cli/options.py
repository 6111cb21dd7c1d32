"""Options that several commands share, each declared once, and how commands print JSON and skipped lines."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Protocol, TypeVar

import click

from tupelo.core.limits import Limits
from tupelo.core.parameters import At, Spelled
from tupelo.core.spec import read_settings

# Files by name, for calls that take no other paths.
InputFile = Annotated[str, At.INPUT]
OutputFile = Annotated[str, At.OUTPUT, Spelled.of("FILE"), "Where to write. [default: standard output]"]
Json = Annotated[bool, Spelled.of("--json"), "One JSON document with full precision."]
Strict = Annotated[bool, "Exit with status 1 when lines were skipped."]
Command = TypeVar("Command", bound=Callable[..., Any])


class Decorator(Protocol):
    """An option, or several, to be put on a command."""

    def __call__(self, command: Command, /) -> Command: ...


class InputPath(click.Path):
    """The input of a command: a file or a folder; `-` is standard input where a command can read that."""


class OutputPath(click.Path):
    """The output of a command; `-` is standard output. A place that cannot be written ends a run at its start."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from tupelo.api.files import check_place

        if not self.dir_okay:
            check_place(value)
        return super().convert(value, param, ctx)


INPUT = InputPath(allow_dash=True)
OUTPUT = OutputPath(dir_okay=False, allow_dash=True)
FOLDER = OutputPath(file_okay=False)


class Whole(click.IntRange):
    """A whole number that every engine can hold, within a range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if abs(number) >= 1 << 63:
            self.fail(f"{value} has too many digits.", param, ctx)
        return number


class Finite(click.types.FloatParamType):
    """Any number but `nan` and infinity."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return number


class FiniteRange(Finite, click.FloatRange):
    """A finite number within a range."""


AT_LEAST_ONE = Whole(min=1)
SHARE = FiniteRange(0, 1)


def option_group(*options: Callable[[Any], Any]) -> Decorator:
    """Several options as one decorator; `--help` lists them in this order."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def list_option(
    parts: Callable[[], Mapping[str, str]], help: str, name: str = "--list", separator: str = ""
) -> click.Option:
    """A flag that lists parts by name, each with its title, in place of all that the command does.

    Titles are aligned unless there is a separator.
    """

    def print_list(context: click.Context, option: click.Parameter, wanted: bool) -> None:
        if wanted:
            found = parts()
            width = max(map(len, found))
            for part, title in found.items():
                click.echo(f"{part}{separator}{title}" if separator else f"{part:<{width}}  {title}")
            context.exit()

    return click.Option([name], is_flag=True, is_eager=True, expose_value=False, callback=print_list, help=help)


def list_flag(print_list: Callable[..., None], help: str, name: str = "--list") -> Decorator:
    return click.option(name, is_flag=True, is_eager=True, expose_value=False, callback=print_list, help=help)


def address_options(port: int) -> Decorator:
    """The address of a server: its host and port, and the names it answers to."""
    return option_group(
        click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on."),
        click.option("--port", type=Whole(0, 65535), default=port, show_default=True, help="0 takes a free one."),
        click.option(
            "--allow-host", "allowed_hosts", multiple=True, metavar="NAME", help="Another name of this machine."
        ),
    )


def json_option(help: str = "One JSON document with full precision.") -> Decorator:
    """`--json`, passed on as `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help=help)


def output_option(help: str = "Where to write. [default: standard output]", default: str | None = "-") -> Decorator:
    """`--output FILE`, `-o`; standard output unless a command says otherwise."""
    return click.option("--output", "-o", type=OUTPUT, default=default, metavar="FILE", help=help)


def settings_option(help: str) -> Decorator:
    """`--set NAME=VALUE`, passed on as `settings`: values by name."""
    return click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="NAME=VALUE",
        callback=_named_settings,
        help=help,
    )


def _named_settings(context: click.Context, option: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    return read_settings(values)


def _limits(context: click.Context, option: click.Parameter, values: tuple[str, ...]) -> Limits:
    return Limits.of(values)


# Limits of the input: larger documents are not read. Passed on as `limits`.
limit_option = click.option(
    "--max",
    "limits",
    multiple=True,
    metavar="NAME=VALUE",
    callback=_limits,
    help=f"Change a limit, such as document=200MB: {', '.join(Limits.meanings())}. Repeat for several.",
)

# Which parser analyses text.
parser_option = click.option(
    "--parser",
    default="en",
    show_default=True,
    metavar="NAME",
    help="The shipped model, or model:FOLDER, spacy:MODEL, stanza:LANGUAGE, conllu.",
)


def json_text(document: Any) -> str:
    """One machine-readable document, with a line feed."""
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def print_json(document: Any) -> None:
    """One machine-readable document on standard output."""
    click.echo(json_text(document), nl=False)


def show(found: Any, as_json: bool) -> None:
    """A result: the lines that were skipped on standard error, and itself on standard output."""
    report_skipped(getattr(found, "skipped", ()))
    print_result(found, as_json)


def print_result(found: Any, as_json: bool) -> None:
    """A result on standard output, as text or JSON."""
    if as_json:
        print_json(found.to_dict())
    else:
        click.echo(str(found))


warn = partial(click.echo, err=True)


# Number of failures that are named.
_FAILURES_SHOWN = 20


def exit_after(failures: Sequence[object]) -> None:
    """Name what failed on standard error, and exit with status 1 if anything did."""
    for failure in failures[:_FAILURES_SHOWN]:
        warn(f"failed: {failure}")
    if len(failures) > _FAILURES_SHOWN:
        warn(f"failed: {len(failures) - _FAILURES_SHOWN} more")
    if failures:
        sys.exit(1)


def report_skipped(skipped: Iterable[object]) -> None:
    """Name the lines that were skipped on standard error."""
    for error in skipped:
        warn(f"skipped {error}")
