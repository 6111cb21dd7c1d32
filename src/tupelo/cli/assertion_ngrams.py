"""`tupelo assertions ngrams`: text or parses to syntactic n-grams."""

from __future__ import annotations

import click

from tupelo.cli.progress import count, progress

KINDS = {"biarcs": 2, "triarcs": 3, "quadarcs": 4}


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("--output", "-o", default="-", metavar="FILE", help="Where to write. [default: standard output]")
@click.option(
    "--kind", "kinds", type=click.Choice(list(KINDS)), multiple=True,
    help="Size of the pieces, counted in arcs between content words; repeat for several. [default: all]",
)  # fmt: skip
@click.option("--verbs", is_flag=True, help="Only pieces with a verb at the root: all that assertions need.")
@click.option("--lines", is_flag=True, help="Every line is one sentence.")
@click.option(
    "--pretokenized", is_flag=True, help="Every line is one sentence, its words separated by single spaces."
)
@click.option(
    "--parser", default="en", show_default=True, metavar="NAME",
    help="The shipped model, or model:FOLDER, spacy:MODEL, stanza:LANGUAGE, conllu.",
)  # fmt: skip
@click.option("--processes", type=click.IntRange(1), default=1, show_default=True, help="Processes to work in.")
@click.option("--threads", type=click.IntRange(1), help="Threads of each process. [default: all cores; 1 in a pool]")
@click.option("--batch-size", type=click.IntRange(1), default=32, show_default=True, help="Sentences per batch.")
def ngrams(
    files: tuple[str, ...], output: str, kinds: tuple[str, ...], verbs: bool, lines: bool, pretokenized: bool,
    parser: str, processes: int, threads: int | None, batch_size: int,
) -> None:  # fmt: skip
    """Parse the text of each FILE (or of standard input) and count the small pieces of its trees.

    \b
    Examples:
      echo "Dogs chase cats." | tupelo assertions ngrams
      tupelo assertions ngrams treebank.conllu --parser conllu -o ngrams.tsv.gz
      tupelo assertions ngrams book.txt --verbs | tupelo assertions extract - -o assertions.parquet

    The form is that of Google's extended syntactic n-grams, Stanford's labels included, without years. In a
    large corpus an n-gram can come more than once; its counts are meant to be added.
    """
    from tupelo.infer.assertions.fragments import ARCS, count_fragments
    from tupelo.io.files import open_output
    from tupelo.io.text import read_passages
    from tupelo.load import load

    nlp = load(parser, processes=processes, threads=threads, batch_size=batch_size)
    passages = read_passages(files or ("-",), lines=lines or pretokenized)
    arcs = tuple(KINDS[kind] for kind in kinds) or ARCS
    with nlp, progress("parsing") as advance, open_output(output) as stream:
        analyses = nlp.analyze(passages, lines=lines, pretokenized=pretokenized, constituents=False)
        for line in count_fragments(count(analyses, advance), arcs, verbs_only=verbs):
            stream.write(line.encode("utf-8"))
