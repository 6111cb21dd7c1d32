"""OIE2016's `.oie` files: every part as a Python literal, with the numbers of its tokens.

The files were written by Python 2, whose strings are bytes: a run of `\\x`
escapes that is valid UTF-8 is read as the characters it stands for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tupelo.core import Argument, Extraction, Record, Sentence
from tupelo.io.formats.base import TextFormat
from tupelo.io.formats.fields import (
    counts_spaced_pieces,
    require_plain_fields,
    sentence_memory,
    too_few_columns,
    write_lines,
)
from tupelo.io.lines import Lines

_PART = re.compile(
    r"""\(u?(?:'([^'\\]*(?:\\.[^'\\]*)*)'|"([^"\\]*(?:\\.[^"\\]*)*)"), ?\[((?:[0-9]{1,9}(?:, ?[0-9]{1,9})*)?)\]\)"""
)
_BYTES = re.compile(r"(?:\\x[89a-fA-F][0-9a-fA-F])+")
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
_SIMPLE_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\", "'": "'", '"': '"'}


def read(lines: Lines) -> Iterator[Record]:
    sentence_of = sentence_memory()
    for number, line in lines:
        if not line.strip():
            continue
        columns = line.split("\t")
        if len(columns) < 2:
            too_few_columns(lines, number, columns, "sentence, relation and arguments")
            continue
        pieces = columns[0].split(" ")
        try:
            rel, *arguments = (_parse_part(column, len(pieces)) for column in columns[1:])
        except _Fault as fault:
            lines.fault(number, *fault.args)
            continue
        yield Extraction(sentence_of(columns[0]), rel, arguments[0] if arguments else None, tuple(arguments[1:]))


class _Fault(Exception):
    pass


def _parse_part(column: str, size: int) -> Argument:
    found = _PART.fullmatch(column)
    if found is None:
        shown = column if len(column) <= 40 else column[:40] + "…"
        raise _Fault(f"part {shown!r}", "text and token numbers, such as ('said', [3])")
    tokens = tuple(int(index) for index in re.findall("[0-9]+", found[3]))
    if tokens and max(tokens) >= size:
        raise _Fault(f"token number {max(tokens)} in a sentence of {size} tokens", f"0 to {size - 1}")
    # An empty list says nothing about the place of the words.
    return Argument(_unescape(found[1] if found[1] is not None else found[2]), tokens=tokens or None)


def _unescape(text: str) -> str:
    if "\\" not in text:
        return text
    return _ESCAPE.sub(_character, _BYTES.sub(_characters_of_bytes, text))


def _characters_of_bytes(found: re.Match[str]) -> str:
    data = bytes.fromhex(found[0].replace("\\x", ""))
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return found[0]


def _character(found: re.Match[str]) -> str:
    if found[4] is not None:
        # Python keeps an escape that it does not know as it is.
        return _SIMPLE_ESCAPES.get(found[4], found[0])
    code = int(found[1] or found[2] or found[3], 16)
    if 0xD800 <= code < 0xE000 or code > 0x10FFFF:
        raise _Fault(f"escape {found[0]}", "the code of a character")
    return chr(code)


def line_of(extraction: Extraction) -> str:
    parts = [_part_text(part, extraction.sentence) for part in (extraction.rel, *extraction.arguments)]
    return "\t".join([*require_plain_fields(extraction, [extraction.sentence.text]), *parts]) + "\n"


def _part_text(part: Argument, sentence: Sentence) -> str:
    tokens = part.tokens or ()
    if not counts_spaced_pieces(sentence) or any(index >= len(sentence.text.split(" ")) for index in tokens):
        tokens = ()
    return f"({part.text!r}, {list(tokens)!r})"


def sniff(head: Sequence[str]) -> float:
    rows = [line.split("\t") for line in head if line.strip()]
    fits = [len(row) >= 2 and _PART.fullmatch(row[1]) is not None for row in rows]
    return sum(fits) / len(fits) if fits else 0.0


FORMAT = TextFormat(
    name="oie2016",
    title="OIE2016 with token numbers (.oie)",
    layout="sentence ⇥ ('relation', [token, …]) ⇥ ('argument', [token, …]) …",
    sample="oie2016.oie",
    keeps=frozenset({"tokens", "extra spaces"}),
    read=read,
    write=write_lines(line_of),
    sniff=sniff,
    notes=(
        "Texts are Python literals. Tokens are the pieces of the sentence between single spaces, counted from 0; an "
        "empty list means that their place is not known. The order of arguments follows the questions of QA-SRL and "
        "is not always subject first."
    ),
)
