"""Pairs of noun phrases: which are worth a look, and what speaks for and against their being one entity."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.cluster.distances import close_pairs
from tupelo.canon.context import Array, Context, unit
from tupelo.canon.cuts import distinct
from tupelo.canon.methods.lexical import overlaps, slot_forms
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
# A key that more names share says too little.
_MOST_SHARERS = 50
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
        said = [evidence_of(mention, slot) for slot in slots for mention in context.mentions]
        own = np.concatenate([context.block("own:6", slot) for slot in slots])
        meanings = senses(texts, said, unit(own))
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
        counts = np.bincount(numbers, minlength=len(firsts))[:, None]
        self.vectors: dict[str, Array] = {}
        for block in VECTOR_BLOCKS:
            rows = np.concatenate([context.block(block, slot) for slot in slots])
            total = np.zeros((len(firsts), rows.shape[1]), dtype=np.float64)
            np.add.at(total, numbers, rows)
            mean, deviation = moments[block]
            self.vectors[block] = unit(((total / counts - mean) / deviation).astype(np.float32))

    @property
    def is_cased(self) -> bool:
        """Whether the text has capitals: in lower-case text names look like other words."""
        return sum(name != name.lower() for name in self.names) > _CASED * len(self.names)

    def named(self, pairs: Pairs) -> Iterator[tuple[str, str]]:
        """The names of pairs of forms, as they are written."""
        return ((self.names[left], self.names[right]) for left, right in zip(*pairs, strict=True))


def candidate_pairs(forms: Forms) -> Pairs:
    """Pairs that could be one entity, each once, the smaller number first; never those whose names forbid it."""
    pairs: set[tuple[int, int]] = set()
    if len(forms.texts) > 1:
        near = close_pairs(unit(np.concatenate([forms.vectors["whole"], forms.vectors["own:6"]], axis=1)), _CLOSE)
        pairs.update(zip(near.first.tolist(), near.second.tolist(), strict=True))
    pairs.update((left, right) for left, right, shared in overlaps(forms.texts) if shared >= _SHARED)
    pairs.update(_pairs_by_key(forms.names))
    possible = (pair for pair in sorted(pairs) if _may_be_one(forms, *pair))
    ordered = np.array(list(possible), dtype=np.int64).reshape(-1, 2)
    return ordered[:, 0], ordered[:, 1]


def _may_be_one(forms: Forms, left: int, right: int) -> bool:
    """Whether neither the names nor what is said of them forbids it; senses of one wording are two."""
    if forms.texts[left] == forms.texts[right] or forms.evidence[left].contradicts(forms.evidence[right]):
        return False
    return reason_apart(forms.names[left], forms.names[right]) is None


def _pairs_by_key(names: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Pairs whose names share a key: aliases, acronyms, people with one surname and one initial."""
    having: dict[str, list[int]] = defaultdict(list)
    for number, name in enumerate(names):
        for key in dict.fromkeys(keys_of_name(name)):
            having[key].append(number)
    for sharers in having.values():
        if len(sharers) <= _MOST_SHARERS:
            yield from combinations(sharers, 2)


def pair_features(forms: Forms, pairs: Pairs) -> Array:
    """One row per pair: cosines of all blocks, likeness of the words, their products, and how the names are built."""
    first, second = pairs
    cosines = np.stack(
        [np.einsum("ij,ij->i", forms.vectors[block][first], forms.vectors[block][second]) for block in VECTOR_BLOCKS],
        axis=1,
    )
    words = lexical_features(forms.texts, zip(first.tolist(), second.tolist(), strict=True))
    whole, own, trigrams = cosines[:, 0], cosines[:, 2], words[:, 0]
    contained, differ = words[:, 2], words[:, 5]
    products = np.stack(
        [whole * own, own * trigrams, own * own, whole * whole, trigrams * trigrams, contained * own, differ * own],
        axis=1,
    )
    shapes = np.array([shape_of_pair(*names) for names in forms.named(pairs)], dtype=np.float32)
    shapes = shapes.reshape(-1, len(SHAPES))
    return np.concatenate([cosines, words, products, shapes], axis=1).astype(np.float32)


def lexical_features(texts: Sequence[str], pairs: Iterable[tuple[int, int]]) -> Array:
    words = [tuple(_WORD.findall(text)) or (text,) for text in texts]
    sets = [frozenset(each) for each in words]
    weight = _rarity(sets)
    grams = _trigram_vectors(texts)
    squeezed = ["".join(each) for each in words]
    initials = ["".join(word[0] for word in each) for each in words]
    rows = []
    for left, right in pairs:
        one, other = sets[left], sets[right]
        shared = sum(weight[word] for word in one & other)
        total = sum(weight[word] for word in one | other)
        least = min(sum(weight[word] for word in one), sum(weight[word] for word in other))
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
                float(set(_NUMBER.findall(texts[left])) != set(_NUMBER.findall(texts[right]))),
                shared / least,
                float(words[left][0] == words[right][0]),
                float(words[left][-1] == words[right][-1]),
                abs(sizes[0] - sizes[1]) / max(sizes),
                math.log1p(total - shared),
            )
        )
    return np.array(rows, dtype=np.float32).reshape(-1, len(LEXICAL))


def _is_acronym(short: str, short_words: int, initials: str, long_words: int) -> bool:
    return short_words == 1 and long_words > 1 and short == initials


def _rarity(sets: Sequence[frozenset[str]]) -> dict[str, float]:
    frequency = Counter(word for each in sets for word in each)
    return {word: math.log(1 + len(sets) / count) for word, count in frequency.items()}


def _trigram_vectors(texts: Sequence[str]) -> list[dict[str, float]]:
    """Character trigrams weighted by rarity, at length 1."""
    counts = []
    frequency: Counter[str] = Counter()
    for text in texts:
        padded = f"#{text.replace(' ', '#')}#"
        own = Counter(padded[start : start + 3] for start in range(len(padded) - 2))
        counts.append(own)
        frequency.update(own.keys())
    vectors = []
    for own in counts:
        vector = {gram: count * math.log(1 + len(texts) / frequency[gram]) for gram, count in own.items()}
        length = math.sqrt(sum(value * value for value in vector.values())) or 1.0
        vectors.append({gram: value / length for gram, value in vector.items()})
    return vectors


def _dot(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    if len(one) > len(other):
        one, other = other, one
    return sum(value * other[gram] for gram, value in one.items() if gram in other)
