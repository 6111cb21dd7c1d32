"""Which sentences of a source speak of a claim? Chosen by shared words, so that a network needs to read only those.

Words weigh more the fewer sentences of the source have them. Sentences are chosen one by one; what earlier ones cover
counts half for the next, so that a claim that is put together from several sentences finds them all. Endings do not
count: *robbed* finds *robbery*. Sentences come out in the order of the source.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log

# Words that say the same begin the same.
_LETTERS = 5
_FUNCTION_WORDS = frozenset(
    (
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "been",
        "but",
        "by",
        "for",
        "from",
        "had",
        "has",
        "have",
        "he",
        "her",
        "his",
        "i",
        "if",
        "in",
        "is",
        "it",
        "its",
        "not",
        "of",
        "on",
        "or",
        "she",
        "that",
        "the",
        "their",
        "them",
        "they",
        "this",
        "to",
        "was",
        "we",
        "were",
        "which",
        "who",
        "will",
        "with",
        "would",
        "you",
    )
)


def stem(word: str) -> str:
    """What a word is looked up by.

    >>> stem("Robberies"), stem("2019")
    ('robbe', '2019')
    """
    lowered = word.lower()
    return lowered[:_LETTERS] if lowered.isalpha() else lowered


def stems(words: Iterable[str]) -> frozenset[str]:
    """The content of a sentence, as far as it can be looked up."""
    return frozenset(stem(word) for word in words if word[:1].isalnum() and word.lower() not in _FUNCTION_WORDS)


class EvidenceIndex:
    """The sentences of a source with the lengths they count for, indexed once."""

    def __init__(self, sentences: Sequence[Iterable[str]], lengths: Sequence[int]) -> None:
        self._lengths = lengths
        self._holders: dict[str, list[int]] = {}
        for number, words in enumerate(sentences):
            for item in stems(words):
                self._holders.setdefault(item, []).append(number)

    def choose(self, claim: Iterable[str], room: int) -> list[int]:
        """The sentences for a claim that have room together; the first ones of the source fill what is left."""
        weights = {
            item: log(1 + len(self._lengths) / len(self._holders[item]))
            for item in sorted(stems(claim))
            if item in self._holders
        }
        shared: dict[int, list[str]] = {}
        for item in weights:
            for number in self._holders[item]:
                shared.setdefault(number, []).append(item)
        chosen: list[int] = []
        while shared:
            best = max(shared, key=lambda number: (sum(weights[item] for item in shared[number]), -number))
            items = shared.pop(best)
            if self._lengths[best] <= room:
                chosen.append(best)
                room -= self._lengths[best]
                for item in items:
                    weights[item] /= 2
        for number, length in enumerate(self._lengths):
            if number not in chosen:
                if length > room:
                    break
                chosen.append(number)
                room -= length
        return sorted(chosen)
