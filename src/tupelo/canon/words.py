"""What the words of two texts have in common, for many pairs at once."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.context import Array
from tupelo.canon.cuts import distinct

# The numbers of two texts each, as two columns.
Pairs = tuple[NDArray[np.int64], NDArray[np.int64]]

_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d+")
LEXICAL = (
    "trigrams",
    "words",
    "contained",
    "acronym",
    "prefix",
    "numbers differ",
    "covered",
    "same first",
    "same last",
    "length",
    "rest",
)


class Words:
    """The words of texts, and how rare words and trigrams are among them."""

    def __init__(self, texts: Sequence[str]) -> None:
        words = [_words(text) for text in texts]
        self._words, self._trigrams = Bags(words), Bags(map(_trigrams, texts))
        self._totals = self._words.totals(self._words.rarity)
        weights = self._trigrams.counts * self._trigrams.rarity
        # At length 1.
        self._weights = weights / np.repeat(np.sqrt(self._trigrams.totals(weights**2)), self._trigrams.sizes)
        self._sizes = np.array([len(each) for each in words], dtype=np.int64)
        self._squeezed = ["".join(each) for each in words]
        # Equal strings have equal numbers.
        self._first, self._last = (_numbered([each[end] for each in words]) for end in (0, -1))
        self._figures = _numbered([frozenset(_NUMBER.findall(text)) for text in texts])
        initials = ["".join(word[0] for word in each) for each in words]
        self._whole, self._initials = np.split(_numbered([*self._squeezed, *initials]), 2)

    def features(self, pairs: Pairs) -> Array:
        """What `LEXICAL` names, a row per pair."""
        first, second = pairs
        owners, left, _ = self._words.shared(pairs)
        shared = np.bincount(owners, self._words.rarity[left], minlength=len(first))
        in_both = np.bincount(owners, minlength=len(first))
        total = np.maximum(self._totals[first] + self._totals[second] - shared, shared)
        sizes = self._sizes[first], self._sizes[second]
        columns = (
            self._cosines(pairs),
            shared / total,
            (in_both == self._words.sizes[first]) | (in_both == self._words.sizes[second]),
            self._is_acronym(first, second) | self._is_acronym(second, first),
            [_starts(self._squeezed[one], self._squeezed[other]) for one, other in zip(first, second, strict=True)],
            self._figures[first] != self._figures[second],
            shared / np.minimum(self._totals[first], self._totals[second]),
            self._first[first] == self._first[second],
            self._last[first] == self._last[second],
            np.abs(sizes[0] - sizes[1]) / np.maximum(*sizes),
            np.log1p(total - shared),
        )
        return np.stack([np.asarray(column, dtype=np.float32) for column in columns], axis=1)

    def fewest(self, number: int) -> int:
        """How many texts have the rarest word of one."""
        return int(self._words.frequency[self._words.places(np.array([number]))[1]].min())

    def _cosines(self, pairs: Pairs) -> NDArray[np.float64]:
        """Of character trigrams, weighted by their rarity."""
        owners, left, right = self._trigrams.shared(pairs)
        products = self._weights[left] * self._weights[right]
        return np.bincount(owners, products, minlength=len(pairs[0])).astype(np.float64)

    def _is_acronym(self, short: NDArray[np.int64], long: NDArray[np.int64]) -> NDArray[np.bool_]:
        has_size = (self._sizes[short] == 1) & (self._sizes[long] > 1)
        return np.asarray(has_size & (self._whole[short] == self._initials[long]))


class Bags:
    """Texts as bags of strings, text by text: the `counts` of distinct ones there, and of the texts that have them.

    The fewer have a string, the higher its `rarity`.
    """

    def __init__(self, texts: Iterable[Sequence[str]]) -> None:
        numbers: dict[str, int] = {}
        found, counts, sizes = array("i"), array("i"), array("i")
        for strings in texts:
            own = sorted(Counter(numbers.setdefault(string, len(numbers)) for string in strings).items())
            found.extend(number for number, _ in own)
            counts.extend(count for _, count in own)
            sizes.append(len(own))
        self._strings, self.counts, self.sizes = (np.array(each) for each in (found, counts, sizes))
        self._starts = np.cumsum(self.sizes, dtype=np.int64) - self.sizes
        self.frequency = np.bincount(self._strings, minlength=len(numbers))[self._strings]
        self.rarity = np.log(1 + len(sizes) / self.frequency)

    def totals(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """The sum over each text."""
        owners = np.repeat(np.arange(len(self.sizes)), self.sizes)
        return np.bincount(owners, weights, minlength=len(self.sizes)).astype(np.float64)

    def shared(self, pairs: Pairs) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """For each string that two texts share the number of the pair, and its place in either text."""
        (owners, left), (others, right) = (self.places(side) for side in pairs)
        size = int(self._strings.max(initial=0)) + 1
        here, there = owners * size + self._strings[left], others * size + self._strings[right]
        at = np.minimum(np.searchsorted(here, there), max(0, len(here) - 1))
        same = here[at] == there
        return others[same], left[at[same]], right[same]

    def places(self, texts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The places of all strings of some texts, each with the number of its text among these."""
        sizes = self.sizes[texts]
        before = np.cumsum(sizes, dtype=np.int64) - sizes
        places = np.arange(int(sizes.sum())) + np.repeat(self._starts[texts] - before, sizes)
        return np.repeat(np.arange(len(texts)), sizes), places


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text)) or (text,)


def _trigrams(text: str) -> list[str]:
    padded = f"#{text.replace(' ', '#')}#"
    return [padded[start : start + 3] for start in range(len(padded) - 2)]


def _starts(one: str, other: str) -> bool:
    return one.startswith(other) or other.startswith(one)


def _numbered(items: Sequence[Hashable]) -> NDArray[np.int64]:
    return distinct(items)[1]
