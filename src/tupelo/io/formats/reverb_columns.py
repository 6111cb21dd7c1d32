"""The columns that ReVerb writes, and Stanford's system in its ReVerb mode.

Columns 6 to 11 are the token intervals of arg1, relation and arg2. They are
kept where the words they point at are the words of the part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from tupelo.core import Argument, Extraction, Record, Sentence
from tupelo.io.formats.fields import (
    binary_arguments,
    confidence_text,
    first_and_last,
    is_number,
    join_columns,
    split_columns,
    too_few_columns,
)
from tupelo.io.lines import Lines

_UNKNOWN = "-"
LAYOUT = (
    "file ⇥ sentence number ⇥ arg1 ⇥ relation ⇥ arg2 ⇥ start and end of arg1, relation, arg2 in tokens (6 columns) "
    "⇥ confidence ⇥ sentence ⇥ …"
)
NOTES = (
    "Columns after the 13th (tags, chunks, normalised words) are not read. Token intervals are kept where they point "
    f"at the words of the part, tokens being the pieces between single spaces. '{_UNKNOWN}' stands for an unknown "
    "file, number or interval. A part in several pieces has no interval."
)
KEEPS = frozenset({"confidence", "tokens", "sentence.id", "sentence.document_id"})


def reader(extractor: str) -> Callable[[Lines], Iterator[Record]]:
    def read(lines: Lines) -> Iterator[Record]:
        for number, line in lines:
            columns = split_columns(line)
            if len(columns) < 13:
                too_few_columns(lines, number, columns, "13 or more, confidence and sentence in columns 12 and 13")
                continue
            confidence = lines.number(number, columns[11])
            if confidence is None:
                continue
            document, identifier = (None if column == _UNKNOWN else column for column in columns[:2])
            tokens = columns[12].split(" ")
            arg1, rel, arg2 = (
                Argument(text, tokens=_interval(start, end, tokens, text))
                for text, start, end in zip(columns[2:5], columns[5:11:2], columns[6:11:2], strict=True)
            )
            yield Extraction(
                Sentence(columns[12], identifier, document), rel, arg1, (arg2,), confidence, extractor=extractor
            )

    return read


def _interval(start: str, end: str, tokens: Sequence[str], text: str) -> tuple[int, ...] | None:
    if not (_is_index(start) and _is_index(end)) or int(end) > len(tokens):
        return None
    interval = range(int(start), int(end))
    return tuple(interval) if interval and " ".join(tokens[i] for i in interval) == text else None


def _is_index(column: str) -> bool:
    return column.isascii() and column.isdigit() and len(column) < 10


def line_writer(format_name: str) -> Callable[[Extraction], str]:
    def line_of(extraction: Extraction) -> str:
        arg1, arg2 = binary_arguments(extraction, format_name)
        sentence = extraction.sentence
        intervals: list[str] = []
        for part in (arg1, extraction.rel, arg2):
            intervals += _interval_columns(part.tokens)
        return join_columns(
            extraction,
            [
                sentence.document_id or _UNKNOWN,
                sentence.id or _UNKNOWN,
                arg1.text,
                extraction.rel.text,
                arg2.text,
                *intervals,
                confidence_text(extraction),
                sentence.text,
            ],
        )

    return line_of


def _interval_columns(tokens: tuple[int, ...] | None) -> tuple[str, str]:
    ends = first_and_last(tokens)
    return (_UNKNOWN, _UNKNOWN) if ends is None else (str(ends[0]), str(ends[1] + 1))


def looks_like_reverb(row: Sequence[str]) -> bool:
    return len(row) >= 13 and is_number(row[11]) and " " in row[12]
