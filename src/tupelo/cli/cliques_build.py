"""`tupelo cliques build`: paraphrases of gold sentences, with their tuples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from tupelo.cli.options import (
    AT_LEAST_ONE,
    INPUT,
    OUTPUT,
    SEED,
    SHARE,
    Whole,
    format_option,
    json_option,
    list_flag,
    option_group,
    output_option,
    print_json,
    settings_option,
    warn,
)
from tupelo.cli.progress import progress_bar

_AT_LEAST_TWO = Whole(2)


def _print_list(context: click.Context, option: click.Parameter, wanted: bool) -> None:
    if wanted:
        from tupelo.api.robustness import paraphrasers, rewrite_rules

        parts = rewrite_rules() if option.name == "list_rules" else paraphrasers()
        width = max(map(len, parts))
        for name, title in parts.items():
            click.echo(f"{name:<{width}}  {title}")
        context.exit()


# The fields of `CliqueOptions`; what is not given has the default there.
build_options = option_group(
    click.option("--sources", type=AT_LEAST_ONE, help="Similar source parses. [default: 2]"),
    click.option("--targets", type=AT_LEAST_ONE, help="Target parses for each. [default: 5]"),
    click.option("--min-sentences", type=_AT_LEAST_TWO, help="Fewest sentences of a clique. [default: 3]"),
    click.option("--max-sentences", type=_AT_LEAST_TWO, help="Most sentences of a clique. [default: 4]"),
    click.option(
        "--distance",
        type=SHARE,
        help="Mean HWS distance that a clique should have; it is kept smaller rather than below. [default: 0.575]",
    ),
    click.option(
        "--floor", type=SHARE, help="Cliques with a mean HWS distance below this are left out. [default: 0.1]"
    ),
    click.option(
        "--all",
        "every",
        is_flag=True,
        help="Take every paraphrase that passes the checks, however similar: training data rather than a test.",
    ),
    click.option("--fluency", type=SHARE, help="Least fluency. [default: 0.62]"),
    click.option("--meaning", type=SHARE, help="Least share of the meaning kept. [default: 0.7]"),
    click.option("--tuples", type=SHARE, help="Least share of the tuples still found. [default: 0.4]"),
    click.option("--seed", type=SEED, help="Seed of whatever is drawn at random. [default: 0]"),
    click.option("--limit", type=AT_LEAST_ONE, metavar="N", help="Only the first N sentences with tuples."),
    click.option(
        "--pretokenized/--plain",
        default=None,
        help="Words separated by spaces, as in CaRB, or plain text. [default: as GOLD looks]",
    ),
)


@click.command()
@click.argument("gold", type=INPUT, metavar="GOLD")
@output_option()
@format_option("Format of GOLD; `tupelo formats` lists them.")
@click.option(
    "--paraphraser",
    default="rewrite",
    show_default=True,
    metavar="NAME",
    help="syntactic, rewrite, rewrite:RULE,RULE, seq2seq:FOLDER, llm:MODEL or another of --list.",
)
@settings_option("A setting of the paraphraser; repeat for several.")
@click.option(
    "--parallel",
    type=INPUT,
    metavar="FILE",
    help="A parallel corpus, two sentences or two trees a line with a tab between: syntactic, seq2seq and llm "
    "aim at target parses drawn from it.",
)
@build_options
@click.option(
    "--check-with",
    default="rules",
    show_default=True,
    metavar="NAME",
    help="The extractor that must still find the tuples; none for no such check.",
)
@click.option("--parser", default="en", show_default=True, metavar="NAME", help="As in `tupelo analyze`.")
@click.option(
    "--sheet",
    type=OUTPUT,
    metavar="TSV",
    help="Write every paraphrase with its origin, scores and tuples, to be checked.",
)
@json_option("Report the figures as JSON; with -o, besides the file.")
@list_flag(_print_list, "List the paraphrasers.")
@list_flag(_print_list, "List the rules of `rewrite`.", "--list-rules")
def build(
    gold: str,
    output: str,
    format: str,
    paraphraser: str,
    settings: Mapping[str, str],
    parallel: str | None,
    check_with: str,
    parser: str,
    sheet: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Build cliques from GOLD: paraphrase each sentence, and carry its tuples over.

    \b
    Examples:
      tupelo cliques build gold.tsv -o cliques.json
      tupelo cliques build gold.tsv --format carb --max-sentences 5 --json -o cliques.json
      tupelo cliques build gold.tsv --all -o training-data.json
      tupelo cliques build gold.tsv --paraphraser syntactic --min-sentences 2 -o cliques.json
      tupelo cliques build gold.tsv --paraphraser rewrite:passive,cleft-subject --check-with none
      tupelo cliques build gold.tsv --paraphraser seq2seq:checkpoint --parallel pairs.tsv -o cliques.json

    Every paraphrase is parsed and scored; those below a threshold are dropped and counted. Of the
    rest, a clique takes those whose syntax differs most. Sentences with too few are left out. The
    output is ROBUST's JSON, for `tupelo score robust` and for a person to check.
    """
    from tupelo.api.robustness import CliqueOptions, write_cliques, write_sheet
    from tupelo.api.robustness import build as build_cliques

    with progress_bar() as progress:
        result = build_cliques(
            gold,
            CliqueOptions(**{name: value for name, value in options.items() if value is not None}),
            format=format,
            paraphraser=paraphraser,
            settings=settings,
            parallel=parallel,
            check_with=None if check_with == "none" else check_with,
            parser=parser,
            progress=progress,
        )
    if output != "-" or not as_json:
        write_cliques(result, output)
    if sheet is not None:
        write_sheet(result, sheet)
    if as_json:
        print_json(result.to_dict())
    else:
        warn(str(result))
    for line in result.usage:
        warn(line)
