"""Tuples as tagged text, the form in which OpenIE 6, IMoJIE and AllenNLP-based systems are scored.

Read as the reader in OpenIE 6's copy of the CaRB scorer does: the texts stand
between the first opening and the first closing tag, spaces included.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tupelo.core import Extraction, InputError, Record
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
    write_lines,
)
from tupelo.io.lines import Lines

_PARTS = ("arg1", "rel", "arg2")


def read(lines: Lines) -> Iterator[Record]:
    sentence_of = sentence_memory()
    for number, line in lines:
        columns = split_columns(line)
        if len(columns) < 3:
            too_few_columns(lines, number, columns, "sentence, tagged tuple and confidence")
            continue
        arg1, rel, arg2 = (_tagged(part, columns[1]) for part in _PARTS)
        if not (arg1 or rel or arg2):
            continue
        confidence = lines.number(number, columns[2])
        if confidence is not None:
            yield Extraction.of(sentence_of(columns[0]), rel, (arg1, arg2), confidence=confidence)


def _tagged(part: str, text: str) -> str:
    opened, closed = text.find(f"<{part}>"), text.find(f"</{part}>")
    return "" if opened < 0 or closed < 0 else text[opened + len(part) + 2 : closed]


def line_of(extraction: Extraction) -> str:
    arg1, arg2 = binary_arguments(extraction, "allennlp")
    texts = (arg1.text, extraction.rel.text, arg2.text)
    if not any(texts):
        raise InputError(f"{extraction} has no words, and readers of allennlp skip such tuples")
    tagged = " ".join(f"<{part}>{text}</{part}>" for part, text in zip(_PARTS, texts, strict=True))
    if tuple(_tagged(part, tagged) for part in _PARTS) != texts:
        raise InputError(f"a field of {extraction} holds one of the tags of allennlp")
    return join_columns(extraction, [extraction.sentence.text, tagged, confidence_text(extraction)])


def sniff(head: Sequence[str]) -> float:
    return share_of_rows(head, lambda row: len(row) >= 3 and "<rel>" in row[1] and is_number(row[2]))


FORMAT = TextFormat(
    name="allennlp",
    title="Tagged tuples (AllenNLP, OpenIE 6)",
    layout="sentence ⇥ <arg1> … </arg1> <rel> … </rel> <arg2> … </arg2> ⇥ confidence",
    sample="allennlp.txt",
    keeps=frozenset({"confidence"}),
    read=read,
    write=write_lines(line_of),
    sniff=sniff,
    notes="Always two arguments; a missing tag is an empty text. A line without any of the three texts is skipped.",
    min_arguments=2,
    max_arguments=2,
)
