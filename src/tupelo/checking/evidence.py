"""Retrieve the sentences of a source that are about a claim, so that a network reads only those.

Shared words weigh more if fewer sentences have them; endings are ignored: *robbed* finds *robbery*. Sentences are
chosen one by one; words that earlier ones cover count half for the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log

from tupelo.nlp.languages.en.grammar import FREQUENT_WORDS

# Related words mostly share their first letters.
_LETTERS = 5
_BEST = 5


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

    def __init__(self, sentences: Iterable[Iterable[str]], lengths: Sequence[int]) -> None:
        self._lengths = lengths
        self._holders: dict[str, list[int]] = {}
        for number, words in enumerate(sentences):
            for item in stems(words):
                self._holders.setdefault(item, []).append(number)

    def knows(self, word: str) -> bool:
        """Whether the source has a word, whatever its ending."""
        return stem(word.removesuffix("'s")) in self._holders

    def best(self, claim: Iterable[str], room: int, most: int = _BEST) -> tuple[int, ...]:
        """The sentences that share most with a claim, in the order of the source and at most `room` long together.

        The first ones of the source where too few share anything.
        """
        weights = self._weights(claim)
        shared: dict[int, list[str]] = {}
        for item in weights:
            for number in self._holders[item]:
                shared.setdefault(number, []).append(item)
        chosen: list[int] = []
        while shared and len(chosen) < most:
            best = max(shared, key=lambda number: (sum(weights[item] for item in shared[number]), -number))
            items = shared.pop(best)
            if self._lengths[best] <= room:
                chosen.append(best)
                room -= self._lengths[best]
                for item in items:
                    weights[item] /= 2
        for number, length in enumerate(self._lengths[: most * 2]):
            if len(chosen) < most and length <= room and number not in chosen:
                chosen.append(number)
                room -= length
        return tuple(sorted(chosen))

    def ranked(self, claim: Iterable[str], among: Iterable[int], most: int) -> tuple[int, ...]:
        """Those of some sentences that share most with a claim, each of them more than the ones before."""
        weights, left = self._weights(claim), self._shared(claim, among)
        chosen: list[int] = []
        while left and len(chosen) < most:
            number = max(left, key=lambda one: (sum(weights[item] for item in left[one]), -one))
            covered = left.pop(number)
            chosen.append(number)
            left = {one: rest for one, items in left.items() if (rest := items - covered)}
        return tuple(chosen)

    def sharing(self, claim: Iterable[str], among: Iterable[int]) -> list[int]:
        """Those of some sentences that share anything with a claim, the most first."""
        weights, shared = self._weights(claim), self._shared(claim, among)
        return sorted(shared, key=lambda one: (-sum(weights[item] for item in shared[one]), one))

    def _weights(self, claim: Iterable[str]) -> dict[str, float]:
        return {
            item: log(1 + len(self._lengths) / len(self._holders[item]))
            for item in sorted(stems(claim))
            if item in self._holders
        }

    def _shared(self, claim: Iterable[str], among: Iterable[int]) -> dict[int, frozenset[str]]:
        known = [(item, set(self._holders.get(item, ()))) for item in stems(claim)]
        found = {number: frozenset(item for item, holders in known if number in holders) for number in among}
        return {number: items for number, items in found.items() if items}


def choose_passages(texts: Iterable[Iterable[str]], passages: Sequence[Iterable[str]], most: int) -> list[int]:
    """The passages, as words, that share most with any of some texts: at most `most` for each text, in order.

    >>> choose_passages([["Oslo"]], [["Rome", "fell"], ["Oslo", "grew"]], 1)
    [1]
    """
    index = EvidenceIndex(passages, [1] * len(passages))
    return sorted({number for text in texts for number in index.best(text, most, most)})
