"""The first release of OIE2016: the head of the predicate in a column of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tupelo.core import Extraction, InputError, Record
from tupelo.io.formats.base import TextFormat
from tupelo.io.formats.carb import looks_like_gold
from tupelo.io.formats.fields import require_plain_fields, sentence_memory, too_few_columns, write_lines
from tupelo.io.lines import Lines

# Other layouts have arg1 in the third column; it repeats the column before it only by accident.
_HEADS_IN_PREDICATES = 0.7


def read(lines: Lines) -> Iterator[Record]:
    sentence_of = sentence_memory()
    for number, line in lines:
        if not line.strip():
            continue
        columns = line.split("\t")
        if len(columns) < 3:
            too_few_columns(lines, number, columns, "sentence, head of the predicate, predicate and arguments")
            continue
        yield Extraction.of(sentence_of(columns[0]), columns[2], columns[3:])


def line_of(extraction: Extraction) -> str:
    rel = extraction.rel.text
    columns = [extraction.sentence.text, rel, rel, *(part.text for part in extraction.arguments)]
    if not any(column.strip() for column in columns):
        raise InputError(f"{extraction} has no words, and readers of oie2016-snapshot skip blank lines")
    return "\t".join(require_plain_fields(extraction, columns)) + "\n"


def sniff(head: Sequence[str]) -> float:
    rows = [line.split("\t") for line in head if line.strip()]
    fits = [len(row) >= 3 and looks_like_gold(row) and row[1] in [*row[2].split(" "), row[2]] for row in rows]
    return 0.8 if fits and sum(fits) / len(fits) >= _HEADS_IN_PREDICATES else 0.0


FORMAT = TextFormat(
    name="oie2016-snapshot",
    title="OIE2016, first release",
    layout="sentence ⇥ head of the predicate ⇥ predicate ⇥ arg1 ⇥ arg2 …",
    sample="oie2016_snapshot.oie",
    keeps=frozenset({"extra spaces"}),
    read=read,
    write=write_lines(line_of),
    sniff=sniff,
    notes="The head of the predicate is not kept; the whole predicate is written in its place. Nothing is stripped.",
)
