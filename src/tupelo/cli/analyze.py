"""`tupelo analyze`: text to tags, dependencies, constituents, entities and coreference."""

from __future__ import annotations

from typing import Any

import click

from tupelo.cli.options import INPUT, output_option, parser_option, processing_options
from tupelo.cli.progress import progress_bar


@click.command()
@click.argument("files", type=INPUT, nargs=-1, metavar="[FILE]...")
@output_option()
@click.option(
    "--format",
    type=click.Choice(["conllu", "conll", "brackets", "jsonl"]),
    default="conllu",
    show_default=True,
    help="CoNLL-U, CoNLL-2012, one bracketed tree a line, or JSON Lines with everything.",
)
@click.option("--lines", is_flag=True, help="Every line is one sentence.")
@click.option(
    "--pretokenized", is_flag=True, help="Every line is one sentence, its words separated by single spaces."
)
@click.option("--coref", "coreference", is_flag=True, help="Link the mentions of each file that mean the same thing.")
@parser_option
@processing_options
def analyze(
    files: tuple[str, ...],
    output: str,
    format: str,
    lines: bool,
    pretokenized: bool,
    coreference: bool,
    **loading: Any,
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
    from tupelo.api.text_files import analyze_files

    with progress_bar() as progress:
        analyze_files(
            files,
            output,
            format=format,
            lines=lines,
            pretokenized=pretokenized,
            coreference=coreference,
            loading=loading,
            progress=progress,
        )
