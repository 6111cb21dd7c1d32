"""`tupelo infer`: entailment between statements."""

from __future__ import annotations

from typing import Annotated, Any

import click

from tupelo.api import inference
from tupelo.cli.groups import listing
from tupelo.cli.options import Json, print_result, warn
from tupelo.cli.signature import Run, command
from tupelo.core.parameters import Input, Output, Spelled


@command(inference.infer, cls=listing("Methods", inference.METHODS))
def infer(
    run: Run[Any],
    premise: Annotated[str | None, Spelled.of("[PREMISE]")] = None,
    hypothesis: Annotated[str | None, Spelled.of("[HYPOTHESIS]")] = None,
    pairs: Annotated[Input | None, Spelled.of("FILE"), "Score a file of pairs, sentences or triples."] = None,
    format: inference.PairFormat = "pairs",
    output: Annotated[Output, "Where the scores of --pairs go. [default: standard output]"] = "-",
    min_score: Annotated[float | None, "Exit with status 1 when the premise scores below."] = None,
    as_json: Json = False,
) -> None:
    """Score how strongly PREMISE entails HYPOTHESIS, and the reverse.

    The two statements are sentences about the same things, or triples: parts separated by commas. Methods other than
    `learned` and `support` take the words that two sentences share as their arguments.

    \b
    Examples:
      tupelo infer "Ann defeated Bo." "Bo lost to Ann."
      tupelo infer "aspirin, relieves, pain" "pain, is treated with, aspirin" --explain
      tupelo infer --pairs pairs.tsv -o scores.tsv
      tupelo infer --pairs dev_s.txt --format levy-holt -o scores.tsv
    """
    if pairs is not None:
        if premise is not None:
            raise click.UsageError("either two statements or --pairs, not both")
        inference.write_scores(run(pairs=[pairs], reverse=False, explain=False), output, format=format)
        return
    if premise is None or hypothesis is None:
        raise click.UsageError("two statements are needed, or --pairs FILE")
    (answer,) = run(pairs=[premise, hypothesis])
    print_result(answer, as_json)
    if min_score is not None and answer.score < min_score:
        warn(f"score {answer.score:.4f} is below {min_score}")
        raise SystemExit(1)
