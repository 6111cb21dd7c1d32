"""OLLIE's tab-separated output, with its header line. Read as the CaRB scorer does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tupelo.core import Argument, Attribution, Extraction, Record, Sentence
from tupelo.io.formats.base import TextFormat
from tupelo.io.formats.fields import (
    binary_arguments,
    confidence_text,
    is_number,
    join_columns,
    sentence_memory,
    share_of_rows,
    split_columns,
    too_few_columns,
)
from tupelo.io.lines import Lines

_HEADER = "confidence\targ1\trel\targ2\tenabler\tattribution\ttext"
_NOTHING = "None"


def read(lines: Lines) -> Iterator[Record]:
    sentence_of = sentence_memory()
    for number, line in lines:
        if number == 1:
            continue
        columns = split_columns(line)
        if len(columns) < 7:
            too_few_columns(
                lines, number, columns, "confidence, arg1, relation, arg2, enabler, attribution and sentence"
            )
            continue
        confidence = lines.number(number, columns[0])
        if confidence is None:
            continue
        enabler, attribution = (None if text in ("", _NOTHING) else text for text in columns[4:6])
        yield Extraction(
            sentence_of(columns[6]),
            Argument(columns[2]),
            Argument(columns[1]),
            (Argument(columns[3]),),
            confidence,
            attribution=Attribution(text=attribution) if attribution is not None else None,
            context=Argument(enabler) if enabler is not None else None,
            extractor="ollie",
        )


def write(records: Iterable[Record]) -> Iterator[str]:
    yield _HEADER + "\n"
    for record in records:
        if isinstance(record, Sentence):
            continue
        arg1, arg2 = binary_arguments(record, "ollie")
        attribution = record.attribution.text if record.attribution else None
        yield join_columns(
            record,
            [
                confidence_text(record),
                arg1.text,
                record.rel.text,
                arg2.text,
                record.context.text if record.context else _NOTHING,
                _NOTHING if attribution is None else attribution,
                record.sentence.text,
            ],
        )


def sniff(head: Sequence[str]) -> float:
    if not head or is_number(split_columns(head[0])[0]):
        return 0.0
    if len(head) == 1:
        return float(head[0].strip() == _HEADER)
    return 0.9 * share_of_rows(head[1:], lambda row: len(row) >= 7 and is_number(row[0]) and " " in row[6])


FORMAT = TextFormat(
    name="ollie",
    title="OLLIE",
    layout="header, then confidence ⇥ arg1 ⇥ relation ⇥ arg2 ⇥ enabler ⇥ attribution ⇥ sentence",
    sample="ollie.txt",
    keeps=frozenset({"confidence", "context"}),
    read=read,
    write=write,
    sniff=sniff,
    notes=(
        "The first line is skipped whatever it holds. The enabler becomes the context, the attribution is kept as "
        "one text; 'None' stands for nothing in both. Blank lines are an error, as in the CaRB scorer."
    ),
    min_arguments=2,
    max_arguments=2,
)
