"""Analysed sentences as JSON Lines: everything that is known, one sentence a line.

`head` is the index of the head word, counted from 0, and null for the root.
`start` and `end` of a word count characters of the whole text; those of
entities and constituents count words. A constituent is label, first word and
the word after the last. Vectors are not written.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from tupelo.core import Analysis, Constituent, Entity, Word
from tupelo.core.analysis import WORD_FIELDS
from tupelo.io.lines import Lines

_EXPECTED = 'an object with "text" and "words"'


def write(analyses: Iterable[Analysis]) -> Iterator[str]:
    for analysis in analyses:
        yield json.dumps(analysis.to_dict(), ensure_ascii=False, separators=(",", ":")) + "\n"


def read(lines: Lines) -> Iterator[Analysis]:
    for number, line in lines:
        if not line.strip():
            continue
        try:
            analysis = from_row(json.loads(line))
        except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
            lines.fault(number, f"no analysis ({type(error).__name__}: {error})", _EXPECTED)
            continue
        yield analysis


def from_row(row: dict[str, Any]) -> Analysis:
    """The opposite of `Analysis.to_dict`."""
    entities, constituents = row.get("entities"), row.get("constituents")
    return Analysis(
        text=row["text"],
        words=tuple(Word(**{name: word.get(name) for name in WORD_FIELDS}) for word in row["words"]),
        start=row.get("start", 0),
        constituents=None if constituents is None else tuple(Constituent(*part) for part in constituents),
        entities=None if entities is None else tuple(Entity(e["label"], e["start"], e["end"]) for e in entities),
        contractions=tuple((start, end) for start, end in row.get("contractions", ())),
        id=row.get("id"),
        document_id=row.get("document_id"),
    )
