"""LSOIE's tuples: plain columns, nothing stripped; its sentences end with a space."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tupelo.core import Extraction, InputError, Record
from tupelo.io.formats.base import TextFormat
from tupelo.io.formats.carb import CONTEXT_MARK, looks_like_gold
from tupelo.io.formats.fields import require_plain_fields, sentence_memory, too_few_columns, write_lines
from tupelo.io.lines import Lines


def read(lines: Lines) -> Iterator[Record]:
    sentence_of = sentence_memory()
    for number, line in lines:
        if not line.strip():
            continue
        columns = line.split("\t")
        if len(columns) < 2:
            too_few_columns(lines, number, columns, "sentence, relation and arguments")
            continue
        yield Extraction.of(sentence_of(columns[0]), columns[1], columns[2:])


def line_of(extraction: Extraction) -> str:
    columns = [extraction.sentence.text, extraction.rel.text, *(part.text for part in extraction.arguments)]
    if not any(column.strip() for column in columns):
        raise InputError(f"{extraction} has no words, and readers of lsoie skip blank lines")
    return "\t".join(require_plain_fields(extraction, columns)) + "\n"


def sniff(head: Sequence[str]) -> float:
    rows = [line.split("\t") for line in head if line.strip()]
    fits = [row[0].endswith(" ") and CONTEXT_MARK not in "\t".join(row) and looks_like_gold(row) for row in rows]
    # The space after the sentence is all that tells it from `carb`.
    return 0.6 if fits and all(fits) else 0.0


FORMAT = TextFormat(
    name="lsoie",
    title="LSOIE",
    layout="sentence ⇥ relation ⇥ arg1 ⇥ arg2 …",
    sample="lsoie.oie",
    keeps=frozenset({"extra spaces"}),
    read=read,
    write=write_lines(line_of),
    sniff=sniff,
    notes=(
        "Nothing is stripped; blank lines are skipped. Detected automatically by the space at the end of every "
        "sentence; without it the file is taken for carb, which has the same columns."
    ),
)
