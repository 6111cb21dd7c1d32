"""The three kinds of input, as texts to hand to somebody else's pipeline."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tupelo.core import Analysis
from tupelo.nlp.prepare import Piece, given_tokens


def documents(text: str | Iterable[str], *, whole: bool) -> Iterator[Piece]:
    """One piece per document, or per line where every line is a sentence."""
    if isinstance(text, str):
        if not whole:
            yield Piece(text)
            return
        position = 0
        for line in text.split("\n") if text else []:
            yield Piece(line, position)
            position += len(line) + 1
        return
    for number, document in enumerate(text, start=1):
        yield Piece(document, 0, None if whole else str(number))


def tokens_of(piece: Piece) -> list[str]:
    """The given words of a pretokenized sentence."""
    return list(given_tokens(piece).forms)


def empty(piece: Piece) -> Analysis:
    """A sentence without words."""
    return Analysis(piece.text, (), piece.start, document_id=piece.document_id)
