"""Training data of triple embeddings: distinct phrases, their initial vectors, and pairs by side information."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import chain, combinations

import numpy as np

from tupelo.canon.methods import CanonResources, Mentions, no_progress
from tupelo.canon.words import content_words, overlaps, singular
from tupelo.core import InputError
from tupelo.core.canonical import Slot
from tupelo.core.progress import Advance
from tupelo.relations.forms import lasts, manner
from tupelo.relations.phrases import base_relation
from tupelo.relations.rules import likely_equal
from tupelo_training.canon.vocabulary import (
    KINDS,
    Floats,
    Integers,
    TripleVocabulary,
    declared_equal,
    ngram_vectors,
    read_vocabulary,
)


@dataclass(frozen=True, slots=True)
class SideWeights:
    """Weights of the sources of side information; 0 omits one.

    `words`: shared rare words. `links`: an entity linker's guesses. `paraphrases`: PPDB clusters. `senses`: WordNet
    synsets. `morphology`: equal but for inflection, articles and auxiliaries. `rules`: relations that imply each
    other. `paths`: relations that follow from the same two others. `pairs`: a side-information file.
    """

    words: float = 1.0
    links: float = 1.0
    paraphrases: float = 1.0
    senses: float = 1.0
    # The shipped thresholds were fitted without it.
    morphology: float = 0.0
    rules: float = 1.0
    paths: float = 0.0
    pairs: float = 1.0

    def __post_init__(self) -> None:
        for source in fields(SideWeights):
            weight = getattr(self, source.name)
            if weight < 0:
                raise InputError(f"'{source.name}={weight:g}', expected a weight of 0 or more")


@dataclass(frozen=True, slots=True)
class SidePairs:
    """Forms `left[i]` and `right[i]` belong together with weight `weights[i]`: 0 to 1, times that of its source."""

    left: Integers
    right: Integers
    weights: Floats


@dataclass(frozen=True, slots=True)
class TrainingData:
    """Initial vectors and side pairs by kind of form."""

    vocabulary: TripleVocabulary
    vectors: dict[str, Floats]
    pairs: dict[str, SidePairs]


def read_training_data(
    mentions: Mentions, resources: CanonResources, size: int, weights: SideWeights, *, seed: int, advance: Advance
) -> TrainingData:
    vocabulary = read_vocabulary(mentions)
    vectors = {
        kind: starting_vectors(vocabulary.forms(kind), resources, size, seed=seed, advance=advance) for kind in KINDS
    }
    pairs = {kind: find_side_pairs(kind, vocabulary, mentions, resources, weights) for kind in KINDS}
    return TrainingData(vocabulary, vectors, pairs)


def starting_vectors(
    forms: Sequence[str],
    resources: CanonResources,
    size: int,
    *,
    seed: int,
    advance: Advance = no_progress,
) -> Floats:
    """Rows of length 1: the mean of word vectors where there is a file of them, else vectors from characters.

    More dimensions than `size` are reduced to the directions in which the forms differ most.
    """
    if resources.word_vectors is None:
        return ngram_vectors(forms, size, seed=seed, advance=advance)
    known = resources.word_vectors
    width = len(next(iter(known.values())))
    spare = ngram_vectors(forms, width, seed=seed)
    rows = np.empty((len(forms), width), dtype=np.float32)
    for number, form in enumerate(forms):
        words = [known[word] for word in form.split() if word in known]
        mean = np.mean(words, axis=0) if words else spare[number]
        # Word vectors may cancel out; then characters are used too.
        rows[number] = mean if np.linalg.norm(mean) > 0 else spare[number]
        advance(1)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows if width <= size else _reduced(rows, size)


def principal(rows: Floats, size: int) -> Floats:
    """Rows in the directions in which they differ most; further columns are 0."""
    centred = rows - rows.mean(axis=0)
    _, directions = np.linalg.eigh(centred.T.astype(np.float64) @ centred)
    found = (centred @ directions[:, ::-1][:, :size]).astype(np.float32)
    return np.pad(found, ((0, 0), (0, size - found.shape[1])))


def _reduced(rows: Floats, size: int) -> Floats:
    reduced = principal(rows, size)
    lengths = np.linalg.norm(reduced, axis=1, keepdims=True)
    # A form that equals the mean has no direction left; any fixed one will do.
    reduced[lengths[:, 0] == 0, 0] = 1
    return np.asarray(reduced / np.where(lengths > 0, lengths, 1), dtype=np.float32)


# Minimum similarity by shared words (0 to 1); the best threshold of the token baseline is near it.
LEAST_OVERLAP = 0.5
# A key that more forms share than this is ignored.
_MOST_SHARERS = 40


def find_side_pairs(
    kind: str,
    vocabulary: TripleVocabulary,
    mentions: Mentions,
    resources: CanonResources,
    weights: SideWeights,
) -> SidePairs:
    """Pairs from all sources; the largest weight counts."""
    forms = vocabulary.forms(kind)
    slots: tuple[Slot, ...] = ("relation",) if kind == "relation" else ("subject", "object")
    alike = ((one, other, weight, "words") for one, other, weight in overlaps(forms) if weight >= LEAST_OVERLAP)
    declared = declared_equal(slots, forms, mentions, resources, most_sharers=_MOST_SHARERS)
    inflected = _inflected(kind, forms) if weights.morphology else ()
    pairs: dict[tuple[int, int], float] = {}
    implied = _implied(forms, mentions, resources) if weights.paths and kind == "relation" else ()
    for one, other, weight, source in chain(alike, declared, inflected, implied):
        if found := min(1.0, weight) * getattr(weights, source):
            key = min(one, other), max(one, other)
            pairs[key] = max(found, pairs.get(key, 0.0))
    table = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)
    strengths = np.array([pairs[one, other] for one, other in table.tolist()], dtype=np.float32)
    return SidePairs(table[:, 0], table[:, 1], strengths)


def _inflected(kind: str, forms: Sequence[str]) -> Iterator[tuple[int, int, float, str]]:
    """Pairs of forms that differ only in inflection, articles and auxiliaries, but not in modal verbs."""
    having: dict[Hashable, list[int]] = defaultdict(list)
    for number, form in enumerate(forms):
        key: Hashable = tuple(map(singular, content_words(form)))
        if kind == "relation":
            key = base_relation(form), manner(form).modals, manner(form).past and not lasts(form)
        having[key].append(number)
    for sharers in having.values():
        if len(sharers) <= _MOST_SHARERS:
            yield from ((one, other, 1.0, "morphology") for one, other in combinations(sharers, 2))


def _implied(
    forms: Sequence[str], mentions: Mentions, resources: CanonResources
) -> Iterator[tuple[int, int, float, str]]:
    """Pairs of relations that follow from the same path of two relations."""
    number = {form: position for position, form in enumerate(forms)}
    rules = resources.require("mine", "paths")(mentions)
    yield from ((number[one], number[other], weight, "paths") for one, other, weight in likely_equal(rules))


# Rows of a table with their gradients; a row may occur several times.
Parts = list[tuple[Integers, Floats]]


def side_loss(vectors: Floats, pairs: SidePairs) -> tuple[float, Parts]:
    """The weighted mean of squared distances inside pairs, and its gradients."""
    apart = vectors[pairs.left] - vectors[pairs.right]
    weights = pairs.weights[:, None] / max(1, len(pairs.left))
    pull = 2 * weights * apart
    return float((weights * apart**2).sum()), [(pairs.left, pull), (pairs.right, -pull)]


def gathered(parts: Parts) -> tuple[Integers, Floats]:
    """Gradients of equal rows added up."""
    rows = np.concatenate([rows for rows, _ in parts])
    gradients = np.concatenate([gradients for _, gradients in parts])
    order = np.argsort(rows, kind="stable")
    ordered = rows[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    return ordered[starts], np.add.reduceat(gradients[order], starts, axis=0)
