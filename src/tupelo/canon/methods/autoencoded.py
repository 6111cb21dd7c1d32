"""Clustering autoencoders: VAE-GMM alone, with side information or with structure, and CUVA with both.

VAE-GMM's rows in the COMBO paper are VAEGMM, VAEGMM+SI and VAEGMM+HolE. CUVA is Dash, Rossiello, Mihindukulasooriya,
Bagchi and Gliozzo, "Open Knowledge Graphs Canonicalization using Variational Autoencoders" (EMNLP 2021). There is one
network for entities and one for relations, and both are trained in its two stages:

1. The mixture starts from hierarchical clustering at a threshold, so the threshold decides how many clusters there
   are at most. The encoder and the mixture learn to put every phrase into its cluster.
2. The encoder stays. The decoder and the mixture are trained to reconstruct; structure is HolE's score over the means
   of the clusters of subject, relation and object, which should exceed that of triples with another cluster.

The vectors of the phrases are trained in both; side information is their squared distance. A phrase then is in its
likeliest cluster.

Numbers of a vector have a deviation of about 1, as in the published program. Rates are those of the numbers
themselves: vectors of length 1 would be far from where they started after an epoch, and near to what the decoder says
of all of them, which puts them into one cluster. The defaults are quicker than the published program: fewer steps at
a higher rate; `PUBLISHED` has its sizes. It takes the latent vectors of the start from 100-dimensional GloVe, we from
the directions in which the phrases differ most.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from tupelo.canon.cluster import Merges, complete_linkage
from tupelo.canon.clusters import components
from tupelo.canon.cuts import COSINE_GRID, FlatCut, in_order_of_appearance
from tupelo.canon.hole import choice_loss, corrupt
from tupelo.canon.method import CanonResources, Mentions, no_progress
from tupelo.canon.methods import ShippedMethod
from tupelo.canon.side import (
    KINDS,
    Floats,
    Integers,
    SideWeights,
    TrainingData,
    gathered,
    kind_of,
    principal,
    read_training_data,
    side_loss,
)
from tupelo.canon.vae import Adam, Parameters, encode, label_pass, log_shares, make_mixture, make_network, run_pass
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
    rows = {kind: data.vectors[kind] * np.float32(np.sqrt(data.vectors[kind].shape[1])) for kind in start}
    networks = {}
    for kind, labels in start.items():
        networks[kind] = make_network(rows[kind].shape[1], options.hidden, options.latent, random)
        networks[kind] |= make_mixture(principal(rows[kind], options.latent), labels, options.spread)
    triples = np.unique(data.vocabulary.triples, axis=0)
    for stage, epochs, rate in ((1, options.first_epochs, options.first_rate), (2, options.epochs, options.rate)):
        adams = {kind: Adam(rate) for kind in networks}
        for _ in range(epochs):
            for kind, network in networks.items():
                for batch in _batches(len(rows[kind]), options.batch, random):
                    noise = random.standard_normal((len(batch), options.latent)).astype(np.float32)
                    if stage == 1:
                        _, gradients, on_rows = label_pass(network, rows[kind][batch], start[kind][batch], noise)
                    else:
                        _, gradients, on_rows = run_pass(network, rows[kind][batch], noise)
                        gradients = {name: gradients[name] for name in (*_DECODER, *_MIXTURE)}
                    share = np.float32(1 / len(batch))
                    adams[kind].update(network, {name: share * gradient for name, gradient in gradients.items()})
                    places, on_rows = batch, share * on_rows
                    if options.side:
                        _, pulls = side_loss(rows[kind], data.pairs[kind].sample(len(batch), random))
                        weighted = [(ends, np.float32(options.side) * pull) for ends, pull in pulls]
                        places, on_rows = gathered([(batch, on_rows), *weighted])
                    adams[kind].update_rows("rows", rows[kind], places, on_rows)
            if stage == 2 and options.structure:
                order = random.permutation(len(triples))
                for first in range(0, len(order), options.batch):
                    some = triples[order[first : first + options.batch]]
                    for kind, gradient in _structure(networks, rows, some, options, random).items():
                        adams[kind].update(networks[kind], {"means": gradient})
            advance(1)
    return {kind: _assign(network, rows[kind]) for kind, network in networks.items()}


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
        means, _ = encode(network, rows[start : start + _ROWS])
        labels[start : start + _ROWS] = log_shares(network, means).argmax(axis=1)
    return labels


def _batches(count: int, size: int, random: np.random.Generator) -> list[Integers]:
    order = random.permutation(count)
    return [order[start : start + size] for start in range(0, count, size)]


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
    first_rate: float = 1e-2
    rate: float = 1e-2
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
    known: dict[tuple[str, float], Integers] = field(default_factory=dict)

    def subtask(self, name: str) -> FlatCut:
        forms = self.data.vocabulary.slot(SUBTASKS[name])
        return FlatCut(lambda threshold: self.clusters(kind_of(name), threshold)[forms], COSINE_GRID)

    def around(self, subtasks: Sequence[str], threshold: float) -> Callable[[float], Integers]:
        """Cluster numbers of all items of some subtasks by shares of a threshold, from one training.

        Below 1, clusters are what the start, too, has together there; above 1 they are joined where the start joins
        them.
        """
        kind = kind_of(subtasks[0])
        forms = np.concatenate([self.data.vocabulary.slot(SUBTASKS[subtask]) for subtask in subtasks])

        def cut(share: float) -> Integers:
            own, start = self.clusters(kind, threshold), self.trees[kind].labels(share * threshold)
            if share < 1:
                own = np.unique(np.stack([own, start]), axis=1, return_inverse=True)[1].reshape(-1)
            elif share > 1:
                count = int(own.max()) + 1
                links = zip(own.tolist(), (start + count).tolist(), strict=True)
                own = np.array(components(count + len(own), links), dtype=np.int64)[own]
            return in_order_of_appearance(own[forms])

        return cut

    def clusters(self, kind: str, threshold: float) -> Integers:
        """Cluster numbers of all forms of a kind; with structure both kinds are trained, from one threshold."""
        key = kind, round(threshold, 9)
        if key not in self.known:
            start = {
                each: self.trees[each].labels(threshold) for each in (KINDS if self.options.structure else (kind,))
            }
            found = train_clusters(self.data, start, self.options, seed=self.seed, advance=self.advance)
            self.known.update({(each, key[1]): labels for each, labels in found.items()})
        return self.known[key]


@dataclass(frozen=True, slots=True)
class Cuva(VaeGmm):
    """Both shared losses at once."""

    structure: float = 1.0
    side: float = 1.0

    name: ClassVar[str] = "cuva"
    title: ClassVar[str] = "CUVA: clustering autoencoders with structure and side information"
