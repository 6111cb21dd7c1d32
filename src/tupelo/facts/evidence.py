"""Retrieve the sentences of a source that are about a claim, so that a network reads only those.

Shared words weigh more if fewer sentences have them. Sentences are chosen one by one; words that earlier
ones cover count half for the next, so that a claim that combines several sentences finds them all. Endings are
ignored: *robbed* finds *robbery*. Sentences are returned in the order of the source.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log

from tupelo.nlp.languages.en.stop_words import FREQUENT_WORDS

# Related words mostly share their first letters.
_LETTERS = 5


def stem(word: str) -> str:
    """The form in which a word is indexed.

    >>> stem("Robberies"), stem("2019")
    ('robbe', '2019')
    """
    lowered = word.lower()
    return lowered[:_LETTERS] if lowered.isalpha() else lowered


def stems(words: Iterable[str]) -> frozenset[str]:
    """The content words of a sentence, by stem."""
    return frozenset(stem(word) for word in words if word[:1].isalnum() and word.lower() not in FREQUENT_WORDS)


class EvidenceIndex:
    """An index of the sentences of a source, with their lengths."""

    def __init__(self, sentences: Sequence[Iterable[str]], lengths: Sequence[int]) -> None:
        self._lengths = lengths
        self._holders: dict[str, list[int]] = {}
        for number, words in enumerate(sentences):
            for item in stems(words):
                self._holders.setdefault(item, []).append(number)

    def choose(self, claim: Iterable[str], room: int) -> list[int]:
        """Sentences for a claim, at most `room` long in total; the source's first sentences fill the rest."""
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
