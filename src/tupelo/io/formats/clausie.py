"""ClausIE's output: a line with the sentence, then a line per tuple with its parts in quotes.

Read as the CaRB scorer does: a line with one column sets the sentence (a blank
line sets it to nothing), a line with five is a tuple, all others are ignored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tupelo.core import Argument, Extraction, InputError, Record, Sentence
from tupelo.io.formats.base import TextFormat, write_by_sentence
from tupelo.io.formats.columns import confidence_text, is_number, join_columns, require_arguments, split_columns
from tupelo.io.lines import Lines


def read(lines: Lines) -> Iterator[Record]:
    sentence: Sentence | None = None
    is_bare = False
    for number, line in lines:
        columns = split_columns(line)
        if len(columns) == 1:
            if is_bare and sentence is not None:
                yield sentence
            sentence, is_bare = Sentence(columns[0]), columns[0] != ""
        elif len(columns) == 5:
            if sentence is None:
                lines.fault(number, "a tuple before any sentence", "a line that holds only the sentence")
                continue
            confidence = lines.number(number, columns[4])
            if confidence is None:
                continue
            is_bare = False
            # The scorer drops the first and last character unseen; they are quotes.
            arg1, rel, arg2 = (column[1:-1] for column in columns[1:4])
            yield Extraction(
                sentence, Argument(rel), Argument(arg1), (Argument(arg2),), confidence, extractor="clausie"
            )
    if is_bare and sentence is not None:
        yield sentence


def _tuple_line(extraction: Extraction, number: int) -> str:
    require_arguments(extraction, "clausie", 2, 2)
    arg1, arg2 = extraction.arguments
    quoted = [f'"{part.text}"' for part in (arg1, extraction.rel, arg2)]
    return join_columns(extraction, [str(number), *quoted, confidence_text(extraction)])


def _sentence_line(text: str, number: int) -> str:
    if not text.strip() or "\t" in text or "\n" in text or "\r" in text:
        raise InputError(f"clausie cannot hold the sentence {text!r}: it is blank, or holds a tab or line break")
    return text + "\n"


def sniff(head: Sequence[str]) -> float:
    rows = [split_columns(line) for line in head if line.strip()]
    tuples = [row for row in rows if len(row) > 1]
    fits = [row[0].isdigit() and row[1][:1] == '"' == row[1][-1:] and is_number(row[-1]) for row in tuples]
    return sum(fits) / len(fits) if fits and len(rows[0]) == 1 else 0.0


FORMAT = TextFormat(
    name="clausie",
    title="ClausIE",
    layout='sentence ⏎ sentence number ⇥ "arg1" ⇥ "relation" ⇥ "arg2" ⇥ confidence',
    sample="clausie.txt",
    keeps=frozenset({"confidence", "empty sentences"}),
    read=read,
    write=write_by_sentence(_sentence_line, _tuple_line),
    sniff=sniff,
    notes=(
        "Lines with another number of columns than 1 or 5 are ignored, as in the CaRB scorer; ClausIE writes tuples "
        "of a single argument with 4. The sentence number is not read. Confidence is a log value, used as it is."
    ),
    min_arguments=2,
    max_arguments=2,
    log_confidence=True,
)
