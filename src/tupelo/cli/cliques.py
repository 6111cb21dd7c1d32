"""`tupelo cliques`: sentences with the same meaning in different words."""

from __future__ import annotations

from typing import Annotated, Any

import click

from tupelo.api import robustness
from tupelo.api.files import write_text
from tupelo.cli.options import Json, list_option, print_json, warn
from tupelo.cli.signature import Run, command
from tupelo.core.parameters import Between, Folder, Input, Output, Spelled

Report = Annotated[Json, "Report the figures as JSON; with -o, besides the file."]


@command(
    robustness.build,
    extra=[
        list_option(robustness.PARAPHRASERS.titles, "List the paraphrasers."),
        list_option(robustness.RULES.titles, "List the rules of `rewrite`.", "--list-rules"),
    ],
)
def build(
    run: Run[Any],
    gold: Input,
    check_with: Annotated[
        str, Spelled.of("NAME"), "The extractor that must still find the tuples; none for no such check."
    ] = "rules",
    output: Output = "-",
    sheet: Annotated[
        Output | None, Spelled.of("TSV"), "Write every paraphrase with its origin, scores and tuples, to be checked."
    ] = None,
    as_json: Report = False,
) -> None:
    """Build cliques from GOLD: paraphrase each sentence, and carry its tuples over.

    \b
    Examples:
      tupelo cliques build gold.tsv -o cliques.json
      tupelo cliques build gold.tsv --format carb --max-sentences 5 --json -o cliques.json
      tupelo cliques build gold.tsv --all -o training-data.json
      tupelo cliques build gold.tsv --paraphraser rewrite --distance 0.575 -o cliques.json
      tupelo cliques build gold.tsv --paraphraser rewrite:passive,cleft-subject --check-with none
      tupelo cliques build gold.tsv --paraphraser seq2seq:checkpoint --parallel pairs.tsv -o cliques.json

    Every paraphrase is parsed and scored; those below a threshold are dropped and counted. Of the
    rest, a clique takes those whose syntax differs most. Sentences with too few are left out. The
    output is ROBUST's JSON, for `tupelo score robust` and for a person to check.
    """
    result = run(check_with=None if check_with == "none" else check_with)
    if sheet is not None:
        write_text(sheet, result.sheet())
    _report(result, output, as_json)
    for line in result.usage:
        warn(line)


def _report(result: Any, output: Any, as_json: bool) -> None:
    if output != "-" or not as_json:
        robustness.write_cliques(result, output)
    if as_json:
        print_json(result.to_dict())
    else:
        warn(str(result))


@command(robustness.filter, name="filter")
def filter_cliques(
    run: Run[Any],
    cliques: Annotated[Input, Spelled.of("FILE")],
    output: Output = "-",
    as_json: Annotated[Json, "Report what was removed and why; with -o, besides the file."] = False,
) -> None:
    """Remove paraphrases of each clique in FILE until a few that differ are left.

    \b
    Examples:
      tupelo cliques filter paraphrases.json -o cliques.json
      tupelo cliques filter paraphrases.json --keep 4 --order released --json

    While there are too many, the two paraphrases with the highest BLEU are compared, and one of them is
    removed: one that is shorter than two thirds of the original, or else the one with the higher sum of
    BLEU with all others. The original always stays. Tuples stay with their sentence.
    """
    _report(run(), output, as_json)


@command(robustness.distances)
def distance(
    run: Run[Any],
    cliques: Annotated[Input, Spelled.of("FILE")],
    height: Annotated[int | None, Between(1), "Levels of a tree that count. [default: hws 3, kernel all]"] = None,
    discount: Annotated[float | None, "hws: weight of each further block, 0 to 1. [default: 0.5]"] = None,
    variant: Annotated[
        str | None, Spelled.of("NAME"), "hws: revised, whole-blocks or released. [default: revised]"
    ] = None,
    decay: Annotated[float | None, "kernel: weight of each production, up to 1. [default: 0.5]"] = None,
    each: Annotated[bool, "Every pair, one a line: clique, two sentence numbers, value."] = False,
    as_json: Json = False,
) -> None:
    """Compare the syntax of all sentences of each clique in FILE ('-' for standard input).

    \b
    Examples:
      tupelo cliques distance cliques.json
      tupelo cliques distance cliques.json --measure kernel --decay 0.3 --json
      tupelo cliques distance sentences.txt --input lines --each
      tupelo cliques distance parses.txt --input trees --variant released --each

    Prints the mean over cliques of the mean over their pairs. Sentences or trees without cliques count as one clique.
    """
    result = run(height=height, discount=discount, variant=variant, decay=decay)
    if as_json:
        print_json(result.to_dict())
    elif each:
        for row in result.rows():
            click.echo("\t".join(repr(value) for value in row.values()))
    else:
        click.echo(str(result))


@command(robustness.analyze)
def analyze(
    run: Run[Any],
    cliques: Input,
    predictions: Annotated[tuple[Input, ...], Spelled.of("[PREDICTIONS]...")] = (),
    output: Annotated[Output | None, Spelled.of("HTML"), "Write the report: one page, pictures inside."] = None,
    figures: Annotated[
        Folder | None, Spelled.of("DIR"), "Write every figure as PNG and SVG into this folder."
    ] = None,
    as_json: Annotated[Json, "One JSON document with all figures."] = False,
) -> None:
    """Analyse CLIQUES, and the output of systems on them (PREDICTIONS).

    \b
    Examples:
      tupelo cliques analyze cliques.json -o report.html
      tupelo cliques analyze cliques.json ours.json theirs.tsv -o report.html --figures figures/

    The report has the size of the cliques, the syntax within and over cliques under ten weights
    (Figures 3 and 4 of the paper), and, for systems, Table 2 and Figures 5a, 5b and 5c. Without -o,
    --figures and --json the tables are printed.
    """
    study = run()
    if output:
        write_text(output, study.page())
    if figures:
        robustness.write_study_figures(study, figures)
    if as_json:
        print_json(study.to_dict())
    elif not output and not figures:
        click.echo(study.tables())
