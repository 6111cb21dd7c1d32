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
    study = run()
    if output:
        write_text(output, study.page())
    if figures:
        robustness.write_study_figures(study, figures)
    if as_json:
        print_json(study.to_dict())
    elif not output and not figures:
        click.echo(study.tables())
