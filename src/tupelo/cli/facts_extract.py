"""`tupelo facts extract`: text to facts of a fixed schema."""

from __future__ import annotations

from typing import Any

import click

from tupelo.api.facts import FACT_FORMATS, FactOptions, facts_of_files
from tupelo.api.files import write_lines
from tupelo.cli.options import INPUT, SHARE, Finite, Whole, option_group, output_option
from tupelo.cli.progress import progress_bar

writing_options = option_group(
    click.option("--subject", default="", help="End-to-end: only the facts of this subject."),
    click.option("--reduced", is_flag=True, help="End-to-end: leave out sentences without entities."),
    click.option("--beam", type=Whole(1, 64), default=4, show_default=True, help="End-to-end: width of the search."),
    click.option(
        "--alpha",
        type=Finite(0, 5),
        default=0.6,
        show_default=True,
        help="End-to-end: length penalty; more makes longer outputs.",
    ),
)


@click.command()
@click.argument("files", type=INPUT, nargs=-1, metavar="[FILE]...")
@click.option(
    "--method",
    default="classifier",
    show_default=True,
    metavar="NAME",
    help="classifier: score all pairs of entities; sentence: pairs within a sentence, as the paper does; binary: "
    "only predict what is related; end-to-end: write facts from the text (only for text like WebNLG's and, as it was "
    "trained on that, not for commercial use); or an installed method.",
)
@click.option(
    "--model",
    type=INPUT,
    metavar="FOLDER",
    help="A model of your own, or of a package by name. [default: that of tupelo-facts-en]",
)
@click.option("--format", "format_name", type=click.Choice(FACT_FORMATS), default="table", show_default=True)
@output_option()
@click.option(
    "--min-confidence",
    type=SHARE,
    metavar="X",
    help="Leave out facts below. [default: the threshold of the model]",
)
@writing_options
@click.option("--parser", default="en", show_default=True, metavar="NAME", help="What finds sentences and entities.")
def extract(
    files: tuple[str, ...], format_name: str, output: str, method: str, model: str | None, parser: str, **options: Any
) -> None:
    """Extract facts from each FILE (or standard input); a file is one document.

    Relations are Wikidata properties where they have one. A fact may combine several sentences; those that mention
    its subject and its object are its evidence.

    \b
    Examples:
      echo "Marie Curie was born in Warsaw, the capital of Poland." | tupelo facts extract
      tupelo facts extract article.txt --format jsonl -o facts.jsonl
      tupelo facts extract article.txt --method end-to-end --subject "Marie Curie"
    """
    with progress_bar() as progress:
        found = facts_of_files(
            files or ("-",),
            method=method,
            model=model,
            parser=parser,
            options=FactOptions(**options),
            progress=progress,
        )
        write_lines(output, (line for facts in found for line in facts.lines(format_name)), errors="replace")
