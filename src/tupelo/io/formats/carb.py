"""CaRB's gold tuples: relation before the arguments, no confidence.

Read as the CaRB scorer reads its gold: every field stripped, and an argument
with `C: ` in it is not an argument but the context in which the tuple holds.
`T: ` and `L: ` stay in the text, because the scorer counts them as words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tupelo.core import Argument, Extraction, InputError, Record
from tupelo.io.formats.base import TextFormat
from tupelo.io.formats.fields import (
    is_number,
    join_columns,
    sentence_memory,
    share_of_rows,
    split_columns,
    too_few_columns,
    write_lines,
)
from tupelo.io.lines import Lines

CONTEXT_MARK = "C: "
_ROLES = {"T: ": "time", "L: ": "location"}


def read(lines: Lines) -> Iterator[Record]:
    sentence_of = sentence_memory()
    for number, line in lines:
        columns = split_columns(line)
        if len(columns) < 2:
            too_few_columns(lines, number, columns, "sentence, relation and arguments")
            continue
        arguments, contexts = [], []
        for column in columns[2:]:
            if CONTEXT_MARK in column:
                contexts.append(column.lstrip().removeprefix(CONTEXT_MARK).strip())
            else:
                text = column.strip()
                arguments.append(Argument(text, _ROLES.get(text[:3])))
        context = " ".join(contexts)
        yield Extraction(
            sentence_of(columns[0].strip()),
            Argument(columns[1].strip()),
            arguments[0] if arguments else None,
            tuple(arguments[1:]),
            context=Argument(context) if context else None,
        )


def line_of(extraction: Extraction) -> str:
    texts = [argument.text for argument in extraction.arguments]
    for text in texts:
        if CONTEXT_MARK in text:
            raise InputError(f"an argument of {extraction} contains '{CONTEXT_MARK}', which marks a context in CaRB")
    context = extraction.context
    if context is not None and context.text.strip():
        texts.append(CONTEXT_MARK + context.text)
    return join_columns(extraction, [extraction.sentence.text, extraction.rel.text, *texts])


def sniff(head: Sequence[str]) -> float:
    """Plain strings in columns. The twins of this layout look the same; CaRB stands for them all."""
    return 0.5 * share_of_rows(head, looks_like_gold)


def looks_like_gold(row: Sequence[str]) -> bool:
    return len(row) >= 2 and " " in row[0] and not any(is_number(column) for column in row[:2])


FORMAT = TextFormat(
    name="carb",
    title="CaRB gold",
    layout="sentence ⇥ relation ⇥ arg1 ⇥ arg2 … ⇥ C: context",
    sample="carb.tsv",
    keeps=frozenset({"context"}),
    read=read,
    write=write_lines(line_of),
    sniff=sniff,
    notes=(
        "Fields are stripped. A field with 'C: ' in it is the context of the tuple; several are joined. Fields that "
        "begin with 'T: ' or 'L: ' get the role time or location and keep the mark. A blank line is an error. "
        "Files of oie2016-orig and benchmarkgold look alike, those of lsoie nearly so; detection takes for carb what "
        "it cannot tell apart."
    ),
)
