"""OpenIE 4's tab-separated output.

Read as the CaRB scorer does: only the first argument of the fifth column counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tupelo.core import Extraction, Record
from tupelo.io.formats.base import TextFormat
from tupelo.io.formats.fields import (
    binary_arguments,
    confidence_text,
    join_columns,
    sentence_memory,
    share_of_rows,
    split_columns,
    too_few_columns,
    write_lines,
)
from tupelo.io.formats.openie_parts import (
    LAYOUT,
    argument_text,
    context_text,
    has_several_arguments,
    looks_like_openie,
    parse_part,
    relation_text,
)
from tupelo.io.lines import Lines


def read(lines: Lines) -> Iterator[Record]:
    sentence_of = sentence_memory()
    for number, line in lines:
        columns = split_columns(line)
        # Checked before the number of columns, as the scorer does: such a line is skipped, not refused.
        if not all(columns[2:5]):
            continue
        if len(columns) < 6:
            too_few_columns(lines, number, columns, "confidence, context, arg1, relation, arguments and sentence")
            continue
        sentence = sentence_of(columns[5])
        arg1, rel, arg2 = (parse_part(column, sentence.text) for column in columns[2:5])
        if arg1 is None or rel is None or arg2 is None:
            lines.fault(number, "a part without '(' or ',List('", "parts such as SimpleArgument(words,List([0, 5)))")
            continue
        confidence = lines.number(number, columns[0])
        if confidence is not None:
            context = parse_part(columns[1], sentence.text)
            yield Extraction(sentence, rel, arg1, (arg2,), confidence, context=context, extractor="openie4")


def line_of(extraction: Extraction) -> str:
    arg1, arg2 = binary_arguments(extraction, "openie4")
    return join_columns(
        extraction,
        [
            confidence_text(extraction),
            "" if extraction.context is None else context_text(extraction.context, extraction),
            argument_text(arg1, extraction),
            relation_text(extraction.rel, extraction),
            argument_text(arg2, extraction),
            extraction.sentence.text,
        ],
    )


def sniff(head: Sequence[str]) -> float:
    # The lines of OpenIE 4 and 5 look the same, except that only OpenIE 5 puts several arguments into one.
    return 0.9 * share_of_rows(head, looks_like_openie) if not has_several_arguments(head) else 0.0


FORMAT = TextFormat(
    name="openie4",
    title="OpenIE 4",
    layout=LAYOUT,
    sample="openie4.txt",
    keeps=frozenset({"confidence", "roles", "spans", "context"}),
    read=read,
    write=write_lines(line_of),
    sniff=sniff,
    notes=(
        "As in the CaRB scorer, only the first argument of the fifth column is read, so every tuple has two; lines "
        "with an empty arg1, relation or argument column are skipped. Read the file as openie5 to get all arguments. "
        "Roles are time and location; character intervals are kept where they point at the words of the part. "
        "Automatic detection takes a file for openie5 when one of its first lines has several arguments, otherwise "
        "for openie4."
    ),
    min_arguments=2,
    max_arguments=2,
)
