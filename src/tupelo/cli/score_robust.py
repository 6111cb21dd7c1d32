"""`tupelo score robust`: the worst sentence of each clique."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

import click

from tupelo.cli.scoring import (
    GOLD_FORMATS,
    Measured,
    fix_option,
    image_type,
    measure,
    print_json,
    quirks_option,
    read_side,
    reading_options,
    report_skipped,
    system_name,
)
from tupelo.io.files import open_output, write_text
from tupelo.score.result import Score
from tupelo.score.tables import Table, percent

_FIGURES = ("precision", "recall", "f1", "auc")


@click.command()
@click.argument("gold")
@click.argument("predictions")
@click.option("--matcher", default="binary-lenient", show_default=True, help="One of CaRB's: `tupelo score carb -h`.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document with full precision.")
@click.option("--table", "table_file", metavar="CSV", help="Write figures of every clique, the largest drop first.")
@click.option("--plot", metavar="PNG", help="Draw how drops and variances are distributed (.png, .svg or .pdf).")
@click.option("--page", metavar="HTML", help="Write a page of the cliques, their sentences, tuples and errors.")
@click.option(
    "--worst", default=100, show_default=True, type=click.IntRange(min=1), help="Cliques on it, largest drops first."
)
@click.option("--min-f1", type=float, metavar="F1", help="Exit with status 1 when F1 is below (0 to 1).")
@click.option("--max-drop", type=float, metavar="F1", help="Exit with status 1 when F1 drops by more (0 to 1).")
@click.option("--strict", is_flag=True, help="Exit with status 1 when lines were skipped.")
@quirks_option
@reading_options
@fix_option
def robust(
    gold: str,
    predictions: str,
    matcher: str,
    as_json: bool,
    table_file: str | None,
    plot: str | None,
    page: str | None,
    worst: int,
    min_f1: float | None,
    max_drop: float | None,
    strict: bool,
    format_name: str,
    gold_format: str | None,
    on_error: str,
    fixes: tuple[str, ...],
) -> None:
    """ROBUST: the worst wording of a fact counts, beside CaRB on the originals.

    \b
    Examples:
      tupelo score robust cliques.json predictions.json --json
      tupelo score robust cliques.json predictions.tsv --format tab --page cliques.html
      tupelo score robust cliques.json predictions.json --fix missing-left-out
    """
    gold_side = read_side(gold, gold_format or GOLD_FORMATS["robust"], on_error)
    options = {"matcher": matcher, "fixes": fixes}
    measured = measure("robust", options, gold_side, predictions, format_name=format_name, on_error=on_error)
    skipped = report_skipped(gold_side, measured.predicted)
    _write_files(measured, predictions, table_file, plot, page, worst)
    score = measured.score
    if as_json:
        print_json({**score.to_json(), **score.details})
    else:
        _print_for_people(score)
    unknown = score.details["predicted_sentences_not_in_gold"]
    if unknown:
        click.echo(f"{unknown:,} predicted sentences are not in the gold cliques and do not count", err=True)
    failures = []
    if min_f1 is not None and score.f1 < min_f1:
        failures.append(f"F1 {score.f1:.4f} is below {min_f1}")
    if max_drop is not None and score.details["delta"]["f1"] > max_drop:
        failures.append(f"F1 drops by {score.details['delta']['f1']:.4f}, more than {max_drop}")
    for failure in failures:
        click.echo(failure, err=True)
    if failures or (strict and skipped):
        raise SystemExit(1)


def _write_files(
    measured: Measured, predictions: str, table_file: str | None, plot: str | None, page: str | None, worst: int
) -> None:
    from tupelo.score.robust import RobustEvaluation

    evaluation = measured.evaluation
    assert isinstance(evaluation, RobustEvaluation)
    name = system_name(predictions)
    if table_file:
        from tupelo.score.robust_report import clique_rows

        write_text(table_file, clique_rows(evaluation.cliques))
    if plot:
        from tupelo.score.robust_plots import draw_distributions

        drawn = draw_distributions({name: evaluation.cliques}, image_type(plot))
        with open_output(plot) as stream:
            stream.write(drawn)
    if page:
        from tupelo.score.robust_report import clique_page

        title = f"{name} on the cliques of {PurePath(measured.gold.name).name}"
        write_text(page, clique_page(title, measured.score, evaluation.cliques, worst))


def _print_for_people(score: Score) -> None:
    details: dict[str, Any] = dict(score.details)
    rows = [
        (title, *(percent(details[line][figure]) for figure in _FIGURES))
        for title, line in (("CaRB (originals)", "carb"), ("ROBUST (worst)", "robust"), ("drop", "delta"))
    ]
    counts = f"{details['cliques']:,} cliques, {details['sentences']:,} sentences"
    if details["sentences_left_out"]:
        counts += f"; {details['sentences_left_out']:,} sentences without predictions left out"
    notes = (f"{counts}; mean variance of F1 {details['mean_variance_of_f1']:.4f}", score.signature)
    click.echo(Table(("", "P", "R", "F1", "AUC"), tuple(rows), notes).text(), nl=False)
