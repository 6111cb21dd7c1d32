"""`tupelo compare`, `leaderboard` and `bench`: several systems, or several gold standards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import click

from tupelo.api import scoring
from tupelo.api.bench import BenchCard, NoGoldError, benchmarks
from tupelo.api.bench import bench as run_benchmarks
from tupelo.api.files import write_text
from tupelo.cli.options import Json, list_option, print_json, report_skipped, warn
from tupelo.cli.score import scorer_option
from tupelo.cli.signature import Run, command, option_of
from tupelo.core.parameters import Fixes, Input, Output, PathLike, Spelled


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


FIX = option_of("fixes", Fixes, ())


@command(scoring.compare, cls=AnyScorer, extra=[FIX])
def compare(
    run: Run[scoring.Comparisons],
    scorer: Annotated[str, Spelled.of("SCORER")],
    gold: Input,
    predictions: Annotated[tuple[Input, ...], Spelled.of("PREDICTIONS...")],
    figure: Annotated[Literal["f1", "auc", "precision", "recall"] | None, "Show one figure only."] = None,
    as_json: Json = False,
) -> None:
    """Paired bootstrap: is B really better than A?

    SCORER is one that `tupelo score -h` lists for tuples. The first file of predictions is the baseline; every other
    one is compared with it on the same resampled sentences. Prints 95 % intervals, differences and two-sided p-values
    (Holm-corrected when there are several). A file may carry its format: `openie5:predictions.txt`.

    \b
    Example:
      tupelo compare carb gold.tsv baseline.tsv ours.tsv
    """
    found = run(predicted=predictions)
    report_skipped(found.skipped)
    if as_json:
        print_json(found.to_dict())
    else:
        click.echo(found.table(figure).text(), nl=False)
    for line in found.remarks:
        warn(line)


def write_all(*files: tuple[PathLike | None, Callable[[], str]]) -> bool:
    """Write the files that were asked for; whether one of them took standard output."""
    for name, content in files:
        if name:
            write_text(name, content())
    return any(name == "-" for name, _ in files)


@dataclass(frozen=True, slots=True)
class TableFiles:
    """A table in other forms."""

    markdown: Annotated[Output | None, "Write the table as Markdown ('-' for standard output)."] = None
    latex: Annotated[Output | None, "Write the table as LaTeX (booktabs)."] = None
    html: Annotated[Output | None, "Write the table as a web page."] = None

    def write(self, found: Any) -> bool:
        return write_all((self.markdown, found.markdown), (self.latex, found.latex), (self.html, found.page))


@command(scoring.leaderboard, cls=AnyScorer, extra=[FIX])
def leaderboard(
    run: Run[scoring.Leaderboard],
    scorer: Annotated[str, Spelled.of("SCORER")],
    gold: Input,
    predictions: Annotated[tuple[Input, ...], Spelled.of("PREDICTIONS...")],
    files: TableFiles,
    plot: Annotated[Output | None, Spelled.of("PNG"), "Draw all curves in one figure (.png, .svg or .pdf)."] = None,
    as_json: Json = False,
) -> None:
    """Score every file of a folder (or several files) and rank the systems.

    SCORER is one that `tupelo score -h` lists for tuples. The format of each file is recognized by its content;
    `FORMAT:PATH` names one. A file with the output of several systems gives a row for each.

    \b
    Examples:
      tupelo leaderboard carb gold.tsv system_outputs/
      tupelo leaderboard carb gold.tsv a.tsv openie5:b.txt --markdown table.md --plot curves.png
    """
    board = run(predicted=predictions)
    report_skipped(board.skipped)
    if plot:
        scoring.write_plot(plot, board)
    taken = files.write(board)
    if as_json:
        print_json(board.to_dict())
    elif not taken:
        click.echo(board)
    for line in board.remarks():
        warn(line)


@dataclass(frozen=True, slots=True)
class CardFiles:
    """The card, and the figures behind it."""

    card: Annotated[Output | None, Spelled.of("JSON"), "Write the card, which `tupelo leaderboard` reads."] = None
    sentences: Annotated[Output | None, Spelled.of("CSV"), "Write the figures of every sentence."] = None

    def write(self, found: Any) -> bool:
        return write_all((self.card, found.json), (self.sentences, found.sentence_csv))


def _titles() -> dict[str, str]:
    return {name: each.title for name, each in benchmarks().items()}


@command(run_benchmarks, extra=[list_option(_titles, "List the benchmarks and exit.")])
def bench(
    run: Run[BenchCard],
    system: Annotated[tuple[str, ...], Spelled.of("EXTRACTOR|FILES…")],
    files: CardFiles,
    tables: TableFiles,
    as_json: Annotated[Json, "The card as JSON."] = False,
) -> None:
    """Score a system on every Open IE benchmark whose gold standard is at hand.

    EXTRACTOR is a name that `tupelo extract` takes; it then reads the gold sentences. FILES are the output of any
    system: each may hold sentences of several benchmarks, or belong to one, as in `carb=predictions.tsv`. Gold
    standards come from `tupelo data get` or from --data. Prints 95 % bootstrap intervals, and figures by length,
    arity and source of the sentences.

    \b
    Examples:
      tupelo bench rules --split dev
      tupelo bench predictions.tsv --only carb --only oie2016 --latex table.tex
      tupelo bench carb=a.tsv benchie=b.txt --card ours.json
    """
    try:
        found = run()
    except NoGoldError as error:
        warn(f"tupelo: {error}\nNext: {error.next_step}")
        raise SystemExit(2) from None
    taken = [each.write(found) for each in (files, tables)]
    if as_json:
        print_json(found.to_dict())
    elif not any(taken):
        click.echo(found)
    for line in found.remarks():
        warn(line)
