"""`tupelo extract`: text to tuples."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from typing import Annotated

from tupelo.api.text_files import EXTRACTORS, ExtractionOptions, TupleLayout, WriteReport, extract_files
from tupelo.cli.options import InputFile, OutputFile, exit_after, list_option, report_skipped, warn
from tupelo.cli.signature import Run, command
from tupelo.core.parameters import Spelled


@command(extract_files, extra=[list_option(EXTRACTORS.titles, "List the extractors.")])
def extract(
    run: Run[WriteReport],
    layout: TupleLayout,
    form: ExtractionOptions,
    files: Annotated[tuple[InputFile, ...], Spelled.of("[FILE]...")] = (),
    output: OutputFile = "-",
    minimal: Annotated[bool, "Arguments without what can be left out."] = False,
    maximal: Annotated[bool, "Arguments with everything that belongs to them."] = False,
) -> None:
    """Extract tuples from the text of each FILE (or of standard input).

    \b
    Examples:
      echo "Ann, a nurse, moved to Oslo in May." | tupelo extract
      tupelo extract book.txt -o book.jsonl --workers 2
      tupelo extract sentences.txt --lines --format tab > tuples.tsv
      tupelo extract news.txt --html news.html
      tupelo extract news.txt --extractor rules --explain
      tupelo extract news.txt --extractor "command:./other-system --fast" --set format=openie5
      tupelo extract news.txt --extractor llm:some-model --set base-url=http://localhost:8000/v1 --set shots=3

    Text is split into sentences; a blank line always ends one. Words in square brackets are implied, not
    written. What comes out does not depend on batch size, threads or processes. A sentence that fails is named,
    and the exit status is then 1.
    """
    from tupelo.cli.tuple_table import tuple_tables

    to_terminal = output == "-" and sys.stdout.isatty()
    render = partial(tuple_tables, colour=to_terminal, explain=form.explain)
    width = "minimal" if minimal else "maximal" if maximal else "standard"
    # A bar would be torn apart by the tables.
    without_bar = {"progress": None} if to_terminal else {}
    report = run(layout=replace(layout, render=render), form=replace(form, width=width), **without_bar)
    report_skipped(report.skipped)
    for line in report.notes:
        warn(line)
    exit_after(report.failures)
