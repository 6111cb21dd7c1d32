"""`tupelo infer`: does one statement follow from another?"""

from __future__ import annotations

import click

from tupelo.cli.options import print_json
from tupelo.cli.progress import progress
from tupelo.core import InputError
from tupelo.core.entailment import EntailmentPair
from tupelo.core.extraction import Triple
from tupelo.infer.methods import DEFAULT, METHODS, TITLES, EntailmentMethod
from tupelo.infer.resources import Resources
from tupelo.infer.statements import read_statements
from tupelo.io.files import InputFile, open_output
from tupelo.io.levyholt import read_pairs, write_scores

_METHOD_LINES = "\n".join(f"  {name:<10} {title}" for name, title in TITLES.items())


@click.command(epilog="\b\nMethods:\n" + _METHOD_LINES)
@click.argument("premise", required=False)
@click.argument("hypothesis", required=False)
@click.option("--method", "method_name", default=DEFAULT, show_default=True, help="How to judge (see below).")
@click.option("--pairs", metavar="FILE", help="Score a file of pairs, `hypothesis<TAB>premise[<TAB>label]` each.")
@click.option("-o", "--output", default="-", show_default=True, help="Where the scores of --pairs go.")
@click.option("--explain", is_flag=True, help="Say why.")
@click.option("--vectors", metavar="FILE", help="Vectors of relations, for `embedding`.")
@click.option("--assertions", metavar="FILE", help="Assertions to count arguments in, for `inclusion` and `binc`.")
@click.option("--min-score", type=float, help="Exit with status 1 when the premise scores below.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document with full precision.")
def infer(
    premise: str | None,
    hypothesis: str | None,
    method_name: str,
    pairs: str | None,
    output: str,
    explain: bool,
    vectors: str | None,
    assertions: str | None,
    min_score: float | None,
    as_json: bool,
) -> None:
    """Score how strongly PREMISE entails HYPOTHESIS, and the reverse.

    Statements are about the same two things; what they share is taken for
    the arguments. Parts can be separated by commas instead.

    \b
    Examples:
      tupelo infer "X kills infection" "X is useful in infection"
      tupelo infer "aspirin, relieves, pain" "pain, is treated with, aspirin" --explain
      tupelo infer --pairs dev_s.txt -o scores.tsv
    """
    name = METHODS.resolve(method_name)
    method = METHODS.get(name)(_resources(vectors, assertions))
    if pairs is not None:
        if premise is not None:
            raise click.UsageError("either two statements or --pairs, not both")
        _score_file(method, pairs, output)
        return
    if premise is None or hypothesis is None:
        raise click.UsageError("two statements are needed, or --pairs FILE")
    pair = read_statements(premise, hypothesis)
    forward, backward = method.scores([pair, pair.reversed()])
    reasons = list(method.explain(pair)) if explain else []
    if as_json:
        print_json(_document(name, pair, forward, backward) | ({"reasons": reasons} if explain else {}))
    else:
        click.echo(f"{forward:.3f}  {_shown(pair.premise)}  =>  {_shown(pair.hypothesis)}")
        click.echo(f"{backward:.3f}  the reverse")
        for reason in reasons:
            click.echo(f"  {reason}")
    if min_score is not None and forward < min_score:
        click.echo(f"score {forward:.4f} is below {min_score}", err=True)
        raise SystemExit(1)


def _resources(vectors: str | None, assertions: str | None) -> Resources:
    loaded = distribution = None
    if vectors is not None:
        from tupelo.io.vectors import read_vectors

        loaded = read_vectors(vectors)
    if assertions is not None:
        from tupelo.infer.distribution import count_arguments
        from tupelo.io.assertions import read_assertions

        distribution = count_arguments(read_assertions(assertions))
    return Resources(vectors=loaded, distribution=distribution)


def _score_file(method: EntailmentMethod, name: str, output: str) -> None:
    with InputFile(name) as file:
        pairs = list(read_pairs(file.lines()))
    if not pairs:
        raise InputError(f"{name}: no pairs, expected at least one")
    with progress("scoring pairs", len(pairs)) as advance:
        scores = method.scores(pairs, advance)
    with open_output(output) as stream:
        for line in write_scores(pairs, scores):
            stream.write(line.encode("utf-8"))


def _document(name: str, pair: EntailmentPair, forward: float, backward: float) -> dict[str, object]:
    return {
        "method": name,
        "premise": [pair.premise.subject, pair.premise.relation, pair.premise.object],
        "hypothesis": [pair.hypothesis.subject, pair.hypothesis.relation, pair.hypothesis.object],
        "score": forward,
        "reverse": backward,
    }


def _shown(triple: Triple) -> str:
    return f"{triple.subject} | {triple.relation} | {triple.object}"
