"""OIE2016's plain gold tuples (`.oie.orig`), the form that its scorer should be given.

Read as that scorer does: white space (ASCII only) is cut from the ends of the
line, fields keep theirs, and no argument is special.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tupelo.core import Extraction, Record
from tupelo.io.formats.base import TextFormat
from tupelo.io.formats.fields import is_number, join_columns, share_of_rows, too_few_columns, write_lines
from tupelo.io.lines import Lines

_ASCII_SPACE = " \t\n\r\x0b\x0c"


def read(lines: Lines) -> Iterator[Record]:
    for number, line in lines:
        columns = line.strip(_ASCII_SPACE).split("\t")
        if len(columns) < 2:
            too_few_columns(lines, number, columns, "sentence, relation and arguments")
            continue
        yield Extraction.of(columns[0], columns[1], columns[2:])


def line_of(extraction: Extraction) -> str:
    texts = [argument.text for argument in extraction.arguments]
    return join_columns(extraction, [extraction.sentence.text, extraction.rel.text, *texts])


def sniff(head: Sequence[str]) -> float:
    """Looks like CaRB's gold, which is far more common and therefore goes first."""
    return 0.4 * share_of_rows(head, lambda row: len(row) >= 2 and " " in row[0] and not is_number(row[1]))


FORMAT = TextFormat(
    name="oie2016-orig",
    title="OIE2016 gold, plain form",
    layout="sentence ⇥ relation ⇥ arg1 ⇥ arg2 …",
    sample="oie2016_orig.tsv",
    keeps=frozenset(),
    read=read,
    write=write_lines(line_of),
    sniff=sniff,
    notes=(
        "As CaRB's gold, but fields keep their spaces and 'C: ' means nothing. A blank line is an error. "
        "Cannot be told from CaRB's gold by its look: name it when it matters."
    ),
)
