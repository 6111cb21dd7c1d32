"""`tupelo reproduce`: the tables of a paper from public data."""

from __future__ import annotations

from typing import Any

import click

from tupelo.api.files import write_text
from tupelo.cli.groups import LazyGroup
from tupelo.cli.options import (
    FOLDER,
    INPUT,
    OUTPUT,
    fix_option,
    json_option,
    print_json,
    seed_option,
    settings_option,
    warn,
)
from tupelo.cli.progress import progress_bar
from tupelo.core.canonical import TASKS

# Paper -> the command that shows its tables, and the line that `--help` shows.
PAPERS = {
    "carb": ("tupelo.cli.reproduce:carb", "CaRB: Tables 2 to 6, and both figures."),
    "combo": ("tupelo.cli.reproduce:combo", "COMBO: Tables 1, 4, 5, 8 and 9, and Figures 9 to 12."),
    "facts": ("tupelo.cli.reproduce_facts:facts", "Factual accuracy: Tables 2 to 5, 7 and 8 on any data."),
    "robust": ("tupelo.cli.reproduce:robust", "ROBUST: Table 2 (systems on CaRB and ROBUST, and the drop)."),
}


class Papers(LazyGroup):
    places = PAPERS


@click.group(cls=Papers)
def reproduce() -> None:
    """Recompute the tables of a paper from public data.

    \b
    Example:
      tupelo reproduce carb --split dev
    """


@click.command()
@click.option("--data", type=INPUT, help="Folder that holds 'carb' and 'oie2016'. [default: the download cache]")
@click.option("--split", type=click.Choice(["test", "dev"]), default="test", show_default=True)
@click.option("--figures", type=FOLDER, metavar="DIR", help="Draw Figures 1 and 2 into this folder (SVG).")
@json_option()
def carb(data: str | None, split: str, figures: str | None, as_json: bool) -> None:
    """CaRB: Tables 2 and 3 (examples), 4 and 5 (gold standards), 6 (systems), and both figures.

    Needs the datasets `carb` and `oie2016`; the paper's Table 6 is on the test
    split. Rows whose files are not there stay empty and are named, and so is
    what does not come out as printed.

    \b
    Example:
      tupelo data get carb && tupelo data get oie2016 && tupelo reproduce carb
    """
    from papers import carb as paper

    found = paper.reproduce(data, split)
    if figures:
        paper.write_figures(found, figures)
    if as_json:
        print_json(found.to_dict())
    else:
        click.echo(found)
    for name in found.missing:
        warn(f"not found: {name}")


@click.command()
@click.argument("gold", type=INPUT, required=False)
@click.argument("predictions", type=INPUT, nargs=-1)
@json_option()
@click.option(
    "--markdown", type=OUTPUT, metavar="FILE", help="Write the table as Markdown ('-' for standard output)."
)
@fix_option
def robust(
    gold: str | None, predictions: tuple[str, ...], as_json: bool, markdown: str | None, fixes: tuple[str, ...]
) -> None:
    """ROBUST: Table 2 (systems on CaRB and ROBUST, and the drop) for any systems.

    GOLD is a file of cliques, PREDICTIONS are the output of systems on it. A system whose file has
    the name of one in the paper (openie4, clausie, openie5, rnnoie, spanoie, openie6) stands beside its
    printed figures; without files, the printed table is shown.

    \b
    Example:
      tupelo reproduce robust cliques.json openie4.json openie6.json ours.tsv
    """
    from papers import robust as paper

    found = paper.reproduce(gold, predictions, fixes=fixes)
    if markdown:
        write_text(markdown, found.table().markdown())
    if as_json:
        print_json(found.to_dict())
    elif markdown != "-":
        click.echo(found)


@click.command()
@click.argument("file", type=INPUT)
@click.option(
    "--method",
    "methods",
    multiple=True,
    help="A method of `tupelo canonicalize`, or 'all'; repeat. [default: tupelo; with --grid random and words]",
)
@click.option("--grid", is_flag=True, help="Encoders by input form, pooling and layer: Figures 9 to 12.")
@click.option("--figures", type=FOLDER, metavar="DIR", help="With --grid: draw the figures into this folder (SVG).")
@click.option(
    "--cells",
    type=FOLDER,
    metavar="DIR",
    help="With --grid: where finished cells are kept; a later run continues there. [default: the cache]",
)
@click.option(
    "--tune-on",
    type=INPUT,
    metavar="OTHER",
    help="Search the thresholds on this file. [default: those that ship; with --grid the other half of FILE]",
)
@click.option("--task", "tasks", multiple=True, type=click.Choice(list(TASKS)), help="Only this one; repeat.")
@settings_option("An option of the method, such as layer=5 or form=triple; repeat.")
@click.option(
    "--encoder",
    "encoders",
    type=INPUT,
    multiple=True,
    metavar="FOLDER",
    help="A BERT-like model instead of the shipped encoder; repeat with --grid.",
)
@click.option(
    "--word-vectors", type=INPUT, metavar="FILE", help="Static word vectors: GloVe or word2vec, text or binary."
)
@click.option("--paraphrases", type=INPUT, metavar="FILE", help="PPDB clusters for side information.")
@click.option("--wordnet", type=INPUT, metavar="FOLDER", help="WordNet's database files for side information.")
@seed_option(help="For methods that draw random numbers.")
@click.option(
    "--seeds",
    type=click.IntRange(min=1),
    metavar="N",
    help="Run with N seeds and show means and standard deviations. [default: 1; with --grid 4, as in the paper]",
)
@json_option()
def combo(
    file: str,
    methods: tuple[str, ...],
    encoders: tuple[str, ...],
    seeds: int | None,
    grid: bool,
    figures: str | None,
    cells: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """COMBO: Tables 5, 8 and 9, entities, relations and types.

    FILE is COMBO's JSON or CESI's JSON lines. Nothing is tuned on FILE: the thresholds are
    those that ship, or those that a search on another file finds. The paper's
    figures are for a part of COMBO that is not public.

    With --grid, encoders are compared by input form, pooling and layer (Figures 9 to 12, and Tables 1 and 4). --set
    form=sentence, pooling=mean or layer=3 leaves one value of an axis. Thresholds come from --tune-on, or each half
    of FILE is measured with those of the other half. Finished cells are kept: what was stopped goes on from there.

    \b
    Examples:
      tupelo reproduce combo combo.dev.json
      tupelo reproduce combo test.json --method all --tune-on combo.dev.json
      tupelo reproduce combo combo.dev.json --grid --figures figures
    """
    from papers import combo as paper
    from papers import combo_grid

    if not grid and (figures or cells or len(encoders) > 1):
        raise click.UsageError("--figures, --cells and a second --encoder belong to --grid.")
    if seeds is not None:
        options["seeds"] = seeds
    found: paper.ComboTables | combo_grid.ComboGrid
    with progress_bar() as progress:
        if grid:
            rows = methods or combo_grid.BASELINES
            found = combo_grid.reproduce(file, rows, encoders=encoders, cells=cells, progress=progress, **options)
        else:
            encoder = encoders[0] if encoders else None
            names = methods or ("tupelo",)
            found = paper.reproduce(file, names, encoder=encoder, progress=progress, **options)
    if figures and isinstance(found, combo_grid.ComboGrid):
        combo_grid.write_figures(found, figures)
    if as_json:
        print_json(found.to_dict())
    else:
        click.echo(found)
