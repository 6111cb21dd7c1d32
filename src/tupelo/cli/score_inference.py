"""`tupelo score inference`: scores of pairs against judgements."""

from __future__ import annotations

import click

from tupelo.cli.scoring import image_type, print_json, system_name
from tupelo.core.entailment import EntailmentPair
from tupelo.io.files import InputFile, open_output, write_text
from tupelo.io.levyholt import match_scores, read_pairs, read_scores
from tupelo.score.inference import Inference
from tupelo.score.result import Score
from tupelo.score.signature import file_mark, signature


@click.command()
@click.argument("pairs")
@click.argument("scores")
@click.option("--json", "as_json", is_flag=True, help="One JSON document with full precision.")
@click.option("--curve", metavar="CSV", help="Write the precision-recall curve.")
@click.option("--plot", metavar="PNG", help="Draw the curve (.png, .svg or .pdf).")
@click.option("--min-f1", type=float, metavar="F1", help="Exit with status 1 when F1 is below (0 to 1).")
def inference(
    pairs: str, scores: str, as_json: bool, curve: str | None, plot: str | None, min_f1: float | None
) -> None:
    """Relation inference: precision-recall over pairs of triples.

    PAIRS is a Levy/Holt file (`hypothesis<TAB>premise<TAB>True|False`), SCORES has a line for each of its
    lines, with the score after the last tab.

    \b
    Example:
      tupelo score inference dev_s.txt scores.tsv --json
    """
    result = _measure(pairs, scores)
    if curve:
        rows = [f"{p!r},{r!r},{'' if t is None else repr(t)}\n" for p, r, t in result.curve]
        write_text(curve, "precision,recall,threshold\n" + "".join(rows))
    if plot:
        from tupelo.score.plots import draw_curves

        with open_output(plot) as stream:
            stream.write(draw_curves({system_name(scores): result}, image_type(plot), result.scorer))
    if as_json:
        document = result.to_json()
        # The signature stays last.
        print_json(
            {
                **{name: document[name] for name in document if name != "signature"},
                **result.details,
                "signature": result.signature,
            }
        )
    else:
        _print_for_people(result)
    if min_f1 is not None and result.f1 < min_f1:
        click.echo(f"F1 {result.f1:.4f} is below {min_f1}", err=True)
        raise SystemExit(1)


def _measure(pairs: str, scores: str) -> Score:
    with InputFile(pairs) as file:
        judged: list[EntailmentPair] = list(read_pairs(file.lines(), judged=True))
        gold = file_mark(file.name, file.finish())
    with InputFile(scores) as file:
        values = match_scores(judged, read_scores(file.lines()), file.name)
        predicted = file_mark(file.name, file.finish())
    metric = Inference()
    return (
        metric.evaluate(judged, values)
        .score()
        .signed(signature(metric.name, metric.options(), {"gold": gold, "pred": predicted}))
    )


def _print_for_people(result: Score) -> None:
    details = result.details
    click.echo(
        f"P {100 * result.precision:.1f}  R {100 * result.recall:.1f}  F1 {100 * result.f1:.1f}  "
        f"AUC {100 * (result.auc or 0):.1f}  AUC where P >= 0.5 {100 * details['auc_p50']:.1f}   "
        f"({details['pairs']:,} pairs, {result.gold:,} entailed)"
    )
    if details["directional_accuracy"] is not None:
        click.echo(
            f"directional: accuracy {100 * details['directional_accuracy']:.1f}  "
            f"AUC {100 * details['directional_auc']:.1f}   ({details['directional_pairs']:,} couples)"
        )
    click.echo(result.signature)
