"""The tabbed form of CaRB and OIE2016, the common tongue of Open IE scoring.

Read as the CaRB scorer does: the whole line is stripped, then split at tabs;
the fields keep their spaces and blank lines are skipped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tupelo.core import Extraction, Record
from tupelo.io.formats.base import TextFormat
from tupelo.io.formats.fields import (
    confidence_text,
    is_number,
    join_columns,
    sentence_memory,
    share_of_rows,
    split_columns,
    too_few_columns,
    write_lines,
)
from tupelo.io.lines import Lines


def read(lines: Lines) -> Iterator[Record]:
    sentence_of = sentence_memory()
    for number, line in lines:
        columns = split_columns(line)
        if columns == [""]:
            continue
        if len(columns) < 3:
            too_few_columns(lines, number, columns, "sentence, confidence, relation and arguments")
            continue
        confidence = lines.number(number, columns[1])
        if confidence is not None:
            yield Extraction.of(sentence_of(columns[0]), columns[2], columns[3:], confidence=confidence)


def line_of(extraction: Extraction) -> str:
    texts = [argument.text for argument in extraction.arguments]
    return join_columns(
        extraction, [extraction.sentence.text, confidence_text(extraction), extraction.rel.text, *texts]
    )


def sniff(head: Sequence[str]) -> float:
    return 0.9 * share_of_rows(head, lambda row: len(row) >= 3 and is_number(row[1]) and not is_number(row[0]))


FORMAT = TextFormat(
    name="tab",
    title="CaRB / OIE2016 tabbed",
    layout="sentence ⇥ confidence ⇥ relation ⇥ arg1 ⇥ arg2 …",
    sample="tab.tsv",
    keeps=frozenset({"confidence"}),
    read=read,
    write=write_lines(line_of),
    sniff=sniff,
    notes="The line is stripped as a whole, so a tuple whose last argument is empty cannot be written.",
)
