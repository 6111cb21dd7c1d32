"""`tupelo cliques distance`: how far apart the syntax of sentences is."""

from __future__ import annotations

import inspect
from typing import Any

import click

from tupelo.cli.clique_files import one_clique, parsing_options, read_cliques, trees_of_cliques
from tupelo.cli.options import print_json
from tupelo.cli.progress import progress
from tupelo.cliques import MEASURES, SyntaxMeasure
from tupelo.cliques.distance import VARIANTS
from tupelo.cliques.measures import CliqueSyntax, mean_of_means, within_cliques
from tupelo.core import Analysis, Clique, InputError


@click.command()
@click.argument("file", metavar="FILE")
@click.option(
    "--input",
    "kind",
    type=click.Choice(["cliques", "lines", "trees"]),
    default="cliques",
    show_default=True,
    help="Cliques (ROBUST JSON or tuples with groups), sentences one a line, or bracketed trees.",
)
@click.option(
    "--measure",
    type=click.Choice(list(MEASURES)),
    default="hws",
    show_default=True,
    help="The HWS distance, or the similarity by the convolution tree kernel.",
)
@click.option("--height", type=click.IntRange(1), help="Levels of a tree that count. [default: hws 3, kernel all]")
@click.option("--discount", type=float, help="hws: weight of each further block, 0 to 1. [default: 0.5]")
@click.option("--variant", type=click.Choice(VARIANTS), help="hws: which rule. [default: revised]")
@click.option("--decay", type=float, help="kernel: weight of each production, up to 1. [default: 0.5]")
@click.option("--each", is_flag=True, help="Every pair, one a line: clique, two sentence numbers, value.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document with full precision.")
@parsing_options
def distance(
    file: str,
    kind: str,
    measure: str,
    each: bool,
    as_json: bool,
    trees: str | None,
    parser: str,
    processes: int,
    **options: Any,
) -> None:
    """Compare the syntax of all sentences of each clique in FILE ('-' for standard input).

    \b
    Examples:
      tupelo cliques distance cliques.json
      tupelo cliques distance cliques.json --measure kernel --decay 0.3 --json
      tupelo cliques distance sentences.txt --input lines --each
      tupelo cliques distance parses.txt --input trees --variant released --each

    Prints the mean over cliques of the mean over their pairs. Sentences or trees without cliques
    count as one clique.
    """
    chosen = build_measure(measure, options)
    cliques, found_trees = _read(file, kind, trees)
    forest = trees_of_cliques(cliques, found_trees, parser, processes)
    with progress("comparing", total=len(cliques)) as advance:
        found = within_cliques(forest, chosen, advance)
    if as_json:
        print_json(_document(chosen, cliques, found))
    elif each:
        for number, clique in enumerate(found, start=1):
            for (a, b), value in zip(clique.pairs, clique.values, strict=True):
                click.echo(f"{number}\t{a + 1}\t{b + 1}\t{value!r}")
    else:
        _print_summary(chosen, found)


def build_measure(name: str, options: dict[str, Any]) -> SyntaxMeasure:
    """The measure with the options that were given; one that belongs to the other measure is an error."""
    made = MEASURES.get(name)
    given = {option: value for option, value in options.items() if value is not None}
    for option in given:
        if option not in inspect.signature(made).parameters:
            raise InputError(f"{name} has no option --{option}")
    return made(**given)


def _read(file: str, kind: str, trees: str | None) -> tuple[list[Clique], str | list[Analysis] | None]:
    from tupelo.io.analyses import read_analyses
    from tupelo.io.files import InputFile

    if kind == "cliques":
        return read_cliques(file), trees
    if kind == "lines":
        with InputFile(file) as stream:
            sentences = [line for _, line in stream.lines() if line.strip()]
        found = []
    else:
        if trees is not None:
            raise InputError(f"{file} holds trees already; --trees goes with cliques and lines")
        found = read_analyses(file, "brackets")
        sentences = [analysis.text for analysis in found]
    if not sentences:
        raise InputError(f"{file}: nothing to compare, expected two sentences or more")
    return [one_clique(sentences, file)], found if kind == "trees" else trees


def _document(measure: SyntaxMeasure, cliques: list[Clique], found: list[CliqueSyntax]) -> dict[str, Any]:
    return {
        "measure": measure.name,
        "mean": mean_of_means(found),
        "cliques": len(found),
        "pairs": sum(len(clique.pairs) for clique in found),
        "signature": measure_signature(measure),
        "by_clique": [
            {
                "clique": clique.id,
                "sentences": len(clique.sentences),
                "mean": values.mean,
                "pairs": [[*pair, value] for pair, value in zip(values.pairs, values.values, strict=True)],
            }
            for clique, values in zip(cliques, found, strict=True)
        ],
    }


def measure_signature(measure: SyntaxMeasure) -> str:
    from tupelo.score.result import signature

    return signature(measure.name, measure.options())


def _print_summary(measure: SyntaxMeasure, found: list[CliqueSyntax]) -> None:
    mean = mean_of_means(found)
    pairs = sum(len(clique.pairs) for clique in found)
    what = "distance" if measure.is_distance else "similarity"
    shown = "no clique has two sentences" if mean is None else f"mean {what} {mean:.4f}"
    click.echo(f"{shown}   ({len(found):,} cliques, {pairs:,} pairs)\n{measure_signature(measure)}")
