"""Parts of tuples, cut out of an analysed sentence.

Every extractor makes its parts here, so that one promise holds for all of
them: the characters of `spans`, white space made single and pieces joined with
a space, are the words of `text` without the implied ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tupelo.core import Analysis, Argument, Sentence, Span


def sentence_of(analysis: Analysis) -> Sentence:
    """The sentence as tuples refer to it. Make it once per analysis: all its tuples can share it."""
    return Sentence(analysis.text, analysis.id, analysis.document_id, tuple(word.text for word in analysis.words))


def make_part(analysis: Analysis, pieces: Iterable[int | str], role: str | None = None) -> Argument:
    """A part from word indexes and implied words, in the order in which they are to be read.

    Neighbouring indexes become one span, with the text between the words as
    it is written; a string is a word that is not in the sentence.

    >>> from tupelo.core import Word
    >>> bush = Analysis("Bush,  president", (Word("Bush", 0, 4), Word(",", 4, 5), Word("president", 7, 16)))
    >>> part = make_part(bush, ["is", 1, 2])
    >>> part.text, part.tokens, part.spans, part.inferred
    ('is , president', (1, 2), (Span(start=4, end=16),), (0,))
    """
    texts: list[str] = []
    tokens: list[int] = []
    spans: list[Span] = []
    inferred: list[int] = []
    words = 0
    for piece in _runs(pieces):
        if isinstance(piece, str):
            count = len(piece.split())
            inferred.extend(range(words, words + count))
            text = " ".join(piece.split())
        else:
            span = _span(analysis, piece)
            tokens.extend(piece)
            spans.append(span)
            text = " ".join(span.of(analysis.text).split())
            count = len(text.split())
        if text:
            texts.append(text)
            words += count
    return Argument(" ".join(texts), role, tuple(tokens), tuple(spans), tuple(inferred))


def is_true_to(part: Argument, sentence: Sentence) -> bool:
    """Whether the spans of a part lie in its sentence and say what its text says."""
    if part.spans is None or part.tokens is None or sentence.tokens is None:
        return False
    if any(not 0 <= token < len(sentence.tokens) for token in part.tokens):
        return False
    if any(span.end > len(sentence.text) for span in part.spans):
        return False
    implied = set(part.inferred)
    written = [word for position, word in enumerate(part.text.split()) if position not in implied]
    return written == [word for span in part.spans for word in span.of(sentence.text).split()]


def _runs(pieces: Iterable[int | str]) -> list[list[int] | str]:
    runs: list[list[int] | str] = []
    for piece in pieces:
        if isinstance(piece, str):
            runs.append(piece)
        elif runs and isinstance(last := runs[-1], list) and piece == last[-1] + 1:
            last.append(piece)
        else:
            runs.append([piece])
    return runs


def _span(analysis: Analysis, run: Sequence[int]) -> Span:
    return analysis.span(run[0], run[-1] + 1)
