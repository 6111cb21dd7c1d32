"""`tupelo analyze`: text to tags, dependencies, constituents, entities and coreference."""

from __future__ import annotations

from typing import Annotated

from tupelo.api.text_files import analyze_files
from tupelo.cli.options import InputFile, OutputFile
from tupelo.cli.signature import Run, command
from tupelo.core.parameters import Spelled


@command(analyze_files)
def analyze(
    run: Run[None],
    files: Annotated[tuple[InputFile, ...], Spelled.of("[FILE]...")] = (),
    output: OutputFile = "-",
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
