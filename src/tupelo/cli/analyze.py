"""`tupelo analyze` and `tupelo show`: the syntax, entities and coreference of text, as data and as pictures."""

from __future__ import annotations

from typing import Annotated

from tupelo.api.text_files import analyze_files, draw_text
from tupelo.cli.options import InputFile, OutputFile
from tupelo.cli.signature import Run, command
from tupelo.core.parameters import Spelled


@command(analyze_files)
def analyze(
    run: Run[None], files: Annotated[tuple[InputFile, ...], Spelled.of("[FILE]...")] = (), output: OutputFile = "-"
) -> None:
    """Tag and parse the text of each FILE (or of standard input).

    \b
    Examples:
      echo "Dogs bark. Cats sleep." | tupelo analyze
      tupelo analyze book.txt --format jsonl --workers 2 -o book.jsonl
      tupelo analyze sentences.txt --pretokenized --format conllu
      echo "Ann Lee left. She sings." | tupelo analyze --coref --format conll
      tupelo analyze other.conllu --parser conllu --format jsonl

    Text is split into sentences and words; a blank line always ends a sentence. With --lines
    sentences are taken as given, with --pretokenized the words as well. Offsets count the
    characters of a file. With --coref, a file is one document, and every mention says which
    entity of it is meant. The result does not depend on batch size, threads or processes.
    """
    run()


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
