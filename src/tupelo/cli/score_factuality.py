"""`tupelo score factuality`: do scores of factual accuracy agree with people?"""

from __future__ import annotations

from dataclasses import asdict

import click

from tupelo.cli.scoring import print_json
from tupelo.io.judgements import FORMATS, read_judgements, read_scores
from tupelo.score.factuality import Correlation, agreement
from tupelo.score.signature import file_mark, signature


@click.command()
@click.argument("judgements")
@click.argument("scores")
@click.option("--format", "format_name", default="pairs", show_default=True, type=click.Choice(sorted(FORMATS)))
@click.option("--threshold", type=float, help="Texts with this score or more count as faithful. [default: the best]")
@click.option("--unscored", type=float, help="The score of texts that got none. [default: they are left out]")
@click.option("--samples", default=1000, show_default=True, type=click.IntRange(min=1), help="For the intervals.")
@click.option("--seed", default=12345, show_default=True, type=int)
@click.option("--json", "as_json", is_flag=True, help="One JSON document with full precision.")
def factuality(
    judgements: str,
    scores: str,
    format_name: str,
    threshold: float | None,
    unscored: float | None,
    samples: int,
    seed: int,
    as_json: bool,
) -> None:
    """Factual accuracy: correlation with human judgements, balanced accuracy.

    SCORES holds one text a line, `{"id": "7", "score": 0.5}` or `id<TAB>score`; ids are those of the format (QAGS:
    the line, from 0).

    \b
    Examples:
      tupelo score factuality mturk_cnndm.jsonl scores.jsonl --format qags
      tupelo score factuality pairs.jsonl scores.tsv --threshold 0.5 --json
    """
    texts, judged_sum = read_judgements(judgements, format_name)
    given, scores_sum = read_scores(scores)
    found = agreement(texts, given, threshold=threshold, unscored=unscored, samples=samples, seed=seed)
    data = {"gold": file_mark(judgements, judged_sum), "pred": file_mark(scores, scores_sum), "format": format_name}
    options = {
        "threshold": "best" if threshold is None else threshold,
        "unscored": "left-out" if unscored is None else unscored,
        "samples": samples,
        "seed": seed,
    }
    signed = signature("factuality", options, data)
    if as_json:
        pearson, spearman = asdict(found.pearson), asdict(found.spearman)
        print_json(
            {
                "scorer": "factuality",
                "pearson": pearson.pop("value"),
                "pearson_interval": list(pearson.values()),
                "spearman": spearman.pop("value"),
                "spearman_interval": list(spearman.values()),
                "n": found.n,
                "left_out": found.left_out,
                "balanced_accuracy": found.balanced_accuracy,
                "threshold": found.threshold,
                "recall_by_error": dict(found.recall_by_error),
                "signature": signed,
            }
        )
        return
    left_out = f", {found.left_out} without a score left out" if found.left_out else ""
    click.echo(f"Pearson {_shown(found.pearson)}  Spearman {_shown(found.spearman)}   ({found.n} texts{left_out})")
    if found.balanced_accuracy is not None:
        click.echo(f"balanced accuracy {100 * found.balanced_accuracy:.1f} at {found.threshold:.4g}")
    for name, share in found.recall_by_error.items():
        click.echo(f"  {name}: {100 * share:.1f} called unfaithful")
    click.echo(signed)


def _shown(correlation: Correlation) -> str:
    if correlation.value is None:
        return "–"
    return f"{correlation.value:.3f} [{correlation.low:.3f}, {correlation.high:.3f}]"
