"""Word numbers for tuples that people marked in a text: some formats know words by number, not by character.

Where nobody tokenised a sentence, its words are the pieces between single spaces. A part gets numbers when it covers
whole pieces; a word with a full stop attached does not, and formats that need numbers cannot hold such a tuple.
"""

from __future__ import annotations

from dataclasses import replace

from tupelo.core import Argument, Extraction, Span


def with_tokens(extraction: Extraction) -> Extraction:
    """The same tuple with the numbers of its words, where every part has some."""
    pieces = _pieces(extraction.sentence.text)
    parts = [_numbered(part, pieces) for part in (extraction.rel, *extraction.arguments)]
    numbered = [part for part in parts if part is not None]
    if extraction.sentence.tokens is not None or len(numbered) < len(parts):
        return extraction
    rel, *arguments = numbered
    first = arguments[0] if arguments else None
    return replace(extraction, rel=rel, arg1=first, args=tuple(arguments[1:]))


def _pieces(text: str) -> list[Span]:
    spans, start = [], 0
    for piece in text.split(" "):
        spans.append(Span(start, start + len(piece)))
        start += len(piece) + 1
    return spans


def _numbered(part: Argument, pieces: list[Span]) -> Argument | None:
    if part.tokens is not None:
        return part
    if not part.spans or part.inferred:
        return None
    found: list[int] = []
    for span in part.spans:
        inside = [place for place, piece in enumerate(pieces) if span.start <= piece.start and piece.end <= span.end]
        if not inside or (pieces[inside[0]].start, pieces[inside[-1]].end) != (span.start, span.end):
            return None
        found += inside
    return replace(part, tokens=tuple(found))
