"""Parts of tuples from the words of an analysed sentence.

One invariant holds for all: the characters of `spans`, each on one line and joined with a space, are `text` without
the implied words.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from tupelo.core import Analysis, Argument, Span, Word

# Marks that join two words into one where no space is around them.
_JOINTS = frozenset("-\u2010\u2011\u2013/&'’")


def make_part(analysis: Analysis, words: Iterable[int | str], role: str | None = None) -> Argument:
    """Build a part from word indexes and implied words, in reading order.

    Adjacent indexes become one span, with the text between the words as written; a string is a word that is not in
    the sentence. A hyphen left out between two words that are written together comes back: *Jean-Claude*.

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
    size = 0
    for run in _runs(analysis, words):
        if isinstance(run, str):
            count = len(run.split())
            inferred.extend(range(size, size + count))
            text = " ".join(run.split())
        else:
            tokens.extend(run)
            spans.append(analysis.span(run[0], run[-1] + 1))
            text = analysis.written(run[0], run[-1] + 1)
            count = len(text.split())
        if text:
            texts.append(text)
            size += count
    return Argument(" ".join(texts), role, tuple(tokens), tuple(spans), tuple(inferred))


def _runs(analysis: Analysis, words: Iterable[int | str]) -> list[list[int] | str]:
    runs: list[list[int] | str] = []
    for word in words:
        if isinstance(word, str):
            runs.append(word)
        elif runs and isinstance(last := runs[-1], list) and word == last[-1] + 1:
            last.append(word)
        elif runs and isinstance(last := runs[-1], list) and _is_joint(analysis, last[-1] + 1, word):
            last += [word - 1, word]
        else:
            runs.append([word])
    return runs


def _is_joint(analysis: Analysis, index: int, following: int) -> bool:
    """Whether word `index` is a mark that joins the word before it to word `following`."""
    if following != index + 1:
        return False
    before, mark, after = analysis.words[index - 1 : index + 2]
    is_inside = before.text[-1:].isalnum() and after.text[:1].isalnum()
    return mark.text in _JOINTS and is_inside and is_written_together(before, mark, after)


def is_written_together(*words: Word) -> bool:
    """Whether nothing stands between words."""
    return all(left.end == right.start for left, right in pairwise(words))
