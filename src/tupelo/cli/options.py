"""Options that several commands share, each declared once, and how commands print JSON and skipped lines."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any

import click

from tupelo.core.parameters import At, PathLike, Spelled
from tupelo.core.results import aligned_columns

# Files by name, for calls that take no other paths.
InputFile = Annotated[str, At.INPUT]
OutputFile = Annotated[str, At.OUTPUT, Spelled.of("FILE"), "Where to write. [default: standard output]"]
Json = Annotated[bool, Spelled.of("--json"), "One JSON document with full precision."]
Strict = Annotated[bool, "Exit with status 1 when lines were skipped."]


class InputPath(click.Path):
    """The input of a command: a file or a folder; `-` is standard input where a command can read that."""


class OutputPath(click.Path):
    """The output of a command; `-` is standard output. A place that cannot be written ends a run at its start."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from tupelo.api.files import check_place

        if not self.dir_okay:
            check_place(value)
        return super().convert(value, param, ctx)


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


def list_option(
    parts: Callable[[], Mapping[str, str]], help: str, name: str = "--list", separator: str = ""
) -> click.Option:
    """A flag that lists parts by name, each with its title, in place of all that the command does.

    Titles are aligned unless there is a separator.
    """

    def print_list(context: click.Context, option: click.Parameter, wanted: bool) -> None:
        if wanted:
            found = list(parts().items())
            click.echo("\n".join(map(separator.join, found)) if separator else aligned_columns(found))
            context.exit()

    return click.Option([name], is_flag=True, is_eager=True, expose_value=False, callback=print_list, help=help)


def json_text(document: Any) -> str:
    """One machine-readable document, with a line feed. JSON has no infinite numbers and no NaN: they are null."""
    try:
        return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    except ValueError:
        return json_text(_finite(document))


def _finite(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _finite(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def print_json(document: Any) -> None:
    """One machine-readable document on standard output."""
    click.echo(json_text(document), nl=False)


def show(found: Any, as_json: bool, page: PathLike | None = None, title: str = "") -> None:
    """A result: as a page if one is asked for, skipped lines on standard error, and itself on standard output."""
    if page:
        from tupelo.api.files import write_text

        write_text(page, found.page(title))
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
