"""`tupelo cliques build`: paraphrases of gold sentences, with their tuples."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import click

from tupelo.cli.extract import named_settings
from tupelo.cli.options import print_json
from tupelo.cli.progress import progress
from tupelo.io.tuples import AUTO

if TYPE_CHECKING:
    from tupelo.cliques.build import Built
    from tupelo.core import Analysis

_NOBODY = "none"


def _list_paraphrasers(context: click.Context, option: click.Parameter, wanted: bool) -> None:
    if wanted:
        from tupelo.cliques.paraphrase import PARAPHRASERS, TITLES

        for name in PARAPHRASERS:
            click.echo(f"{name:<8}  {TITLES.get(name, 'from another package')}")
        context.exit()


def _list_rules(context: click.Context, option: click.Parameter, wanted: bool) -> None:
    if wanted:
        from tupelo.cliques.rewrite import RULES, explain

        for name in RULES:
            click.echo(f"{name:<26}  {explain(name)}")
        context.exit()


@click.command()
@click.argument("gold", metavar="GOLD")
@click.option("--output", "-o", default="-", metavar="FILE", help="Where to write. [default: standard output]")
@click.option(
    "--format",
    "format_name",
    default=AUTO,
    show_default=True,
    metavar="FMT",
    help="Format of GOLD; `tupelo formats` lists them.",
)
@click.option(
    "--paraphraser",
    default="rewrite",
    show_default=True,
    metavar="NAME",
    help="rewrite, rewrite:RULE,RULE, seq2seq:FOLDER or llm:MODEL.",
)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    callback=named_settings,
    help="A setting of the paraphraser; repeat for several.",
)
@click.option(
    "--parallel",
    metavar="FILE",
    help="A parallel corpus, two sentences or two trees a line with a tab between: seq2seq and llm are asked for "
    "target parses drawn from it.",
)
@click.option("--sources", type=click.IntRange(1), default=2, show_default=True, help="Similar source parses.")
@click.option("--targets", type=click.IntRange(1), default=5, show_default=True, help="Target parses for each.")
@click.option("--least", type=click.IntRange(2), default=3, show_default=True, help="Sentences of a clique.")
@click.option("--most", type=click.IntRange(2), default=4, show_default=True, help="Sentences of a clique.")
@click.option(
    "--distance",
    type=click.FloatRange(0, 1),
    default=0.575,
    show_default=True,
    help="Mean HWS distance that a clique should have; it is kept smaller rather than below.",
)
@click.option(
    "--floor",
    type=click.FloatRange(0, 1),
    default=0.1,
    show_default=True,
    help="Cliques with a mean HWS distance below this are left out.",
)
@click.option(
    "--all",
    "every",
    is_flag=True,
    help="Take every paraphrase that passes the checks, however alike: training data rather than a test.",
)
@click.option("--fluency", type=click.FloatRange(0, 1), help="Least fluency. [default: 0.62]")
@click.option("--meaning", type=click.FloatRange(0, 1), help="Least share of the meaning kept. [default: 0.7]")
@click.option("--tuples", type=click.FloatRange(0, 1), help="Least share of the tuples still found. [default: 0.4]")
@click.option(
    "--check-with",
    default="rules",
    show_default=True,
    metavar="NAME",
    help="The extractor that must still find the tuples; none for no such check.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="For whatever is drawn at random.")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Only the first N sentences with tuples.")
@click.option(
    "--pretokenized/--plain",
    "pretokenized",
    default=None,
    help="Words set apart by spaces, as in CaRB, or plain text. [default: as GOLD looks]",
)
@click.option("--parser", default="en", show_default=True, metavar="NAME", help="As in `tupelo analyze`.")
@click.option(
    "--sheet", metavar="TSV", help="Write every paraphrase with its origin, scores and tuples, to be checked."
)
@click.option("--json", "as_json", is_flag=True, help="Report the figures as JSON; with -o, besides the file.")
@click.option(
    "--list",
    "list_only",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list_paraphrasers,
    help="List the paraphrasers.",
)
@click.option(
    "--list-rules",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list_rules,
    help="List the rules of `rewrite`.",
)
def build(
    gold: str,
    output: str,
    format_name: str,
    paraphraser: str,
    settings: Mapping[str, str],
    parallel: str | None,
    sources: int,
    targets: int,
    least: int,
    most: int,
    distance: float,
    floor: float,
    every: bool,
    fluency: float | None,
    meaning: float | None,
    tuples: float | None,
    check_with: str,
    seed: int,
    limit: int | None,
    pretokenized: bool | None,
    parser: str,
    sheet: str | None,
    as_json: bool,
) -> None:
    """Build cliques from GOLD: say each sentence in other ways, and carry its tuples along.

    \b
    Examples:
      tupelo cliques build gold.tsv -o cliques.json
      tupelo cliques build gold.tsv --format carb --most 5 --json -o cliques.json
      tupelo cliques build gold.tsv --all -o training-data.json
      tupelo cliques build gold.tsv --paraphraser rewrite:passive,cleft-subject --check-with none
      tupelo cliques build gold.tsv --paraphraser seq2seq:checkpoint --parallel pairs.tsv -o cliques.json

    Every paraphrase is parsed back and scored; those below a threshold are dropped and counted. Of the
    rest, a clique takes those whose syntax differs most. Sentences with too few are left out. The
    output is ROBUST's JSON, for `tupelo score robust` and for a person to check.
    """
    from tupelo.api.text import load
    from tupelo.cliques.build import BuildOptions, looks_tokenized, originals
    from tupelo.cliques.build import build as build_cliques
    from tupelo.cliques.paraphrase import PARAPHRASERS, Tools
    from tupelo.cliques.sample import SyntaxSampler
    from tupelo.cliques.trees import tree_of
    from tupelo.cliques.verify import Thresholds
    from tupelo.io.parallel import read_parallel
    from tupelo.io.services import LocalServices
    from tupelo.io.tuples import open_records

    if most < least:
        raise click.UsageError(f"--most {most} is below --least {least}.")
    name, _, argument = paraphraser.partition(":")
    factory = PARAPHRASERS.get(name)
    with open_records(gold, format_name) as stream:
        known = originals(stream.records)
    known = _first(known, limit)
    given = {"fluency": fluency, "meaning": meaning, "tuples": tuples}
    thresholds = Thresholds(**{key: value for key, value in given.items() if value is not None})
    chosen = looks_tokenized(known) if pretokenized is None else pretokenized
    services = LocalServices(os.environ)
    nlp = load(parser, extractor="rules" if check_with == _NOBODY else check_with)

    def analyze(sentences: Iterable[str]) -> Iterable[Analysis]:
        return nlp.analyze(sentences, lines=True, constituents=True)

    sampler = None
    if parallel is not None:
        pairs = [(tree_of(one), tree_of(other)) for one, other in read_parallel(parallel, analyze)]
        sampler = SyntaxSampler(pairs, sources=sources, targets=targets, seed=seed)
    maker = factory(argument, settings, Tools(nlp, chosen, thresholds, sampler, services))
    try:
        with progress("paraphrasing", total=sum(map(bool, known.values()))) as advance:
            cliques, report = build_cliques(
                known,
                maker,
                nlp,
                pretokenized=chosen,
                advance=advance,
                extractor=None if check_with == _NOBODY else nlp.extractor,
                options=BuildOptions(
                    least=least, most=most, least_distance=distance, floor=floor, thresholds=thresholds, every=every
                ),
            )
    finally:
        services.close()
        nlp.close()
    figures = report.figures()
    if output != "-" or not as_json:
        _write(output, cliques)
    if sheet is not None:
        _write_sheet(sheet, cliques)
    if as_json:
        print_json(figures)
    else:
        click.echo(summary(figures), err=True)
    for line in services.report():
        click.echo(line, err=True)


def _first(known: dict[str, list[Any]], limit: int | None) -> dict[str, list[Any]]:
    if limit is None:
        return known
    return dict([item for item in known.items() if item[1]][:limit])


def _write(output: str, cliques: list[Built]) -> None:
    from tupelo.io.tuples import write_records

    write_records(output, (record for clique in cliques for record in clique.records()), "robust")


def _write_sheet(name: str, cliques: list[Built]) -> None:
    from tupelo.io.files import open_output

    with open_output(name) as stream:
        for row in (("origin", "fluency", "meaning", "original", "paraphrase", "tuples"), *_rows(cliques)):
            stream.write(("\t".join(row) + "\n").encode("utf-8"))


def _rows(cliques: list[Built]) -> Iterable[tuple[str, ...]]:
    for clique in cliques:
        for each in clique.chosen:
            told = "; ".join(f"({' | '.join(parts)})" for parts in each.candidate.tuples)
            yield (
                each.candidate.origin,
                f"{each.verdict.fluency:.3f}",
                f"{each.verdict.meaning:.3f}",
                clique.original.analysis.text,
                each.candidate.text,
                told,
            )


def summary(figures: Mapping[str, Any]) -> str:
    """The report in words."""
    dropped = ", ".join(f"{count:,} for {reason}" for reason, count in figures["dropped"].items() if count) or "none"
    lines = [f"{figures['candidates']:,} paraphrases of {figures['originals']:,} sentences; dropped: {dropped}"]
    if figures["cliques"]:
        apart = figures["mean_distance"]
        lines.append(
            f"{figures['cliques']:,} cliques, {figures['sentences']:,} sentences "
            f"({figures['sentences_per_clique']:.2f} each)"
            + ("" if apart is None else f", mean HWS distance {apart:.3f}")
        )
    else:
        lines.append("no cliques: no sentence has enough paraphrases")
    return "\n".join(lines)
