"""`tupelo show`: the trees of one sentence, or the chains of mentions of a text, as a picture."""

from __future__ import annotations

from typing import Annotated

from tupelo.api.text_files import draw_text
from tupelo.cli.options import OutputFile
from tupelo.cli.signature import Run, command
from tupelo.core.parameters import Spelled


@command(draw_text)
def show(
    run: Run[None],
    text: Annotated[str | None, Spelled.of("[TEXT]")] = None,
    output: Annotated[OutputFile, "Where to write the SVG. [default: standard output]"] = "-",
) -> None:
    """Draw the dependency tree and the constituency tree of a sentence, or the coreference of a text, as SVG.

    \b
    Examples:
      tupelo show "Dogs chase cats." -o tree.svg
      tupelo show "Ann Lee left. She sings." --coref -o chains.svg
      tupelo show "He did n't go ." --pretokenized --tree dependencies -o tree.svg
      tupelo show --parser conllu < sentence.conllu > tree.svg
      tupelo show --coref < article.txt > chains.svg

    TEXT is taken as one sentence; with --coref it is split into sentences, and phrases about the same thing get
    boxes with the same colour and number. Without TEXT, or with `-`, it is read from standard input.
    """
    run(text="-" if text is None else text)
