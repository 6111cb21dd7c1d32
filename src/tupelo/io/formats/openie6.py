"""The output of OpenIE 6 and of systems built on it: a sentence, its tuples below it, a blank line.

Written by `run.py --mode splitpredict --out FILE` of `dair-iitd/openie6`: each
tuple is `confidence: (arg1; relation; arg2)`. The program joins with "; " and
escapes nothing, so a semicolon inside a part cannot be told from one between
parts; such a tuple has one argument more, as in the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from tupelo.core import Argument, Extraction, InputError, Record, Sentence
from tupelo.io.formats.base import TextFormat, write_by_sentence
from tupelo.io.formats.columns import confidence_text
from tupelo.io.lines import Lines

_TUPLE = re.compile(r"(?P<confidence>[-+]?(?:\d[\d.]*(?:e[-+]?\d+)?|inf|nan)): \((?P<parts>.*)\)", re.IGNORECASE)
_SEPARATOR = "; "


def read(lines: Lines) -> Iterator[Record]:
    sentence: Sentence | None = None
    is_bare = False
    for number, line in lines:
        line = line.strip()
        if not line:
            if is_bare and sentence is not None:
                yield sentence
            sentence, is_bare = None, False
            continue
        if sentence is None:
            sentence, is_bare = Sentence(line), True
            continue
        found = _TUPLE.fullmatch(line)
        if found is None:
            lines.fault(
                number,
                "a line that is no tuple",
                "confidence: (arg1; relation; arg2), or a blank line before a sentence",
            )
            continue
        confidence = lines.number(number, found["confidence"])
        if confidence is None:
            continue
        first, *rest = (Argument(part) for part in found["parts"].split(_SEPARATOR))
        if not rest:
            lines.fault(number, "a tuple of one part", "arg1 and a relation at least, separated by semicolons")
            continue
        is_bare = False
        yield Extraction(sentence, rest[0], first, tuple(rest[1:]), confidence, extractor="openie6")
    if is_bare and sentence is not None:
        yield sentence


def _sentence_line(text: str, number: int) -> str:
    if not text.strip() or "\n" in text or "\r" in text:
        raise InputError(f"openie6 cannot hold the sentence {text!r}: it is blank, or holds a line break")
    return ("" if number == 1 else "\n") + text + "\n"


def _tuple_line(extraction: Extraction, number: int) -> str:
    parts = [part.text for part in (*extraction.arguments[:1], extraction.rel, *extraction.args)]
    joined = _SEPARATOR.join(parts)
    if extraction.arg1 is None or "\n" in joined or "\r" in joined or joined.split(_SEPARATOR) != parts:
        raise InputError(
            f"openie6 cannot hold {extraction}: a part holds a line break or a semicolon, or there is no arg1"
        )
    return f"{confidence_text(extraction)}: ({joined})\n"


def sniff(head: Sequence[str]) -> float:
    rows = [line.strip() for line in head]
    if not rows or not rows[0] or _TUPLE.fullmatch(rows[0]):
        return 0.0
    below = [row for before, row in pairwise(rows) if before and row]
    return sum(_TUPLE.fullmatch(row) is not None for row in below) / len(below) if below else 0.0


FORMAT = TextFormat(
    name="openie6",
    title="OpenIE 6",
    layout="sentence ⏎ confidence: (arg1; relation; arg2) ⏎ … ⏎ an empty line",
    sample="openie6.txt",
    keeps=frozenset({"confidence", "empty sentences"}),
    read=read,
    write=write_by_sentence(_sentence_line, _tuple_line),
    sniff=sniff,
    notes="A semicolon followed by a space inside a part cannot be told from one between parts.",
    min_arguments=1,
)
