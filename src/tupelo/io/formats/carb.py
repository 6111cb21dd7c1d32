"""The plain columns of CaRB and LSOIE: the tabbed form of system output, and the gold files.

Read as the CaRB scorer does. In its gold, an argument with `C: ` in it is not an argument but the context in which
the tuple holds; `T: ` and `L: ` stay in the text, because the scorer counts them as words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tupelo.core import Argument, Extraction, InputError
from tupelo.io.formats.columns import Parts, column_format, is_number, rows_fit

CONTEXT_MARK = "C: "
_ROLES = {"T: ": "time", "L: ": "location"}
# Confidences that people write and that are no numbers for a program. Taken for the layout of `tab`, the file is
# refused with the line; as `carb` it would be read, with confidences for relations.
_CONFIDENCE = re.compile(
    r"(?:very[ _-]?)?(?:high|medium|low)|certain|uncertain|unknown|n/?a|none|null|\d*,\d+|[\d.,]+ ?%", re.I
)


def looks_like_gold(row: Sequence[str]) -> bool:
    return len(row) >= 2 and " " in row[0] and not any(is_number(column) for column in row[:2])


def _looks_like_tabbed(row: Sequence[str]) -> bool:
    if len(row) < 3 or is_number(row[0]):
        return False
    return is_number(row[1]) or (len(row) > 3 and _CONFIDENCE.fullmatch(row[1].strip()) is not None)


def _gold_parts(row: Sequence[str], sentence: str) -> Parts:
    arguments, contexts = [], []
    for column in row[2:]:
        if CONTEXT_MARK in column:
            contexts.append(column.lstrip().removeprefix(CONTEXT_MARK).strip())
        else:
            text = column.strip()
            arguments.append(Argument(text, _ROLES.get(text[:3])))
    context = " ".join(contexts)
    return Parts(Argument(row[1].strip()), arguments, Argument(context) if context else None)


def _gold_fields(extraction: Extraction) -> Sequence[str]:
    texts = [argument.text for argument in extraction.arguments]
    for text in texts:
        if CONTEXT_MARK in text:
            raise InputError(f"an argument of {extraction} contains '{CONTEXT_MARK}', which marks a context in CaRB")
    context = extraction.context
    if context is not None and context.text.strip():
        texts.append(CONTEXT_MARK + context.text)
    return [extraction.sentence.text, extraction.rel.text, *texts]


def _stripped_parts(row: Sequence[str], sentence: str) -> Parts:
    # The sentence alone is not stripped; the scorer finds it by this very text.
    relation, *arguments = (Argument(column.strip()) for column in row[1:])
    return Parts(relation, arguments)


def _sniff_lsoie(head: Sequence[str]) -> float:
    rows = [line.split("\t") for line in head if line.strip()]
    fits = [row[0].endswith(" ") and CONTEXT_MARK not in "\t".join(row) and looks_like_gold(row) for row in rows]
    # The space after the sentence is all that distinguishes it from `carb`.
    return 0.6 if fits and all(fits) else 0.0


TAB = column_format(
    "tab",
    ("sentence", "confidence", "rel", "*args"),
    title="CaRB / OIE2016 tabbed",
    sample="tab.tsv",
    sniff=rows_fit(0.9, _looks_like_tabbed),
    notes="The line is stripped as a whole, so a tuple whose last argument is empty cannot be written.",
)

CARB = column_format(
    "carb",
    ("sentence", "rel", "*args"),
    title="CaRB gold",
    layout="sentence ⇥ relation ⇥ arg1 ⇥ arg2 … ⇥ C: context",
    sample="carb.tsv",
    keeps={"context"},
    blank_lines="refuse",
    strip_sentence=True,
    parse=_gold_parts,
    render=_gold_fields,
    # The twins of this layout look the same; CaRB stands for them all.
    sniff=rows_fit(0.5, looks_like_gold),
    notes=(
        "Fields are stripped. A field with 'C: ' in it is the context of the tuple; several are joined. Fields that "
        "begin with 'T: ' or 'L: ' get the role time or location and keep the mark. A blank line is an error. "
        "Files of oie2016-orig and benchmarkgold look alike, those of lsoie nearly so; detection takes for carb what "
        "it cannot distinguish."
    ),
)

BENCHMARKGOLD = column_format(
    "benchmarkgold",
    ("sentence", "rel", "*args"),
    title="A gold file as a system",
    sample="benchmarkgold.tsv",
    confidence=1.0,
    parse=_stripped_parts,
    # Below its twin `carb`, so that detection has one winner.
    sniff=rows_fit(0.4, looks_like_gold),
    notes=(
        "The layout of carb, read as CaRB reads a gold file that is scored as a system: blank lines are skipped, "
        "'C: ' is not special, confidence is 1. Never detected automatically; name it."
    ),
)

LSOIE = column_format(
    "lsoie",
    ("sentence", "rel", "*args"),
    title="LSOIE",
    sample="lsoie.oie",
    strip="nothing",
    keeps={"extra spaces"},
    sniff=_sniff_lsoie,
    notes=(
        "Nothing is stripped; blank lines are skipped. Detected automatically by the space at the end of every "
        "sentence; without it the file is taken for carb, which has the same columns."
    ),
)
