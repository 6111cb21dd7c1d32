"""`tupelo cliques study`: a language model on cliques, by the demonstrations in its prompt."""

from __future__ import annotations

from typing import Any

import click

from tupelo.cli.cliques_analyze import study_options
from tupelo.cli.options import (
    AT_LEAST_ONE,
    INPUT,
    OUTPUT,
    SEED,
    fix_option,
    json_option,
    parser_option,
    print_json,
    settings_option,
    warn,
)
from tupelo.cli.progress import progress_bar
from tupelo.core import InputError


def _numbers(context: click.Context, option: click.Parameter, text: str | None) -> tuple[int, ...] | None:
    """`1,3,5` as numbers, in order and without repetition; nothing for an empty text."""
    if text is None:
        return None
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not all(part.isascii() and part.isdecimal() and len(part) < 10 for part in parts):
        raise InputError(f"{option.opts[0]} {text}: expected whole numbers with commas between, such as 1,3,5")
    return tuple(sorted({int(part) for part in parts}))


def _names(context: click.Context, option: click.Parameter, text: str | None) -> tuple[str, ...] | None:
    if text is None:
        return None
    return tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))


@click.command()
@click.argument("file", type=INPUT, metavar="CLIQUES")
@click.option("--extractor", required=True, metavar="NAME", help="llm:MODEL, or another one that takes examples.")
@settings_option("A setting of the extractor, such as base-url, cache or exclude; repeat for several.")
@click.option(
    "--shots", metavar="K,K", callback=_numbers, help="Numbers of demonstrations (Figure 6a). [default: 1,3,5,10]"
)
@click.option(
    "--choose",
    metavar="NAME,NAME",
    callback=_names,
    help="How to choose them: random, similar, hws, kernel. [default: random]",
)
@click.option(
    "--demonstrations",
    type=INPUT,
    metavar="FILE",
    help="Tuples to choose from; may begin with a format, as in carb:dev.tsv. [default: originals of CLIQUES]",
)
@click.option("--pairs", type=SEED, help="Pairs of cliques (Figures 6b and 9); 0 for none. [default: 100]")
@click.option(
    "--pair-shots", metavar="K,K", callback=_numbers, help="Demonstrations from the other clique. [default: 1,2,3,4]"
)
@click.option("--sample", type=AT_LEAST_ONE, metavar="N", help="Ask about N cliques only, drawn at random.")
@study_options
@json_option("One JSON document with all figures.")
@click.option("--csv", "table", type=OUTPUT, metavar="CSV", help="Write a line for every run.")
@click.option("--plot", type=OUTPUT, metavar="SVG", help="Draw Figures 6a, 6b and 9 (.svg, .png or .pdf).")
@parser_option
@click.option("--processes", type=AT_LEAST_ONE, default=1, show_default=True, help="Processes that parse.")
@fix_option
def study(
    file: str,
    extractor: str,
    settings: dict[str, str],
    demonstrations: str | None,
    as_json: bool,
    table: str | None,
    plot: str | None,
    parser: str,
    processes: int,
    fixes: tuple[str, ...],
    **options: Any,
) -> None:
    """Ask a language model about all sentences of CLIQUES, with more and more demonstrations.

    \b
    Examples:
      tupelo cliques study cliques.json --extractor llm:some-model --sample 100 --plot study.svg
      tupelo cliques study cliques.json --extractor llm:some-model --choose random,similar,kernel --csv runs.csv
      tupelo cliques study cliques.json --extractor llm:some-model --set base-url=http://localhost:8000/v1

    Prints Table 1 of the ROBUST paper and the numbers of Figures 6a, 6b and 9: F1 on the originals, over all
    sentences and on the worst ones, the drop, and how F1 goes with syntactic distance. What says the same as a
    sentence is not shown for it. Answers are kept on disk: a run that was stopped goes on where it was.
    """
    from papers.few_shot import FewShotOptions, reproduce
    from tupelo.api.files import write_text
    from tupelo.api.scoring import write_plot

    with progress_bar() as progress:
        result = reproduce(
            file,
            extractor,
            FewShotOptions(fixes=fixes, **{name: value for name, value in options.items() if value is not None}),
            settings=settings,
            demonstrations=demonstrations,
            parser=parser,
            processes=processes,
            progress=progress,
        )
    if table:
        write_text(table, result.csv())
    if plot:
        write_plot(plot, result)
    if as_json:
        print_json(result.to_dict())
    elif table != "-" and plot != "-":
        click.echo(result)
    for line in result.notes:
        warn(line)
