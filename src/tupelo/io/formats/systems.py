"""Columns that systems write: PropS, OLLIE, ReVerb, Stanford's system in its ReVerb mode, and tagged tuples.

All are read as the CaRB scorer does, with two exceptions. Its reader for ReVerb cannot run: the sentence is taken
from column 13, where ReVerb itself puts it. Tagged tuples, the form in which OpenIE 6, IMoJIE and AllenNLP-based
systems are scored, are read as in OpenIE 6's copy of the scorer: the texts stand between the first opening and the
first closing tag, spaces included.
"""

from __future__ import annotations

from collections.abc import Sequence

from tupelo.core import Argument, Attribution, Extraction, InputError
from tupelo.io.formats.base import TextFormat
from tupelo.io.formats.columns import (
    UNKNOWN,
    Parts,
    column_format,
    confidence_text,
    first_and_last,
    is_number,
    rows_fit,
    split_columns,
)


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
    "props",
    ("confidence", "sentence", "rel", "*roles and arguments"),
    title="PropS",
    layout="confidence ⇥ sentence ⇥ relation ⇥ role1 ⇥ arg1 ⇥ role2 ⇥ arg2 …",
    expected="confidence, sentence, relation, then roles and arguments in turn",
    sample="props.txt",
    keeps={"confidence", "roles"},
    extractor="props",
    parse=_props_parts,
    render=_props_fields,
    sniff=rows_fit(0.8, _looks_like_props),
    notes="Confidence is a log value, used as it is. Arguments keep the space that PropS writes after them.",
    log_confidence=True,
)

_OLLIE_HEADER = "confidence\targ1\trel\targ2\tenabler\tattribution\ttext"
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
        return float(head[0].strip() == _OLLIE_HEADER)
    return rows_fit(0.9, lambda row: len(row) >= 7 and is_number(row[0]) and " " in row[6])(head[1:])


OLLIE = column_format(
    "ollie",
    ("confidence", "arg1", "rel", "arg2", "enabler", "attribution", "sentence"),
    title="OLLIE",
    layout="header, then confidence ⇥ arg1 ⇥ relation ⇥ arg2 ⇥ enabler ⇥ attribution ⇥ sentence",
    sample="ollie.txt",
    keeps={"confidence", "context"},
    header=_OLLIE_HEADER,
    blank_lines="refuse",
    extractor="ollie",
    parse=_ollie_parts,
    render=_ollie_fields,
    sniff=_sniff_ollie,
    notes=(
        "The first line is skipped whatever it holds. The enabler becomes the context, the attribution is kept as "
        "one text; 'None' stands for nothing in both. Blank lines are an error, as in the CaRB scorer."
    ),
)

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
    "allennlp",
    ("sentence", "tagged tuple", "confidence"),
    title="Tagged tuples (AllenNLP, OpenIE 6)",
    layout="sentence ⇥ <arg1> … </arg1> <rel> … </rel> <arg2> … </arg2> ⇥ confidence",
    sample="allennlp.txt",
    blank_lines="refuse",
    parse=_tagged_parts,
    render=_tagged_fields,
    sniff=rows_fit(1.0, lambda row: len(row) >= 3 and "<rel>" in row[1] and is_number(row[2])),
    notes="Always two arguments; a missing tag is an empty text. A line without any of the three texts is skipped.",
    min_arguments=2,
    max_arguments=2,
)

# Columns 6 to 11 are the token intervals of arg1, relation and arg2. They are kept where the words they point at are
# the words of the part.
_INTERVALS = tuple(f"{end} of {part}" for part in ("arg1", "rel", "arg2") for end in ("start", "end"))
_REVERB_NOTES = (
    "Columns after the 13th (tags, chunks, normalised words) are not read. Token intervals are kept where they point "
    f"at the words of the part, tokens being the words between single spaces. '{UNKNOWN}' stands for an unknown "
    "file, number or interval. A discontinuous part has no interval."
)


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


def _reverb_format(name: str, title: str, weight: float, notes: str) -> TextFormat:
    return column_format(
        name,
        ("sentence.document_id", "sentence.id", "arg1", "rel", "arg2", *_INTERVALS, "confidence", "sentence"),
        title=title,
        layout=(
            "file ⇥ sentence number ⇥ arg1 ⇥ relation ⇥ arg2 ⇥ start and end of arg1, relation, arg2 in tokens "
            "(6 columns) ⇥ confidence ⇥ sentence ⇥ …"
        ),
        expected="13 or more, confidence and sentence in columns 12 and 13",
        sample=f"{name}.txt",
        keeps={"confidence", "tokens", "sentence.id", "sentence.document_id"},
        blank_lines="refuse",
        extractor=name,
        parse=_reverb_parts,
        render=_reverb_fields,
        sniff=rows_fit(weight, lambda row: len(row) >= 13 and is_number(row[11]) and " " in row[12]),
        notes=notes,
    )


REVERB = _reverb_format("reverb", "ReVerb", 0.95, _REVERB_NOTES)
# Detected below its twin, so that detection has one winner.
STANFORD = _reverb_format(
    "stanford",
    "Stanford Open IE (ReVerb mode)",
    0.85,
    f"The layout of reverb; automatic detection takes such files for reverb. {_REVERB_NOTES}",
)
