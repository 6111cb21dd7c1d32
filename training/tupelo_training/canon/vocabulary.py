"""Distinct phrases of triples, vectors of their characters, and phrases that side information declares equal.

Vectors of characters, for millions of phrases: a phrase is the sum of vectors of random signs, one for each of its
character trigrams and each of its words, rare ones weighing more (inverse document frequency). By the
Johnson-Lindenstrauss lemma the cosines are those of the weighted counts, up to noise that falls with the square root
of `size`.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.methods import CanonResources, Mentions, no_progress, slot_forms
from tupelo.core.canonical import SLOTS, SUBTASKS, Slot, normal_form
from tupelo.core.progress import Advance

_BUCKETS = 1 << 17
_CHUNK = 5_000
# Document frequencies are estimated from this many phrases, at even steps.
_SAMPLE = 100_000
# Large odd numbers; their products spread neighbouring byte patterns over the buckets.
_MIX = np.uint64(0x9E3779B97F4A7C15)
_WORD_MIX = np.uint64(0xC2B2AE3D27D4EB4F)
_SPACE = 32


def ngram_vectors(
    phrases: Sequence[str],
    size: int = 128,
    *,
    seed: int = 0,
    advance: Advance = no_progress,
) -> NDArray[np.float32]:
    """A row of length 1 for every phrase; case is ignored, and the order of words nearly so."""
    frequency = np.zeros(_BUCKETS, dtype=np.int64)
    sample = phrases[:: max(1, len(phrases) // _SAMPLE)]
    for _, owners, buckets in _features(sample):
        # Each feature once per phrase.
        once = np.unique(owners * _BUCKETS + buckets)
        frequency += np.bincount(once % _BUCKETS, minlength=_BUCKETS)
    weights = (np.log((1 + len(sample)) / (1 + frequency)) + 1).astype(np.float32)
    used = np.flatnonzero(frequency) if len(sample) == len(phrases) else np.arange(_BUCKETS)
    places = np.zeros(_BUCKETS, dtype=np.int64)
    places[used] = np.arange(len(used))
    directions = _directions(used, size, seed) * weights[used, None]
    vectors = np.empty((len(phrases), size), dtype=np.float32)
    for start, owners, buckets in _features(phrases):
        count = min(_CHUNK, len(phrases) - start)
        begins = np.searchsorted(owners, np.arange(count))
        rows = np.add.reduceat(directions[places[buckets]], begins, axis=0)
        vectors[start : start + count] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        advance(count)
    return vectors


def _directions(buckets: NDArray[np.int64], size: int, seed: int) -> NDArray[np.float32]:
    """A row of random signs for each bucket, from a hash of its number."""
    words = -(-size // 64)
    numbers = np.add.outer(buckets.astype(np.uint64) * np.uint64(words), np.arange(words, dtype=np.uint64))
    numbers += np.uint64(seed * int(_WORD_MIX) % 2**64)
    for shift in (30, 27, 31):
        numbers = (numbers ^ (numbers >> np.uint64(shift))) * _MIX
    bits = np.unpackbits(numbers.view(np.uint8), axis=1)[:, :size]
    return bits.astype(np.float32) * 2 - 1


def _features(phrases: Sequence[str]) -> Iterator[tuple[int, NDArray[np.int64], NDArray[np.int64]]]:
    """For every chunk: its start, and pairs of a phrase (counted in the chunk) and a bucket, sorted by phrase."""
    for start in range(0, len(phrases), _CHUNK):
        texts = [f" {' '.join(phrase.lower().split())} ".encode() for phrase in phrases[start : start + _CHUNK]]
        lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
        characters = np.frombuffer(b"".join(texts), dtype=np.uint8)
        owner = np.repeat(np.arange(len(texts)), lengths)
        trigram = (
            characters[:-2].astype(np.uint64) << np.uint64(16)
            | characters[1:-1].astype(np.uint64) << np.uint64(8)
            | characters[2:]
        )
        inside = owner[:-2] == owner[2:]
        found, owners = (trigram[inside] + np.uint64(1)) * _MIX, owner[:-2][inside]
        words, word_owners = _words(characters, owner)
        everything = np.concatenate([found, words])
        of_phrase = np.concatenate([owners, word_owners])
        # A phrase of white space alone has no feature of its own; all such phrases get the same one.
        lone = np.setdiff1d(np.arange(len(texts)), of_phrase)
        everything = np.concatenate([everything, np.full(len(lone), _MIX)])
        of_phrase = np.concatenate([of_phrase, lone])
        order = np.argsort(of_phrase, kind="stable")
        buckets = (everything[order] >> np.uint64(64 - 17)).astype(np.int64)
        yield start, of_phrase[order], buckets


def _words(characters: NDArray[np.uint8], owner: NDArray[np.int64]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """A hash of every word, which depends on its letters and their places, and the phrase that it is in."""
    is_letter = characters != _SPACE
    begins = np.flatnonzero(is_letter & ~np.r_[False, is_letter[:-1]])
    if not len(begins):
        return np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.int64)
    # Every text begins with a space, so that nothing stands before the first word but that space.
    places = np.zeros(len(characters), dtype=np.uint64)
    places[begins[0] :] = np.arange(begins[0], len(characters)) - np.repeat(
        begins, np.diff(np.r_[begins, len(characters)])
    )
    mixed = (characters.astype(np.uint64) + np.uint64(257)) * ((places * np.uint64(2) + np.uint64(1)) * _WORD_MIX)
    mixed = (mixed ^ (mixed >> np.uint64(31))) * _MIX
    mixed[~is_letter] = 0
    return np.add.reduceat(mixed, begins) * _WORD_MIX, owner[begins]


KINDS = ("entity", "relation")
Floats = NDArray[np.float32]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class TripleVocabulary:
    """Subjects and objects are one list of entity forms; `triples` has a row of three numbers for every mention."""

    entities: tuple[str, ...]
    relations: tuple[str, ...]
    triples: Integers

    def slot(self, slot: Slot) -> Integers:
        """The form of every mention in that slot."""
        column: Integers = self.triples[:, SLOTS.index(slot)]
        return column

    def forms(self, kind: str) -> tuple[str, ...]:
        return self.relations if kind == "relation" else self.entities


def kind_of(subtask: str) -> str:
    """The list of forms of a subtask: `entity` or `relation`."""
    return "relation" if SUBTASKS[subtask] == "relation" else "entity"


def read_vocabulary(mentions: Mentions) -> TripleVocabulary:
    entities: dict[str, int] = {}
    relations: dict[str, int] = {}
    rows = []
    for mention in mentions:
        numbers = []
        for slot in SLOTS:
            known = relations if slot == "relation" else entities
            numbers.append(known.setdefault(normal_form(mention.phrase(slot).text), len(known)))
        rows.append(numbers)
    return TripleVocabulary(tuple(entities), tuple(relations), np.array(rows, dtype=np.int64).reshape(-1, 3))


def declared_equal(
    slots: Sequence[Slot],
    forms: Sequence[str],
    mentions: Mentions,
    resources: CanonResources,
    min_support: int = 2,
    min_confidence: float = 0.8,
    *,
    most_sharers: float = math.inf,
) -> Iterator[tuple[int, int, float, str]]:
    """Pairs of forms that side information declares equal, with weight and source; `forms` are all of the slots.

    A key that more than `most_sharers` forms share is ignored.
    """
    number = {form: position for position, form in enumerate(forms)}
    keys: dict[tuple[str, str], set[int]] = defaultdict(set)
    for position, form in enumerate(forms):
        if resources.paraphrases is not None and form in resources.paraphrases:
            keys["paraphrases", resources.paraphrases[form]].add(position)
        for synset in () if resources.synonyms is None else resources.synonyms(form):
            keys["senses", synset].add(position)
    for mention in mentions:
        for phrase, slot, link in zip(
            (mention.subject, mention.object), ("subject", "object"), mention.links, strict=True
        ):
            if slot in slots and link is not None:
                keys["links", link].add(number[normal_form(phrase.text)])
    for (source, _), sharers in keys.items():
        if len(sharers) <= most_sharers:
            # All pairs: with complete linkage a star would merge only two of them.
            yield from ((left, right, 1.0, source) for left, right in combinations(sorted(sharers), 2))
    kind = "relation" if "relation" in slots else "entity"
    for left_form, right_form, weight in resources.side_pairs.get(kind, ()):
        left, right = number.get(normal_form(left_form)), number.get(normal_form(right_form))
        if left is not None and right is not None and left != right:
            yield left, right, weight, "pairs"
    if kind == "relation":
        facts = zip(*(slot_forms(mentions, each) for each in SLOTS), strict=True)
        rules = mutual_rules(facts, min_support, min_confidence)
        yield from ((number[left], number[right], 1.0, "rules") for left, right in rules)


def mutual_rules(
    facts: Iterable[tuple[str, str, str]], min_support: int, min_confidence: float
) -> list[tuple[str, str]]:
    """Relations that imply each other: they share argument pairs, and most argument pairs of both are shared.

    Rules of one atom alone, counted without an engine; `facts` are subject, relation and object.
    """
    arguments: dict[str, set[tuple[str, str]]] = defaultdict(set)
    holders: dict[tuple[str, str], set[str]] = defaultdict(set)
    for subject, relation, target in facts:
        arguments[relation].add((subject, target))
        holders[subject, target].add(relation)
    support: Counter[tuple[str, str]] = Counter()
    for relations in holders.values():
        support.update(combinations(sorted(relations), 2))
    return sorted(
        (left, right)
        for (left, right), count in support.items()
        if count >= min_support
        and count >= min_confidence * len(arguments[left])
        and count >= min_confidence * len(arguments[right])
    )
