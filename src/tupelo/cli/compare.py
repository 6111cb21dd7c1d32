"""`tupelo compare` and `tupelo leaderboard`: several systems against one gold standard."""

from __future__ import annotations

from typing import Any

import click

from tupelo.api import scoring
from tupelo.api.files import write_text
from tupelo.cli.options import (
    AT_LEAST_ONE,
    INPUT,
    OUTPUT,
    json_option,
    option_group,
    print_json,
    report_skipped,
    seed_option,
    warn,
)
from tupelo.cli.progress import progress_bar
from tupelo.cli.score import fix_option, reading_options, scorer_option


class AnyScorer(click.Command):
    """A command for any scorer of tuples: takes the options of all of them, and passes on those that were given."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        found: dict[str, tuple[list[str], Any]] = {}
        for name in scoring.scorers("tuples"):
            for option in scoring.describe(name).options:
                found.setdefault(option.name, ([], option))[0].append(name)
        own = super().get_params(ctx)
        return [*own[:-1], *(_any_of(*item) for item in found.values()), own[-1]]

    def invoke(self, ctx: click.Context) -> Any:
        ctx.params = {name: value for name, value in ctx.params.items() if value not in (None, ())}
        return super().invoke(ctx)


def _any_of(names: list[str], option: Any) -> click.Option:
    """An option of one scorer, or one that several have, each with choices and a default of its own."""
    if len(names) > 1:
        help = f"{', '.join(names)}: see `tupelo score NAME -h`. [default: the scorer's own]"
        return scorer_option(option, default=None, show_default=False, help=help, type=str)
    return scorer_option(option, default=None, show_default=False, help=f"{names[0]}: {option.help}")


several_systems = option_group(
    click.argument("scorer", metavar="SCORER"),
    click.argument("gold", type=INPUT),
    click.argument("predictions", type=INPUT, nargs=-1, required=True),
)


@click.command(cls=AnyScorer)
@several_systems
@click.option("--samples", default=1000, show_default=True, type=AT_LEAST_ONE, help="Resampled corpora.")
@seed_option(12345)
@click.option("--figure", type=click.Choice(["f1", "auc", "precision", "recall"]), help="Show one figure only.")
@json_option()
@fix_option
@reading_options
def compare(
    scorer: str, gold: str, predictions: tuple[str, ...], as_json: bool, figure: str | None = None, **options: Any
) -> None:
    """Paired bootstrap: is B really better than A?

    SCORER is one that `tupelo score -h` lists for tuples. The first file of predictions is the baseline; every other
    one is compared with it on the same resampled sentences. Prints 95 % intervals, differences and two-sided p-values
    (Holm-corrected when there are several). A file may carry its format: `openie5:predictions.txt`.

    \b
    Example:
      tupelo compare carb gold.tsv baseline.tsv ours.tsv
    """
    with progress_bar() as progress:
        found = scoring.compare(scorer, gold, predictions, progress=progress, **options)
    report_skipped(found.skipped)
    if as_json:
        print_json(found.to_dict())
    else:
        click.echo(found.table(figure).text(), nl=False)
    for line in found.remarks:
        warn(line)


@click.command(cls=AnyScorer)
@several_systems
@click.option("--sort", type=click.Choice(scoring.SORTS), default="f1", show_default=True)
@json_option()
@click.option(
    "--markdown", type=OUTPUT, metavar="FILE", help="Write the table as Markdown ('-' for standard output)."
)
@click.option("--latex", type=OUTPUT, metavar="FILE", help="Write the table as LaTeX (booktabs).")
@click.option("--html", type=OUTPUT, metavar="FILE", help="Write the table as a web page.")
@click.option("--plot", type=OUTPUT, metavar="PNG", help="Draw all curves in one figure (.png, .svg or .pdf).")
@fix_option
@reading_options
def leaderboard(
    scorer: str,
    gold: str,
    predictions: tuple[str, ...],
    as_json: bool,
    markdown: str | None = None,
    latex: str | None = None,
    html: str | None = None,
    plot: str | None = None,
    **options: Any,
) -> None:
    """Score every file of a folder (or several files) and rank the systems.

    SCORER is one that `tupelo score -h` lists for tuples. The format of each file is recognized by its content;
    `FORMAT:PATH` names one. A file with the output of several systems gives a row for each.

    \b
    Examples:
      tupelo leaderboard carb gold.tsv system_outputs/
      tupelo leaderboard carb gold.tsv a.tsv openie5:b.txt --markdown table.md --plot curves.png
    """
    with progress_bar() as progress:
        board = scoring.leaderboard(scorer, gold, predictions, progress=progress, **options)
    report_skipped(board.skipped)
    if plot:
        scoring.write_plot(plot, board)
    for name, content in ((markdown, board.markdown), (latex, board.latex), (html, board.page)):
        if name:
            write_text(name, content())
    if as_json:
        print_json(board.to_dict())
    elif "-" not in (markdown, latex, html):
        click.echo(board)
    for line in board.remarks():
        warn(line)
