"""Assertions of whole corpora, from n-grams of text, and answers among them: the calls of `tupelo.assertions`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any

from tupelo.api.resources import RunOptions, open_engine, open_wordnet
from tupelo.api.text import LoadOptions
from tupelo.core.assertion import Assertion, assertion_schema
from tupelo.core.errors import skips
from tupelo.core.parameters import (
    Among,
    At,
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
from tupelo.engine.partition import ParquetRows
from tupelo.io.assertions import is_parquet, parquet_part, read_assertions, read_batches, read_rows
from tupelo.io.documents.find import find_documents
from tupelo.io.documents.stage import ReadDocuments
from tupelo.io.documents.stage import partition_files as partition_documents
from tupelo.io.files import open_output
from tupelo.io.text import read_passages
from tupelo.io.workspace import FolderWorkspace, open_workspace
from tupelo_training.assertions.answers import AnswerCandidates, CandidateQuestion, answer_candidates
from tupelo_training.assertions.files import (
    choose_files,
    partition_files,
    read_questions,
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
        pieces = {part.name: tuple((file, 0, None) for file in part.files) for part in read.parts}
        passages = [ParquetRows(name, files, rows_per_batch=100) for name, files in pieces.items()]
        advance = track(progress, "parsing", len(passages))
        found = runner.run(CountNgrams(parser, arcs_of(kinds), verbs), passages, advance)
        write_ngram_table(output, sum_ngrams(runner, found))
    return [*read.failures, *read.notes, *passed_over, *found.failures]


def candidates(
    assertions: str | Iterable[Assertion],
    questions: str | Sequence[CandidateQuestion | tuple[str, str, str]],
    *,
    wordnet: Annotated[
        str | None,
        At.INPUT,
        Spelled.of("DIR"),
        "Folder of WordNet 3.0. [default: TUPELO_WORDNET, else the system's]",
    ] = None,
    ties: Annotated[
        str,
        Among(("name", "first")),
        "Which sense of an answer counts when Lesk cannot decide: by NLTK's order of names, or the most frequent.",
    ] = "name",
    ignore_articles: Annotated[
        bool, "Step 3 compares relations and answers without *a*, *an* and *the*, as step 1 compares arguments."
    ] = False,
    progress: Progress | None = None,
) -> AnswerCandidates:
    """Retrieve candidate answers to questions from assertions, as in Levy and Dagan (2016).

    A question is its argument, its relation, and the type of its answer. `questions` may be a file with these three
    on each line, separated by tabs.
    """
    asked = read_questions(questions) if isinstance(questions, str) else questions
    known = read_assertions(assertions) if isinstance(assertions, str) else assertions
    return answer_candidates(
        count(known, track(progress, "searching")),
        [question if isinstance(question, CandidateQuestion) else CandidateQuestion(*question) for question in asked],
        open_wordnet(wordnet),
        ties=ties,
        ignore_articles=ignore_articles,
    )


def write_candidates(found: AnswerCandidates, output: str = "-", *, as_json: bool = False) -> None:
    """Write one candidate per line, as JSON or with tabs between."""

    def line(row: dict[str, Any]) -> str:
        return json.dumps(row, ensure_ascii=False) if as_json else "\t".join(map(str, row.values()))

    with open_output(output) as stream:
        for row in found.rows():
            stream.write(f"{line(row)}\n".encode())
