"""Retrieve the sentences of a source that are about a claim, so that a network reads only those.

Shared words weigh more if fewer sentences have them; endings are ignored: *robbed* finds *robbery*. A claim is read
with its evidence in several forms:

- the *best* sentences together, in the order of the source, for a claim that combines what is far apart. They are
  chosen one by one; words that earlier ones cover count half for the next;
- the best *windows* of consecutive sentences that do not overlap, for a claim that needs what stands around it.

A form that says no more than another one is dropped, so that a short source is read once.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import log

from tupelo.nlp.languages.en.stop_words import FREQUENT_WORDS

# Related words mostly share their first letters.
_LETTERS = 5
_BEST = 5
_WINDOW, _WINDOWS = 3, 1


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
    """An index of the sentences of a source, with their lengths.

    `passages` are the numbers of the passages that they belong to, where there are several; no window crosses them.
    """

    def __init__(
        self, sentences: Iterable[Iterable[str]], lengths: Sequence[int], passages: Sequence[int] | None = None
    ) -> None:
        self._lengths = lengths
        # The first sentence of each passage, and the end of the last one.
        numbers = [0] * len(lengths) if passages is None else passages
        self._bounds = [0, *(place for place in range(1, len(numbers)) if numbers[place] != numbers[place - 1])]
        self._bounds.append(len(numbers))
        self._holders: dict[str, list[int]] = {}
        for number, words in enumerate(sentences):
            for item in stems(words):
                self._holders.setdefault(item, []).append(number)

    def knows(self, word: str) -> bool:
        """Whether the source has a word, whatever its ending."""
        return stem(word.removesuffix("'s")) in self._holders

    def forms(self, claim: Iterable[str], room: int) -> list[tuple[int, ...]]:
        """The evidence in every form, at most `room` long: the best sentences, then the best windows."""
        weights = self._weights(claim)
        best = self._best(weights, room, _BEST)
        return list(dict.fromkeys((best, *self._windows(weights, room))))

    def best(self, claim: Iterable[str], room: int, most: int = _BEST) -> tuple[int, ...]:
        """The sentences that share most with a claim; the first ones of the source where too few share anything."""
        return self._best(self._weights(claim), room, most)

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

    def _best(self, given: Mapping[str, float], room: int, most: int) -> tuple[int, ...]:
        weights = dict(given)
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

    def _windows(self, weights: Mapping[str, float], room: int) -> list[tuple[int, ...]]:
        covered: dict[int, set[str]] = {}
        middle: dict[int, float] = {}
        for item, weight in weights.items():
            for number in self._holders[item]:
                middle[number - 1] = middle.get(number - 1, 0.0) + weight
                for window in self._around(number):
                    covered.setdefault(window.start, set()).add(item)
        # Of windows that share the same words, the one that has most of them in its middle.
        total = {start: sum(weights[item] for item in sorted(items)) for start, items in covered.items()}
        ordered = sorted(total, key=lambda start: (-total[start], -middle.get(start, 0.0), start))
        chosen: list[int] = []
        for start in ordered:
            if len(chosen) < _WINDOWS and all(abs(start - other) >= _WINDOW for other in chosen):
                chosen.append(start)
        return [self._within(self._window(start), room) for start in chosen]

    def _around(self, number: int) -> Iterator[range]:
        """The windows with a sentence, each as long as its passage allows."""
        after = bisect_right(self._bounds, number)
        first, end = self._bounds[after - 1], self._bounds[after]
        last = max(end - _WINDOW, first)
        for start in range(max(number - _WINDOW + 1, first), min(number, last) + 1):
            yield range(start, min(start + _WINDOW, end))

    def _window(self, start: int) -> range:
        return next(window for window in self._around(start) if window.start == start)

    def _within(self, window: range, room: int) -> tuple[int, ...]:
        kept: list[int] = []
        for number in window:
            room -= self._lengths[number]
            if room < 0:
                break
            kept.append(number)
        return tuple(kept)
