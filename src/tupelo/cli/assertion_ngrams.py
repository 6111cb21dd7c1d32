"""`tupelo assertions ngrams`: text or parses to syntactic n-grams."""

from __future__ import annotations

import click

from tupelo.cli.progress import count, progress

KINDS = {"biarcs": 2, "triarcs": 3, "quadarcs": 4}


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("--output", "-o", default="-", metavar="FILE", help="Where to write. [default: standard output]")
@click.option(
    "--kind",
    "kinds",
    type=click.Choice(list(KINDS)),
    multiple=True,
    help="Size of the pieces, counted in arcs between content words; repeat for several. [default: all]",
)
@click.option("--verbs", is_flag=True, help="Only pieces with a verb at the root: all that assertions need.")
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
@click.option(
    "--engine",
    "engine_name",
    metavar="NAME",
    help="Take FILEs as documents, folders too, and keep what is finished: local, or a Spark master.",
)
@click.option("--work", metavar="DIR", help="With --engine, where that is kept. [default: beside the output]")
@click.option("--threads", type=click.IntRange(1), help="Threads of each process. [default: all cores; 1 in a pool]")
@click.option("--batch-size", type=click.IntRange(1), default=32, show_default=True, help="Sentences per batch.")
def ngrams(
    files: tuple[str, ...],
    output: str,
    kinds: tuple[str, ...],
    verbs: bool,
    lines: bool,
    pretokenized: bool,
    parser: str,
    processes: int,
    engine_name: str | None,
    work: str | None,
    threads: int | None,
    batch_size: int,
) -> None:
    """Parse the text of each FILE (or of standard input) and count the small pieces of its trees.

    \b
    Examples:
      echo "Dogs chase cats." | tupelo assertions ngrams
      tupelo assertions ngrams treebank.conllu --parser conllu -o ngrams.tsv.gz
      tupelo assertions ngrams book.txt --verbs | tupelo assertions extract - -o assertions.parquet
      tupelo assertions ngrams library/ --engine local --processes 8 -o ngrams.tsv.gz

    The form is that of Google's extended syntactic n-grams, Stanford's labels included, without years. Without
    --engine an n-gram of a large corpus can come more than once; its counts are meant to be added.
    """
    from tupelo.infer.assertions.fragments import ARCS

    arcs = tuple(KINDS[kind] for kind in kinds) or ARCS
    if engine_name is None:
        _stream(files, output, arcs, verbs, parser, lines, pretokenized, processes, threads, batch_size)
    elif lines or pretokenized or not files:
        raise click.UsageError("--engine reads documents: name files or folders, without --lines or --pretokenized.")
    else:
        _count(files, output, arcs, verbs, parser, engine_name, processes, work)


def _stream(
    files: tuple[str, ...],
    output: str,
    arcs: tuple[int, ...],
    verbs: bool,
    parser: str,
    lines: bool,
    pretokenized: bool,
    processes: int,
    threads: int | None,
    batch_size: int,
) -> None:
    from tupelo.api.text import load
    from tupelo.infer.assertions.fragments import count_fragments
    from tupelo.io.files import open_output
    from tupelo.io.text import read_passages

    nlp = load(parser, processes=processes, threads=threads, batch_size=batch_size)
    passages = read_passages(files or ("-",), lines=lines or pretokenized)
    with nlp, progress("parsing") as advance, open_output(output) as stream:
        analyses = nlp.parser.analyze(passages, lines=lines, pretokenized=pretokenized, constituents=False)
        for line in count_fragments(count(analyses, advance), arcs, verbs_only=verbs):
            stream.write(line.encode("utf-8"))


def _count(
    files: tuple[str, ...],
    output: str,
    arcs: tuple[int, ...],
    verbs: bool,
    parser: str,
    engine_name: str,
    workers: int,
    work: str | None,
) -> None:
    from tupelo.cli.assertion_tables import engine_in
    from tupelo.engine.parquet import partitions_of
    from tupelo.infer.assertions.corpus import CountNgrams, sum_ngrams
    from tupelo.io.assertions import write_ngram_table
    from tupelo.io.documents.find import find_documents
    from tupelo.io.documents.stage import ReadDocuments, partition_files
    from tupelo.io.workspace import open_workspace

    with open_workspace(work, output) as workspace, engine_in(engine_name, workspace, workers) as engine:
        read = engine.run(ReadDocuments(), partition_files(find_documents(files).files))
        passages = partitions_of(read, rows_per_batch=100)
        with progress("parsing", len(passages)) as advance:
            found = engine.run(CountNgrams(parser, arcs, verbs), passages, advance)
        write_ngram_table(output, sum_ngrams(engine, found))
    for failure in [*read.failures, *found.failures]:
        click.echo(f"skipped {failure}", err=True)
