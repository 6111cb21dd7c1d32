"""`tupelo compare`: is one system really better than another?"""

from __future__ import annotations

from typing import Any

import click

from tupelo.cli.progress import progress
from tupelo.cli.scoring import (
    GOLD_FORMATS,
    chosen_options,
    measure,
    metric_options,
    print_json,
    read_side,
    reading_options,
    report_skipped,
    system_name,
)
from tupelo.core import InputError
from tupelo.io.tuples import AUTO
from tupelo.score.resample import Comparison, compare_systems
from tupelo.score.tables import Table


@click.command()
@click.argument("scorer", type=click.Choice(list(GOLD_FORMATS)))
@click.argument("gold")
@click.argument("predictions", nargs=-1, required=True)
@click.option("--samples", default=1000, show_default=True, type=click.IntRange(min=1), help="Resampled corpora.")
@click.option("--seed", default=12345, show_default=True, help="Same seed, same result.")
@click.option("--figure", type=click.Choice(["f1", "auc", "precision", "recall"]), help="Show one figure only.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document with full precision.")
@metric_options
@reading_options
def compare(
    scorer: str,
    gold: str,
    predictions: tuple[str, ...],
    samples: int,
    seed: int,
    figure: str | None,
    as_json: bool,
    format_name: str,
    gold_format: str | None,
    on_error: str,
    **metric: Any,
) -> None:
    """Paired bootstrap: is B really better than A?

    The first file of predictions is the baseline; every other one is compared
    with it on the same resampled sentences. Prints 95 % intervals, differences
    and two-sided p-values (Holm-corrected when there are several). A file may
    carry its format: `openie5:predictions.txt`.

    \b
    Example:
      tupelo compare carb gold.tsv baseline.tsv ours.tsv
    """
    if len(predictions) < 2:
        raise InputError("one file of predictions, expected two or more to compare")
    gold_side = read_side(gold, gold_format or GOLD_FORMATS[scorer], on_error)
    options = chosen_options(scorer, **metric)
    measured = []
    for item in predictions:
        path, chosen_format = split_format(item, format_name)
        measured.append(measure(scorer, options, gold_side, path, format_name=chosen_format, on_error=on_error))
    report_skipped(gold_side, *(item.predicted for item in measured))
    names = unique_names([item.predicted.name for item in measured])
    with progress("resampling", total=samples) as advance:
        comparisons = compare_systems(
            names, [item.evaluation for item in measured], samples=samples, seed=seed, advance=advance
        )
    signatures = [f"{item.score.signature}|samples:{samples}|seed:{seed}" for item in measured]
    if as_json:
        print_json(
            {"scorer": scorer, "systems": [to_json(c, s) for c, s in zip(comparisons, signatures, strict=True)]}
        )
    else:
        click.echo(comparison_table(comparisons, figure, tuple(signatures)).text(), nl=False)


def split_format(item: str, default: str) -> tuple[str, str]:
    """`FORMAT:PATH`, where the part before the colon is a known format; anything else is a path."""
    from tupelo.io.formats import FORMATS

    name, colon, path = item.partition(":")
    return (path, name) if colon and path and (name in FORMATS or name == AUTO) else (item, default)


def unique_names(paths: list[str]) -> list[str]:
    """Short names of systems; the whole path where two would be the same."""
    names = [system_name(path) for path in paths]
    return [path if names.count(name) > 1 else name for name, path in zip(names, paths, strict=True)]


def comparison_table(comparisons: list[Comparison], figure: str | None, notes: tuple[str, ...]) -> Table:
    rows = []
    for name in [figure] if figure else list(comparisons[0].estimates):
        if name not in comparisons[0].estimates:
            raise InputError(f"this scorer has no {name}")
        for item in comparisons:
            estimate, difference = item.estimates[name], item.differences.get(name)
            interval = f"{100 * estimate.value:.1f} [{100 * estimate.low:.1f}, {100 * estimate.high:.1f}]"
            change = p_value = ""
            if difference:
                change = f"{100 * difference.value:+.1f} [{100 * difference.low:+.1f}, {100 * difference.high:+.1f}]"
                p_value = f"{difference.p_value:.4f}"
            rows.append((item.system, name, interval, change, p_value))
    return Table(("system", "figure", "95 % interval", "against the first", "p"), tuple(rows), notes)


def to_json(comparison: Comparison, signature: str) -> dict[str, object]:
    return {
        "system": comparison.system,
        "signature": signature,
        **{
            name: {"value": estimate.value, "low": estimate.low, "high": estimate.high}
            for name, estimate in comparison.estimates.items()
        },
        "against_first": {
            name: {"value": gap.value, "low": gap.low, "high": gap.high, "p": gap.p_value}
            for name, gap in comparison.differences.items()
        },
    }
