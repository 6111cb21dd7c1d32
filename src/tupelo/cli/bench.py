"""`tupelo bench`: every Open IE benchmark at once."""

from __future__ import annotations

from typing import Any

import click

from tupelo.api.files import write_text
from tupelo.cli.options import AT_LEAST_ONE, INPUT, OUTPUT, json_option, list_flag, print_json, seed_option, warn
from tupelo.cli.progress import progress_bar
from tupelo.cli.score import align_option


def _print_list(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from tupelo.api.bench import benchmarks

        known = benchmarks()
        width = max(map(len, known))
        for name, each in known.items():
            click.echo(f"{name:<{width}}  {each.title}")
        context.exit()


@click.command()
@click.argument("system", nargs=-1, required=True, metavar="EXTRACTOR|FILES…")
@click.option("--only", multiple=True, metavar="NAME", help="This benchmark; repeat. [default: all at hand]")
@click.option("--data", type=INPUT, help="Folder that holds the datasets. [default: the download cache]")
@click.option("--split", type=click.Choice(["test", "dev"]), default="test", show_default=True)
@click.option("--name", metavar="NAME", help="What the system is called. [default: the extractor, or the file]")
@click.option("--samples", default=1000, show_default=True, type=AT_LEAST_ONE, help="For the intervals.")
@seed_option(12345)
@align_option
@json_option("The card as JSON.")
@click.option("--card", type=OUTPUT, metavar="JSON", help="Write the card, which `tupelo leaderboard` reads.")
@click.option("--sentences", type=OUTPUT, metavar="CSV", help="Write the figures of every sentence.")
@click.option("--markdown", type=OUTPUT, metavar="FILE", help="Write the tables as Markdown.")
@click.option("--latex", type=OUTPUT, metavar="FILE", help="Write the tables as LaTeX (booktabs).")
@click.option("--html", type=OUTPUT, metavar="FILE", help="Write the tables as a web page.")
@list_flag(_print_list, "List the benchmarks and exit.")
def bench(
    system: tuple[str, ...],
    as_json: bool,
    card: str | None,
    sentences: str | None,
    markdown: str | None,
    latex: str | None,
    html: str | None,
    **options: Any,
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
    from tupelo.api.bench import bench as run

    with progress_bar() as progress:
        found = run(system, progress=progress, **options)
    writers = (
        (card, found.json),
        (sentences, found.sentence_csv),
        (markdown, found.markdown),
        (latex, found.latex),
        (html, found.page),
    )
    for name, content in writers:
        if name:
            write_text(name, content())
    if as_json:
        print_json(found.to_dict())
    elif "-" not in [name for name, _ in writers]:
        click.echo(found)
    for line in found.remarks():
        warn(line)
