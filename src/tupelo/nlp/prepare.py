"""Text to sentences of words, before any model sees them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from tupelo.nlp.split import Splitter, paragraphs
from tupelo.nlp.tokens import Token, tokenize

# A paragraph longer than this is cut where a sentence seems to end, or at least a word, so that a text
# without any line break needs no more memory than another.
_LONGEST_PARAGRAPH = 20_000
_LIKELY_END = re.compile(r"(?<=[.!?])[\"'”’)\]]*\s+(?=[^\sa-z])")


class Piece(NamedTuple):
    """A stretch of a document that no sentence crosses, and where it starts in the document."""

    text: str
    start: int = 0
    document_id: str | None = None


@dataclass(frozen=True, slots=True)
class Prepared:
    """A sentence whose words are known: `spans` count from the start of the document."""

    text: str
    start: int
    forms: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    contractions: tuple[tuple[int, int], ...]
    document_id: str | None


def cut_pieces(text: str, document_id: str | None = None, start: int = 0) -> Iterator[Piece]:
    """A text as pieces of bounded size."""
    for begin, end in paragraphs(text):
        while end - begin > _LONGEST_PARAGRAPH:
            cut = _last_likely_end(text, begin, begin + _LONGEST_PARAGRAPH)
            yield Piece(text[begin:cut], start + begin, document_id)
            begin = cut
        yield Piece(text[begin:end], start + begin, document_id)


def _last_likely_end(text: str, begin: int, end: int) -> int:
    last = None
    for match in _LIKELY_END.finditer(text, begin + (end - begin) // 2, end):
        last = match.end()
    if last is None:
        for match in re.finditer(r"\s+", text[begin:end]):
            last = begin + match.end()
    return last or end


def split_sentences(piece: Piece, splitter: Splitter) -> Iterator[Prepared]:
    """The sentences of a piece of plain text."""
    text = piece.text
    tokens = tokenize(text)
    for first, last in splitter.split(text, tokens):
        begin, end = tokens[first][0], tokens[last - 1][1]
        yield _prepared(text[begin:end], piece.start + begin, tokens[first:last], -begin, piece.document_id)


def whole_sentence(piece: Piece) -> Prepared:
    """A piece that is one sentence, to be cut into words."""
    return _prepared(piece.text, piece.start, tokenize(piece.text), 0, piece.document_id)


def _prepared(text: str, start: int, tokens: Iterable[Token], shift: int, document_id: str | None) -> Prepared:
    forms: list[str] = []
    spans: list[tuple[int, int]] = []
    contractions: list[tuple[int, int]] = []
    for index, (begin, end, joined) in enumerate(tokens):
        begin, end = begin + shift, end + shift
        forms.append(text[begin:end])
        spans.append((start + begin, start + end))
        if joined and index:
            if contractions and contractions[-1][1] == index:
                contractions[-1] = (contractions[-1][0], index + 1)
            else:
                contractions.append((index - 1, index + 1))
    return Prepared(text, start, tuple(forms), tuple(spans), tuple(contractions), document_id)


def given_tokens(piece: Piece) -> Prepared:
    """A sentence whose words are separated by single spaces; they are kept exactly."""
    forms: list[str] = []
    spans: list[tuple[int, int]] = []
    position = 0
    for form in piece.text.split(" "):
        if form:
            forms.append(form)
            spans.append((piece.start + position, piece.start + position + len(form)))
        position += len(form) + 1
    return Prepared(piece.text, piece.start, tuple(forms), tuple(spans), (), piece.document_id)
