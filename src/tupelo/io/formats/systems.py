"""Columns that systems write: PropS, OLLIE, ReVerb, Stanford in its ReVerb mode, tagged tuples, OpenIE 4 and 5.

All are read as the CaRB scorer does, with two exceptions. Its reader for ReVerb cannot run: the sentence is taken
from column 13, where ReVerb itself puts it. Tagged tuples, the form in which OpenIE 6, IMoJIE and AllenNLP-based
systems are scored, are read as in OpenIE 6's copy of the scorer: the texts stand between the first opening and the
first closing tag, spaces included.

The parts of OpenIE 4 and 5 look like `SimpleArgument(the words,List([12, 21)))`. The words of a part are those after
the first `(`, up to the first `,List(`. Of OpenIE 4's arguments only the first after the relation counts. For OpenIE
5 the words of the context are put before arg1, unless arg1 and relation begin with them already. The character
intervals are kept where the words they point at are the words of the part; OpenIE 5 counts in a sentence that it
rewrote before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from tupelo.core import Argument, Attribution, Extraction, InputError, Span
from tupelo.core.results import is_number
from tupelo.io.formats import TextFormat, described
from tupelo.io.formats.columns import (
    UNKNOWN,
    Parts,
    column_format,
    confidence_text,
    first_and_last,
    rows_fit,
    split_columns,
)
from tupelo.io.lines import Fault


def _props_parts(row: Sequence[str], sentence: str) -> Parts:
    # A role without argument at the end is ignored, as the scorer does.
    pairs = zip(row[3::2], row[4::2], strict=False)
    return Parts(Argument(row[2]), [Argument(text, role or None) for role, text in pairs])


def _props_fields(extraction: Extraction) -> Sequence[str]:
    fields = [confidence_text(extraction), extraction.sentence.text, extraction.rel.text]
    for argument in extraction.arguments:
        fields += [argument.role or "", argument.text]
    return fields


def _looks_like_props(row: Sequence[str]) -> bool:
    if len(row) < 3 or len(row) % 2 == 0 or not is_number(row[0]) or " " not in row[1]:
        return False
    return not any(" " in role for role in row[3::2])


PROPS = column_format(
    parse=_props_parts, render=_props_fields, sniff=rows_fit(0.8, _looks_like_props), **described("props")
)

_NOTHING = "None"


def _ollie_parts(row: Sequence[str], sentence: str) -> Parts:
    enabler, attribution = (None if text in ("", _NOTHING) else text for text in row[4:6])
    return Parts(
        Argument(row[2]),
        (Argument(row[1]), Argument(row[3])),
        Argument(enabler) if enabler is not None else None,
        Attribution(text=attribution) if attribution is not None else None,
    )


def _ollie_fields(extraction: Extraction) -> Sequence[str]:
    arg1, arg2 = extraction.arguments
    attribution = extraction.attribution.text if extraction.attribution else None
    return [
        confidence_text(extraction),
        arg1.text,
        extraction.rel.text,
        arg2.text,
        extraction.context.text if extraction.context else _NOTHING,
        _NOTHING if attribution is None else attribution,
        extraction.sentence.text,
    ]


def _sniff_ollie(head: Sequence[str]) -> float:
    if not head or is_number(split_columns(head[0])[0]):
        return 0.0
    if len(head) == 1:
        return float(head[0].strip() == described("ollie")["header"])
    return rows_fit(0.9, lambda row: len(row) >= 7 and is_number(row[0]) and " " in row[6])(head[1:])


OLLIE = column_format(parse=_ollie_parts, render=_ollie_fields, sniff=_sniff_ollie, **described("ollie"))

_TAGS = ("arg1", "rel", "arg2")


def _tagged(part: str, text: str) -> str:
    opened, closed = text.find(f"<{part}>"), text.find(f"</{part}>")
    return "" if opened < 0 or closed < 0 else text[opened + len(part) + 2 : closed]


def _tagged_parts(row: Sequence[str], sentence: str) -> Parts | None:
    arg1, rel, arg2 = (Argument(_tagged(part, row[1])) for part in _TAGS)
    return Parts(rel, (arg1, arg2)) if arg1.text or rel.text or arg2.text else None


def _tagged_fields(extraction: Extraction) -> Sequence[str]:
    arg1, arg2 = extraction.arguments
    texts = (arg1.text, extraction.rel.text, arg2.text)
    if not any(texts):
        raise InputError(f"{extraction} has no words, and readers of allennlp skip such tuples")
    tagged = " ".join(f"<{part}>{text}</{part}>" for part, text in zip(_TAGS, texts, strict=True))
    if tuple(_tagged(part, tagged) for part in _TAGS) != texts:
        raise InputError(f"a field of {extraction} holds one of the tags of allennlp")
    return [extraction.sentence.text, tagged, confidence_text(extraction)]


ALLENNLP = column_format(
    parse=_tagged_parts,
    render=_tagged_fields,
    sniff=rows_fit(1.0, lambda row: len(row) >= 3 and "<rel>" in row[1] and is_number(row[2])),
    **described("allennlp"),
)


# Columns 6 to 11 are the token intervals of arg1, relation and arg2. They are kept where the words they point at are
# the words of the part.
def _reverb_parts(row: Sequence[str], sentence: str) -> Parts:
    tokens = sentence.split(" ")
    arg1, rel, arg2 = (
        Argument(text, tokens=_interval(start, end, tokens, text))
        for text, start, end in zip(row[2:5], row[5:11:2], row[6:11:2], strict=True)
    )
    return Parts(rel, (arg1, arg2))


def _interval(start: str, end: str, tokens: Sequence[str], text: str) -> tuple[int, ...] | None:
    if not (_is_index(start) and _is_index(end)) or int(end) > len(tokens):
        return None
    interval = range(int(start), int(end))
    return tuple(interval) if interval and " ".join(tokens[i] for i in interval) == text else None


def _is_index(column: str) -> bool:
    return column.isascii() and column.isdigit() and len(column) < 10


def _reverb_fields(extraction: Extraction) -> Sequence[str]:
    sentence = extraction.sentence
    arg1, arg2 = extraction.arguments
    parts = (arg1, extraction.rel, arg2)
    intervals: list[str] = []
    for part in parts:
        ends = first_and_last(part.tokens)
        intervals += (UNKNOWN, UNKNOWN) if ends is None else (str(ends[0]), str(ends[1] + 1))
    texts = (part.text for part in parts)
    ids = (sentence.document_id or UNKNOWN, sentence.id or UNKNOWN)
    return [*ids, *texts, *intervals, confidence_text(extraction), sentence.text]


def _reverb_format(name: str, weight: float) -> TextFormat:
    fits = rows_fit(weight, lambda row: len(row) >= 13 and is_number(row[11]) and " " in row[12])
    return column_format(parse=_reverb_parts, render=_reverb_fields, sniff=fits, **described(name))


REVERB = _reverb_format("reverb", 0.95)
# Detected below its twin, so that detection has one winner.
STANFORD = _reverb_format("stanford", 0.85)


_ROLES = {"TemporalArgument": "time", "SpatialArgument": "location"}
_KINDS = {role: kind for kind, role in _ROLES.items()}
_END_OF_TEXT = ",List("
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
    skip=_has_empty_part, parse=_openie4_parts, render=_openie4_fields, sniff=_sniff_openie4, **described("openie4")
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
    skip=_has_empty_part, parse=_openie5_parts, render=_openie5_fields, sniff=_sniff_openie5, **described("openie5")
)
