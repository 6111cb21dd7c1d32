"""`tupelo analyze`: text to tags, dependencies, constituents and entities."""

from __future__ import annotations

import click

from tupelo.cli.progress import count, progress


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("--output", "-o", default="-", metavar="FILE", help="Where to write. [default: standard output]")
@click.option(
    "--format",
    "format_name",
    type=click.Choice(["conllu", "brackets", "jsonl"]),
    default="conllu",
    show_default=True,
    help="CoNLL-U, one bracketed tree a line, or JSON Lines with everything.",
)
@click.option("--lines", is_flag=True, help="Every line is one sentence.")
@click.option(
    "--pretokenized", is_flag=True, help="Every line is one sentence, its words separated by single spaces."
)
@click.option(
    "--parser",
    default="en",
    show_default=True,
    metavar="NAME",
    help="The shipped model, or model:FOLDER, spacy:MODEL, stanza:LANGUAGE, conllu.",
)
@click.option("--processes", type=click.IntRange(1), default=1, show_default=True, help="Processes to work in.")
@click.option("--threads", type=click.IntRange(1), help="Threads of each process. [default: all cores; 1 in a pool]")
@click.option("--batch-size", type=click.IntRange(1), default=32, show_default=True, help="Sentences per batch.")
def analyze(
    files: tuple[str, ...],
    output: str,
    format_name: str,
    lines: bool,
    pretokenized: bool,
    parser: str,
    processes: int,
    threads: int | None,
    batch_size: int,
) -> None:
    """Tag and parse the text of each FILE (or of standard input).

    \b
    Examples:
      echo "Dogs bark. Cats sleep." | tupelo analyze
      tupelo analyze book.txt --format jsonl --processes 2 -o book.jsonl
      tupelo analyze sentences.txt --pretokenized --format conllu
      tupelo analyze other.conllu --parser conllu --format jsonl

    Text is split into sentences and words; a blank line always ends a sentence. With --lines
    sentences are taken as given, with --pretokenized the words as well. Offsets count the
    characters of a file. What comes out does not depend on batch size, threads or processes.
    """
    from tupelo.api.text import load
    from tupelo.io.analyses import ANALYSIS_FORMATS, write_analyses
    from tupelo.io.text import read_passages

    loaded = load(parser, processes=processes, batch_size=batch_size, threads=threads)
    analyses = loaded.analyze(
        read_passages(files or ("-",), lines=lines or pretokenized),
        lines=lines,
        pretokenized=pretokenized,
        constituents=ANALYSIS_FORMATS[format_name].has_constituents,
    )
    with progress("analysing") as advance:
        write_analyses(output, count(analyses, advance), format_name)
