"""`tupelo infer`: does one statement follow from another?"""

from __future__ import annotations

import click

from tupelo.api import inference
from tupelo.cli.groups import listing
from tupelo.cli.options import INPUT, NUMBER, json_option, output_option, print_json, warn
from tupelo.cli.progress import progress_bar


@click.command(cls=listing("Methods", inference.METHODS))
@click.argument("premise", required=False)
@click.argument("hypothesis", required=False)
@click.option("--method", default=inference.DEFAULT, show_default=True, help="How to judge (see below).")
@click.option(
    "--pairs",
    type=INPUT,
    metavar="FILE",
    help="Score a file of pairs, `hypothesis<TAB>premise[<TAB>label]` each: sentences or triples.",
)
@output_option("Where the scores of --pairs go. [default: standard output]")
@click.option("--explain", is_flag=True, help="Give the reasons.")
@click.option("--vectors", type=INPUT, metavar="FILE", help="Vectors of relations, for `embedding`.")
@click.option(
    "--assertions", type=INPUT, metavar="FILE", help="Assertions to count arguments in, for `inclusion` and `binc`."
)
@click.option("--min-score", type=NUMBER, help="Exit with status 1 when the premise scores below.")
@json_option()
def infer(
    premise: str | None,
    hypothesis: str | None,
    method: str,
    pairs: str | None,
    output: str,
    explain: bool,
    vectors: str | None,
    assertions: str | None,
    min_score: float | None,
    as_json: bool,
) -> None:
    """Score how strongly PREMISE entails HYPOTHESIS, and the reverse.

    The two statements are sentences about the same things, or triples: parts
    separated by commas. Methods other than `learned` and `support` take the
    words that two sentences share as their arguments.

    \b
    Examples:
      tupelo infer "Ann defeated Bo." "Bo lost to Ann."
      tupelo infer "aspirin, relieves, pain" "pain, is treated with, aspirin" --explain
      tupelo infer --pairs dev_s.txt -o scores.tsv
    """
    chosen = inference.open_method(method, vectors=vectors, assertions=assertions)
    if pairs is not None:
        if premise is not None:
            raise click.UsageError("either two statements or --pairs, not both")
        with progress_bar() as progress:
            found = inference.infer(pairs, chosen, reverse=False, progress=progress)
        inference.write_scores(found, output)
        return
    if premise is None or hypothesis is None:
        raise click.UsageError("two statements are needed, or --pairs FILE")
    (answer,) = inference.infer([(premise, hypothesis)], chosen, explain=explain)
    if as_json:
        print_json(answer.to_dict())
    else:
        click.echo(answer)
    if min_score is not None and answer.score < min_score:
        warn(f"score {answer.score:.4f} is below {min_score}")
        raise SystemExit(1)
