"""Plain triples: `subject TAB relation TAB object [TAB sentence]`, one a line."""

from __future__ import annotations

from tupelo.core.canonical import SLOTS, Phrase, TripleMention
from tupelo.io.lines import Lines
from tupelo.io.triples.base import Collected, TripleFile, filled
from tupelo.io.triples.places import find_phrase


def read(lines: Lines) -> TripleFile:
    collected = Collected()
    for number, line in lines:
        if not line.strip():
            continue
        fields = line.split("\t")
        if len(fields) not in (3, 4):
            lines.fault(
                number,
                f"{len(fields)} field(s)",
                "subject, relation, object and perhaps a sentence, separated by tabs",
            )
            continue

        def complain(found: str, expected: str, number: int = number) -> None:
            lines.fault(number, found, expected)

        parts = [filled(part, what, complain) for part, what in zip(fields, SLOTS, strict=False)]
        if None in parts:
            continue
        sentence = fields[3].strip() if len(fields) == 4 else ""
        subject, relation, object_ = (
            Phrase(text, find_phrase(text, sentence)) for text in (str(part).strip() for part in parts)
        )
        collected.add(TripleMention(str(number), subject, relation, object_, sentence))
    return collected.file()
