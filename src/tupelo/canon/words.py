"""Words that two texts have in common, for many pairs at once."""

from __future__ import annotations

import math
import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.context import Array
from tupelo.canon.cuts import distinct
from tupelo.nlp.languages.en.grammar import ARTICLES

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


# Texts that share a word are compared unless more texts than this have it.
_MOST_SHARERS = 2000


def content_words(form: str) -> list[str]:
    """The words of a normal form without articles, or all words if there are no other."""
    words = _WORD.findall(form)
    return [word for word in words if word not in ARTICLES] or words


def singular(word: str) -> str:
    """A noun without the usual endings of plurals, for the comparison of phrases."""
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 4 and word.endswith(("ses", "xes", "zes", "ches", "shes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def overlaps(forms: Sequence[str], others: Sequence[str] = ()) -> Iterator[tuple[int, int, float]]:
    """Every pair of forms with a word in common, and its similarity in (0, 1]; `others` count for rarity only."""
    words = [_word_set(form) for form in forms]
    known = set(forms)
    frequency = Counter(word for each in words for word in each)
    frequency.update(word for form in others if form not in known for word in _word_set(form))
    weight = {word: 1 / math.log(1 + count) for word, count in frequency.items()}
    having: dict[str, list[int]] = defaultdict(list)
    total = [sum(weight[word] for word in each) for each in words]
    for right, each in enumerate(words):
        shared: dict[int, float] = defaultdict(float)
        for word in each:
            if frequency[word] <= _MOST_SHARERS:
                for left in having[word]:
                    shared[left] += weight[word]
                having[word].append(right)
        for left, common in shared.items():
            yield left, right, min(1.0, common / (total[left] + total[right] - common))


def _word_set(form: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(singular, content_words(form)))) or (form,)


class WordOverlap:
    """The words of texts, and how rare words and trigrams are among them."""

    def __init__(self, texts: Sequence[str]) -> None:
        words = [_words(text) for text in texts]
        self._words, self._trigrams = Bags(words), Bags(map(_trigrams, texts))
        self._totals = self._words.totals(self._words.rarity)
        weights = self._trigrams.counts * self._trigrams.rarity
        # Scaled to length 1.
        self._weights = weights / np.repeat(np.sqrt(self._trigrams.totals(weights**2)), self._trigrams.sizes)
        self._sizes = np.array([len(each) for each in words], dtype=np.int64)
        self._squeezed = ["".join(each) for each in words]
        # Equal strings have equal numbers.
        self._first, self._last = (_numbered([each[end] for each in words]) for end in (0, -1))
        self._figures = _numbered([frozenset(_NUMBER.findall(text)) for text in texts])
        initials = ["".join(word[0] for word in each) for each in words]
        self._whole, self._initials = np.split(_numbered([*self._squeezed, *initials]), 2)

    def features(self, pairs: Pairs) -> Array:
        """The features named in `LEXICAL`, a row per pair."""
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
        """The number of texts that have the rarest word of a text."""
        return int(self._words.frequency[self._words.places(np.array([number]))[1]].min())

    def _cosines(self, pairs: Pairs) -> NDArray[np.float64]:
        """Cosines of character trigrams, weighted by rarity."""
        owners, left, right = self._trigrams.shared(pairs)
        products = self._weights[left] * self._weights[right]
        return np.bincount(owners, products, minlength=len(pairs[0])).astype(np.float64)

    def _is_acronym(self, short: NDArray[np.int64], long: NDArray[np.int64]) -> NDArray[np.bool_]:
        has_size = (self._sizes[short] == 1) & (self._sizes[long] > 1)
        return np.asarray(has_size & (self._whole[short] == self._initials[long]))


class Bags:
    """Texts as bags of strings: `counts` of the distinct strings of each text, and the `frequency` of each in texts.

    `rarity` falls with frequency.
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
        """For each string that two texts share, the number of the pair and its position in both texts."""
        (owners, left), (others, right) = (self.places(side) for side in pairs)
        size = int(self._strings.max(initial=0)) + 1
        here, there = owners * size + self._strings[left], others * size + self._strings[right]
        at = np.minimum(np.searchsorted(here, there), max(0, len(here) - 1))
        same = here[at] == there
        return others[same], left[at[same]], right[same]

    def places(self, texts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The positions of all strings of some texts, each with the number of its text."""
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
