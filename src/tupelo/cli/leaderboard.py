"""`tupelo leaderboard`: one table for a folder of system outputs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from tupelo.cli.compare import split_format, unique_names
from tupelo.cli.scoring import (
    GOLD_FORMATS,
    Side,
    build_metric,
    chosen_options,
    image_type,
    metric_options,
    print_json,
    read_side,
    reading_options,
    report_skipped,
    sign,
)
from tupelo.core import Extraction, InputError, Record
from tupelo.io.files import open_output, write_text
from tupelo.io.folders import list_files
from tupelo.score.result import Score
from tupelo.score.tables import leaderboard_table

SORT_KEYS = ["f1", "auc", "precision", "recall", "name"]


@click.command()
@click.argument("scorer", type=click.Choice(list(GOLD_FORMATS)))
@click.argument("gold")
@click.argument("predictions", nargs=-1, required=True)
@click.option(
    "--sort", type=click.Choice(["f1", "auc", "precision", "recall", "name"]), default="f1", show_default=True
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document with full precision.")
@click.option("--markdown", metavar="FILE", help="Write the table as Markdown ('-' for standard output).")
@click.option("--html", metavar="FILE", help="Write the table as a web page.")
@click.option("--plot", metavar="PNG", help="Draw all curves in one figure (.png, .svg or .pdf).")
@metric_options
@reading_options
def leaderboard(
    scorer: str,
    gold: str,
    predictions: tuple[str, ...],
    sort: str,
    as_json: bool,
    markdown: str | None,
    html: str | None,
    plot: str | None,
    format_name: str,
    gold_format: str | None,
    on_error: str,
    **metric: Any,
) -> None:
    """Score every file of a folder (or several files) and rank the systems.

    The format of each file is told by its content; `FORMAT:PATH` names one. A
    file with the output of several systems gives a row for each.

    \b
    Examples:
      tupelo leaderboard carb gold.tsv system_outputs/
      tupelo leaderboard carb gold.tsv a.tsv openie5:b.txt --markdown table.md --plot curves.png
    """
    gold_side = read_side(gold, gold_format or GOLD_FORMATS[scorer], on_error)
    options = chosen_options(scorer, **metric)
    scores: dict[str, Score] = {}
    for name, (path, chosen) in _named_files(predictions, format_name).items():
        side = read_side(path, chosen, on_error)
        report_skipped(side)
        for system, records in _by_system(name, side.kept_records).items():
            scores[system] = _score(scorer, options, gold_side, side, records)
    report_skipped(gold_side)
    ranked = _sorted(scores, sort)
    if plot:
        from tupelo.score.plots import draw_curves

        with open_output(plot) as stream:
            stream.write(draw_curves(ranked, image_type(plot), scorer))
    table = leaderboard_table(ranked)
    if markdown:
        write_text(markdown, table.markdown())
    if html:
        write_text(html, table.html(f"{scorer} leaderboard"))
    if as_json:
        print_json([{"system": name, **score.to_json()} for name, score in ranked.items()])
    elif markdown != "-" and html != "-":
        click.echo(table.text(), nl=False)


def _named_files(predictions: tuple[str, ...], format_name: str) -> dict[str, tuple[str, str]]:
    files = []
    for item in predictions:
        path, chosen = split_format(item, format_name)
        files += [(found, chosen) for found in list_files(path)]
    if not files:
        raise InputError(f"{', '.join(predictions)}: no files, expected at least one system output")
    return dict(zip(unique_names([path for path, _ in files]), files, strict=True))


def _by_system(name: str, records: list[Record]) -> dict[str, list[Record]]:
    """Split a file that several extractors filled; bare sentences belong to all of them."""
    systems = list(dict.fromkeys(r.extractor for r in records if isinstance(r, Extraction) and r.extractor))
    if len(systems) < 2:
        return {name: records}
    return {
        system: [r for r in records if not isinstance(r, Extraction) or r.extractor == system] for system in systems
    }


def _score(scorer: str, options: Mapping[str, Any], gold: Side, side: Side, records: list[Record]) -> Score:
    metric = build_metric(scorer, options, side.format)
    score = metric.evaluate(gold.kept_records, records).score()
    assert isinstance(score, Score)
    return score.signed(sign(metric, gold, side))


def _sorted(scores: dict[str, Score], key: str) -> dict[str, Score]:
    if key == "name":
        return dict(sorted(scores.items()))
    return dict(sorted(scores.items(), key=lambda item: (-(getattr(item[1], key) or 0.0), item[0])))
