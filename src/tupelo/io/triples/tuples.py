"""Mentions from tuples in any tuple format: Tupelo's own JSON lines, CaRB's tabs, ReVerb's columns."""

from __future__ import annotations

from collections.abc import Iterable

from tupelo.core import Argument, Extraction, Record
from tupelo.core.canonical import Phrase, TripleMention
from tupelo.core.sentence import Span
from tupelo.io.triples.base import Collected, TripleFile
from tupelo.io.triples.places import find_phrase


def from_records(records: Iterable[Record]) -> TripleFile:
    """Every tuple with at least two arguments; the ids number the tuples of the file from 1.

    A subject or object that stands for a fuller name counts as that name. Arguments after the second are joined
    to it, as everywhere.
    """
    collected = Collected()
    number = 0
    for record in records:
        if not isinstance(record, Extraction):
            continue
        number += 1
        if record.arg1 is None or not record.args:
            continue
        sentence = record.sentence.text
        phrases = (
            _phrase((record.arg1,), sentence),
            _phrase((record.rel,), sentence),
            _phrase(record.args, sentence),
        )
        if all(phrase.text.strip() for phrase in phrases):
            collected.add(TripleMention(str(number), *phrases, sentence=sentence))
    return collected.file()


def _phrase(parts: tuple[Argument, ...], sentence: str) -> Phrase:
    text = " ".join(part.resolved or part.text for part in parts)
    spans = [span for part in parts for span in part.spans or ()]
    if spans:
        return Phrase(text, Span(min(span.start for span in spans), max(span.end for span in spans)))
    return Phrase(text, find_phrase(" ".join(part.text for part in parts), sentence))
