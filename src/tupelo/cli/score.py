"""`tupelo score`: one system against one gold standard. A command per registered scorer."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import click

from tupelo.api import scoring
from tupelo.api.files import write_text
from tupelo.cli.options import Json, Strict, list_option, print_json, report_skipped, warn
from tupelo.cli.signature import Run, command, option_of
from tupelo.core.canonical import JOINT, SUBTASKS
from tupelo.core.parameters import Among, Count, Fixes, Format, Input, Output, Seed, Share, Skipping, Spelled

GoldFormat = Annotated[str, Spelled.of("FMT"), "Format of the gold file."]
MinF1 = Annotated[Share | None, Spelled.of("F1"), "Exit with status 1 when F1 is below (0 to 1)."]


def quirk_options(scorer: str) -> list[click.Option]:
    """`--fix` and `--list-quirks` for a scorer."""
    text = "Name the defects of the original program that --fix can correct, and exit."
    listing = list_option(lambda: scoring.describe(scorer).quirks, text, "--list-quirks", separator=": ")
    return [option_of("fixes", Fixes, ()), listing]


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
    names = [f"--{option.name.replace('_', '-')}", *(["--match"] if option.name == "matcher" else [])]
    return click.Option(names, **{**settings, **changes})


class Scorers(click.Group):
    """One command per scorer: those with outputs of their own are written out below, the others are built."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*self.commands, *scoring.scorers()})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return self.commands.get(cmd_name) or build_command(cmd_name)

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


@dataclass(frozen=True, slots=True)
class CurveFiles:
    """Files with the precision-recall curve."""

    curve: Annotated[Output | None, Spelled.of("CSV"), "Write the precision-recall curve."] = None
    plot: Annotated[Output | None, Spelled.of("PNG"), "Draw the curve (.png, .svg or .pdf)."] = None

    def write(self, result: Any) -> None:
        if self.curve:
            write_text(self.curve, result.curve_csv())
        if self.plot:
            scoring.write_plot(self.plot, result)


@dataclass(frozen=True, slots=True)
class ErrorFiles:
    """A page of errors."""

    errors: Annotated[Output | None, Spelled.of("HTML"), "Write a page of the worst sentences and their errors."] = (
        None
    )
    worst: Annotated[Count, "Sentences on it."] = 100

    def write(self, result: Any) -> None:
        if self.errors:
            write_text(self.errors, result.error_page(self.worst))


@dataclass(frozen=True, slots=True)
class CliqueFiles:
    """Files about every clique."""

    table: Annotated[Output | None, Spelled.of("CSV"), "Write figures of every clique, the largest drop first."] = (
        None
    )
    plot: Annotated[
        Output | None, Spelled.of("PNG"), "Draw how drops and variances are distributed (.png, .svg or .pdf)."
    ] = None
    page: Annotated[
        Output | None, Spelled.of("HTML"), "Write a page of the cliques, their sentences, tuples and errors."
    ] = None
    worst: Annotated[Count, "Cliques on it, largest drops first."] = 100

    def write(self, result: Any) -> None:
        if self.table:
            write_text(self.table, result.clique_csv())
        if self.plot:
            scoring.write_plot(self.plot, result)
        if self.page:
            write_text(self.page, result.clique_page(self.worst))


def build_command(name: str) -> click.Command:
    """The command of a scorer of tuples, from what its class declares."""
    about = scoring.describe(name)

    @command(scoring.score, name=name, extra=quirk_options(name) if about.quirks else ())
    def run_scorer(
        run: Run[Any],
        gold: Input,
        predictions: Input,
        files: CurveFiles,
        page: ErrorFiles,
        as_json: Json = False,
        details: Annotated[bool, "Also what only this scorer counts."] = False,
        min_f1: MinF1 = None,
        strict: Strict = False,
    ) -> None:
        kept = page.errors is not None
        result = run(scorer=name, gold=gold, predicted=predictions, keep_records=kept)
        files.write(result)
        page.write(result)
        finish(result, as_json, details=details, strict=strict, min_f1=min_f1)

    paragraphs = [f"\b\n{text}" for text in inspect.cleandoc(about.help).split("\n\n") if text]
    run_scorer.help = "\n\n".join([about.title, *paragraphs])
    run_scorer.short_help = about.title
    run_scorer.params[2:2] = [scorer_option(option) for option in about.options]
    return run_scorer


def finish(
    result: Any, as_json: bool, *, details: bool = False, strict: bool = False, **limits: float | None
) -> None:
    """Print a score, and exit with status 1 where a limit is not kept."""
    report_skipped(result.skipped)
    shown = {"details": True} if details else {}
    if as_json:
        print_json(result.to_dict(**shown))
    else:
        click.echo(result.text(**shown) if details else str(result))
    context = click.get_current_context().parent
    like = context.params.get("like") if context is not None else None
    differences = scoring.departures(like, result.signature) if like else []
    failures = result.failures(**limits)
    for line in (*result.remarks(), *differences, *failures):
        warn(line)
    if failures or (strict and result.skipped):
        raise SystemExit(1)


@command(scoring.score, extra=quirk_options("robust"), group=score)
def robust(
    run: Run[Any],
    gold: Input,
    predictions: Input,
    files: CliqueFiles,
    as_json: Json = False,
    min_f1: MinF1 = None,
    max_drop: Annotated[Share | None, Spelled.of("F1"), "Exit with status 1 when F1 drops by more (0 to 1)."] = None,
    strict: Strict = False,
) -> None:
    """ROBUST: the worst wording of a fact counts, beside CaRB on the originals.

    \b
    Examples:
      tupelo score robust cliques.json predictions.json --json
      tupelo score robust cliques.json predictions.tsv --format tab --page cliques.html
      tupelo score robust cliques.json predictions.json --fix missing-left-out
    """
    result = run(scorer="robust", gold=gold, predicted=predictions)
    files.write(result)
    finish(result, as_json, strict=strict, min_f1=min_f1, max_drop=max_drop)


robust.params[2:2] = [scorer_option(option) for option in scoring.describe("robust").options]


@command(extra=quirk_options("clusters"), group=score)
def clusters(
    gold: Input,
    clusters: Input,
    *,
    subtasks: Annotated[
        Sequence[str],
        Spelled.of("--subtask"),
        Among((*SUBTASKS, *JOINT)),
        "Score this one; repeat. [default: all that both files have]",
    ] = (),
    format: Annotated[Format, "Format of the clusters: jsonl, lists, sized, tabs, combo, cesi or okg."] = "auto",
    gold_format: GoldFormat = "auto",
    as_json: Json = False,
    min_average: Annotated[
        Share | None, Spelled.of("AVG"), "Exit with status 1 when an average is below (0 to 1)."
    ] = None,
    on_error: Skipping = "raise",
    strict: Strict = False,
    fixes: Sequence[str] = (),
) -> None:
    """Clusters of phrases: macro, micro, pairwise and, for types, Jaccard figures.

    GOLD holds triples with gold labels (COMBO, CESI, OKG) or bare clusters;
    CLUSTERS is what `tupelo canonicalize` writes, or bare clusters.

    \b
    Examples:
      tupelo score clusters combo.dev.json clusters.jsonl
      tupelo score clusters combo.dev.json clusters.json --subtask relation --json
      tupelo score clusters gold_npclust.txt predicted.tsv
    """
    options = scoring.ScoreOptions(gold_format=gold_format, on_error=on_error)
    result = scoring.score("clusters", gold, clusters, format=format, options=options, subtasks=subtasks, fixes=fixes)
    finish(result, as_json, strict=strict, min_average=min_average)


@command(group=score)
def coref(
    gold: Input,
    predictions: Input,
    *,
    format: Annotated[Format, "Format of the predictions: conll, conllu or jsonl."] = "auto",
    gold_format: GoldFormat = "auto",
    singletons: Annotated[
        str, Among(("keep", "drop")), "Entities with one mention: as they are, or left out on both sides."
    ] = "keep",
    as_json: Json = False,
    min_f1: MinF1 = None,
) -> None:
    """Coreference: MUC, B³, CEAF, LEA, BLANC and the CoNLL average.

    Files are CoNLL-2012, CoNLL-U with mentions (CorefUD, GUM) or JSON Lines, as `tupelo analyze --coref` writes
    them; they may split the same text into other words and sentences. --min-f1 is about the CoNLL average.

    \b
    Examples:
      tupelo score coref gold.conll predictions.conll
      tupelo score coref gum-dev.conllu predictions.jsonl --singletons drop --json
    """
    options = scoring.ScoreOptions(gold_format=gold_format)
    result = scoring.score("coref", gold, predictions, format=format, options=options, singletons=singletons)
    finish(result, as_json, min_f1=min_f1)


@command(group=score)
def inference(pairs: Input, scores: Input, *, files: CurveFiles, as_json: Json = False, min_f1: MinF1 = None) -> None:
    """Relation inference: precision-recall over pairs of triples.

    PAIRS is a Levy/Holt file (`hypothesis<TAB>premise<TAB>True|False`), SCORES has a line for each of its
    lines, with the score after the last tab.

    \b
    Example:
      tupelo score inference dev_s.txt scores.tsv --json
    """
    result = scoring.score("inference", pairs, scores)
    files.write(result)
    finish(result, as_json, min_f1=min_f1)


@command(group=score)
def factuality(
    judgements: Input,
    scores: Input,
    *,
    format: Annotated[
        Format, "Format of the judgements: pairs, qags, frank, xsum-faithful, xsum-factual or aggrefact."
    ] = "pairs",
    threshold: Annotated[float | None, "Texts with this score or more count as faithful. [default: the best]"] = None,
    unscored: Annotated[float | None, "The score of texts that got none. [default: they are left out]"] = None,
    samples: Annotated[Count, "For the intervals."] = 1000,
    seed: Seed = 12345,
    as_json: Json = False,
) -> None:
    """Factual accuracy: correlation with human judgements, balanced accuracy.

    SCORES holds one text a line, `{"id": "7", "score": 0.5}` or `id<TAB>score`; ids are those of the format (QAGS:
    the line, from 0).

    \b
    Examples:
      tupelo score factuality mturk_cnndm.jsonl scores.jsonl --format qags
      tupelo score factuality pairs.jsonl scores.tsv --threshold 0.5 --json
    """
    options: dict[str, Any] = {"threshold": threshold, "unscored": unscored, "samples": samples, "seed": seed}
    finish(scoring.score("factuality", judgements, scores, format=format, **options), as_json)
