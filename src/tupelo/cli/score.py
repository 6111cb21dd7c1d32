"""`tupelo score`: one system against one gold standard. A command per registered scorer."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import click

from tupelo.api import scoring
from tupelo.api.files import write_text
from tupelo.cli.options import (
    AT_LEAST_ONE,
    INPUT,
    NUMBER,
    OUTPUT,
    SHARE,
    format_option,
    json_option,
    on_error_option,
    option_group,
    print_json,
    report_skipped,
    seed_option,
    strict_option,
    warn,
)
from tupelo.cli.progress import progress_bar
from tupelo.core.canonical import JOINT, SUBTASKS

curve_option = click.option("--curve", type=OUTPUT, metavar="CSV", help="Write the precision-recall curve.")
plot_option = click.option("--plot", type=OUTPUT, metavar="PNG", help="Draw the curve (.png, .svg or .pdf).")
min_f1_option = click.option(
    "--min-f1", type=SHARE, metavar="F1", help="Exit with status 1 when F1 is below (0 to 1)."
)
gold_format_option = click.option(
    "--gold-format", metavar="FMT", help="Format of the gold file. [default: that of the scorer]"
)
align_option = click.option(
    "--align",
    type=click.Choice(["exact", "loose"]),
    default="exact",
    show_default=True,
    help="loose: repair sentences and words that differ from gold in case, quotes or tokenization.",
)
unmatched_option = click.option(
    "--allow-unmatched", is_flag=True, help="Score even if no predicted sentence is a gold sentence."
)
reading_options = option_group(
    format_option("Format of the predictions; `tupelo formats` lists them."),
    gold_format_option,
    on_error_option(),
    align_option,
    unmatched_option,
)
fix_option = click.option(
    "--fix",
    "fixes",
    multiple=True,
    metavar="QUIRK",
    help="Correct a defect of the original program; repeat, or 'all'. `--list-quirks` names them.",
)


def quirk_options(scorer: str) -> Callable[[Any], Any]:
    """`--fix` and `--list-quirks` for a scorer."""

    def list_quirks(context: click.Context, _: click.Parameter, wanted: bool) -> None:
        if wanted:
            for name, explanation in scoring.describe(scorer).quirks.items():
                click.echo(f"{name}: {explanation}")
            context.exit()

    text = "Name the defects of the original program that --fix can correct, and exit."
    listing = click.option(
        "--list-quirks", is_flag=True, is_eager=True, expose_value=False, callback=list_quirks, help=text
    )
    return option_group(fix_option, listing)


def scorer_option(option: Any, **changes: Any) -> click.Option:
    """The command-line form of an option that a scorer declares."""
    flag = isinstance(option.default, bool)
    settings: dict[str, Any] = {"default": option.default, "show_default": not flag, "help": option.help}
    if flag:
        settings["is_flag"] = True
    elif option.choices:
        settings["type"] = click.Choice(option.choices)
    elif isinstance(option.default, int | float):
        settings["type"] = type(option.default)
    return click.Option([f"--{option.name.replace('_', '-')}"], **{**settings, **changes})


class Scorers(click.Group):
    """One command per scorer: those with outputs of their own are written out below, the others are built."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*self.commands, *scoring.scorers()})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return self.commands.get(cmd_name) or (build_command(cmd_name) if cmd_name in scoring.scorers() else None)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if not ctx.params["like"]:
            return super().resolve_command(ctx, args)
        name, settings = scoring.settings_of(ctx.params["like"])
        # Defaults only: what is given on the command line goes before what the signature says.
        ctx.default_map = {name: settings}
        return name, self.get_command(ctx, name), args


@click.group(cls=Scorers)
@click.option("--like", metavar="SIGNATURE", help="Score as the run with this signature did; then name no scorer.")
def score(like: str | None) -> None:
    """Score a system's tuples against a gold standard.

    \b
    Examples:
      tupelo score carb gold.tsv openie5_output.txt --format openie5
      tupelo score carb gold.tsv predictions.tsv --json
      tupelo score carb gold.tsv predictions.tsv --errors worst.html --plot curve.png
      tupelo score --like 'carb|…|match:exact|binary:no|recall:multi|fixes:none|v:0.1.0' gold.tsv predictions.tsv
    """


def build_command(name: str) -> click.Command:
    """The command of a scorer of tuples, from what its class declares."""
    about = scoring.describe(name)
    quirks = quirk_options(name) if about.quirks else option_group()

    @click.argument("gold", type=INPUT)
    @click.argument("predictions", type=INPUT)
    @json_option()
    @click.option("--details", is_flag=True, help="Also what only this scorer counts.")
    @curve_option
    @plot_option
    @click.option(
        "--errors", type=OUTPUT, metavar="HTML", help="Write a page of the worst sentences and their errors."
    )
    @click.option("--worst", default=100, show_default=True, type=AT_LEAST_ONE, help="Sentences on it.")
    @min_f1_option
    @strict_option()
    @reading_options
    @quirks
    def run(
        gold: str,
        predictions: str,
        as_json: bool,
        details: bool,
        curve: str | None,
        plot: str | None,
        errors: str | None,
        worst: int,
        **others: Any,
    ) -> None:
        def write_files(result: Any) -> None:
            _write(curve, lambda: result.curve_csv())
            if plot:
                scoring.write_plot(plot, result)
            _write(errors, lambda: result.error_page(worst))

        kept = errors is not None
        _score(name, gold, predictions, as_json, write_files, details=details, keep_records=kept, **others)

    paragraphs = [f"\b\n{text}" for text in inspect.cleandoc(about.help).split("\n\n") if text]
    command = click.command(name, help="\n\n".join([about.title, *paragraphs]), short_help=about.title)(run)
    command.params[2:2] = [scorer_option(option) for option in about.options]
    return command


def _score(
    name: str,
    gold: str,
    predictions: str,
    as_json: bool,
    write_files: Callable[[Any], None] = lambda result: None,
    *,
    strict: bool = False,
    details: bool = False,
    min_f1: float | None = None,
    min_average: float | None = None,
    max_drop: float | None = None,
    **options: Any,
) -> None:
    """Score, write what was asked for, print, and exit with status 1 where a limit is not kept."""
    with progress_bar() as progress:
        result = scoring.score(name, gold, predictions, progress=progress, **options)
    report_skipped(result.skipped)
    write_files(result)
    shown = {"details": True} if details else {}
    if as_json:
        print_json(result.to_dict(**shown))
    else:
        click.echo(result.text(**shown) if details else str(result))
    context = click.get_current_context().parent
    like = context.params.get("like") if context is not None else None
    differences = scoring.departures(like, result.signature) if like else []
    failures = result.failures(min_f1=min_f1, min_average=min_average, max_drop=max_drop)
    for line in (*result.remarks(), *differences, *failures):
        warn(line)
    if failures or (strict and result.skipped):
        raise SystemExit(1)


def _write(name: str | None, content: Callable[[], str]) -> None:
    if name:
        write_text(name, content())


@score.command()
@click.argument("gold", type=INPUT)
@click.argument("predictions", type=INPUT)
@click.option("--matcher", default="binary-lenient", show_default=True, help="One of CaRB's: `tupelo score carb -h`.")
@click.option(
    "--missing",
    type=click.Choice(["auto", "left-out", "zero"]),
    default="auto",
    show_default=True,
    help="Sentences that the predictions lack. auto: left-out for files of cliques, zero for plain tuples.",
)
@json_option()
@click.option("--table", type=OUTPUT, metavar="CSV", help="Write figures of every clique, the largest drop first.")
@click.option(
    "--plot", type=OUTPUT, metavar="PNG", help="Draw how drops and variances are distributed (.png, .svg or .pdf)."
)
@click.option(
    "--page", type=OUTPUT, metavar="HTML", help="Write a page of the cliques, their sentences, tuples and errors."
)
@click.option(
    "--worst", default=100, show_default=True, type=AT_LEAST_ONE, help="Cliques on it, largest drops first."
)
@min_f1_option
@click.option("--max-drop", type=SHARE, metavar="F1", help="Exit with status 1 when F1 drops by more (0 to 1).")
@strict_option()
@reading_options
@quirk_options("robust")
def robust(
    gold: str,
    predictions: str,
    as_json: bool,
    table: str | None,
    plot: str | None,
    page: str | None,
    worst: int,
    **others: Any,
) -> None:
    """ROBUST: the worst wording of a fact counts, beside CaRB on the originals.

    \b
    Examples:
      tupelo score robust cliques.json predictions.json --json
      tupelo score robust cliques.json predictions.tsv --format tab --page cliques.html
      tupelo score robust cliques.json predictions.json --fix missing-left-out
    """

    def write_files(result: Any) -> None:
        _write(table, lambda: result.clique_csv())
        if plot:
            scoring.write_plot(plot, result)
        _write(page, lambda: result.clique_page(worst))

    _score("robust", gold, predictions, as_json, write_files, **others)


@score.command()
@click.argument("gold", type=INPUT)
@click.argument("clusters", type=INPUT)
@click.option(
    "--subtask",
    "subtasks",
    multiple=True,
    type=click.Choice([*SUBTASKS, *JOINT]),
    help="Score this one; repeat. [default: all that both files have]",
)
@format_option("Format of the clusters: jsonl, lists, sized, tabs, combo, cesi or okg.")
@click.option("--gold-format", default="auto", show_default=True, metavar="FMT", help="Format of the gold file.")
@json_option()
@click.option(
    "--min-average", type=SHARE, metavar="AVG", help="Exit with status 1 when an average is below (0 to 1)."
)
@on_error_option()
@strict_option()
@quirk_options("clusters")
def clusters(gold: str, clusters: str, as_json: bool, **others: Any) -> None:
    """Clusters of phrases: macro, micro, pairwise and, for types, Jaccard figures.

    GOLD holds triples with gold labels (COMBO, CESI, OKG) or bare clusters;
    CLUSTERS is what `tupelo canonicalize` writes, or bare clusters.

    \b
    Examples:
      tupelo score clusters combo.dev.json clusters.jsonl
      tupelo score clusters combo.dev.json clusters.json --subtask relation --json
      tupelo score clusters gold_npclust.txt predicted.tsv
    """
    _score("clusters", gold, clusters, as_json, **others)


@score.command()
@click.argument("gold", type=INPUT)
@click.argument("predictions", type=INPUT)
@format_option("Format of the predictions: conll, conllu or jsonl.")
@click.option("--gold-format", default="auto", show_default=True, metavar="FMT", help="Format of the gold file.")
@click.option(
    "--singletons",
    type=click.Choice(["keep", "drop"]),
    default="keep",
    show_default=True,
    help="Entities with one mention: as they are, or left out on both sides.",
)
@json_option()
@min_f1_option
def coref(gold: str, predictions: str, as_json: bool, **others: Any) -> None:
    """Coreference: MUC, B³, CEAF, LEA, BLANC and the CoNLL average.

    Files are CoNLL-2012, CoNLL-U with mentions (CorefUD, GUM) or JSON Lines, as `tupelo analyze --coref` writes
    them; they may split the same text into other words and sentences. --min-f1 is about the CoNLL average.

    \b
    Examples:
      tupelo score coref gold.conll predictions.conll
      tupelo score coref gum-dev.conllu predictions.jsonl --singletons drop --json
    """
    _score("coref", gold, predictions, as_json, **others)


@score.command()
@click.argument("pairs", type=INPUT)
@click.argument("scores", type=INPUT)
@json_option()
@curve_option
@plot_option
@min_f1_option
def inference(
    pairs: str, scores: str, as_json: bool, curve: str | None, plot: str | None, min_f1: float | None
) -> None:
    """Relation inference: precision-recall over pairs of triples.

    PAIRS is a Levy/Holt file (`hypothesis<TAB>premise<TAB>True|False`), SCORES has a line for each of its
    lines, with the score after the last tab.

    \b
    Example:
      tupelo score inference dev_s.txt scores.tsv --json
    """

    def write_files(result: Any) -> None:
        _write(curve, lambda: result.curve_csv())
        if plot:
            scoring.write_plot(plot, result)

    _score("inference", pairs, scores, as_json, write_files, min_f1=min_f1)


@score.command()
@click.argument("judgements", type=INPUT)
@click.argument("scores", type=INPUT)
@format_option("Format of the judgements: pairs, qags, frank, xsum-faithful, xsum-factual or aggrefact.", "pairs")
@click.option("--threshold", type=NUMBER, help="Texts with this score or more count as faithful. [default: the best]")
@click.option("--unscored", type=NUMBER, help="The score of texts that got none. [default: they are left out]")
@click.option("--samples", default=1000, show_default=True, type=AT_LEAST_ONE, help="For the intervals.")
@seed_option(12345)
@json_option()
def factuality(judgements: str, scores: str, as_json: bool, **options: Any) -> None:
    """Factual accuracy: correlation with human judgements, balanced accuracy.

    SCORES holds one text a line, `{"id": "7", "score": 0.5}` or `id<TAB>score`; ids are those of the format (QAGS:
    the line, from 0).

    \b
    Examples:
      tupelo score factuality mturk_cnndm.jsonl scores.jsonl --format qags
      tupelo score factuality pairs.jsonl scores.tsv --threshold 0.5 --json
    """
    _score("factuality", judgements, scores, as_json, **options)
