"""`tupelo show`: the trees of one sentence, or the chains of mentions of a text, as a picture."""

from __future__ import annotations

import click

from tupelo.cli.options import output_option, parser_option


@click.command()
@click.argument("text", metavar="TEXT")
@output_option("Where to write the SVG. [default: standard output]")
@click.option(
    "--tree",
    type=click.Choice(["both", "dependencies", "constituents"]),
    default="both",
    show_default=True,
    help="Which trees to draw.",
)
@click.option("--coref", "coreference", is_flag=True, help="Draw what the phrases of a text are about, not trees.")
@click.option(
    "--pretokenized",
    is_flag=True,
    help="The words of TEXT are separated by single spaces, with --coref its sentences by line breaks.",
)
@parser_option
def show(text: str, output: str, tree: str, coreference: bool, pretokenized: bool, parser: str) -> None:
    """Draw the dependency tree and the constituency tree of a sentence, or the coreference of a text, as SVG.

    \b
    Examples:
      tupelo show "Dogs chase cats." -o tree.svg
      tupelo show "Ann Lee left. She sings." --coref -o chains.svg
      tupelo show "He did n't go ." --pretokenized --tree dependencies -o tree.svg
      tupelo show - --parser conllu < sentence.conllu > tree.svg
      tupelo show - --coref < article.txt > chains.svg

    TEXT is taken as one sentence; with --coref it is split into sentences, and phrases about the same thing get
    boxes with the same colour and number. `-` reads it from standard input.
    """
    from tupelo.api.text_files import draw_text

    draw_text(text, output, parser=parser, pretokenized=pretokenized, tree=tree, coreference=coreference)
