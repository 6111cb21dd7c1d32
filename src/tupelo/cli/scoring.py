"""What the scoring commands share: reading both sides, building the yardstick, signing the score."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, TypeVar

import click

from tupelo.cli.progress import count, progress
from tupelo.core import FormatError, InputError, Record
from tupelo.io.formats import Format
from tupelo.io.tuples import AUTO, open_records
from tupelo.score import METRICS
from tupelo.score.metric import Evaluation, Metric
from tupelo.score.result import Score
from tupelo.score.signature import file_mark, signature

Command = TypeVar("Command", bound=Callable[..., Any])

# The format of each yardstick's own gold files.
GOLD_FORMATS = {
    "carb": "carb",
    "oie2016": "oie2016-orig",
    "wire57": "wire57-gold",
    "benchie": "benchie-gold",
    "robust": "robust",
}

_FILE_ENDINGS = {".gz", ".txt", ".tsv", ".tab", ".json", ".jsonl", ".parquet", ".out", ".dev", ".test"}


@dataclass(slots=True)
class Side:
    """What a file of tuples gave. `records` is `None` where they were not kept."""

    name: str
    format: Format
    records: list[Record] | None
    checksum: str
    skipped: list[FormatError] = field(default_factory=list)

    @property
    def kept_records(self) -> list[Record]:
        assert self.records is not None, "the records of this side were not kept"
        return self.records


@dataclass(slots=True)
class Measured:
    """A system measured against a gold standard."""

    score: Score
    evaluation: Evaluation
    gold: Side
    predicted: Side


def read_side(name: str, format_name: str, on_error: str = "raise") -> Side:
    """Read a whole file of tuples; `on_error="skip"` keeps a list of faulty lines instead of stopping."""
    with open_side(name, format_name, on_error) as (side, records):
        side.records = list(records)
    return side


@contextmanager
def open_side(name: str, format_name: str, on_error: str = "raise") -> Iterator[tuple[Side, Iterator[Record]]]:
    """A file of tuples, and its records as they are read. The checksum is known when the block ends."""
    skipped: list[FormatError] = []
    with open_records(name, format_name, skipped.append if on_error == "skip" else None) as stream:
        side = Side(stream.name, stream.format, None, "", skipped)
        with progress(f"reading {side.name}") as advance:
            yield side, count(stream.records, advance)
        side.checksum = stream.checksum()


def measure(
    metric_name: str,
    options: Mapping[str, Any],
    gold: Side,
    predictions: str,
    *,
    format_name: str = AUTO,
    on_error: str = "raise",
    keep_records: bool = False,
) -> Measured:
    """Score one system's file as it is read; signed with everything that can change the figures."""
    with open_side(predictions, format_name, on_error) as (side, records):
        if keep_records:
            side.records = list(records)
            records = iter(side.records)
        metric = build_metric(metric_name, options, side.format)
        evaluation = metric.evaluate(gold.kept_records, records)
    score = evaluation.score()
    assert isinstance(score, Score)
    return Measured(score.signed(sign(metric, gold, side)), evaluation, gold, side)


def sign(metric: Metric, gold: Side, predicted: Side) -> str:
    """The signature of a score: data with checksums, options, version."""
    data = {
        "gold": file_mark(gold.name, gold.checksum),
        "pred": file_mark(predicted.name, predicted.checksum),
        "format": predicted.format.name,
    }
    if gold.format.name != GOLD_FORMATS[metric.name]:
        data["gold-format"] = gold.format.name
    for side_name, side in (("gold", gold), ("pred", predicted)):
        if side.skipped:
            data[f"{side_name}-skipped"] = str(len(side.skipped))
    return signature(metric.name, metric.options(), data)


def build_metric(name: str, options: Mapping[str, Any], predicted_format: Format) -> Metric:
    chosen = dict(options)
    if name == "oie2016" and predicted_format.log_confidence:
        # The original brings the log values of these systems to 0…1 before it scores them.
        chosen.setdefault("normalize_confidence", True)
    return METRICS.get(name)(**chosen)


def report_skipped(*sides: Side) -> int:
    """Name the lines that were left out; returns how many."""
    for side in sides:
        for error in side.skipped:
            click.echo(f"skipped {error}", err=True)
    return sum(len(side.skipped) for side in sides)


def system_name(path: str) -> str:
    """A readable name for the system behind a file: `openie4_output.txt.gz` is `openie4`."""
    stem = PurePath(path).name
    while PurePath(stem).suffix in {
        ".gz",
        ".txt",
        ".tsv",
        ".tab",
        ".json",
        ".jsonl",
        ".parquet",
        ".out",
        ".dev",
        ".test",
    }:
        stem = PurePath(stem).stem
    for ending in ("_output", "_tabbed", "_explicit", ".output"):
        stem = stem.removesuffix(ending)
    return stem or path


def image_type(path: str) -> str:
    """The kind of picture that a file name asks for."""
    return PurePath(path).suffix.lstrip(".").lower()


def print_json(document: Any) -> None:
    """One machine-readable document on standard output."""
    click.echo(json.dumps(document, ensure_ascii=False, indent=2))


def metric_options(command: Command) -> Command:
    """The options of all scorers, for commands that take any scorer; see `chosen_options`."""
    for option in reversed(
        [
            click.option("--matcher", help="How two tuples are compared. [default: the scorer's own]"),
            click.option("--binary", is_flag=True, default=None, help="carb: split tuples with over two arguments."),
            click.option("--single-match", is_flag=True, default=None, help="carb: one-to-one recall too."),
            click.option("--mode", type=click.Choice(["full", "minimal"]), help="benchie: optional words in or out."),
        ]
    ):
        command = option(command)
    return fix_option(command)


def chosen_options(scorer: str, **given: Any) -> dict[str, Any]:
    """The options that were given, checked against what the scorer takes."""
    known = inspect.signature(METRICS.get(scorer)).parameters
    chosen = {name: value for name, value in given.items() if value is not None}
    for name in chosen:
        if name not in known:
            raise InputError(f"{scorer} has no option --{name.replace('_', '-')}")
    return chosen


def fix_option(command: Command) -> Command:
    return click.option(
        "--fix",
        "fixes",
        multiple=True,
        metavar="QUIRK",
        help="Correct a defect of the original program; repeat, or 'all'. `--list-quirks` names them.",
    )(command)


def quirks_option(command: Command) -> Command:
    return click.option(
        "--list-quirks",
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_list_quirks,
        help="Name the defects of the original program that --fix can correct, and exit.",
    )(command)


def _list_quirks(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        for name, explanation in METRICS.get(context.info_name or "").quirks.items():
            click.echo(f"{name}: {explanation}")
        context.exit()


def reading_options(command: Command) -> Command:
    """Options of every command that reads a gold file and predictions."""
    command = click.option(
        "--on-error",
        type=click.Choice(["raise", "skip"]),
        default="raise",
        show_default=True,
        help="What to do with a faulty line: stop, or skip it and list it on standard error.",
    )(command)
    command = click.option(
        "--gold-format", default=None, metavar="FMT", help="Format of the gold file. [default: that of the scorer]"
    )(command)
    return click.option(
        "--format",
        "format_name",
        default=AUTO,
        show_default=True,
        metavar="FMT",
        help="Format of the predictions; `tupelo formats` lists them.",
    )(command)
