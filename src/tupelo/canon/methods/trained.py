"""Embeddings of phrases, then hierarchical clustering: from characters alone, or trained on the triples.

The trained ones are HolE (structure), side information, and both together as in CESI (Vashishth et al., WWW 2018):
the rows GloVe+HolE+HAC, GloVe+SI+HAC and CESI of the COMBO paper. Training starts from word vectors where a file of
them is given, and otherwise from vectors of characters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tupelo.canon.cluster import Merges, approximate_linkage, complete_linkage
from tupelo.canon.cuts import COSINE_GRID, MergeTree, in_order_of_appearance, spread
from tupelo.canon.hole import HoleOptions, train
from tupelo.canon.methods import fitted_thresholds
from tupelo.canon.ngrams import ngram_vectors
from tupelo.canon.resources import CanonResources, Mentions, no_progress
from tupelo.canon.side import (
    Floats,
    Integers,
    TripleVocabulary,
    find_side_pairs,
    kind_of,
    read_vocabulary,
    starting_vectors,
)
from tupelo.core.canonical import SUBTASKS
from tupelo.core.progress import Advance


@dataclass(frozen=True, slots=True)
class Embedded:
    """Vectors of all forms, clustered when a subtask is asked for."""

    vocabulary: TripleVocabulary
    entities: Floats
    relations: Floats
    approximate: bool = False

    def subtask(self, name: str) -> FormCut:
        forms, inverse = np.unique(self.vocabulary.slot(SUBTASKS[name]), return_inverse=True)
        table = self.relations if kind_of(name) == "relation" else self.entities
        return FormCut(table[forms], inverse.reshape(-1), self.approximate)


class FormCut:
    """Complete linkage over distinct forms, made when a cut is asked for: cheap cuts need no full tree."""

    def __init__(self, vectors: Floats, inverse: Integers, approximate: bool) -> None:
        self._vectors, self._inverse, self._approximate = vectors, inverse, approximate
        self._merges: Merges | None = None
        self.grid: Sequence[float] = COSINE_GRID

    def labels(self, threshold: float) -> Integers:
        if self._merges is None or threshold > self._merges.limit:
            if self._approximate:
                self._merges = approximate_linkage(self._vectors, threshold).merges
            else:
                self._merges = complete_linkage(self._vectors, threshold)
        return in_order_of_appearance(self._merges.labels(threshold)[self._inverse])

    def tree(self) -> MergeTree | None:
        if self._approximate:
            # All pairs of so many forms cannot be looked at.
            return None
        if self._merges is None or self._merges.limit < np.inf:
            self._merges = complete_linkage(self._vectors)
        tree = MergeTree(self._merges.count, self._merges.children(), self._merges.heights)
        return spread(tree, self._inverse)


@dataclass(frozen=True, slots=True)
class TrainedVectors:
    """What the three methods share; `size` is that of the vectors."""

    size: int = 128
    epochs: int = 60
    structure: float = 1.0
    side: float = 0.5

    def prepare(
        self, mentions: Mentions, resources: CanonResources, *, seed: int = 0, advance: Advance = no_progress
    ) -> Embedded:
        vocabulary = read_vocabulary(mentions)
        start = [
            starting_vectors(vocabulary.forms(kind), resources, self.size, seed=seed, advance=advance)
            for kind in ("entity", "relation")
        ]
        pairs = [find_side_pairs(kind, vocabulary, mentions, resources) for kind in ("entity", "relation")]
        options = HoleOptions(epochs=self.epochs, structure=self.structure, side=self.side)
        entities, relations = train(
            start[0], start[1], vocabulary.triples, pairs[0], pairs[1], options, seed=seed, advance=advance
        )
        return Embedded(vocabulary, entities, relations)


@dataclass(frozen=True, slots=True)
class CharacterVectors:
    """`size` is that of the vectors; more is exacter and slower. `approximate` is for more than 100,000 forms."""

    size: int = 128
    approximate: bool = False

    name: ClassVar[str] = "ngrams"
    title: ClassVar[str] = "vectors of characters; no model, and fast enough for millions"
    thresholds: ClassVar[Mapping[str, float]] = fitted_thresholds("ngrams")
    needs: ClassVar[frozenset[str]] = frozenset()

    def prepare(
        self, mentions: Mentions, resources: CanonResources, *, seed: int = 0, advance: Advance = no_progress
    ) -> Embedded:
        vocabulary = read_vocabulary(mentions)
        entities, relations = (
            ngram_vectors(forms, self.size, seed=seed, advance=advance)
            for forms in (vocabulary.entities, vocabulary.relations)
        )
        return Embedded(vocabulary, entities, relations, self.approximate)


@dataclass(frozen=True, slots=True)
class Hole(TrainedVectors):
    """The row GloVe+HolE+HAC of the COMBO paper."""

    side: float = 0.0

    name: ClassVar[str] = "hole"
    title: ClassVar[str] = "HolE: vectors trained on the structure of the triples"
    thresholds: ClassVar[Mapping[str, float]] = fitted_thresholds("hole")
    needs: ClassVar[frozenset[str]] = frozenset()


@dataclass(frozen=True, slots=True)
class SideInformation(TrainedVectors):
    """The row GloVe+SI+HAC of the COMBO paper."""

    structure: float = 0.0

    name: ClassVar[str] = "side"
    title: ClassVar[str] = "vectors drawn together by side information"
    thresholds: ClassVar[Mapping[str, float]] = fitted_thresholds("side")
    needs: ClassVar[frozenset[str]] = frozenset()


@dataclass(frozen=True, slots=True)
class Cesi(TrainedVectors):
    """The row CESI of the COMBO paper."""

    name: ClassVar[str] = "cesi"
    title: ClassVar[str] = "CESI: structure and side information together"
    thresholds: ClassVar[Mapping[str, float]] = fitted_thresholds("cesi")
    needs: ClassVar[frozenset[str]] = frozenset()
