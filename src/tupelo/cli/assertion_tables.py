"""`tupelo assertions extract` and `aggregate`: tables of assertions, of any size."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tupelo.cli.progress import progress

if TYPE_CHECKING:
    from tupelo.core.protocols import Engine, Partition, Stage
    from tupelo.core.stages import Table
    from tupelo.io.workspace import FolderWorkspace

Command = TypeVar("Command", bound=Callable[..., Any])

# For DuckDB; with what the stage holds, a process stays below 2 GB.
_MEMORY = "1GB"
# Of what was skipped, so much is told one by one.
_SHOWN = 20
_OPTIONS = (
    click.option(
        "--output",
        "-o",
        default="-",
        metavar="FILE",
        help="Where to write: .parquet, else text with tabs. [default: standard output]",
    ),
    click.option(
        "--min-pairs",
        type=click.IntRange(1),
        default=10,
        show_default=True,
        help="Drop relations with fewer different pairs of arguments.",
    ),
    click.option(
        "--engine",
        "engine_name",
        default="local",
        show_default=True,
        metavar="NAME",
        help="local, or a Spark master such as spark://HOST:7077 or local[2].",
    ),
    click.option(
        "--workers", type=click.IntRange(1), default=1, show_default=True, help="Processes of the local engine."
    ),
    click.option(
        "--work",
        metavar="DIR",
        help="Where finished parts are kept; the same call goes on from them. [default: beside the output, "
        "removed at the end]",
    ),
    click.option(
        "--on-error",
        type=click.Choice(["fail", "skip"]),
        default="fail",
        show_default=True,
        help="What a malformed line does.",
    ),
    click.option("--json", "as_json", is_flag=True, help="Figures as one JSON document; needs -o."),
)


def table_options(command: Command) -> Command:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@table_options
def extract(files: tuple[str, ...], **options: Any) -> None:
    """Extract assertions from syntactic n-grams in Google's form, as Levy and Dagan (2016) do.

    \b
    Examples:
      tupelo assertions extract extended-biarcs.00-of-99.gz -o assertions.parquet
      tupelo assertions extract syntactic-ngrams/ -o assertions.parquet --workers 8
      tupelo assertions extract ngrams.tsv --min-pairs 1 --on-error skip

    Of a folder, the extended biarcs, triarcs and quadarcs are read; files are read whatever their name.
    """
    from tupelo.infer.assertions.stage import ExtractAssertions
    from tupelo.infer.assertions.steps import is_collection
    from tupelo.io.blocks import partition_files, spool_standard_input
    from tupelo.io.folders import choose_files

    def assertions(engine: Engine, workspace: FolderWorkspace) -> Table:
        names = spool_standard_input(choose_files(files, is_collection), workspace.scratch() + "/standard-input")
        return _run(engine, ExtractAssertions(), partition_files(names), "extracting", options["on_error"])

    _make(assertions, **options)


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@table_options
def aggregate(files: tuple[str, ...], **options: Any) -> None:
    """Add up the assertions of several FILEs and drop rare relations.

    \b
    Example:
      tupelo assertions aggregate biarcs.parquet triarcs.parquet quadarcs.tsv.gz -o all.parquet

    Extract with `--min-pairs 1` what is to be added up later: a relation that is rare in each part may be
    frequent in the whole.
    """
    from tupelo.core.assertion import assertion_schema
    from tupelo.core.stages import Table
    from tupelo.infer.assertions.text import ReadAssertions
    from tupelo.io.assertions import is_parquet, parquet_part
    from tupelo.io.blocks import partition_files, spool_standard_input

    def assertions(engine: Engine, workspace: FolderWorkspace) -> Table:
        ready = tuple(parquet_part(name) for name in files if is_parquet(name))
        texts = [name for name in files if not is_parquet(name)]
        partitions = partition_files(spool_standard_input(texts, workspace.scratch() + "/standard-input"))
        read = _run(engine, ReadAssertions(), partitions, "reading", options["on_error"])
        return Table(assertion_schema(), ready + read.parts)

    _make(assertions, **options)


def _run(engine: Engine, stage: Stage, partitions: Sequence[Partition], title: str, on_error: str) -> Table:
    """The stage over all partitions. Where bad lines are not allowed it runs over the first, the first two, four, …,
    each time going on from what is finished: what is wrong at the start is told after a moment, not at the end.
    """
    from tupelo.infer.assertions.stage import refuse

    done = 0
    with progress(title, len(partitions)) as advance:
        while True:
            end = min(max(2 * done, 1), len(partitions)) if on_error == "fail" else len(partitions)
            found = engine.run(stage, partitions[:end], _beyond(advance, done))
            if on_error == "fail" and found.failures:
                raise refuse(found.failures)
            if end == len(partitions):
                return found
            done = end


def _beyond(advance: Callable[[int], None], known: int) -> Callable[[int], None]:
    """Reports progress without the partitions that an engine finds finished and that were reported before."""
    left = known

    def report(count: int) -> None:
        nonlocal left
        repeated = min(count, left)
        left -= repeated
        advance(count - repeated)

    return report


def _make(
    assertions: Callable[[Engine, FolderWorkspace], Table],
    *,
    output: str,
    min_pairs: int,
    engine_name: str,
    workers: int,
    work: str | None,
    on_error: str,
    as_json: bool,
) -> None:
    from tupelo.infer.assertions.tables import aggregate_assertions
    from tupelo.io.assertions import read_batches, read_rows, write_batches
    from tupelo.io.workspace import open_workspace

    if as_json and output == "-":
        raise click.UsageError(
            "the figures and the assertions cannot both go to standard output; name a file with -o."
        )
    with open_workspace(work, output) as workspace, engine_in(engine_name, workspace, workers) as engine:
        found = assertions(engine, workspace)
        skipped = _complain(found)
        kept, figures = aggregate_assertions(engine, found, min_pairs)
        (row,) = read_rows(figures)
        write_batches(output, read_batches(kept))
    report = {**row, "malformed_lines": skipped}
    if as_json:
        click.echo(json.dumps(report))
    else:
        click.echo(_in_words(report, min_pairs), err=True)


@contextmanager
def engine_in(name: str, workspace: FolderWorkspace, workers: int) -> Iterator[Engine]:
    """The engine of that name, hung up at the end."""
    from tupelo.engine import open_engine
    from tupelo.engine.local import LocalEngine

    local = name == "local"
    engine = LocalEngine(workspace, workers=workers, memory=_MEMORY) if local else open_engine(name, workspace)
    try:
        yield engine
    finally:
        engine.close()


def _complain(found: Table) -> int:
    """Report what was left out; returns the number of lines."""
    from tupelo.infer.assertions.stage import count_malformed, describe_failures

    failures = found.failures
    lines = describe_failures(failures[:_SHOWN])
    for line in lines:
        click.echo(f"skipped {line}", err=True)
    return count_malformed(failures)


def _in_words(report: dict[str, int], min_pairs: int) -> str:
    text = "{assertions:,} assertions with {relations:,} relations, {appearances:,} appearances".format(**report)
    if report["malformed_lines"]:
        text += f"; {report['malformed_lines']:,} malformed line(s) skipped"
    if not report["assertions"] and min_pairs > 1:
        text += f". No relation has {min_pairs} different pairs of arguments; see --min-pairs"
    return text
