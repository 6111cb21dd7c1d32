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
from tupelo.io.lines import Lines

_WORD_FIELDS = ("text", "start", "end", "lemma", "upos", "xpos", "feats", "head", "deprel")
_EXPECTED = 'an object with "text" and "words"'


def write(analyses: Iterable[Analysis]) -> Iterator[str]:
    for analysis in analyses:
        yield json.dumps(to_row(analysis), ensure_ascii=False, separators=(",", ":")) + "\n"


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


def to_row(analysis: Analysis) -> dict[str, Any]:
    """Plain values; unknown ones are left out."""
    row: dict[str, Any] = {"text": analysis.text, "start": analysis.start}
    if analysis.id is not None:
        row["id"] = analysis.id
    if analysis.document_id is not None:
        row["document_id"] = analysis.document_id
    row["words"] = [{name: getattr(word, name) for name in _WORD_FIELDS} for word in analysis.words]
    if analysis.contractions:
        row["contractions"] = [list(run) for run in analysis.contractions]
    if analysis.entities is not None:
        row["entities"] = [
            {"label": e.label, "start": e.start, "end": e.end, "text": analysis.phrase(e)} for e in analysis.entities
        ]
    if analysis.constituents is not None:
        row["constituents"] = [[part.label, part.start, part.end] for part in analysis.constituents]
    return row


def from_row(row: dict[str, Any]) -> Analysis:
    """The opposite of `to_row`."""
    entities, constituents = row.get("entities"), row.get("constituents")
    return Analysis(
        text=row["text"],
        words=tuple(Word(**{name: word.get(name) for name in _WORD_FIELDS}) for word in row["words"]),
        start=row.get("start", 0),
        constituents=None if constituents is None else tuple(Constituent(*part) for part in constituents),
        entities=None if entities is None else tuple(Entity(e["label"], e["start"], e["end"]) for e in entities),
        contractions=tuple((start, end) for start, end in row.get("contractions", ())),
        id=row.get("id"),
        document_id=row.get("document_id"),
    )
