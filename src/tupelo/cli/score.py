"""`tupelo score`: one system against one gold standard."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from tupelo.cli.score_clusters import clusters
from tupelo.cli.score_factuality import factuality
from tupelo.cli.score_inference import inference
from tupelo.cli.score_robust import robust
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

Command = TypeVar("Command", bound=Callable[..., Any])
AT_LEAST_ONE = click.IntRange(min=1)


@click.group()
def score() -> None:
    """Score a system's tuples against a gold standard.

    \b
    Examples:
      tupelo score carb gold.tsv openie5_output.txt --format openie5
      tupelo score carb gold.tsv predictions.tsv --json
      tupelo score carb gold.tsv predictions.tsv --errors worst.html --plot curve.png
    """


def _output_options(command: Command) -> Command:
    for option in reversed(
        [
            click.option("--json", "as_json", is_flag=True, help="One JSON document with full precision."),
            click.option("--details", is_flag=True, help="Also what only this scorer counts."),
            click.option("--curve", metavar="CSV", help="Write the precision-recall curve."),
            click.option("--plot", metavar="PNG", help="Draw the curve (.png, .svg or .pdf)."),
            click.option("--errors", metavar="HTML", help="Write a page of the worst sentences and their errors."),
            click.option("--worst", default=100, show_default=True, type=AT_LEAST_ONE, help="Sentences on it."),
            click.option("--min-f1", type=float, metavar="F1", help="Exit with status 1 when F1 is below (0 to 1)."),
            click.option("--strict", is_flag=True, help="Exit with status 1 when lines were skipped."),
        ]
    ):
        command = option(command)
    return fix_option(reading_options(quirks_option(command)))


@score.command()
@click.argument("gold")
@click.argument("predictions")
@click.option(
    "--matcher", default="binary-lenient", show_default=True, help="How two tuples are compared (see below)."
)
@click.option("--binary", is_flag=True, help="Split tuples with three or more arguments, as the original does.")
@click.option(
    "--single-match", is_flag=True, help="A prediction serves one gold tuple for recall too (OpenIE6's rule)."
)
@_output_options
def carb(
    gold: str, predictions: str, matcher: str, binary: bool, single_match: bool, fixes: tuple[str, ...], **common: Any
) -> None:
    """CaRB: crowdsourced benchmark, token-level match, best F1 and AUC.

    \b
    Example:
      tupelo score carb dev.tsv openie5_output.txt --format openie5
    \b
    Matchers, with the flag of the original script:
      binary-lenient   (default)       word overlap where the relations share a word
      lenient          -               the same, argument by argument
      slots            --simpleMatch   word overlap slot by slot, no condition
      strict           --strictMatch   relation, arg1 and arg2 must each share a word
      binary-strict    --binaryMatch   the same, arguments after the first as one
      predicate        --predMatch     equal relations, stop words aside
      word-pairs       --lexicalMatch  pairs of equal words exceed half the gold words
      character-pairs  --exactMatch    pairs of equal characters exceed half (not exact!)
      exact            -               relation and arguments are equal
    """
    options = {"matcher": matcher, "binary": binary, "single_match": single_match, "fixes": fixes}
    _score("carb", options, gold, predictions, **common)


@score.command()
@click.argument("gold")
@click.argument("predictions")
@click.option("--matcher", default="word-pairs", show_default=True, help="word-pairs, predicate or character-pairs.")
@_output_options
def oie2016(gold: str, predictions: str, matcher: str, fixes: tuple[str, ...], **common: Any) -> None:
    """OIE2016: the 2016 benchmark, lexical match, AUC.

    \b
    Example:
      tupelo score oie2016 dev.oie.orig openie4_tabbed.txt --format tab
    """
    _score("oie2016", {"matcher": matcher, "fixes": fixes}, gold, predictions, **common)


@score.command()
@click.argument("gold")
@click.argument("predictions")
@click.option("--system", help="Which system, when the file of predictions holds several.")
@_output_options
def wire57(gold: str, predictions: str, system: str | None, fixes: tuple[str, ...], **common: Any) -> None:
    """WiRe57: fine-grained reference, token-level match one to one.

    \b
    Example:
      tupelo score wire57 WiRe57_343-manual-oie.json extractions.json --system minie
    """
    _score("wire57", {"system": system, "fixes": fixes}, gold, predictions, **common)


@score.command()
@click.argument("gold")
@click.argument("predictions")
@click.option(
    "--matcher",
    type=click.Choice(["slot", "lexical"]),
    default="slot",
    show_default=True,
    help="Equal slot by slot, or as one string.",
)
@click.option(
    "--mode",
    type=click.Choice(["full", "minimal"]),
    default="full",
    show_default=True,
    help="All acceptable wordings, or only those without optional words.",
)
@_output_options
def benchie(gold: str, predictions: str, matcher: str, mode: str, fixes: tuple[str, ...], **common: Any) -> None:
    """BenchIE: fact clusters, exact match of acceptable wordings.

    \b
    Example:
      tupelo score benchie gold_annotations_en.txt clausie_explicit.txt
    """
    _score("benchie", {"matcher": matcher, "mode": mode, "fixes": fixes}, gold, predictions, **common)


def _score(
    name: str,
    options: Mapping[str, Any],
    gold: str,
    predictions: str,
    *,
    format_name: str,
    gold_format: str | None,
    on_error: str,
    as_json: bool,
    details: bool,
    curve: str | None,
    plot: str | None,
    errors: str | None,
    worst: int,
    min_f1: float | None,
    strict: bool,
) -> None:
    gold_side = read_side(gold, gold_format or GOLD_FORMATS[name], on_error)
    measured = measure(
        name,
        options,
        gold_side,
        predictions,
        format_name=format_name,
        on_error=on_error,
        keep_records=errors is not None,
    )
    skipped = report_skipped(gold_side, measured.predicted)
    _write_files(measured, predictions, curve, plot, errors, worst)
    if as_json:
        print_json(measured.score.to_json() | ({"details": dict(measured.score.details)} if details else {}))
    else:
        _print_for_people(measured, details)
    failed = min_f1 is not None and measured.score.f1 < min_f1
    if failed:
        click.echo(f"F1 {measured.score.f1:.4f} is below {min_f1}", err=True)
    if failed or (strict and skipped):
        raise SystemExit(1)


def _write_files(
    measured: Measured, predictions: str, curve: str | None, plot: str | None, errors: str | None, worst: int
) -> None:
    score = measured.score
    if curve:
        rows = [f"{p!r},{r!r},{'' if t is None else repr(t)}\n" for p, r, t in score.curve]
        write_text(curve, "precision,recall,threshold\n" + "".join(rows))
    if plot:
        from tupelo.score.plots import draw_curves

        with open_output(plot) as stream:
            stream.write(draw_curves({system_name(predictions): score}, image_type(plot), score.scorer))
    if errors:
        from tupelo.score.error_page import error_page
        from tupelo.score.errors import analyse_errors

        reports = analyse_errors(measured.gold.kept_records, measured.predicted.kept_records, score.threshold)
        title = f"{system_name(predictions)} against {measured.gold.name}"
        write_text(errors, error_page(title, score, reports, worst))


def _print_for_people(measured: Measured, details: bool) -> None:
    score = measured.score
    figures = f"P {100 * score.precision:.1f}  R {100 * score.recall:.1f}  F1 {100 * score.f1:.1f}"
    if score.auc is not None:
        figures += f"  AUC {100 * score.auc:.1f}"
    counts = f"{score.predicted:,} predicted, {score.gold:,} gold"
    if score.threshold is not None:
        counts = f"best at confidence {score.threshold:.4g}; {counts}"
    click.echo(f"{figures}   ({counts})\n{score.signature}")
    if details:
        for name, value in score.details.items():
            click.echo(f"{name}: {value}")


score.add_command(clusters)
score.add_command(factuality)
score.add_command(inference)
score.add_command(robust)
