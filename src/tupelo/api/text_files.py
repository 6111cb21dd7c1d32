"""Files of text to files of tuples, analyses and pictures, as streams."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Annotated, TypeAlias

from tupelo.api.text import LoadOptions, load
from tupelo.core import InputError, Record, SentenceTuples, TupeloError
from tupelo.core.errors import skips
from tupelo.core.extraction import in_one_line
from tupelo.core.limits import Limits, LimitsGiven
from tupelo.core.parameters import (
    Among,
    ExtractorName,
    Lines,
    Output,
    ParserName,
    Pretokenized,
    Settings,
    SizeLimits,
    SkippingDocuments,
    Spelled,
    Workers,
)
from tupelo.core.progress import Progress, count, track
from tupelo.extract import EXTRACTORS as EXTRACTORS
from tupelo.extract.options import ExtractionOptions as ExtractionOptions
from tupelo.extract.options import failed_sentences
from tupelo.io.analyses import analysis_format, write_analyses
from tupelo.io.files import open_output, write_text
from tupelo.io.formats import ALL_FIELDS, FORMATS
from tupelo.io.text import is_large, read_passages, read_whole
from tupelo.io.tuples import require_format_of_name, writable, write_records
from tupelo.nlp.prepare import too_long
from tupelo.show.chains import draw_chains
from tupelo.show.trees import draw

# Text for people, sentence by sentence.
Render: TypeAlias = Callable[[Iterable[SentenceTuples]], Iterator[str]]
# Human-readable output, which the caller renders; every other format is one of `tupelo.formats.FORMATS`.
TABLE = "table"


@dataclass(frozen=True, slots=True)
class WriteReport:
    """Report of a run: tuples that a format cannot represent, sentences that failed, and notes of the extractor."""

    skipped: list[TupeloError]
    notes: list[str]
    failures: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class TupleLayout:
    """The output of `extract_files`.

    The default `format` follows from the ending of the output; without one, or with `.txt`, the output is the text
    from `render`, or nothing if only a page is requested.
    """

    format: Annotated[
        str | None,
        Spelled.of("FMT"),
        "table for people; jsonl, csv, parquet, tab or any other of `tupelo formats`. [default: by the ending of "
        "the output; table without one]",
    ] = None
    page: Annotated[
        Output | None,
        Spelled.of("--html", "PAGE"),
        "Write a page of the whole document, beside other output or alone.",
    ] = None
    render: Render | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TextReading:
    """The form of files of text.

    They are read as streams, so that of the `limits` only `ratio` and `sentence` apply: a sentence beyond the limit
    is split, and a note has the count.
    """

    lines: Lines = False
    pretokenized: Pretokenized = False
    limits: SizeLimits = None
    on_error: SkippingDocuments = "raise"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractorLoading(LoadOptions):
    """A parser with an extractor; large files are by default processed by one process per core."""

    workers: Annotated[
        Workers | None, "Processes to work in. [default: 1; one per core when the files are large]"
    ] = None
    extractor: Annotated[ExtractorName, "default, rules, command:PROGRAM, llm:MODEL, or another one of --list."] = (
        "default"
    )
    settings: Annotated[Settings, "A setting of the extractor; repeat for several."] = None


USUAL = LoadOptions()


def extract_files(
    files: Sequence[str],
    output: str = "-",
    *,
    layout: TupleLayout | None = None,
    reading: TextReading | None = None,
    form: ExtractionOptions | None = None,
    loading: ExtractorLoading | None = None,
    progress: Progress | None = None,
) -> WriteReport:
    """Extract from files (`-` is standard input) and write the tuples, and optionally a page."""
    from tupelo.nlp.pipeline import available_cores
    from tupelo.show.highlight import write_along

    layout, reading, loading = layout or TupleLayout(), reading or TextReading(), loading or ExtractorLoading()
    page, lines, pretokenized = layout.page, reading.lines, reading.pretokenized
    chosen = layout.format or (None if page and output == "-" else _format_of_output(output))
    if chosen is not None and chosen != TABLE:
        chosen = FORMATS.resolve(chosen)
    if page == "-" and chosen is not None and output == "-":
        raise InputError("the page and the tuples cannot both go to standard output.")
    bounds = _stream_limits(reading.limits)
    options = replace(form or ExtractionOptions(), longest_sentence=bounds.sentence)
    workers = loading.workers or (available_cores() if is_large(files) else 1)
    skipped: list[TupeloError] = []
    with replace(loading, workers=workers).toolkit() as nlp, ExitStack() as stack:
        split, failures = Counter[bool](), list[str]()
        failed = (lambda error: failures.append(str(error))) if skips(reading.on_error) else None
        passages = read_passages(files or ("-",), lines=lines or pretokenized, limits=bounds, failed=failed)
        found = nlp.extract_sentences(passages, lines=lines, pretokenized=pretokenized, options=options)
        found = count(_noting(found, split, failures), track(progress, "extracting"))
        if page is not None:
            stream = stack.enter_context(open_output(page))
            title = ", ".join(PurePath(name).name for name in files if name != "-") or "Tuples"
            found = write_along(
                found, lambda text: stream.write(text.encode("utf-8", "replace")), title, explain=options.explain
            )
        if chosen is None:
            for _ in found:
                pass
        elif chosen == TABLE:
            _write_text(layout.render(found) if layout.render else (f"{item}\n" for item in found), output)
        else:
            _write_records(found, output, chosen, skipped)
        notes = [f"sentences split {split[True]:,} times: {too_long(bounds.sentence)}"] if split[True] else []
        return WriteReport(skipped, [*notes, *nlp.report()], failures)


def _format_of_output(output: str) -> str:
    """The format by the ending of the output; a name without one, or a `.txt`, gets the table for people."""
    if PurePath(output.removesuffix(".gz")).suffix in ("", ".txt"):
        return TABLE
    return require_format_of_name(output, "--format")


def _stream_limits(limits: LimitsGiven) -> Limits:
    chosen = Limits.of(limits)
    for name in chosen.changes:
        if name not in ("ratio", "sentence"):
            raise InputError(f"limit {name}: text is read as a stream, expected the limit sentence or ratio")
    return chosen


def _noting(found: Iterable[SentenceTuples], split: Counter[bool], failures: list[str]) -> Iterator[SentenceTuples]:
    for item in found:
        split[item.partial] += 1
        place = f"{item.sentence.document_id}: " if item.sentence.document_id else ""
        failures += (f"{place}{failed}" for failed in failed_sentences([item]))
        yield item


def _write_text(pieces: Iterable[str], output: str) -> None:
    interactive = output == "-" and sys.stdout.isatty()
    with open_output(output) as stream:
        for text in pieces:
            stream.write(text.encode("utf-8", "replace"))
            if interactive:
                stream.flush()


def _write_records(
    found: Iterable[SentenceTuples], output: str, format_name: str, skipped: list[TupeloError]
) -> None:

    chosen = FORMATS.get(format_name)
    records: Iterator[Record] = (record for item in found for record in item.records)
    if chosen.keeps != ALL_FIELDS:
        # Our own formats keep a sentence as written; the others need it on one line.
        records = writable(map(in_one_line, records), chosen, skipped.append)
    write_records(output, records, chosen.name)


def analyze_files(
    files: Sequence[str],
    output: str = "-",
    *,
    format: Annotated[
        str,
        Among(("conllu", "conll", "brackets", "jsonl")),
        "CoNLL-U, CoNLL-2012, one bracketed tree a line, or JSON Lines with everything.",
    ] = "conllu",
    lines: Lines = False,
    pretokenized: Pretokenized = False,
    coreference: Annotated[
        bool, Spelled.of("--coref"), "Link the mentions of each file that mean the same thing."
    ] = False,
    loading: LoadOptions = USUAL,
    progress: Progress | None = None,
) -> None:
    """Analyse files (`-` is standard input) and write `conllu`, `conll`, `brackets` or `jsonl`.

    With `coreference`, the mentions of each file are linked.
    """
    constituents = analysis_format(format).has_constituents
    with loading.toolkit() as nlp:
        analyses = nlp.parser.analyze(
            read_passages(files or ("-",), lines=lines or pretokenized),
            lines=lines,
            pretokenized=pretokenized,
            constituents=constituents,
            coreference=coreference,
        )
        write_analyses(output, count(analyses, track(progress, "analysing")), format)


def draw_text(
    text: str,
    output: str = "-",
    *,
    parser: ParserName = "en",
    pretokenized: Annotated[
        bool, "The words of TEXT are separated by single spaces, with --coref its sentences by line breaks."
    ] = False,
    tree: Annotated[str, Among(("both", "dependencies", "constituents")), "Which trees to draw."] = "both",
    coreference: Annotated[
        bool, Spelled.of("--coref"), "Draw what the phrases of a text are about, not trees."
    ] = False,
) -> None:
    """Write the picture of one sentence, or with `coreference` that of a text with its chains of mentions.

    `-` reads the text from standard input. `tree` may name one of the two trees. With `pretokenized`, words are
    separated by single spaces, and the sentences of a text by line breaks.
    """
    content = read_whole("-").rstrip("\n") if text == "-" else text
    with load(parser) as nlp:
        if coreference:
            whole = content.splitlines() if pretokenized else content
            found = nlp.analyze(whole, pretokenized=pretokenized, constituents=False, coreference=True)
        else:
            found = nlp.analyze([content], lines=True, pretokenized=pretokenized)
    if not found:
        raise InputError("no sentence to draw, expected one")
    dependencies, constituents = tree != "constituents", tree != "dependencies"
    picture = (
        draw_chains(found) if coreference else draw(found[0], dependencies=dependencies, constituents=constituents)
    )
    write_text(output, picture)
