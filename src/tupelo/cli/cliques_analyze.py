"""`tupelo cliques analyze`: every table and figure of the ROBUST paper's analyses on one page."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import Any

import click

from tupelo.api import scoring
from tupelo.api.cliques import clique_trees
from tupelo.cli.clique_files import read_clique_pairs
from tupelo.cli.cliques import parsing_options
from tupelo.cli.options import print_json
from tupelo.cli.progress import progress
from tupelo.cli.score import fix_option
from tupelo.cliques.distance import DEFAULT_DISCOUNT, REVISED, VARIANTS
from tupelo.cliques.kernel import DEFAULT_DECAY
from tupelo.cliques.trees import DEFAULT_HEIGHT
from tupelo.core import InputError
from tupelo.core.clique import gather_cliques
from tupelo.io.files import open_output, write_text
from tupelo.io.tuples import AUTO, read_records
from tupelo.score.result import signature


@click.command()
@click.argument("file", metavar="CLIQUES")
@click.argument("predictions", nargs=-1)
@click.option("--output", "-o", metavar="HTML", help="Write the report: one page, pictures inside.")
@click.option("--figures", metavar="DIR", help="Write every figure as PNG and SVG into this folder.")
@click.option(
    "--shots",
    multiple=True,
    metavar="K=FILE",
    help="Output of a run with K demonstrations; repeat for a curve (Figure 6a).",
)
@click.option(
    "--pair-shots", multiple=True, metavar="K=FILE", help="The same with demonstrations from another clique (6b)."
)
@click.option("--demonstrated", metavar="FILE", help="Output of a run whose demonstrations are known (Figure 9).")
@click.option(
    "--demonstrations",
    metavar="TSV",
    help="For --demonstrated: original of the clique asked about, tab, original of the clique shown.",
)
@click.option("--height", type=click.IntRange(1), default=DEFAULT_HEIGHT, show_default=True, help="hws: levels.")
@click.option("--variant", type=click.Choice(VARIANTS), default=REVISED, show_default=True, help="hws: which rule.")
@click.option("--discount", default=DEFAULT_DISCOUNT, show_default=True, help="hws, where F1 is compared with it.")
@click.option("--decay", default=DEFAULT_DECAY, show_default=True, help="kernel, where F1 is compared with it.")
@click.option("--intervals", type=click.IntRange(1), default=5, show_default=True, help="Of a measure.")
@click.option("--seed", default=1, show_default=True, help="Of random subsets and of the places of dots.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document with all figures.")
@parsing_options
@fix_option
def analyze(
    file: str,
    predictions: tuple[str, ...],
    output: str | None,
    figures: str | None,
    shots: tuple[str, ...],
    pair_shots: tuple[str, ...],
    demonstrated: str | None,
    demonstrations: str | None,
    as_json: bool,
    trees: str | None,
    parser: str,
    processes: int,
    fixes: tuple[str, ...],
    **options: Any,
) -> None:
    """Study CLIQUES and what systems make of them (PREDICTIONS).

    \b
    Examples:
      tupelo cliques analyze cliques.json -o report.html
      tupelo cliques analyze cliques.json ours.json theirs.tsv -o report.html --figures figures/
      tupelo cliques analyze cliques.json --shots 0=zero.json --shots 5=five.json -o report.html

    The report has the size of the cliques, the syntax within and over cliques under ten weights
    (Figures 3 and 4 of the paper), and, for what was given, Table 2 and Figures 5a, 5b, 5c, 6a, 6b and
    9. Without -o, --figures and --json the tables are printed.
    """
    from tupelo.papers.robust_study import Choices, Material, study

    if (demonstrated is None) != (demonstrations is None):
        raise InputError("--demonstrated and --demonstrations belong together")
    choices = Choices(**options)
    cliques = list(gather_cliques(read_records(file, "robust")))
    if not cliques:
        raise InputError(f"{file}: no cliques, expected at least one")
    signed: list[str] = [signature(each.name, each.options()) for each in (choices.hws, choices.kernel)]

    def run(item: str) -> Any:
        path, format_name = scoring.split_format(item, AUTO)
        score = scoring.score("robust", file, path, format=format_name, fixes=fixes)
        signed.append(score.signature)
        return score.evaluation

    names = scoring.unique_names([scoring.split_format(item, AUTO)[0] for item in predictions])
    systems = {name: run(item) for name, item in zip(names, predictions, strict=True)}
    material = Material(
        cliques=cliques,
        systems=systems,
        shots={number: run(item) for number, item in _numbered(shots, "--shots").items()},
        pair_shots={number: run(item) for number, item in _numbered(pair_shots, "--pair-shots").items()},
        demonstrated=None
        if demonstrated is None or demonstrations is None
        else (run(demonstrated), read_clique_pairs(demonstrations, cliques)),
        forest=clique_trees(cliques, trees, parser=parser, processes=processes),
    )
    with progress("comparing", total=2 * len(choices.weights)) as advance:
        made = study(material, choices, advance)
    if output:
        from tupelo.cliques.report import report_page

        write_text(output, report_page(f"Cliques of {PurePath(file).name}", made.parts, signed))
    if figures:
        _write_figures(figures, made.parts)
    if as_json:
        print_json({**made.data, "signatures": signed})
    elif not output and not figures:
        tables = [f"{part.title}\n\n{part.table.text()}" for part in made.parts if part.table is not None]
        click.echo("\n".join([*tables, *signed]))


def _numbered(items: tuple[str, ...], option: str) -> dict[int, str]:
    """`K=FILE` by K."""
    found: dict[int, str] = {}
    for item in items:
        number, equals, name = item.partition("=")
        if not equals or not name or not number.isdecimal():
            raise InputError(f"{option} {item}: expected a number of demonstrations, '=' and a file")
        if int(number) in found:
            raise InputError(f"{option} {item}: a second file for {int(number)} demonstrations, expected one")
        found[int(number)] = name
    return found


def _write_figures(folder: str, parts: Any) -> None:
    from tupelo.io.folders import make_folder

    make_folder(folder)
    for part in parts:
        for kind, content in part.images.items():
            with open_output(Path(folder) / f"{part.name.replace('_', '-')}.{kind}") as stream:
                stream.write(content)
