"""The columns of OpenIE 4 and OpenIE 5, whose parts look like `SimpleArgument(the words,List([12, 21)))`.

Both are read as the CaRB scorer does. The words of a part are what stands after the first `(`, up to the first
`,List(`. Of OpenIE 4's arguments only the first after the relation counts. For OpenIE 5 the words of the context are
put before arg1, unless arg1 and relation begin with them already. The character intervals are kept where the words
they point at are the words of the part; OpenIE 5 counts in a sentence that it rewrote before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from tupelo.core import Argument, Extraction, InputError, Span
from tupelo.io.formats.columns import Parts, column_format, confidence_text, rows_fit
from tupelo.io.lines import Fault

_ROLES = {"TemporalArgument": "time", "SpatialArgument": "location"}
_KINDS = {role: kind for kind, role in _ROLES.items()}
_END_OF_TEXT = ",List("
_LAYOUT = (
    "confidence ⇥ context ⇥ arg1 ⇥ relation ⇥ arg2; arg3 … ⇥ sentence, "
    "where a part looks like SimpleArgument(words,List([0, 5)))"
)
_SEVERAL = re.compile(r"\)\); ?[A-Z][a-z]+Argument\(")
_INTERVALS = re.compile(r"((?:\[[0-9]{1,9}, [0-9]{1,9}\)(?:, )?)+)\)")
_INTERVAL = re.compile(r"\[([0-9]+), ([0-9]+)\)")


def _parse_part(column: str, sentence: str) -> Argument:
    """The part that a column begins with."""
    opened = column.find("(")
    closed = column.find(_END_OF_TEXT)
    if opened < 0 or closed < 0:
        raise Fault("a part without '(' or ',List('", "parts such as SimpleArgument(words,List([0, 5)))")
    text = column[opened + 1 : closed]
    intervals = column[closed + len(_END_OF_TEXT) :]
    return Argument(text, _ROLES.get(column[:opened].strip()), spans=_parse_spans(intervals, text, sentence))


def _parse_spans(intervals: str, text: str, sentence: str) -> tuple[Span, ...] | None:
    found = _INTERVALS.match(intervals)
    if found is None:
        return None
    pairs = [(int(start), int(end)) for start, end in _INTERVAL.findall(found[1])]
    if not all(start <= end <= len(sentence) for start, end in pairs):
        return None
    pointed_at = " ".join(sentence[start:end] for start, end in pairs)
    if pointed_at != text and pointed_at.split() != text.split():
        return None
    return tuple(Span(start, end) for start, end in pairs)


def _part_text(kind: str, argument: Argument, extraction: Extraction) -> str:
    if _END_OF_TEXT in argument.text:
        raise InputError(f"a field of {extraction} holds '{_END_OF_TEXT}', which ends a text in this format")
    intervals = ", ".join(f"[{span.start}, {span.end})" for span in argument.spans or ())
    return f"{kind}({argument.text}{_END_OF_TEXT}{intervals}))"


def _has_several_arguments(head: Sequence[str]) -> bool:
    return any(_SEVERAL.search(line) for line in head)


def _looks_like_openie(row: Sequence[str]) -> bool:
    return len(row) == 6 and row[3].startswith("Relation(") and "Argument(" in row[2]


def _has_empty_part(row: Sequence[str]) -> bool:
    # Checked before the number of columns, as the scorer does: such a line is skipped, not refused.
    return not all(row[2:5])


def _fields(extraction: Extraction, arg1: Argument, others: str, context: Argument | None) -> Sequence[str]:
    return [
        confidence_text(extraction),
        "" if context is None else _part_text("Context", context, extraction),
        _argument_text(arg1, extraction),
        _part_text("Relation", extraction.rel, extraction),
        others,
        extraction.sentence.text,
    ]


def _argument_text(argument: Argument, extraction: Extraction) -> str:
    return _part_text(_KINDS.get(argument.role or "", "SimpleArgument"), argument, extraction)


def _openie4_parts(row: Sequence[str], sentence: str) -> Parts:
    arg1, rel, arg2 = (_parse_part(column, sentence) for column in row[2:5])
    try:
        context = _parse_part(row[1], sentence)
    except Fault:
        context = None
    return Parts(rel, (arg1, arg2), context)


def _openie4_fields(extraction: Extraction) -> Sequence[str]:
    arg1, arg2 = extraction.arguments
    return _fields(extraction, arg1, _argument_text(arg2, extraction), extraction.context)


def _sniff_openie4(head: Sequence[str]) -> float:
    # The lines of OpenIE 4 and 5 look the same, except that only OpenIE 5 puts several arguments into one.
    return 0.0 if _has_several_arguments(head) else rows_fit(0.9, _looks_like_openie)(head)


OPENIE4 = column_format(
    "openie4",
    ("confidence", "context", "arg1", "rel", "arguments", "sentence"),
    title="OpenIE 4",
    layout=_LAYOUT,
    sample="openie4.txt",
    keeps={"confidence", "roles", "spans", "context"},
    blank_lines="refuse",
    skip=_has_empty_part,
    extractor="openie4",
    parse=_openie4_parts,
    render=_openie4_fields,
    sniff=_sniff_openie4,
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

_ARGUMENT_END = ");"


def _openie5_parts(row: Sequence[str], sentence: str) -> Parts:
    arg1, rel = (_parse_part(column, sentence) for column in row[2:4])
    args = [_parse_part(text, sentence) for text in row[4].strip().split(_ARGUMENT_END)]
    context = _parse_part(row[1], sentence) if row[1] else None
    if context is not None and _is_prepended(context.text, arg1.text, rel.text):
        arg1 = _prepend(context, arg1)
    return Parts(rel, (arg1, *args), context)


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


def _openie5_fields(extraction: Extraction) -> Sequence[str]:
    arg1, *args = extraction.arguments
    context = extraction.context
    if context is not None:
        written = _without_context(context, arg1, extraction.rel.text)
        # A context that would change arg1 when it is read is left out: the words of a tuple come first.
        arg1, context = (arg1, None) if written is None else (written, context)
    others = [_argument_text(argument, extraction) for argument in args]
    if any(_ARGUMENT_END in text for text in others):
        raise InputError(f"an argument of {extraction} holds '{_ARGUMENT_END}', which ends an argument in openie5")
    return _fields(extraction, arg1, "; ".join(others), context)


def _sniff_openie5(head: Sequence[str]) -> float:
    return rows_fit(0.9 if _has_several_arguments(head) else 0.8, _looks_like_openie)(head)


OPENIE5 = column_format(
    "openie5",
    ("confidence", "context", "arg1", "rel", "arguments", "sentence"),
    title="OpenIE 5",
    layout=_LAYOUT,
    sample="openie5.txt",
    keeps={"confidence", "roles", "spans"},
    blank_lines="refuse",
    skip=_has_empty_part,
    extractor="openie5",
    parse=_openie5_parts,
    render=_openie5_fields,
    sniff=_sniff_openie5,
    notes=(
        "As in the CaRB scorer, the words of a context are put before arg1 unless arg1 and relation begin with them; "
        "a context is written only where reading it gives the same arg1. Lines with an empty arg1, relation or "
        "argument column are skipped. Roles are time and location; character intervals are kept where they "
        "point at the words of the part."
    ),
    min_arguments=2,
)
