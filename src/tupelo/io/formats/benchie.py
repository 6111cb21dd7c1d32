"""BenchIE's system files: triples of sentences that are known by their id only.

Read as the BenchIE scorer does: the whole line stripped, then split at tabs;
columns after the fourth are ignored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tupelo.core import Extraction, InputError, Record, Sentence
from tupelo.io.formats.base import TextFormat
from tupelo.io.formats.fields import (
    binary_arguments,
    join_columns,
    share_of_rows,
    split_columns,
    too_few_columns,
    write_lines,
)
from tupelo.io.lines import Lines


def read(lines: Lines) -> Iterator[Record]:
    for number, line in lines:
        columns = split_columns(line)
        if columns == [""]:
            continue
        if len(columns) < 4:
            too_few_columns(lines, number, columns, "sentence id, subject, relation and object")
            continue
        name, subject, relation, object_ = columns[:4]
        yield Extraction.of(Sentence("", id=name), relation, (subject, object_))


def line_of(extraction: Extraction) -> str:
    if extraction.sentence.id is None:
        raise InputError(f"the sentence of {extraction} has no id, which benchie needs")
    subject, object_ = binary_arguments(extraction, FORMAT.name)
    return join_columns(extraction, [extraction.sentence.id, subject.text, extraction.rel.text, object_.text])


def sniff(head: Sequence[str]) -> float:
    return 0.95 * share_of_rows(head, lambda row: len(row) == 4 and row[0].isdigit())


FORMAT = TextFormat(
    name="benchie",
    title="BenchIE system output",
    layout="sentence id ⇥ subject ⇥ relation ⇥ object",
    sample="benchie.tsv",
    keeps=frozenset({"sentence.id"}),
    read=read,
    write=write_lines(line_of),
    sniff=sniff,
    notes="The sentence is known by its id only; its text is not kept.",
    min_arguments=2,
    max_arguments=2,
)
