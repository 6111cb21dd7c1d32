"""PropS's output: named arguments. Read as the CaRB scorer does; the roles it ignores are kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tupelo.core import Argument, Extraction, Record
from tupelo.io.formats.base import TextFormat
from tupelo.io.formats.fields import (
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


def read(lines: Lines) -> Iterator[Record]:
    sentence_of = sentence_memory()
    for number, line in lines:
        columns = split_columns(line)
        if columns == [""]:
            continue
        if len(columns) < 3:
            too_few_columns(
                lines, number, columns, "confidence, sentence, relation, then roles and arguments in turn"
            )
            continue
        confidence = lines.number(number, columns[0])
        if confidence is None:
            continue
        # A role without argument at the end is ignored, as the scorer does.
        pairs = zip(columns[3::2], columns[4::2], strict=False)
        arguments = [Argument(text, role or None) for role, text in pairs]
        yield Extraction(
            sentence_of(columns[1]),
            Argument(columns[2]),
            arguments[0] if arguments else None,
            tuple(arguments[1:]),
            confidence,
            extractor="props",
        )


def line_of(extraction: Extraction) -> str:
    columns = [confidence_text(extraction), extraction.sentence.text, extraction.rel.text]
    for argument in extraction.arguments:
        columns += [argument.role or "", argument.text]
    return join_columns(extraction, columns)


def sniff(head: Sequence[str]) -> float:
    return 0.8 * share_of_rows(
        head,
        lambda row: (
            len(row) >= 3
            and is_number(row[0])
            and " " in row[1]
            and len(row) % 2 == 1
            and not any(" " in role for role in row[3::2])
        ),
    )


FORMAT = TextFormat(
    name="props",
    title="PropS",
    layout="confidence ⇥ sentence ⇥ relation ⇥ role1 ⇥ arg1 ⇥ role2 ⇥ arg2 …",
    sample="props.txt",
    keeps=frozenset({"confidence", "roles"}),
    read=read,
    write=write_lines(line_of),
    sniff=sniff,
    notes="Confidence is a log value, used as it is. Arguments keep the space that PropS writes after them.",
    log_confidence=True,
)
