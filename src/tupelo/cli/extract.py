"""`tupelo extract`: text to tuples."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import PurePath
from typing import TYPE_CHECKING

import click

from tupelo.cli.progress import count, progress

if TYPE_CHECKING:
    from tupelo.core import Record, TupeloError
    from tupelo.core.protocols import Likeness
    from tupelo.extract.run import SentenceTuples
    from tupelo.io.services import LocalServices

TABLE = "table"


def named_settings(context: click.Context, option: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    settings: dict[str, str] = {}
    for value in values:
        name, sign, text = value.partition("=")
        if not sign or not name:
            raise click.BadParameter(f"'{value}' is not NAME=VALUE")
        settings[name] = text
    return settings


def _list_extractors(context: click.Context, option: click.Parameter, wanted: bool) -> None:
    if wanted:
        from tupelo.extract import EXTRACTORS

        for name in EXTRACTORS:
            click.echo(f"{name:<8}  {EXTRACTORS.title(name)}")
        context.exit()


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option(
    "--extractor",
    default="default",
    show_default=True,
    metavar="NAME",
    help="default, rules, neural, command:PROGRAM or llm:MODEL.",
)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    callback=named_settings,
    help="A setting of the extractor; repeat for several.",
)
@click.option("--output", "-o", default="-", metavar="FILE", help="Where to write. [default: standard output]")
@click.option(
    "--format",
    "format_name",
    metavar="FMT",
    help="table for people; jsonl, tab, parquet or any other of `tupelo formats`. [default: by the ending of the "
    "output, else table]",
)
@click.option(
    "--html", "page", metavar="PAGE", help="Write a page of the whole document, beside other output or alone."
)
@click.option("--lines", is_flag=True, help="Every line is one sentence.")
@click.option(
    "--pretokenized", is_flag=True, help="Every line is one sentence, its words separated by single spaces."
)
@click.option("--minimal", "width", flag_value="minimal", help="Arguments without what can be left out.")
@click.option("--maximal", "width", flag_value="maximal", help="Arguments with everything that belongs to them.")
@click.option(
    "--prepositions",
    type=click.Choice(["relation", "argument"]),
    default="relation",
    show_default=True,
    help="Where a preposition between verb and argument goes: `born in; Oslo` or `born; in Oslo`.",
)
@click.option("--no-coref", is_flag=True, help="Leave pronouns and short names unresolved.")
@click.option("--min-confidence", type=float, metavar="X", help="Leave out tuples below this confidence.")
@click.option("--explain", is_flag=True, help="Say which rule made each tuple.")
@click.option("--all", "everything", is_flag=True, help="In the table, also tuples that only repeat part of another.")
@click.option(
    "--parser",
    default="en",
    show_default=True,
    metavar="NAME",
    help="The shipped model, or model:FOLDER, spacy:MODEL, stanza:LANGUAGE, conllu.",
)
@click.option(
    "--processes",
    type=click.IntRange(1),
    help="Processes to work in. [default: 1; one per core when the files are large]",
)
@click.option("--threads", type=click.IntRange(1), help="Threads of each process. [default: all cores; 1 in a pool]")
@click.option("--batch-size", type=click.IntRange(1), default=32, show_default=True, help="Sentences per batch.")
@click.option(
    "--list",
    "list_only",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list_extractors,
    help="List the extractors.",
)
def extract(
    files: tuple[str, ...],
    extractor: str,
    settings: Mapping[str, str],
    output: str,
    format_name: str | None,
    page: str | None,
    lines: bool,
    pretokenized: bool,
    width: str | None,
    prepositions: str,
    no_coref: bool,
    min_confidence: float | None,
    explain: bool,
    everything: bool,
    parser: str,
    processes: int | None,
    threads: int | None,
    batch_size: int,
) -> None:
    """Extract tuples from the text of each FILE (or of standard input).

    \b
    Examples:
      echo "Ann, a nurse, moved to Oslo in May." | tupelo extract
      tupelo extract book.txt -o book.jsonl --processes 2
      tupelo extract sentences.txt --lines --format tab > tuples.tsv
      tupelo extract news.txt --html news.html
      tupelo extract news.txt --extractor rules --explain
      tupelo extract news.txt --extractor "command:./other-system --fast" --set format=openie5
      tupelo extract news.txt --extractor llm:some-model --set base-url=http://localhost:8000/v1 --set shots=3

    Text is split into sentences; a blank line always ends one. Words in square brackets are implied, not
    written. What comes out does not depend on batch size, threads or processes.
    """
    from tupelo.api.text import load
    from tupelo.extract.page import write_along
    from tupelo.extract.run import Form
    from tupelo.io.files import open_output
    from tupelo.io.formats import FORMATS
    from tupelo.io.services import LocalServices
    from tupelo.io.text import is_large, read_passages
    from tupelo.io.tuples import format_of_name
    from tupelo.nlp.pipeline import available_cores

    chosen = format_name or format_of_name(output) or (None if page and output == "-" else TABLE)
    if chosen is not None and chosen != TABLE:
        chosen = FORMATS.resolve(chosen)
    if page == "-" and chosen is not None and output == "-":
        raise click.UsageError("the page and the tuples cannot both go to standard output.")
    form = Form(
        width=width or "standard",
        prepositions=prepositions,
        coreference=not no_coref,
        least_confidence=min_confidence,
    )
    services = LocalServices(os.environ)
    nlp = load(
        parser,
        extractor=extractor,
        settings=settings,
        services=services,
        processes=processes or (available_cores() if is_large(files) else 1),
        threads=threads,
        batch_size=batch_size,
    )
    services.analyze_with(lambda sentences: nlp.analyze(sentences, lines=True))
    services.compare_with(_likeness)
    whole = lines or pretokenized
    found = nlp.extract_sentences(
        read_passages(files or ("-",), lines=whole), lines=lines, pretokenized=pretokenized, form=form
    )
    with ExitStack() as stack:
        stack.callback(services.close)
        stack.callback(nlp.close)
        if not (chosen == TABLE and output == "-" and sys.stdout.isatty()):
            found = count(found, stack.enter_context(progress("extracting")))
        if page is not None:
            stream = stack.enter_context(open_output(page))
            title = ", ".join(PurePath(name).name for name in files if name != "-") or "Tuples"
            found = write_along(
                found, lambda text: stream.write(text.encode("utf-8", "replace")), title, explain=explain
            )
        _write(found, output, chosen, explain, everything)
    _report(services)


def _likeness(name: str) -> Likeness:
    from tupelo.cliques import MEASURES
    from tupelo.cliques.likeness import SyntaxLikeness

    return SyntaxLikeness(MEASURES.get(name)())


def _write(found: Iterator[SentenceTuples], output: str, chosen: str | None, explain: bool, everything: bool) -> None:
    if chosen is None:
        for _ in found:
            pass
    elif chosen == TABLE:
        from tupelo.cli.tuple_table import tuple_tables
        from tupelo.io.files import open_output

        colour = output == "-" and sys.stdout.isatty()
        with open_output(output) as stream:
            for text in tuple_tables(found, colour=colour, explain=explain, everything=everything):
                stream.write(text.encode("utf-8", "replace"))
                if colour:
                    stream.flush()
    else:
        _write_records(found, output, chosen)


def _write_records(found: Iterable[SentenceTuples], output: str, format_name: str) -> None:
    from tupelo.extract.postprocess import in_one_line
    from tupelo.io.formats import ALL_FIELDS, FORMATS
    from tupelo.io.losses import writable
    from tupelo.io.tuples import write_records

    chosen = FORMATS.get(format_name)
    skipped: list[TupeloError] = []
    records: Iterator[Record] = (record for item in found for record in (item.extractions or (item.sentence,)))
    if chosen.keeps != ALL_FIELDS:
        # Our own formats hold a sentence as it is written; the others need it on one line.
        records = writable(map(in_one_line, records), chosen, skipped.append)
    write_records(output, records, chosen.name)
    for error in skipped:
        click.echo(f"skipped {error}", err=True)


def _report(services: LocalServices) -> None:
    for line in services.report():
        click.echo(line, err=True)
