"""A gold file scored as if it were a system's output, as CaRB's `--benchmarkGold` reads it.

The layout is that of `carb`, but nothing is filtered: a context is an
argument like any other, and every tuple has confidence 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tupelo.core import Extraction, Record
from tupelo.io.formats.base import TextFormat
from tupelo.io.formats.carb import looks_like_gold
from tupelo.io.formats.fields import (
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
        if len(columns) < 2:
            too_few_columns(lines, number, columns, "sentence, relation and arguments")
            continue
        # The sentence alone is not stripped; the scorer finds it by this very text.
        relation, *arguments = (column.strip() for column in columns[1:])
        yield Extraction.of(sentence_of(columns[0]), relation, arguments, confidence=1.0)


def line_of(extraction: Extraction) -> str:
    texts = [argument.text for argument in extraction.arguments]
    return join_columns(extraction, [extraction.sentence.text, extraction.rel.text, *texts])


def sniff(head: Sequence[str]) -> float:
    # Below its twin `carb`, so that detection has one winner.
    return 0.4 * share_of_rows(head, looks_like_gold)


FORMAT = TextFormat(
    name="benchmarkgold",
    title="A gold file as a system",
    layout="sentence ⇥ relation ⇥ arg1 ⇥ arg2 …",
    sample="benchmarkgold.tsv",
    keeps=frozenset(),
    read=read,
    write=write_lines(line_of),
    sniff=sniff,
    notes=(
        "The layout of carb, read as CaRB reads a gold file that is scored as a system: blank lines are skipped, "
        "'C: ' is not special, confidence is 1. Never detected automatically; name it."
    ),
)
