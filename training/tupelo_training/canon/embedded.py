"""Embeddings of phrases, trained on the triples, then hierarchical clustering.

The methods are HolE (structure), side information, and both together as in CESI (Vashishth et al., WWW 2018):
the rows GloVe+HolE+HAC, GloVe+SI+HAC and CESI of the COMBO paper. Training starts from word vectors where a file of
them is given, and otherwise from vectors of characters.

Holographic embeddings (Nickel, Rosasco and Poggio, AAAI 2016) have CESI's objective. The score of a triple is
r · (s ⋆ o) with the circular correlation (s ⋆ o)_k = Σ_i s_i o_{(i + k) mod d}, computed by fast Fourier transform. A
triple should score higher than one whose subject or object was replaced:

    Σ max(0, margin + σ(score of the false) − σ(score of the true))
    + side · mean over side pairs of weight · |u − v|²  +  decay · (|E|² + |R|²)

CESI also learns from pairs that AMIE, PPDB and other sources declare equal; here these are the side pairs. Gradients
are written out and updates are Adagrad's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.methods import CanonResources, Mentions, no_progress
from tupelo.core.progress import Advance
from tupelo_training.canon.shipped import PreparedMentions, ShippedMethod
from tupelo_training.canon.side import Parts, SideWeights, TrainingData, gathered, read_training_data, side_loss
from tupelo_training.canon.untrained import cut_forms
from tupelo_training.canon.vocabulary import KINDS, Floats, Integers

_TINY = 1e-8


@dataclass(frozen=True, slots=True)
class HoleOptions:
    """`structure` and `side` are the weights of the two parts of the objective; 0 omits one."""

    epochs: int = 60
    negatives: int = 4
    batch: int = 512
    margin: float = 0.3
    rate: float = 0.03
    structure: float = 1.0
    side: float = 0.0
    decay: float = 1e-4


def correlate(one: Floats, other: Floats) -> Floats:
    """Circular correlation along the last axis."""
    size = one.shape[-1]
    product = np.conj(np.fft.rfft(one)) * np.fft.rfft(other)
    return np.asarray(np.fft.irfft(product, size), dtype=one.dtype)


def convolve(one: Floats, other: Floats) -> Floats:
    """Circular convolution along the last axis."""
    size = one.shape[-1]
    return np.asarray(np.fft.irfft(np.fft.rfft(one) * np.fft.rfft(other), size), dtype=one.dtype)


def score_with_gradients(subject: Floats, relation: Floats, object_: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """The score of each row, and its derivatives by subject, relation and object."""
    by_relation = correlate(subject, object_)
    score = (relation * by_relation).sum(axis=-1)
    return score, correlate(relation, object_), by_relation, convolve(relation, subject)


def sigmoid(values: Floats) -> Floats:
    return np.asarray(0.5 * (1 + np.tanh(0.5 * values)), dtype=values.dtype)


def ranking_loss(
    entities: Floats, relations: Floats, true: Integers, false: Integers, margin: float
) -> tuple[float, Parts, Parts]:
    """Loss of true triples (n, 3) against false ones (n, k, 3); rows with gradients of entities and of relations."""
    repeated = false.reshape(-1, 3)
    good, *good_by = score_with_gradients(entities[true[:, 0]], relations[true[:, 1]], entities[true[:, 2]])
    bad, *bad_by = score_with_gradients(entities[repeated[:, 0]], relations[repeated[:, 1]], entities[repeated[:, 2]])
    plausible, false_plausible = sigmoid(good), sigmoid(bad).reshape(false.shape[:2])
    gap = margin + false_plausible - plausible[:, None]
    active = gap > 0
    push = (active * false_plausible * (1 - false_plausible)).reshape(-1, 1)
    pull = -(active.sum(axis=1) * plausible * (1 - plausible))[:, None]
    on_entities = [
        (true[:, 0], pull * good_by[0]),
        (true[:, 2], pull * good_by[2]),
        (repeated[:, 0], push * bad_by[0]),
        (repeated[:, 2], push * bad_by[2]),
    ]
    on_relations = [(true[:, 1], pull * good_by[1]), (repeated[:, 1], push * bad_by[1])]
    return float(gap[active].sum()), on_entities, on_relations


def train(
    data: TrainingData, options: HoleOptions, *, seed: int = 0, advance: Advance = no_progress
) -> dict[str, Floats]:
    """Trained copies of the tables of both kinds; one step of progress per epoch."""
    random = np.random.default_rng(seed)
    tables = [data.vectors[kind].copy() for kind in KINDS]
    memories = [np.zeros_like(table) for table in tables]
    triples = np.unique(data.vocabulary.triples, axis=0)
    for _ in range(options.epochs):
        if options.structure:
            order = random.permutation(len(triples))
            for start in range(0, len(order), options.batch):
                true = triples[order[start : start + options.batch]]
                false = corrupt(true, options.negatives, len(tables[0]), random)
                _, *parts = ranking_loss(tables[0], tables[1], true, false, options.margin)
                for table, memory, found in zip(tables, memories, parts, strict=True):
                    rows, gradients = gathered(found)
                    gradients = options.structure * gradients + 2 * options.decay * table[rows]
                    _adagrad(table, memory, rows, gradients, options.rate)
        if options.side:
            for table, memory, own in zip(tables, memories, (data.pairs[kind] for kind in KINDS), strict=True):
                if len(own.left):
                    # The mean over pairs would move each pair less the more of them there are.
                    rows, gradients = gathered(side_loss(table, own)[1])
                    _adagrad(table, memory, rows, gradients * (options.side * len(own.left)), options.rate)
        advance(1)
    return dict(zip(KINDS, tables, strict=True))


def corrupt(true: Integers, negatives: int, entities: int, random: np.random.Generator) -> Integers:
    """False triples (n, negatives, 3): subject or object replaced by any entity."""
    false = np.repeat(true[:, None, :], negatives, axis=1)
    column = np.where(random.random(false.shape[:2]) < 0.5, 0, 2)
    replacement = random.integers(0, entities, false.shape[:2])
    np.put_along_axis(false, column[:, :, None], replacement[:, :, None], axis=2)
    return false


def _adagrad(table: Floats, memory: Floats, rows: Integers, gradients: NDArray[np.float32], rate: float) -> None:
    memory[rows] += gradients**2
    table[rows] -= rate * gradients / np.sqrt(memory[rows] + _TINY)


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
