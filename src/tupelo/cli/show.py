"""`tupelo show`: the trees of one sentence as a picture."""

from __future__ import annotations

import click

from tupelo.cli.options import output_option, parser_option


@click.command()
@click.argument("sentence", metavar="SENTENCE")
@output_option("Where to write the SVG. [default: standard output]")
@click.option(
    "--tree",
    type=click.Choice(["both", "dependencies", "constituents"]),
    default="both",
    show_default=True,
    help="Which trees to draw.",
)
@click.option("--pretokenized", is_flag=True, help="The words of SENTENCE are separated by single spaces.")
@parser_option
def show(sentence: str, output: str, tree: str, pretokenized: bool, parser: str) -> None:
    """Draw the dependency tree and the constituency tree of SENTENCE as SVG.

    \b
    Examples:
      tupelo show "Dogs chase cats." -o tree.svg
      tupelo show "He did n't go ." --pretokenized --tree dependencies -o tree.svg
      tupelo show - --parser conllu < sentence.conllu > tree.svg

    SENTENCE is taken as one sentence; `-` reads it from standard input.
    """
    from tupelo.api.text_files import draw_sentence

    draw_sentence(sentence, output, parser=parser, pretokenized=pretokenized, tree=tree)
