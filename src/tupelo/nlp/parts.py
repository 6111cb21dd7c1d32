"""Parts of tuples from the words of an analysed sentence.

One invariant holds for all: the characters of `spans`, each on one line and joined with a space, are `text` without
the implied words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise, takewhile

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


def aligned(
    words: Sequence[str], phrase: Sequence[str], near: int | None = None, *, follow: bool = False
) -> list[int | None]:
    """The position of each word of a phrase among some words, `None` where there is none.

    The longest runs are matched from left to right, each position once. Of equally long ones the first counts, or the
    nearest to `near` and, with `follow`, to the run before.

    >>> aligned("the old man and the sea".split(), "the new sea".split())
    [0, None, 5]
    """
    found: list[int | None] = []
    taken: set[int] = set()

    def rank(start: int) -> tuple[int, int]:
        pairs = zip(range(start, len(words)), phrase[len(found) :], strict=False)
        run = takewhile(lambda pair: words[pair[0]] == pair[1] and pair[0] not in taken, pairs)
        return sum(1 for _ in run), 0 if near is None else -abs(start - near)

    while len(found) < len(phrase):
        starts = (start for start, word in enumerate(words) if word == phrase[len(found)])
        start = max(starts, key=rank, default=0)
        size, _ = rank(start)
        found += range(start, start + size) if size else [None]
        taken.update(range(start, start + size))
        near = start + size - 1 if follow and size else near
    return found
