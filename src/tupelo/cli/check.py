"""`tupelo check`: does a generated text agree with its source?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import click

from tupelo.api.checking import PAIR_FORMATS, CheckedCollection, Checker, Gate
from tupelo.api.files import write_text
from tupelo.cli.options import InputFile, Json, OutputFile, exit_after, print_json, print_result, warn
from tupelo.cli.progress import progress_bar
from tupelo.cli.signature import Run, command
from tupelo.core.parameters import Among, Spelled, Work, Workers


@dataclass(frozen=True, slots=True)
class PairFiles:
    """A collection of texts, and where its claims go."""

    pairs: Annotated[InputFile | None, "A file of texts with their sources, in place of GENERATED and --source."] = (
        None
    )
    format: Annotated[str, Among(PAIR_FORMATS), "With --pairs: the format of that file."] = "pairs"
    sources: Annotated[
        InputFile | None, Spelled.of("FILE"), "Sources of --pairs by id: AggreFact's CSV, or JSON lines."
    ] = None
    output: Annotated[OutputFile, "With --pairs: where claims, evidence and scores go, as JSON lines."] = "-"
    workers: Annotated[Workers, "With --pairs: processes."] = 1
    work: Annotated[
        Work,
        "With --pairs: where finished parts are kept; the same call resumes from them. [default: beside the "
        "output, removed at the end]",
    ] = None
    since: Annotated[
        InputFile | None, "With --pairs: the output of an earlier run, to say which claims fail now and did not."
    ] = None


@command(Checker)
def check(
    run: Run[Checker],
    files: PairFiles,
    gate: Gate,
    generated: Annotated[InputFile | None, Spelled.of("[GENERATED]")] = None,
    source: Annotated[
        Sequence[InputFile],
        Spelled.of("FILE|FOLDER|GRAPH"),
        "The text to check against, a folder of documents, or a graph; - is standard input. Repeat for several.",
    ] = (),
    question: Annotated[str, Spelled.of("TEXT"), "What the text answers."] = "",
    as_json: Annotated[Json, "One JSON document with every claim; with --pairs, the figures of all texts."] = False,
    html: Annotated[OutputFile | None, Spelled.of("HTML"), "Write a page with the text beside its evidence."] = None,
) -> None:
    """Check a generated text against its source, claim by claim.

    Every claim is supported, refuted, overstated or not verifiable, with the sentences of the source that decided.
    The score is the expected share of supported claims. A sentence that only says that it does not know is an
    abstention.

    \b
    Examples:
      tupelo check summary.txt --source article.txt
      tupelo check answer.md --source one.txt --source two.txt --question "Who founded Acme?" --html checked.html
      tupelo check summary.txt --source article.txt --min-supported 0.9 --fail-on refuted
      tupelo check answer.md --source manuals/
      tupelo check --pairs answers.jsonl -o checked.jsonl --workers 4
    """
    if (files.pairs is None) == (generated is None) or (generated is None) != (not source):
        raise click.UsageError("give GENERATED with --source, or --pairs")
    if files.pairs is None and any((files.sources, files.work, files.since)):
        raise click.UsageError("--sources, --work and --since belong to --pairs; the source of one text is --source")
    if files.pairs is not None and (html or question):
        raise click.UsageError("--html and --question are for one text; --pairs has the questions in its file")
    if files.pairs is not None and as_json and files.output == "-":
        raise click.UsageError("--json with --pairs needs -o: the texts would be printed in between")
    if files.pairs is not None:
        found = _check_pairs(run(), files, as_json)
        _hold(gate.failure(found.counts, "no text has claims"))
        exit_after(found.failures)
        return
    checked = run()(Path(generated or ""), [Path(name) for name in source], question=question)
    if html:
        write_text(html, checked.page(f"{generated} against {', '.join(source)}"))
    print_result(checked, as_json)
    _hold(gate.failure(checked.counts(), checked.reason))


def _check_pairs(checker: Checker, files: PairFiles, as_json: bool) -> CheckedCollection:
    """Check a collection, print its figures and return them."""
    with progress_bar() as progress:
        found = checker.collection(
            files.pairs or "",
            files.output,
            format=files.format,
            sources=files.sources,
            workers=files.workers,
            work=files.work,
            since=files.since,
            progress=progress,
        )
    if as_json:
        print_json(found.to_dict())
    else:
        warn(str(found))
    return found


def _hold(failure: str) -> None:
    if failure:
        warn(failure)
        raise SystemExit(1)
