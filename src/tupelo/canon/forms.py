"""Pairs of noun phrases: which are worth a look, and what speaks for and against their being one entity."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.cluster.distances import close_pair_blocks, pair_keys, pairs_of_keys
from tupelo.canon.cluster.neighbours import nearest_rows
from tupelo.canon.context import Array, Context, Halves, unit
from tupelo.canon.cuts import add_rows, distinct
from tupelo.canon.methods.lexical import content_words, overlaps, singular, slot_forms
from tupelo.canon.senses import Evidence, evidence_of, senses
from tupelo.core.canonical import Slot
from tupelo.nlp.naming.same import SHAPES, keys_of_name, reason_apart, shape_of_pair

Pairs = tuple[NDArray[np.int64], NDArray[np.int64]]

_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d+")
# A pair is looked at when its vectors are closer than this, or when it shares this much of its words.
_CLOSE = 0.72
_SHARED = 0.25
# The least share of noun phrases with capitals in ordinary text.
_CASED = 0.1
# A key, or a word where not all pairs are compared, that more names share says too little.
_MOST_SHARERS = 50
# Where not all pairs are compared: nearest forms of each, and frequent words of a form that count.
_NEAREST = 8
_MOST_WORDS = 6
_BLOCK = 4096
# Blocks whose cosines are evidence; each form has the mean of its occurrences.
VECTOR_BLOCKS = ("whole", "phrase", "own:6", "own:4", "own:1", "other:6", "sentence:6")
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
_PRODUCTS = 7
# How many there are of a pair.
FEATURES = len(VECTOR_BLOCKS) + len(LEXICAL) + _PRODUCTS + len(SHAPES)


class Forms:
    """Distinct noun phrases of some slots, each sense apart, with the mean of what is known about its occurrences."""

    def __init__(self, context: Context, slots: Sequence[Slot], moments: Mapping[str, tuple[Array, Array]]) -> None:
        """`moments` has mean and deviation of every block, as training saw them."""
        texts = [text for slot in slots for text in slot_forms(context.mentions, slot)]
        # Objects of ReVerb's triples are all in lower case, names too.
        cased = {slot: _is_cased([mention.phrase(slot).text for mention in context.mentions]) for slot in slots}
        said = [evidence_of(mention, slot, cased[slot]) for slot in slots for mention in context.mentions]
        meanings = senses(texts, said, lambda places: _own_states(context, slots, places))
        firsts, numbers = distinct(list(zip(texts, meanings.tolist(), strict=True)))
        self.texts = [texts[first] for first in firsts]
        # What the occurrences of each form say together.
        self.evidence = [Evidence()] * len(firsts)
        for number, evidence in zip(numbers.tolist(), said, strict=True):
            self.evidence[number] = self.evidence[number].with_(evidence)
        spelled = [mention.phrase(slot).text for slot in slots for mention in context.mentions]
        # As first written: *US* is no *us*.
        self.names = [spelled[first] for first in firsts]
        # For every slot the number of the form of each mention.
        self.items = dict(zip(slots, np.split(numbers, len(slots)), strict=True))
        counts = np.bincount(numbers, minlength=len(firsts)).astype(np.float32)[:, None]
        self.vectors: dict[str, Halves] = {}
        for block in VECTOR_BLOCKS:
            mean, deviation = moments[block]
            total = np.zeros((len(firsts), len(mean)), dtype=np.float32)
            for slot in slots:
                for places, part in context.parts():
                    add_rows(total, self.items[slot][places], part.block(block, slot))
            self.vectors[block] = unit((total / counts - mean) / deviation).astype(np.float16)

    @cached_property
    def words(self) -> Words:
        return Words(self.texts)

    @property
    def directions(self) -> Array:
        """The form read alone and in its contexts, by which near ones are found."""
        rows = np.empty((len(self.texts), 2 * self.vectors["whole"].shape[1]), dtype=np.float32)
        for start in range(0, len(rows), _BLOCK):
            some = slice(start, start + _BLOCK)
            parts = [self.vectors[block][some].astype(np.float32) for block in ("whole", "own:6")]
            rows[some] = unit(np.concatenate(parts, axis=1))
        return rows

    def is_common(self, number: int) -> bool:
        """Whether every word of a form is one that too many share to say much."""
        return min(self.words.frequency[word] for word in _words(self.texts[number])) > _MOST_SHARERS

    def cosines(self, block: str, pairs: Pairs) -> Array:
        one, other = (self.vectors[block][side].astype(np.float32) for side in pairs)
        return np.asarray(np.einsum("ij,ij->i", one, other))

    @property
    def is_cased(self) -> bool:
        """Whether the text has capitals: in lower-case text names look like other words."""
        return _is_cased(self.names)

    def named(self, pairs: Pairs) -> Iterator[tuple[str, str]]:
        """The names of pairs of forms, as they are written."""
        return ((self.names[left], self.names[right]) for left, right in zip(*pairs, strict=True))


def _is_cased(names: Sequence[str]) -> bool:
    return sum(name != name.lower() for name in names) > _CASED * len(names)


def _own_states(context: Context, slots: Sequence[Slot], places: Sequence[int]) -> Array:
    """Directions of some occurrences, numbered slot by slot."""
    at, numbers = np.divmod(np.asarray(places), len(context.mentions))
    part = context.part(numbers)
    return unit(np.stack([part.block("own:6", slot) for slot in slots])[at, np.arange(len(at))])


def candidate_pairs(forms: Forms, approximate: bool = False) -> Pairs:
    """Pairs that could be one entity, each once, the smaller number first; never those whose names forbid it.

    With `approximate` not all pairs are compared: each form with its nearest ones, with those that share a rare word,
    or two words that few have together.
    """
    keys = [_keys(_pairs_by_key(forms.names))]
    if approximate:
        keys.append(pair_keys(*nearest_rows(forms.directions, _NEAREST, _CLOSE, approximate=True)))
        keys.append(_keys(_pairs_by_words(forms.texts)))
    elif len(forms.texts) > 1:
        keys += [pair_keys(near.first, near.second) for near in close_pair_blocks(forms.directions, _CLOSE)]
        keys.append(_keys((left, right) for left, right, shared in overlaps(forms.texts) if shared >= _SHARED))
    first, second = pairs_of_keys(np.unique(np.concatenate(keys)))
    possible = np.fromiter(
        (may_be_one(forms, *pair) for pair in zip(first, second, strict=True)), dtype=bool, count=len(first)
    )
    return first[possible], second[possible]


def may_be_one(forms: Forms, left: int, right: int) -> bool:
    """Whether neither the names nor what is said of them forbids it; senses of one wording are two."""
    if forms.texts[left] == forms.texts[right] or forms.evidence[left].contradicts(forms.evidence[right]):
        return False
    return reason_apart(forms.names[left], forms.names[right]) is None


def _pairs_by_key(names: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Pairs whose names share a key: aliases, acronyms, people with one surname and one initial."""
    return _sharing(map(keys_of_name, names))


def _pairs_by_words(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Pairs of texts that share a rare word, or two words that few have together."""
    words = [list(map(singular, content_words(text))) for text in texts]
    frequency = Counter(word for each in words for word in set(each))

    def keys(each: Sequence[str]) -> Iterator[Hashable]:
        often = [word for word in dict.fromkeys(each) if frequency[word] > _MOST_SHARERS]
        yield from (word for word in each if frequency[word] <= _MOST_SHARERS)
        yield from combinations(sorted(often)[:_MOST_WORDS], 2)

    return _sharing(map(keys, words))


def _sharing(keys: Iterable[Iterable[Hashable]]) -> Iterator[tuple[int, int]]:
    """Pairs of items that share a key, but for keys that too many have."""
    having: dict[Hashable, list[int]] = defaultdict(list)
    for number, own in enumerate(keys):
        for key in dict.fromkeys(own):
            # One more than counts is enough to see that they are too many.
            if len(having[key]) <= _MOST_SHARERS:
                having[key].append(number)
    for sharers in having.values():
        if len(sharers) <= _MOST_SHARERS:
            yield from combinations(sharers, 2)


def _keys(pairs: Iterable[tuple[int, int]]) -> NDArray[np.uint64]:
    flat = np.fromiter((number for pair in pairs for number in pair), dtype=np.int64)
    return pair_keys(flat[::2], flat[1::2])


def pair_features(forms: Forms, pairs: Pairs) -> Array:
    """One row per pair: cosines of all blocks, likeness of the words, their products, and how the names are built."""
    first, second = pairs
    cosines = np.stack([forms.cosines(block, pairs) for block in VECTOR_BLOCKS], axis=1)
    words = forms.words.features(list(zip(first.tolist(), second.tolist(), strict=True)))
    whole, own, trigrams = cosines[:, 0], cosines[:, 2], words[:, 0]
    contained, differ = words[:, 2], words[:, 5]
    products = np.stack(
        [whole * own, own * trigrams, own * own, whole * whole, trigrams * trigrams, contained * own, differ * own],
        axis=1,
    )
    shapes = np.array([shape_of_pair(*names) for names in forms.named(pairs)], dtype=np.float32)
    shapes = shapes.reshape(-1, len(SHAPES))
    return np.concatenate([cosines, words, products, shapes], axis=1).astype(np.float32)


class Words:
    """The words of texts, and how rare words and trigrams are among them."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self.frequency = Counter(word for text in texts for word in set(_words(text)))
        self._weight = _rarity(self.frequency, len(texts))
        self._gram_weight = _rarity(Counter(gram for text in texts for gram in set(_trigrams(text))), len(texts))

    def features(self, pairs: Sequence[tuple[int, int]]) -> Array:
        """What `LEXICAL` names, a row per pair."""
        numbers = {number for pair in pairs for number in pair}
        words = {number: _words(self._texts[number]) for number in numbers}
        sets = {number: frozenset(each) for number, each in words.items()}
        grams = {number: self._trigram_vector(self._texts[number]) for number in numbers}
        squeezed = {number: "".join(each) for number, each in words.items()}
        initials = {number: "".join(word[0] for word in each) for number, each in words.items()}
        figures = {number: set(_NUMBER.findall(self._texts[number])) for number in numbers}
        rows = []
        for left, right in pairs:
            one, other = sets[left], sets[right]
            shared = self._total(one & other)
            total = self._total(one | other)
            least = min(self._total(one), self._total(other))
            sizes = len(words[left]), len(words[right])
            rows.append(
                (
                    _dot(grams[left], grams[right]),
                    shared / total,
                    float(one <= other or other <= one),
                    float(
                        _is_acronym(squeezed[left], sizes[0], initials[right], sizes[1])
                        or _is_acronym(squeezed[right], sizes[1], initials[left], sizes[0])
                    ),
                    float(squeezed[left].startswith(squeezed[right]) or squeezed[right].startswith(squeezed[left])),
                    float(figures[left] != figures[right]),
                    shared / least,
                    float(words[left][0] == words[right][0]),
                    float(words[left][-1] == words[right][-1]),
                    abs(sizes[0] - sizes[1]) / max(sizes),
                    math.log1p(total - shared),
                )
            )
        return np.array(rows, dtype=np.float32).reshape(-1, len(LEXICAL))

    def _total(self, words: Iterable[str]) -> float:
        return sum(self._weight[word] for word in words)

    def _trigram_vector(self, text: str) -> dict[str, float]:
        """Character trigrams weighted by rarity, at length 1."""
        vector = {gram: count * self._gram_weight[gram] for gram, count in Counter(_trigrams(text)).items()}
        length = math.sqrt(sum(value * value for value in vector.values())) or 1.0
        return {gram: value / length for gram, value in vector.items()}


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text)) or (text,)


def _trigrams(text: str) -> list[str]:
    padded = f"#{text.replace(' ', '#')}#"
    return [padded[start : start + 3] for start in range(len(padded) - 2)]


def _is_acronym(short: str, short_words: int, initials: str, long_words: int) -> bool:
    return short_words == 1 and long_words > 1 and short == initials


def _rarity(frequency: Mapping[str, int], texts: int) -> dict[str, float]:
    return {word: math.log(1 + texts / count) for word, count in frequency.items()}


def _dot(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    if len(one) > len(other):
        one, other = other, one
    return sum(value * other[gram] for gram, value in one.items() if gram in other)
