"""Syntactic n-grams, one a line, as Google publishes them; see `tupelo.core.ngram` for the form of a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tupelo.core.ngram import LINE_FORM, Ngram, format_tokens, line_fault, parse_line
from tupelo.io.lines import Lines


def read(lines: Lines) -> Iterator[Ngram]:
    """The n-grams of a file; a malformed line is reported with its number, and left out when that returns."""
    for number, line in lines:
        fault = line_fault(line)
        if fault is None:
            yield parse_line(line)
        else:
            lines.fault(number, fault, LINE_FORM)


def write(ngrams: Iterable[Ngram]) -> Iterator[str]:
    """Lines of a file."""
    for ngram in ngrams:
        years = "".join(f"\t{year},{count}" for year, count in ngram.years)
        yield f"{ngram.head_word}\t{format_tokens(ngram.tokens)}\t{ngram.count}{years}\n"
