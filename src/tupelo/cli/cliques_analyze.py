"""`tupelo cliques analyze`: every table and figure of the ROBUST paper's analyses on one page."""

from __future__ import annotations

from typing import Any

import click

from tupelo.cli.cliques import parsing_options
from tupelo.cli.options import (
    AT_LEAST_ONE,
    FOLDER,
    INPUT,
    NUMBER,
    OUTPUT,
    SEED,
    fix_option,
    json_option,
    option_group,
    print_json,
)
from tupelo.cli.progress import progress_bar
from tupelo.core import InputError


def _by_number(context: click.Context, option: click.Parameter, items: tuple[str, ...]) -> dict[int, str]:
    """`K=FILE` by K."""
    found: dict[int, str] = {}
    for item in items:
        number, equals, file = item.partition("=")
        if not equals or not file or not number.isdecimal():
            raise InputError(f"{option.opts[0]} {item}: expected a number of demonstrations, '=' and a file")
        if int(number) in found:
            raise InputError(f"{option.opts[0]} {item}: a second file for {int(number)} demonstrations, expected one")
        found[int(number)] = file
    return found


# The fields of `StudyOptions`; what is not given has the default there.
study_options = option_group(
    click.option("--height", type=AT_LEAST_ONE, help="hws: levels. [default: 3]"),
    click.option("--variant", metavar="NAME", help="hws: revised, whole-blocks or released. [default: revised]"),
    click.option("--discount", type=NUMBER, help="hws, where F1 is compared with it. [default: 0.5]"),
    click.option("--decay", type=NUMBER, help="kernel, where F1 is compared with it. [default: 0.5]"),
    click.option("--intervals", type=AT_LEAST_ONE, help="Intervals of a measure. [default: 5]"),
    click.option("--seed", type=SEED, help="Seed of everything drawn at random. [default: 1]"),
)


@click.command()
@click.argument("file", type=INPUT, metavar="CLIQUES")
@click.argument("predictions", type=INPUT, nargs=-1)
@click.option("--output", "-o", type=OUTPUT, metavar="HTML", help="Write the report: one page, pictures inside.")
@click.option("--figures", type=FOLDER, metavar="DIR", help="Write every figure as PNG and SVG into this folder.")
@click.option(
    "--shots",
    multiple=True,
    metavar="K=FILE",
    callback=_by_number,
    help="Output of a run with K demonstrations; repeat for a curve (Figure 6a).",
)
@click.option(
    "--pair-shots",
    multiple=True,
    metavar="K=FILE",
    callback=_by_number,
    help="The same with demonstrations from another clique (6b).",
)
@click.option(
    "--demonstrated", type=INPUT, metavar="FILE", help="Output of a run whose demonstrations are known (Figure 9)."
)
@click.option(
    "--demonstrations",
    type=INPUT,
    metavar="TSV",
    help="For --demonstrated: original of the clique asked about, tab, original of the clique shown.",
)
@study_options
@json_option("One JSON document with all figures.")
@parsing_options
@fix_option
def analyze(
    file: str,
    predictions: tuple[str, ...],
    output: str | None,
    figures: str | None,
    shots: dict[int, str],
    pair_shots: dict[int, str],
    demonstrated: str | None,
    demonstrations: str | None,
    as_json: bool,
    trees: str | None,
    parser: str,
    processes: int,
    fixes: tuple[str, ...],
    **options: Any,
) -> None:
    """Analyse CLIQUES, and the output of systems on them (PREDICTIONS).

    \b
    Examples:
      tupelo cliques analyze cliques.json -o report.html
      tupelo cliques analyze cliques.json ours.json theirs.tsv -o report.html --figures figures/
      tupelo cliques analyze cliques.json --shots 0=zero.json --shots 5=five.json -o report.html

    The report has the size of the cliques, the syntax within and over cliques under ten weights
    (Figures 3 and 4 of the paper), and, for what was given, Table 2 and Figures 5a, 5b, 5c, 6a, 6b and
    9. Without -o, --figures and --json the tables are printed.
    """
    from tupelo.api.robustness import StudyOptions, study_tables, write_study_figures, write_study_page
    from tupelo.api.robustness import analyze as analyze_cliques

    with progress_bar() as progress:
        study = analyze_cliques(
            file,
            predictions,
            StudyOptions(**{name: value for name, value in options.items() if value is not None}),
            shots=shots,
            pair_shots=pair_shots,
            demonstrated=demonstrated,
            demonstrations=demonstrations,
            fixes=fixes,
            trees=trees,
            parser=parser,
            processes=processes,
            progress=progress,
        )
    if output:
        write_study_page(study, output)
    if figures:
        write_study_figures(study, figures)
    if as_json:
        print_json(study.to_dict())
    elif not output and not figures:
        click.echo(study_tables(study))
