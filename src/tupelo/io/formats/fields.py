"""What tab-separated formats have in common."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence

from tupelo.core import Argument, Extraction, InputError, Record, Sentence
from tupelo.io.lines import Lines


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def confidence_text(extraction: Extraction) -> str:
    """The shortest text that gives the same number back."""
    return repr(float(extraction.counted_confidence))


def split_columns(line: str) -> list[str]:
    """The columns as the CaRB readers see them: the whole line stripped, then split at tabs."""
    return line.strip().split("\t")


def too_few_columns(lines: Lines, number: int, columns: Sequence[str], expected: str) -> None:
    if not any(columns):
        lines.fault(number, "a blank line", f"{expected}, separated by tabs")
        return
    hint = "Were the tabs saved as spaces?" if len(columns) == 1 else None
    lines.fault(number, f"{len(columns)} field(s)", f"{expected}, separated by tabs", hint)


def require_plain_fields(extraction: Extraction, fields: Sequence[str]) -> Sequence[str]:
    """Refuse fields that would break the line; nothing is replaced silently."""
    for field in fields:
        if "\t" in field or "\n" in field or "\r" in field:
            raise InputError(f"a field of {extraction} holds a tab or line break, which this format cannot hold")
    return fields


def join_columns(extraction: Extraction, columns: Sequence[str]) -> str:
    """One line that `split_columns` takes apart again into as many columns."""
    if not columns[0].strip() or not columns[-1].strip():
        raise InputError(
            f"the first or last column of {extraction} would be blank, and readers of this format drop blank ends"
        )
    return "\t".join(require_plain_fields(extraction, columns)) + "\n"


def binary_arguments(extraction: Extraction, format_name: str) -> tuple[Argument, Argument]:
    """The two arguments of a format that has exactly two."""
    if extraction.arg1 is None or len(extraction.args) != 1:
        raise InputError(
            f"{extraction} has {len(extraction.arguments)} argument(s), but {format_name} holds exactly 2"
        )
    return extraction.arg1, extraction.args[0]


def counts_spaced_pieces(sentence: Sentence) -> bool:
    """Whether token numbers count the pieces between single spaces, as formats without a token list assume."""
    return sentence.tokens is None or list(sentence.tokens) == sentence.text.split(" ")


def first_and_last(tokens: Sequence[int] | None) -> tuple[int, int] | None:
    """The ends of tokens that follow each other, or `None`."""
    if not tokens or any(after - before != 1 for before, after in itertools.pairwise(tokens)):
        return None
    return tokens[0], tokens[-1]


def sentence_memory() -> Callable[[str], Sentence]:
    """Makes sentences, and gives the last one again while the text stays the same.

    The tuples of a sentence are neighbours in nearly every file; sharing it saves half the time and memory.
    """
    last = Sentence("")

    def sentence_of(text: str) -> Sentence:
        nonlocal last
        if text != last.text:
            last = Sentence(text)
        return last

    return sentence_of


def write_lines(line: Callable[[Extraction], str]) -> Callable[[Iterable[Record]], Iterator[str]]:
    """A writer for formats with one line per tuple and no place for sentences without any."""

    def write(records: Iterable[Record]) -> Iterator[str]:
        for record in records:
            if not isinstance(record, Sentence):
                yield line(record)

    return write


def share_of_rows(head: Sequence[str], fits: Callable[[list[str]], bool]) -> float:
    """How many of the non-blank lines fit, between 0 and 1."""
    rows = [split_columns(line) for line in head if line.strip()]
    return sum(map(fits, rows)) / len(rows) if rows else 0.0
