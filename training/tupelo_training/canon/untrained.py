"""Methods that need no training: equal words, shared words with side information, vectors of all kinds.

`tokens` is the token baseline of the COMBO paper. Its similarity is that of Galárraga et al., "Canonicalizing Open
Knowledge Bases" (CIKM 2014): shared words over all words of the two phrases, each word weighing 1 / log(1 +
frequency). Articles are ignored, and a plural counts as its singular. Two phrases that side information declares
equal have similarity 1: a common PPDB cluster, a common WordNet synset (for the whole phrase), a pair of a
side-information file, an entity linker's guess, and for relations a pair of rules in AMIE's manner, mined from the
triples themselves: r implies s and s implies r, when enough arguments agree.

Vectors are clustered hierarchically: those of characters, static word vectors pooled over a phrase, random ones as
the control, and the states of a contextual encoder, which are the encoder rows of the COMBO paper.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.context import blocks_alone, standardized
from tupelo.canon.cuts import TreeCut, VectorCut, distinct
from tupelo.canon.methods import CanonResources, Mentions, StateEncoder, WordVectors, no_progress, slot_forms
from tupelo.canon.words import overlaps
from tupelo.core import InputError, UnknownNameError
from tupelo.core.canonical import SLOTS, SUBTASKS, Slot
from tupelo.core.progress import Advance
from tupelo_training.canon.cuts import FlatCut, link_edges
from tupelo_training.canon.readings import POOLINGS, phrase_states, reading
from tupelo_training.canon.shipped import PreparedMentions, ShippedMethod
from tupelo_training.canon.vocabulary import (
    KINDS,
    Floats,
    TripleVocabulary,
    declared_equal,
    kind_of,
    ngram_vectors,
    read_vocabulary,
)


@dataclass(frozen=True, slots=True)
class SurfaceForms(ShippedMethod):
    """Phrases are the same if their words are, ignoring case and spacing."""

    name: ClassVar[str] = "surface"
    title: ClassVar[str] = "equal words, nothing else"

    def prepare(
        self, mentions: Mentions, resources: CanonResources, *, seed: int = 0, advance: Advance = no_progress
    ) -> PreparedMentions:
        def cut(name: str) -> FlatCut:
            _, inverse = distinct(slot_forms(mentions, SUBTASKS[name]))
            return FlatCut(lambda threshold: inverse)

        return PreparedMentions(cut)


_GRID = tuple(round(0.05 * step, 2) for step in range(1, 20))


@dataclass(frozen=True, slots=True)
class SharedTokens(ShippedMethod):
    """`min_support` and `min_confidence` are those of the relation rules; `side` turns side information off.

    `linkage` is `complete`, or `single` for data with few ambiguous phrases.
    """

    side: bool = True
    linkage: str = "complete"
    min_support: int = 2
    min_confidence: float = 0.8

    name: ClassVar[str] = "tokens"
    title: ClassVar[str] = "shared words, rare ones count more; paraphrases and relation rules as side information"

    def prepare(
        self, mentions: Mentions, resources: CanonResources, *, seed: int = 0, advance: Advance = no_progress
    ) -> PreparedMentions:
        return PreparedMentions(lambda name: self._cut(SUBTASKS[name], mentions, resources))

    def _cut(self, slot: Slot, mentions: Mentions, resources: CanonResources) -> TreeCut:
        texts = slot_forms(mentions, slot)
        firsts, inverse = distinct(texts)
        forms = [texts[first] for first in firsts]
        # Phrases of the other slot count for the rarity of words, but are not compared.
        others: dict[Slot, Slot] = {"subject": "object", "object": "subject"}
        context = sorted(set(slot_forms(mentions, others[slot]))) if slot in others else []
        pairs = {(left, right): 1 - similarity for left, right, similarity in overlaps(forms, context)}
        if self.side:
            rules = self.min_support, self.min_confidence
            for left, right, _, _ in declared_equal((slot,), forms, mentions, resources, *rules):
                pairs[min(left, right), max(left, right)] = 0.0
        edges = ((left, right, distance) for (left, right), distance in pairs.items())
        return TreeCut(link_edges(len(forms), edges, self.linkage), inverse, _GRID)


_WORD = re.compile(r"\w+|[^\w\s]")
_RANDOM_SIZE = 100


@dataclass(frozen=True, slots=True)
class RandomVectors(ShippedMethod):
    """A vector from a normal distribution for every distinct word."""

    size: int = _RANDOM_SIZE
    standardize: bool = True
    approximate: bool = False

    name: ClassVar[str] = "random"
    title: ClassVar[str] = "a random vector for every word; the control"

    def prepare(
        self, mentions: Mentions, resources: CanonResources, *, seed: int = 0, advance: Advance = no_progress
    ) -> PreparedMentions:
        return cut_words(self, mentions, {}, self.size, seed)


@dataclass(frozen=True, slots=True)
class StaticVectors(ShippedMethod):
    """Vectors from a word2vec or GloVe file, or made from the encoder: every word read alone.

    A word that the file lacks gets a random vector, as in the reference.
    """

    pooling: str = "mean"
    standardize: bool = True
    approximate: bool = False

    name: ClassVar[str] = "words"
    title: ClassVar[str] = "static word vectors, from a file or from the encoder"
    needs: ClassVar[frozenset[str]] = frozenset({"encoder"})

    def prepare(
        self, mentions: Mentions, resources: CanonResources, *, seed: int = 0, advance: Advance = no_progress
    ) -> PreparedMentions:
        if self.pooling not in POOLINGS[:2]:
            raise UnknownNameError.among("pooling of words", self.pooling, POOLINGS[:2])
        vectors = resources.word_vectors
        if vectors is None:
            vectors = distilled(resources, mentions, advance)
        size = len(next(iter(vectors.values()), np.zeros(_RANDOM_SIZE)))
        return cut_words(self, mentions, vectors, size, seed)


def cut_words(
    method: RandomVectors | StaticVectors, mentions: Mentions, vectors: WordVectors, size: int, seed: int
) -> PreparedMentions:
    """Phrases as pooled vectors of their words; a word without a vector gets a random one."""
    pool = np.max if getattr(method, "pooling", "mean") == "max" else np.mean
    look = partial(word_vector, vectors=vectors, size=size, seed=seed, made={})

    def cut(name: str) -> VectorCut:
        texts = [mention.phrase(SUBTASKS[name]).text for mention in mentions]
        rows = [pool(np.stack([look(word) for word in words_of(text)]), axis=0) for text in texts]
        return cut_vectors(np.stack(rows).astype(np.float32), method)

    return PreparedMentions(cut)


def cut_vectors(
    vectors: NDArray[np.float32], method: RandomVectors | StaticVectors | EncoderVectors, linkage: str = "complete"
) -> VectorCut:
    chosen = standardized(vectors) if method.standardize else vectors
    return VectorCut(chosen, linkage=linkage, approximate=method.approximate)


def words_of(text: str) -> list[str]:
    """Words and punctuation in lower case; a text of nothing else counts as one word."""
    return _WORD.findall(text.lower()) or [text.strip().lower()]


def word_vector(
    word: str, *, vectors: WordVectors, size: int, seed: int, made: dict[str, NDArray[np.float32]]
) -> NDArray[np.float32]:
    """The vector of a word, or a random one that depends only on the word and the seed."""
    known = vectors.get(word)
    if known is not None:
        return np.asarray(known, dtype=np.float32)
    if word not in made:
        digest = hashlib.sha256(f"{seed}\t{word}".encode()).digest()
        made[word] = np.random.default_rng(int.from_bytes(digest[:8], "big")).standard_normal(size).astype(np.float32)
    return made[word]


def distilled(resources: CanonResources, mentions: Mentions, advance: Advance) -> WordVectors:
    """Static vectors out of the encoder: for every word the mean of its last states when it is read alone."""
    encoder = resources.require("encoder", "words")
    texts = (mention.phrase(slot).text for mention in mentions for slot in SLOTS)
    words = sorted({word for text in texts for word in words_of(text)})
    found = ((numbers, alone) for numbers, alone, _ in blocks_alone(encoder, words, advance))
    return {words[number]: row for numbers, rows in found for number, row in zip(numbers, rows, strict=True)}


@dataclass(frozen=True, slots=True)
class EncoderVectors(ShippedMethod):
    """`form`, `pooling` and `layer` (0 for the embeddings, -1 for the last) as the paper varies them."""

    form: str = "sentence"
    pooling: str = "mean"
    layer: int = -1
    standardize: bool = True
    linkage: str = "complete"
    approximate: bool = False

    name: ClassVar[str] = "encoder"
    title: ClassVar[str] = "states of a contextual encoder, in any form, pooling and layer"
    needs: ClassVar[frozenset[str]] = frozenset({"encoder"})

    def prepare(
        self, mentions: Mentions, resources: CanonResources, *, seed: int = 0, advance: Advance = no_progress
    ) -> PreparedMentions:
        encoder: StateEncoder = resources.require("encoder", self.name)
        how = reading(self.form, self.pooling, [self.layer_of(encoder)])
        states = phrase_states(encoder, mentions, how, advance)
        return self.cut_states(states[:, :, 0])

    def layer_of(self, encoder: StateEncoder) -> int:
        """The number of the chosen layer, from 0 on."""
        if not -encoder.layers - 1 <= self.layer <= encoder.layers:
            raise InputError(f"layer {self.layer}, expected 0 to {encoder.layers} for this encoder")
        return self.layer % (encoder.layers + 1)

    def cut_states(self, states: NDArray[np.float32]) -> PreparedMentions:
        """Clusterings of the states of one layer: (mention, slot, size)."""
        return PreparedMentions(lambda name: cut_vectors(states[:, SLOTS.index(SUBTASKS[name])], self, self.linkage))


def cut_forms(
    vocabulary: TripleVocabulary, vectors: Mapping[str, Floats], *, approximate: bool = False
) -> PreparedMentions:
    """Vectors of all forms, clustered when a subtask is asked for."""

    def cut(name: str) -> VectorCut:
        forms, inverse = np.unique(vocabulary.slot(SUBTASKS[name]), return_inverse=True)
        return VectorCut(vectors[kind_of(name)][forms], approximate=approximate, inverse=inverse.reshape(-1))

    return PreparedMentions(cut)


@dataclass(frozen=True, slots=True)
class CharacterVectors(ShippedMethod):
    """`size` is that of the vectors; more is more exact and slower. `approximate` is for more than 100,000 forms."""

    size: int = 128
    approximate: bool = False

    name: ClassVar[str] = "ngrams"
    title: ClassVar[str] = "vectors of characters; no model, and fast enough for millions"

    def prepare(
        self, mentions: Mentions, resources: CanonResources, *, seed: int = 0, advance: Advance = no_progress
    ) -> PreparedMentions:
        vocabulary = read_vocabulary(mentions)
        vectors = {
            kind: ngram_vectors(vocabulary.forms(kind), self.size, seed=seed, advance=advance) for kind in KINDS
        }
        return cut_forms(vocabulary, vectors, approximate=self.approximate)
