"""Assertions of whole corpora: n-grams of parsed text, and assertions from n-grams; calls of `tupelo.assertions`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated

from tupelo.api.resources import RunOptions, open_engine
from tupelo.api.text import LoadOptions
from tupelo.core.assertion import assertion_schema
from tupelo.core.errors import skips
from tupelo.core.parameters import (
    Among,
    Count,
    EngineName,
    Lines,
    PathLike,
    Pretokenized,
    Skipping,
    Spelled,
    Work,
    Workers,
)
from tupelo.core.progress import Advance, Progress, count, track
from tupelo.core.protocols import Engine, Partition, Stage
from tupelo.core.stages import Failure, Table
from tupelo.engine.partition import partitions_of
from tupelo.io.assertions import is_parquet, parquet_part, read_batches, read_rows
from tupelo.io.documents.find import find_documents
from tupelo.io.documents.stage import ReadDocuments
from tupelo.io.documents.stage import partition_files as partition_documents
from tupelo.io.files import open_output
from tupelo.io.folders import choose_files
from tupelo.io.text import read_passages
from tupelo.io.workspace import FolderWorkspace, open_workspace
from tupelo_training.assertions.files import (
    partition_files,
    spool_standard_input,
    write_batches,
    write_ngram_table,
)
from tupelo_training.assertions.ngrams import CountNgrams, arcs_of, count_fragments, sum_ngrams
from tupelo_training.assertions.stage import (
    EXTRACT_ASSERTIONS,
    READ_ASSERTIONS,
    count_malformed,
    describe_failures,
    refuse,
)
from tupelo_training.assertions.steps import AssertionReport, aggregate_assertions, is_collection

# For DuckDB; together with the memory of the stage, a process stays below 2 GB.
_MEMORY = "1GB"
ONE_WORKER = RunOptions(workers=1)
USUAL = LoadOptions()


MinPairs = Annotated[Count, "Drop relations with fewer different pairs of arguments."]


def extract(
    files: Sequence[str],
    output: str,
    *,
    min_pairs: MinPairs = 10,
    on_error: Skipping = "raise",
    engine: EngineName = "local",
    workers: Annotated[Workers, "Processes of the local engine."] = 1,
    work: Work = None,
    progress: Progress | None = None,
) -> AssertionReport:
    """Extract assertions from syntactic n-grams in Google's format; the name of `output` selects Parquet or text.

    From a folder, the extended biarcs, triarcs and quadarcs are read. Relations with fewer than `min_pairs` distinct
    argument pairs are discarded. `work` keeps finished parts, from which the same call resumes.
    """
    skip = skips(on_error)

    def assertions(runner: Engine, workspace: FolderWorkspace) -> Table:
        names = spool_standard_input(choose_files(files, is_collection), workspace.scratch() + "/standard-input")
        return _run(runner, EXTRACT_ASSERTIONS, partition_files(names), "extracting", skip, progress)

    return _make(assertions, output, min_pairs, engine, workers, work)


def aggregate(
    files: Sequence[str],
    output: str,
    *,
    min_pairs: MinPairs = 10,
    on_error: Skipping = "raise",
    engine: EngineName = "local",
    workers: Annotated[Workers, "Processes of the local engine."] = 1,
    work: Work = None,
    progress: Progress | None = None,
) -> AssertionReport:
    """Merge the assertions of several files and discard rare relations; see `extract`."""
    skip = skips(on_error)

    def assertions(runner: Engine, workspace: FolderWorkspace) -> Table:
        ready = tuple(parquet_part(name) for name in files if is_parquet(name))
        texts = [name for name in files if not is_parquet(name)]
        partitions = partition_files(spool_standard_input(texts, workspace.scratch() + "/standard-input"))
        read = _run(runner, READ_ASSERTIONS, partitions, "reading", skip, progress)
        return Table(assertion_schema(), ready + read.parts)

    return _make(assertions, output, min_pairs, engine, workers, work)


def _run(
    engine: Engine,
    stage: Stage,
    partitions: Sequence[Partition],
    what: str,
    skip: bool,
    progress: Progress | None,
) -> Table:
    """Run the stage over all partitions. Unless malformed lines are skipped, it runs over the first, the first two,
    four, …, each time resuming from what is finished, so that early errors are reported quickly.
    """
    advance = track(progress, what, len(partitions))
    done = 0
    while True:
        end = min(max(2 * done, 1), len(partitions)) if not skip else len(partitions)
        found = engine.run(stage, partitions[:end], _beyond(advance, done))
        if found.failures and not skip:
            raise refuse(found.failures)
        if end == len(partitions):
            return found
        done = end


def _beyond(advance: Advance, known: int) -> Advance:
    """Reports progress without the partitions that were already finished and reported."""
    left = known

    def report(count: int) -> None:
        nonlocal left
        repeated = min(count, left)
        left -= repeated
        advance(count - repeated)

    return report


def _make(
    assertions: Callable[[Engine, FolderWorkspace], Table],
    output: str,
    min_pairs: int,
    engine: str,
    workers: int,
    work: PathLike | None,
) -> AssertionReport:

    with open_workspace(work, output) as workspace, open_engine(engine, workspace, workers, _MEMORY) as runner:
        found = assertions(runner, workspace)
        kept, figures = aggregate_assertions(runner, found, min_pairs)
        (row,) = read_rows(figures)
        write_batches(output, read_batches(kept))
    skipped = tuple(describe_failures(found.failures))
    return AssertionReport(
        **row, malformed_lines=count_malformed(found.failures), min_pairs=min_pairs, skipped=skipped
    )


def write_ngrams(
    files: Sequence[str],
    output: str = "-",
    *,
    kinds: Annotated[
        Sequence[str],
        Spelled.of("--kind"),
        Among(("biarcs", "triarcs", "quadarcs")),
        "Size of the n-grams, counted in arcs between content words; repeat for several. [default: all]",
    ] = (),
    verbs: Annotated[bool, "Only n-grams with a verb at the root: all that assertions need."] = False,
    lines: Lines = False,
    pretokenized: Pretokenized = False,
    loading: LoadOptions = USUAL,
    progress: Progress | None = None,
) -> None:
    """Parse text and write the syntactic n-grams of its sentences; `-` is standard input or output.

    `kinds` are `biarcs`, `triarcs` and `quadarcs`, all by default. With `verbs`, only n-grams whose root is a verb.
    """
    nlp = loading.toolkit()
    passages = read_passages(tuple(files) or ("-",), lines=lines or pretokenized)
    with nlp, open_output(output) as stream:
        analyses = nlp.analyze(passages, lines=lines, pretokenized=pretokenized, constituents=False)
        counted = count(analyses, track(progress, "parsing"))
        for line in count_fragments(counted, arcs_of(kinds), verbs_only=verbs):
            stream.write(line.encode("utf-8"))


def count_ngrams(
    documents: Sequence[str],
    output: str = "-",
    *,
    kinds: Sequence[str] = (),
    verbs: bool = False,
    parser: str = "en",
    run: RunOptions = ONE_WORKER,
    progress: Progress | None = None,
) -> list[Failure]:
    """The same for documents and folders of them, on an engine; returns what could not be read or was skipped."""
    with (
        open_workspace(run.work, output) as workspace,
        open_engine(run.engine, workspace, run.workers or 1, _MEMORY) as runner,
    ):
        listing = find_documents(documents)
        read = runner.run(ReadDocuments(), partition_documents(listing.files))
        passed_over = [Failure("find", found.source, found.reason) for found in listing.passed_over]
        passages = partitions_of(read, rows_per_batch=100)
        advance = track(progress, "parsing", len(passages))
        found = runner.run(CountNgrams(parser, arcs_of(kinds), verbs), passages, advance)
        write_ngram_table(output, sum_ngrams(runner, found))
    return [*read.failures, *read.notes, *passed_over, *found.failures]
