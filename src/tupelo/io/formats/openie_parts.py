"""The parts that OpenIE 4 and 5 write: `SimpleArgument(the words,List([12, 21)))`.

The words are what the CaRB scorer takes: after the first `(`, up to the first
`,List(`. The character intervals are kept where the words they point at are
the words of the part; OpenIE 5 counts in a sentence that it rewrote before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tupelo.core import Argument, Extraction, InputError, Span

_ROLES = {"TemporalArgument": "time", "SpatialArgument": "location"}
_KINDS = {role: kind for kind, role in _ROLES.items()}
_END_OF_TEXT = ",List("
LAYOUT = (
    "confidence ⇥ context ⇥ arg1 ⇥ relation ⇥ arg2; arg3 … ⇥ sentence, "
    "where a part looks like SimpleArgument(words,List([0, 5)))"
)
_SEVERAL = re.compile(r"\)\); ?[A-Z][a-z]+Argument\(")
_INTERVALS = re.compile(r"((?:\[[0-9]{1,9}, [0-9]{1,9}\)(?:, )?)+)\)")
_INTERVAL = re.compile(r"\[([0-9]+), ([0-9]+)\)")


def parse_part(column: str, sentence: str) -> Argument | None:
    """The part that a column begins with, or `None` when the column has not the form of one."""
    opened = column.find("(")
    closed = column.find(_END_OF_TEXT)
    if opened < 0 or closed < 0:
        return None
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


def argument_text(argument: Argument, extraction: Extraction) -> str:
    return _part_text(_KINDS.get(argument.role or "", "SimpleArgument"), argument, extraction)


def relation_text(argument: Argument, extraction: Extraction) -> str:
    return _part_text("Relation", argument, extraction)


def context_text(argument: Argument, extraction: Extraction) -> str:
    return _part_text("Context", argument, extraction)


def _part_text(kind: str, argument: Argument, extraction: Extraction) -> str:
    if _END_OF_TEXT in argument.text:
        raise InputError(f"a field of {extraction} holds '{_END_OF_TEXT}', which ends a text in this format")
    intervals = ", ".join(f"[{span.start}, {span.end})" for span in argument.spans or ())
    return f"{kind}({argument.text}{_END_OF_TEXT}{intervals}))"


def has_several_arguments(head: Sequence[str]) -> bool:
    return any(_SEVERAL.search(line) for line in head)


def looks_like_openie(row: list[str]) -> bool:
    return len(row) == 6 and row[3].startswith("Relation(") and "Argument(" in row[2]
