"""Embeddings of phrases, then hierarchical clustering: from characters alone, or trained on the triples.

The trained ones are HolE (structure), side information, and both together as in CESI (Vashishth et al., WWW 2018):
the rows GloVe+HolE+HAC, GloVe+SI+HAC and CESI of the COMBO paper. Training starts from word vectors where a file of
them is given, and otherwise from vectors of characters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tupelo.canon.cluster import Merges
from tupelo.canon.cuts import VectorCut, in_order_of_appearance, spread
from tupelo.canon.hole import HoleOptions, train
from tupelo.canon.method import CanonResources, Mentions, no_progress
from tupelo.canon.methods import PreparedMentions, ShippedMethod
from tupelo.canon.ngrams import ngram_vectors
from tupelo.canon.side import (
    KINDS,
    Floats,
    Integers,
    SideWeights,
    TripleVocabulary,
    kind_of,
    read_training_data,
    read_vocabulary,
)
from tupelo.core.canonical import SUBTASKS
from tupelo.core.progress import Advance


def cut_forms(
    vocabulary: TripleVocabulary, vectors: Mapping[str, Floats], *, approximate: bool = False
) -> PreparedMentions:
    """Vectors of all forms, clustered when a subtask is asked for."""

    def cut(name: str) -> FormCut:
        forms, inverse = np.unique(vocabulary.slot(SUBTASKS[name]), return_inverse=True)
        return FormCut(vectors[kind_of(name)][forms], inverse.reshape(-1), approximate=approximate)

    return PreparedMentions(cut)


class FormCut(VectorCut):
    """Complete linkage over distinct forms, as labels of all their occurrences."""

    def __init__(self, vectors: Floats, inverse: Integers, *, approximate: bool) -> None:
        super().__init__(vectors, approximate=approximate)
        self._inverse = inverse

    def labels(self, threshold: float) -> Integers:
        return in_order_of_appearance(super().labels(threshold)[self._inverse])

    def tree(self) -> Merges | None:
        # With approximate neighbours, all pairs would be too many to compare.
        tree = None if self._approximate else super().tree()
        return None if tree is None else spread(tree, self._inverse)


@dataclass(frozen=True, slots=True)
class TrainedVectors(SideWeights, ShippedMethod):
    """Base of the three methods; `size` is that of the vectors. Sources of side information have their weights."""

    size: int = 128
    epochs: int = 60
    structure: float = 1.0
    side: float = 0.5

    def prepare(
        self, mentions: Mentions, resources: CanonResources, *, seed: int = 0, advance: Advance = no_progress
    ) -> PreparedMentions:
        data = read_training_data(mentions, resources, self.size, self, seed=seed, advance=advance)
        options = HoleOptions(epochs=self.epochs, structure=self.structure, side=self.side)
        return cut_forms(data.vocabulary, train(data, options, seed=seed, advance=advance))


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


@dataclass(frozen=True, slots=True)
class Hole(TrainedVectors):
    """The row GloVe+HolE+HAC of the COMBO paper."""

    side: float = 0.0

    name: ClassVar[str] = "hole"
    title: ClassVar[str] = "HolE: vectors trained on the structure of the triples"


@dataclass(frozen=True, slots=True)
class SideInformation(TrainedVectors):
    """The row GloVe+SI+HAC of the COMBO paper."""

    structure: float = 0.0

    name: ClassVar[str] = "side"
    title: ClassVar[str] = "vectors drawn together by side information"


@dataclass(frozen=True, slots=True)
class Cesi(TrainedVectors):
    """The row CESI of the COMBO paper."""

    name: ClassVar[str] = "cesi"
    title: ClassVar[str] = "CESI: structure and side information together"
