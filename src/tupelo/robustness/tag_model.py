"""The likelihood of a sequence of English part-of-speech tags: a trigram model.

The counts ship with the package (`tag_counts.txt`): tags of two treebanks, no
words. Trigram, bigram and unigram probabilities are interpolated (Jelinek and Mercer, 1980).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import log

from tupelo.robustness.settings import SETTINGS, packaged_text

_EDGE = "<s>"
# Weights of the trigram, bigram and unigram probabilities, and the least probability of a tag.
_WEIGHTS: tuple[float, ...] = tuple(SETTINGS["tag_model"]["weights"])
_UNSEEN: float = SETTINGS["tag_model"]["unseen"]

Context = tuple[str, ...]


class TagModel:
    """Log probabilities of tags, each after the two before it."""

    def __init__(self, counts: Iterable[tuple[str, str, str, int]]) -> None:
        self._follow: dict[Context, dict[str, int]] = {}
        for first, second, tag, number in counts:
            for context in ((first, second), (second,), ()):
                row = self._follow.setdefault(context, {})
                row[tag] = row.get(tag, 0) + number
        self._sums = {context: sum(row.values()) for context, row in self._follow.items()}

    def mean_log(self, tags: Sequence[str]) -> float:
        """The mean log probability per tag, the end of the sentence included."""
        padded = [_EDGE, _EDGE, *tags, _EDGE]
        logs = [log(self._probability(*padded[at - 2 : at + 1])) for at in range(2, len(padded))]
        return sum(logs) / len(logs)

    def _probability(self, first: str, second: str, tag: str) -> float:
        total = 0.0
        for weight, context in zip(_WEIGHTS, ((first, second), (second,), ()), strict=True):
            row = self._follow.get(context)
            if row:
                total += weight * row.get(tag, 0) / self._sums[context]
        return max(total, _UNSEEN)


@lru_cache(maxsize=1)
def shipped_tag_model() -> TagModel:
    """The model with the shipped counts."""
    return TagModel(read_counts(packaged_text("tag_counts.txt")))


def read_counts(text: str) -> list[tuple[str, str, str, int]]:
    """Parse lines of counts: two tags, a bar, then pairs of a tag and a number; other lines are notes.

    >>> read_counts("# a note\\nDT NN | IN 4 VB 2")
    [('DT', 'NN', 'IN', 4), ('DT', 'NN', 'VB', 2)]
    """
    counts: list[tuple[str, str, str, int]] = []
    for line in text.splitlines():
        context, bar, following = line.partition(" | ")
        if bar:
            first, second = context.split()
            pairs = following.split()
            counts.extend(
                (first, second, tag, int(number)) for tag, number in zip(pairs[::2], pairs[1::2], strict=True)
            )
    return counts
