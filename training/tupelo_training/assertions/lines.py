"""Syntactic n-grams, counted fragments of dependency trees, as Google publishes them: one on each line of a file.

A line is `head<TAB>tokens<TAB>total<TAB>year,count<TAB>…`; a token is `word/POS/label/head`, heads counting tokens
from 1 with 0 for the root. A word may hold slashes, so a token is taken apart from its end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tupelo.core.assertion import is_count
from tupelo.io.lines import Lines

TOKEN_FORM = "word/POS/label/head"
LINE_FORM = f"head, tokens as {TOKEN_FORM}, total and any number of year,count, separated by tabs"


@dataclass(frozen=True, slots=True)
class Token:
    """A word with its part of speech, its label and the number of its head (from 1; 0 for the root)."""

    word: str
    pos: str
    label: str
    head: int

    def __str__(self) -> str:
        return f"{self.word}/{self.pos}/{self.label}/{self.head}"


@dataclass(frozen=True, slots=True)
class Ngram:
    """A fragment with its count. `head_word` is the word of its root, `years` are (year, count)."""

    head_word: str
    tokens: tuple[Token, ...]
    count: int
    years: tuple[tuple[int, int], ...] = ()


def parse_token(text: str) -> Token:
    """A token from `word/POS/label/head`.

    >>> parse_token("and/or/CC/cc/2")
    Token(word='and/or', pos='CC', label='cc', head=2)
    """
    parts = text.rsplit("/", 3)
    if len(parts) < 4:
        raise ValueError(f"token {text!r} has {len(parts)} part(s)")
    word, pos, label, head = parts
    if not (word and pos and label):
        raise ValueError(f"token {text!r} has an empty part")
    if not (head.isascii() and head.isdigit()) or (head[0] == "0" and head != "0"):
        raise ValueError(f"token {text!r} has head {head!r}")
    return Token(word, pos, label, int(head))


def parse_tokens(text: str) -> tuple[Token, ...]:
    """The tokens of the second field of a line, checked to be a forest."""
    tokens = tuple(map(parse_token, text.split(" ")))
    fault = tree_fault(tokens)
    if fault is not None:
        index, what = fault
        raise ValueError(f"token {str(tokens[index])!r} {what}")
    return tokens


def tree_fault(tokens: Sequence[Token]) -> tuple[int, str] | None:
    """The first token whose head is no token, or from which no way leads to a root, and what is wrong with it."""
    size = len(tokens)
    for index, token in enumerate(tokens):
        if token.head > size:
            return index, f"has a head beyond the last of {size} token(s)"
    for index in range(size):
        position, steps = index, 0
        while tokens[position].head:
            position = tokens[position].head - 1
            steps += 1
            if steps > size:
                return index, "depends on itself"
    return None


def subtree(tokens: Sequence[Token], root: int) -> tuple[int, ...]:
    """Positions (from 0) of a token and of everything below it, in order."""
    below: dict[int, list[int]] = {}
    for position, token in enumerate(tokens):
        below.setdefault(token.head - 1, []).append(position)
    found, waiting = [root], [root]
    while waiting:
        children = below.get(waiting.pop(), [])
        found += children
        waiting += children
    return tuple(sorted(found))


def line_fault(line: str) -> str | None:
    """The fault of a line, in words; `None` for a good one."""
    try:
        parse_line(line)
    except ValueError as error:
        return str(error)
    return None


def parse_line(line: str) -> Ngram:
    """The n-gram of a line; a `ValueError` says what is wrong with it."""
    fields = line.rstrip("\n").split("\t")
    if len(fields) < 3:
        raise ValueError(f"{len(fields)} field(s)" if fields != [""] else "an empty line")
    head, tokens, total, *years = fields
    if not head:
        raise ValueError("an empty head word")
    parsed = parse_tokens(tokens)
    if not is_count(total):
        raise ValueError(f"total {total!r}")
    counts = []
    for year in years:
        when, comma, count = year.partition(",")
        if not (comma and is_count(when) and is_count(count)):
            raise ValueError(f"year {year!r}")
        counts.append((int(when), int(count)))
    return Ngram(head, parsed, int(total), tuple(counts))


def read_ngrams(lines: Lines) -> Iterator[Ngram]:
    """Syntactic n-grams, one a line, as Google publishes them; malformed lines are reported."""
    for number, line in lines:
        fault = line_fault(line)
        if fault is None:
            yield parse_line(line)
        else:
            lines.fault(number, fault, LINE_FORM)
