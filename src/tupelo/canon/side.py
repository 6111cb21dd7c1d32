"""What embeddings of triples are trained on: distinct phrases, their starting vectors, and side information."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.clusters import normal_form
from tupelo.canon.methods.lexical import mutual_rules, overlaps
from tupelo.canon.ngrams import ngram_vectors
from tupelo.canon.resources import CanonResources, Mentions, no_progress
from tupelo.core.canonical import SUBTASKS, Slot
from tupelo.core.progress import Advance

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
        column: Integers = self.triples[:, ("subject", "relation", "object").index(slot)]
        return column

    def forms(self, kind: str) -> tuple[str, ...]:
        return self.relations if kind == "relation" else self.entities


def kind_of(subtask: str) -> str:
    """Which of the two lists of forms a subtask is about."""
    return "relation" if SUBTASKS[subtask] == "relation" else "entity"


def read_vocabulary(mentions: Mentions) -> TripleVocabulary:
    entities: dict[str, int] = {}
    relations: dict[str, int] = {}
    rows = []
    for mention in mentions:
        subject, relation, object_ = (
            normal_form(phrase.text) for phrase in (mention.subject, mention.relation, mention.object)
        )
        rows.append(
            (
                entities.setdefault(subject, len(entities)),
                relations.setdefault(relation, len(relations)),
                entities.setdefault(object_, len(entities)),
            )
        )
    return TripleVocabulary(tuple(entities), tuple(relations), np.array(rows, dtype=np.int64).reshape(-1, 3))


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
        # Words may cancel out; such a form, too, falls back on its characters.
        rows[number] = mean if np.linalg.norm(mean) > 0 else spare[number]
        advance(1)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows if width <= size else _reduced(rows, size)


def _reduced(rows: Floats, size: int) -> Floats:
    centred = rows - rows.mean(axis=0)
    _, directions = np.linalg.eigh(centred.T.astype(np.float64) @ centred)
    reduced = (centred @ directions[:, ::-1][:, :size]).astype(np.float32)
    lengths = np.linalg.norm(reduced, axis=1, keepdims=True)
    # A form that is the mean itself has no direction left; any fixed one will do.
    reduced[lengths[:, 0] == 0, 0] = 1
    return np.asarray(reduced / np.where(lengths > 0, lengths, 1), dtype=np.float32)


# Shared words count from here on (similarity by rarity, 0 to 1); the token baseline's best cut lies near it.
LEAST_OVERLAP = 0.5
# A key that more forms share says too little about each pair of them.
_MOST_SHARERS = 40


@dataclass(frozen=True, slots=True)
class SidePairs:
    """Forms `left[i]` and `right[i]` belong together with weight `weights[i]`, 0 to 1."""

    left: Integers
    right: Integers
    weights: Floats


def find_side_pairs(
    kind: str, vocabulary: TripleVocabulary, mentions: Mentions, resources: CanonResources
) -> SidePairs:
    """Shared rare words, paraphrases, synonyms, a linker's guesses, a side-information file, relation rules."""
    forms = vocabulary.forms(kind)
    numbers = {form: number for number, form in enumerate(forms)}
    pairs: dict[tuple[int, int], float] = {}

    def add(one: int, other: int, weight: float) -> None:
        if one != other:
            key = min(one, other), max(one, other)
            pairs[key] = max(weight, pairs.get(key, 0.0))

    for one, other, similarity in overlaps(forms):
        if similarity >= LEAST_OVERLAP:
            add(one, other, similarity)
    keys: dict[str, set[int]] = defaultdict(set)
    for number, form in enumerate(forms):
        for key in resources.keys(form):
            keys[key].add(number)
    if kind == "entity":
        for mention in mentions:
            for phrase, link in zip((mention.subject, mention.object), mention.links, strict=True):
                if link is not None:
                    keys[f"link {link}"].add(numbers[normal_form(phrase.text)])
    else:
        for left, right in mutual_rules(mentions, 2, 0.8):
            add(numbers[left], numbers[right], 1.0)
    for sharers in keys.values():
        if len(sharers) <= _MOST_SHARERS:
            for one, other in combinations(sorted(sharers), 2):
                add(one, other, 1.0)
    for left, right, weight in resources.side_pairs.get(kind, ()):
        first, second = numbers.get(normal_form(left)), numbers.get(normal_form(right))
        if first is not None and second is not None:
            add(first, second, min(1.0, max(0.0, weight)))
    table = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)
    weights = np.array([pairs[one, other] for one, other in table.tolist()], dtype=np.float32)
    return SidePairs(table[:, 0], table[:, 1], weights)


def side_loss(vectors: Floats, pairs: SidePairs) -> tuple[float, Floats]:
    """The weighted mean of squared distances inside pairs, and its gradient."""
    gradient = np.zeros_like(vectors)
    if not len(pairs.left):
        return 0.0, gradient
    apart = vectors[pairs.left] - vectors[pairs.right]
    weights = pairs.weights[:, None] / len(pairs.left)
    np.add.at(gradient, pairs.left, 2 * weights * apart)
    np.add.at(gradient, pairs.right, -2 * weights * apart)
    return float((weights * apart**2).sum()), gradient
