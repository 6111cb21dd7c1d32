"""`tupelo show`: the trees of one sentence as a picture."""

from __future__ import annotations

import click


@click.command()
@click.argument("sentence", metavar="SENTENCE")
@click.option(
    "--output", "-o", default="-", metavar="FILE", help="Where to write the SVG. [default: standard output]"
)
@click.option(
    "--tree",
    type=click.Choice(["both", "dependencies", "constituents"]),
    default="both",
    show_default=True,
    help="Which trees to draw.",
)
@click.option("--pretokenized", is_flag=True, help="The words of SENTENCE are separated by single spaces.")
@click.option(
    "--parser",
    default="en",
    show_default=True,
    metavar="NAME",
    help="The shipped model, or model:FOLDER, spacy:MODEL, stanza:LANGUAGE, conllu.",
)
def show(sentence: str, output: str, tree: str, pretokenized: bool, parser: str) -> None:
    """Draw the dependency tree and the constituency tree of SENTENCE as SVG.

    \b
    Examples:
      tupelo show "Dogs chase cats." -o tree.svg
      tupelo show "He did n't go ." --pretokenized --tree dependencies -o tree.svg
      tupelo show - --parser conllu < sentence.conllu > tree.svg

    SENTENCE is taken as one sentence; `-` reads it from standard input.
    """
    from tupelo.api.text import load
    from tupelo.core import InputError
    from tupelo.io.files import write_text
    from tupelo.io.text import read_whole
    from tupelo.nlp.draw import draw

    text = read_whole("-").rstrip("\n") if sentence == "-" else sentence
    analysis = next(load(parser).analyze([text], lines=True, pretokenized=pretokenized), None)
    if analysis is None:
        raise InputError("no sentence to draw, expected one")
    picture = draw(analysis, dependencies=tree != "constituents", constituents=tree != "dependencies")
    write_text(output, picture)
