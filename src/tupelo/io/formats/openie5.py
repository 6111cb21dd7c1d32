"""OpenIE 5's tab-separated output.

Read as the CaRB scorer does, which has one surprise: the words of the context
are put before arg1, unless arg1 and relation begin with them already.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tupelo.core import Argument, Extraction, InputError, Record
from tupelo.io.formats.base import TextFormat
from tupelo.io.formats.fields import (
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

_ARGUMENT_END = ");"


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
        arg1, rel = (parse_part(column, sentence.text) for column in columns[2:4])
        others = [parse_part(piece, sentence.text) for piece in columns[4].strip().split(_ARGUMENT_END)]
        context = parse_part(columns[1], sentence.text) if columns[1] else None
        args = tuple(argument for argument in others if argument is not None)
        if arg1 is None or rel is None or len(args) < len(others) or (columns[1] and context is None):
            lines.fault(number, "a part without '(' or ',List('", "parts such as SimpleArgument(words,List([0, 5)))")
            continue
        confidence = lines.number(number, columns[0])
        if confidence is not None:
            if context is not None and _is_prepended(context.text, arg1.text, rel.text):
                arg1 = _prepend(context, arg1)
            yield Extraction(sentence, rel, arg1, args, confidence, context=context, extractor="openie5")


def _is_prepended(context: str, arg1: str, rel: str) -> bool:
    return not f"{arg1} {rel}".startswith(context)


def _prepend(context: Argument, arg1: Argument) -> Argument:
    spans = None if context.spans is None or arg1.spans is None else context.spans + arg1.spans
    return replace(arg1, text=f"{context.text} {arg1.text}", spans=spans)


def _without_context(context: Argument, arg1: Argument, rel: str) -> Argument | None:
    """The arg1 to write beside `context`, so that reading gives `arg1` again; `None` when there is none."""
    rest = arg1.text.removeprefix(f"{context.text} ")
    if rest != arg1.text and _is_prepended(context.text, rest, rel):
        spans = arg1.spans[len(context.spans) :] if arg1.spans and context.spans else None
        written = replace(arg1, text=rest, spans=spans)
        if _prepend(context, written) == arg1:
            return written
    return None if _is_prepended(context.text, arg1.text, rel) else arg1


def line_of(extraction: Extraction) -> str:
    arg1 = extraction.arg1
    if arg1 is None or not extraction.args:
        raise InputError(f"{extraction} has {len(extraction.arguments)} argument(s), but openie5 needs 2 or more")
    context = extraction.context
    if context is not None:
        written = _without_context(context, arg1, extraction.rel.text)
        # A context that would change arg1 when it is read is left out: the words of a tuple come first.
        arg1, context = (arg1, None) if written is None else (written, context)
    others = [argument_text(argument, extraction) for argument in extraction.args]
    if any(_ARGUMENT_END in text for text in others):
        raise InputError(f"an argument of {extraction} holds '{_ARGUMENT_END}', which ends an argument in openie5")
    return join_columns(
        extraction,
        [
            confidence_text(extraction),
            "" if context is None else context_text(context, extraction),
            argument_text(arg1, extraction),
            relation_text(extraction.rel, extraction),
            "; ".join(others),
            extraction.sentence.text,
        ],
    )


def sniff(head: Sequence[str]) -> float:
    return (0.9 if has_several_arguments(head) else 0.8) * share_of_rows(head, looks_like_openie)


FORMAT = TextFormat(
    name="openie5",
    title="OpenIE 5",
    layout=LAYOUT,
    sample="openie5.txt",
    keeps=frozenset({"confidence", "roles", "spans"}),
    read=read,
    write=write_lines(line_of),
    sniff=sniff,
    notes=(
        "As in the CaRB scorer, the words of a context are put before arg1 unless arg1 and relation begin with them; "
        "a context is written only where reading it gives the same arg1. Lines with an empty arg1, relation or "
        "argument column are skipped. Roles are time and location; character intervals are kept where they "
        "point at the words of the part."
    ),
    min_arguments=2,
)
