"""Clustering autoencoders: VAE-GMM alone, with side information or with structure, and CUVA with both.

VAE-GMM's rows in the COMBO paper are VAEGMM, VAEGMM+SI and VAEGMM+HolE. CUVA is Dash, Rossiello, Mihindukulasooriya,
Bagchi and Gliozzo, "Open Knowledge Graphs Canonicalization using Variational Autoencoders" (EMNLP 2021). There is one
network for entities and one for relations, and both are trained in its two stages:

1. The mixture starts from hierarchical clustering at a threshold, so the threshold decides how many clusters there
   are at most. The encoder and the mixture learn to put every phrase into its cluster.
2. The encoder stays. The decoder, the mixture and the vectors of the phrases are trained to reconstruct; side
   information is the squared distance of vectors, structure HolE's score over the means of the clusters of subject,
   relation and object, which should exceed that of triples with another cluster.

A phrase then is in its likeliest cluster. The defaults are quicker than the published program; `PUBLISHED` has its
sizes. It takes the latent vectors of the start from 100-dimensional GloVe, we from the directions in which the
phrases differ most.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.cluster import Merges, complete_linkage
from tupelo.canon.cuts import COSINE_GRID, FlatCut
from tupelo.canon.hole import choice_loss, corrupt
from tupelo.canon.method import CanonResources, Mentions, no_progress
from tupelo.canon.methods import ShippedMethod
from tupelo.canon.side import (
    KINDS,
    Floats,
    Integers,
    SideWeights,
    TrainingData,
    kind_of,
    principal,
    read_training_data,
    side_loss,
)
from tupelo.canon.vae import Adam, Parameters, encode, label_pass, make_mixture, make_network, run_pass, shares
from tupelo.core.canonical import SUBTASKS
from tupelo.core.progress import Advance

# Rows that are assigned at once.
_ROWS = 1024
_DECODER = ("out", "out_bias", "back", "back_bias")
_MIXTURE = ("means", "variances", "weights")
# The sizes of the published program, as settings of the methods.
PUBLISHED: dict[str, Any] = {
    "size": 768,
    "hidden": 384,
    "latent": 100,
    "first_epochs": 50,
    "epochs": 300,
    "first_rate": 1e-3,
    "rate": 1e-4,
    "batch": 50,
    "negatives": 20,
}


def train_clusters(
    data: TrainingData,
    start: dict[str, Integers],
    options: VaeGmm,
    *,
    seed: int,
    advance: Advance = no_progress,
) -> dict[str, Integers]:
    """Cluster numbers of all entity and relation forms, from the partitions in `start`; progress by epochs."""
    random = np.random.default_rng(seed)
    networks = {}
    for kind, labels in start.items():
        networks[kind] = _taught(data.vectors[kind], labels, options, random)
        advance(options.first_epochs)
    rows = {kind: data.vectors[kind].copy() for kind in networks}
    adams = {kind: Adam(options.rate) for kind in networks}
    triples = np.unique(data.vocabulary.triples, axis=0)
    for _ in range(options.epochs):
        order = random.permutation(len(triples)) if options.structure else np.empty(0, dtype=np.int64)
        for kind, network in networks.items():
            for batch in _batches(len(rows[kind]), options.batch, random):
                noise = random.standard_normal((len(batch), options.latent)).astype(np.float32)
                _, gradients, on_rows = run_pass(network, rows[kind][batch], noise)
                wanted = {name: gradients[name] for name in (*_DECODER, *_MIXTURE)}
                wanted["rows"] = np.zeros_like(rows[kind])
                wanted["rows"][batch] = on_rows
                if options.side:
                    pairs = data.pairs[kind].sample(len(batch), random)
                    # Its mean, as that of the rows.
                    wanted["rows"] += np.float32(options.side * len(batch)) * side_loss(rows[kind], pairs)[1]
                adams[kind].update(network | {"rows": rows[kind]}, wanted, 1 / len(batch))
        for first in range(0, len(order), options.batch):
            some = triples[order[first : first + options.batch]]
            for kind, gradient in _structure(networks, rows, some, options, random).items():
                adams[kind].update(networks[kind], {"means": gradient})
        advance(1)
    return {kind: _assign(network, rows[kind]) for kind, network in networks.items()}


def _taught(rows: Floats, labels: Integers, options: VaeGmm, random: np.random.Generator) -> Parameters:
    """The first stage: a network whose encoder puts rows where a partition has them."""
    network = make_network(rows.shape[1], options.hidden, options.latent, random)
    network |= make_mixture(principal(rows, options.latent), labels, options.spread)
    adam = Adam(options.first_rate)
    for _ in range(options.first_epochs):
        for batch in _batches(len(rows), options.batch, random):
            _, gradients = label_pass(network, rows[batch], labels[batch])
            adam.update(network, gradients, 1 / len(batch))
    return network


def _structure(
    networks: dict[str, Parameters],
    rows: dict[str, Floats],
    triples: Integers,
    options: VaeGmm,
    random: np.random.Generator,
) -> dict[str, Floats]:
    """What the triples ask of the means of clusters: that true ones score higher than false ones."""
    cluster = {}
    for kind, columns in (("entity", triples[:, [0, 2]]), ("relation", triples[:, [1]])):
        forms, places = np.unique(columns, return_inverse=True)
        cluster[kind] = _assign(networks[kind], rows[kind][forms])[places].reshape(columns.shape)
    true = np.stack([cluster["entity"][:, 0], cluster["relation"][:, 0], cluster["entity"][:, 1]], axis=1)
    means = {kind: networks[kind]["means"] for kind in KINDS}
    false = corrupt(true, options.negatives, len(means["entity"]), random)
    _, *parts = choice_loss(means["entity"], means["relation"], true, false)
    wanted = {kind: np.zeros_like(table) for kind, table in means.items()}
    for kind, found in zip(KINDS, parts, strict=True):
        for places, gradients in found:
            np.add.at(wanted[kind], places, np.float32(options.structure) * gradients)
    return wanted


def _assign(network: Parameters, rows: Floats) -> Integers:
    labels = np.empty(len(rows), dtype=np.int64)
    for start in range(0, len(rows), _ROWS):
        share, _ = shares(network, *encode(network, rows[start : start + _ROWS]))
        labels[start : start + _ROWS] = share.argmax(axis=1)
    return labels


def _batches(count: int, size: int, random: np.random.Generator) -> list[Integers]:
    order = random.permutation(count)
    return [order[start : start + size] for start in range(0, count, size)]


# The threshold of the other kind of forms while one kind is clustered.
_OTHER = 0.3


@dataclass(frozen=True, slots=True)
class VaeGmm(SideWeights, ShippedMethod):
    """`size`, `hidden` and `latent` are dimensions, `first_epochs` and `first_rate` belong to the first stage.

    `spread` is the variance of a cluster at the start, as a multiple of that of all phrases: a small one keeps every
    phrase where it is, a large one puts all of them together. `structure` and `side` weigh HolE's loss and that of
    side information, whose sources have weights of their own; 0 leaves one out. `published` takes the sizes of the
    published program, which is slow.
    """

    size: int = 128
    hidden: int = 96
    latent: int = 48
    first_epochs: int = 20
    epochs: int = 20
    first_rate: float = 3e-3
    rate: float = 3e-3
    batch: int = 256
    negatives: int = 4
    spread: float = 2.0
    structure: float = 0.0
    side: float = 0.0
    published: bool = False

    name: ClassVar[str] = "vae-gmm"
    title: ClassVar[str] = "a clustering autoencoder"

    def prepare(
        self, mentions: Mentions, resources: CanonResources, *, seed: int = 0, advance: Advance = no_progress
    ) -> Autoencoded:
        options = replace(self, **PUBLISHED) if self.published else self
        data = read_training_data(mentions, resources, options.size, self, seed=seed, advance=advance)
        trees = {kind: complete_linkage(data.vectors[kind]) for kind in KINDS}
        return Autoencoded(data, trees, options, seed, advance)


@dataclass(frozen=True, slots=True)
class VaeGmmSide(VaeGmm):
    side: float = 1.0

    name: ClassVar[str] = "vae-gmm-side"
    title: ClassVar[str] = "the same with side information"


@dataclass(frozen=True, slots=True)
class VaeGmmHole(VaeGmm):
    structure: float = 1.0

    name: ClassVar[str] = "vae-gmm-hole"
    title: ClassVar[str] = "the same with HolE's structure"


@dataclass(frozen=True, slots=True)
class Autoencoded:
    """The clusters of a threshold are trained on demand, and cached."""

    data: TrainingData
    trees: dict[str, Merges]
    options: VaeGmm
    seed: int
    advance: Advance = no_progress
    known: dict[tuple[str, float], NDArray[np.int64]] = field(default_factory=dict)

    def subtask(self, name: str) -> FlatCut:
        forms = self.data.vocabulary.slot(SUBTASKS[name])
        return FlatCut(lambda threshold: self.clusters(kind_of(name), threshold)[forms], COSINE_GRID)

    def clusters(self, kind: str, threshold: float) -> NDArray[np.int64]:
        """Cluster numbers of all forms of a kind."""
        key = kind, round(threshold, 9)
        if key not in self.known:
            wanted = KINDS if self.options.structure else (kind,)
            start = {each: self.trees[each].labels(threshold if each == kind else _OTHER) for each in wanted}
            found = train_clusters(self.data, start, self.options, seed=self.seed, advance=self.advance)
            self.known[key] = found[kind]
        return self.known[key]


@dataclass(frozen=True, slots=True)
class Cuva(VaeGmm):
    """Both shared losses at once."""

    structure: float = 1.0
    side: float = 1.0

    name: ClassVar[str] = "cuva"
    title: ClassVar[str] = "CUVA: clustering autoencoders with structure and side information"
