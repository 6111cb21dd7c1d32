"""Clustering autoencoders: VAE-GMM alone, with side information or with structure, and CUVA with both.

VAE-GMM's rows in the COMBO paper are VAEGMM, VAEGMM+SI and VAEGMM+HolE. CUVA is Dash, Rossiello, Mihindukulasooriya,
Bagchi and Gliozzo, "Open Knowledge Graphs Canonicalization using Variational Autoencoders" (EMNLP 2021). One network
for entities and one for relations are first trained to reconstruct. Their mixtures then start from hierarchical
clustering at a threshold, so the threshold decides how many clusters there are, and everything is trained further.
The structure of the triples enters as HolE's ranking loss over latent means, side information as squared distances of
latent means.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.cluster import Merges, complete_linkage
from tupelo.canon.cuts import COSINE_GRID, FlatCut
from tupelo.canon.hole import HoleOptions, corrupt, ranking_loss, train
from tupelo.canon.method import CanonResources, Mentions, no_progress
from tupelo.canon.methods import ShippedMethod
from tupelo.canon.side import KINDS, Floats, Integers, TrainingData, kind_of, read_training_data, side_loss
from tupelo.canon.vae import Adam, Parameters, encode, make_mixture, make_network, run_pass, shares
from tupelo.core.canonical import SUBTASKS
from tupelo.core.progress import Advance

_BATCH = 1024


@dataclass(frozen=True, slots=True)
class JointOptions:
    """`structure` and `side` weigh the two shared losses; 0 leaves one out."""

    hidden: int = 96
    latent: int = 48
    warm_epochs: int = 80
    epochs: int = 8
    rate: float = 2e-3
    variance_share: float = 0.05
    negatives: int = 2
    margin: float = 0.3
    structure: float = 0.0
    side: float = 0.0


def warm_up(
    rows: dict[str, Floats], options: JointOptions, *, seed: int, advance: Advance = no_progress
) -> dict[str, Parameters]:
    """Two plain autoencoders, before any mixture; one step of progress an epoch."""
    random = np.random.default_rng(seed)
    networks = {}
    for kind in KINDS:
        network = make_network(rows[kind].shape[1], options.hidden, options.latent, random)
        adam = Adam(options.rate)
        for _ in range(options.warm_epochs):
            for batch in _batches(len(rows[kind]), random):
                some = rows[kind][batch]
                noise = np.zeros((len(some), options.latent), dtype=np.float32)
                adam.update(network, run_pass(network, some, noise)[1], 1 / len(some))
            advance(1)
        networks[kind] = network
    return networks


def train_clusters(
    data: TrainingData,
    warm: dict[str, Parameters],
    start: dict[str, Integers],
    options: JointOptions,
    *,
    seed: int,
) -> dict[str, Integers]:
    """Cluster numbers of all entity and relation forms, from the partitions in `start`."""
    random = np.random.default_rng(seed)
    networks: dict[str, Parameters] = {}
    for kind, labels in start.items():
        latent = encode(warm[kind], data.vectors[kind])[0]
        copies = {name: values.copy() for name, values in warm[kind].items()}
        networks[kind] = copies | make_mixture(latent, labels, options.variance_share)
    adams = {kind: Adam(options.rate) for kind in networks}
    triples = np.unique(data.vocabulary.triples, axis=0)
    for _ in range(options.epochs):
        shared = _shared_gradients(networks, data, triples, options, random)
        for kind, network in networks.items():
            rows = data.vectors[kind]
            for batch in _batches(len(rows), random):
                noise = random.standard_normal((len(batch), options.latent)).astype(np.float32)
                on_latent = shared[kind][batch] if kind in shared else None
                _, gradients = run_pass(network, rows[batch], noise, on_latent)
                adams[kind].update(network, gradients, 1 / len(batch))
    return {kind: _assign(network, data.vectors[kind]) for kind, network in networks.items()}


def _shared_gradients(
    networks: dict[str, Parameters],
    data: TrainingData,
    triples: Integers,
    options: JointOptions,
    random: np.random.Generator,
) -> dict[str, Floats]:
    """What structure and side information ask of the latent means, once an epoch over everything."""
    if not options.structure and not options.side:
        return {}
    latent = {kind: encode(network, data.vectors[kind])[0] for kind, network in networks.items()}
    wanted = {kind: np.zeros_like(values) for kind, values in latent.items()}
    if options.structure:
        false = corrupt(triples, options.negatives, len(data.vectors["entity"]), random)
        _, *parts = ranking_loss(latent["entity"], latent["relation"], triples, false, options.margin)
        for kind, found in zip(KINDS, parts, strict=True):
            for places, gradients in found:
                np.add.at(wanted[kind], places, options.structure * gradients)
    if options.side:
        for kind, values in latent.items():
            gradient = side_loss(values, data.pairs[kind])[1]
            wanted[kind] += options.side * max(1, len(data.pairs[kind].left)) * gradient
    return wanted


def _assign(network: Parameters, rows: Floats) -> Integers:
    labels = np.empty(len(rows), dtype=np.int64)
    for start in range(0, len(rows), _BATCH):
        share, _ = shares(network, *encode(network, rows[start : start + _BATCH]))
        labels[start : start + _BATCH] = share.argmax(axis=1)
    return labels


def _batches(count: int, random: np.random.Generator) -> list[Integers]:
    order = random.permutation(count)
    return [order[start : start + _BATCH] for start in range(0, count, _BATCH)]


# The threshold of the other kind of forms while one kind is clustered.
_OTHER = 0.3


@dataclass(frozen=True, slots=True)
class VaeGmm(ShippedMethod):
    """`structure` and `side` weigh HolE's loss and that of side information; 0 leaves one out."""

    size: int = 128
    epochs: int = 8
    structure: float = 0.0
    side: float = 0.0

    name: ClassVar[str] = "vae-gmm"
    title: ClassVar[str] = "a clustering autoencoder"

    def prepare(
        self, mentions: Mentions, resources: CanonResources, *, seed: int = 0, advance: Advance = no_progress
    ) -> Autoencoded:
        data = read_training_data(mentions, resources, self.size, seed=seed, advance=advance)
        options = JointOptions(epochs=self.epochs, structure=self.structure, side=self.side)
        if self.structure or self.side:
            # A mixture hardly leaves the clusters that it starts from: what the triples and side information say must
            # be in the vectors before these clusters are made.
            before = HoleOptions(structure=self.structure, side=self.side)
            data = replace(data, vectors=train(data, before, seed=seed, advance=advance))
        trees = {kind: complete_linkage(data.vectors[kind]) for kind in KINDS}
        networks = warm_up(data.vectors, options, seed=seed, advance=advance)
        return Autoencoded(data, networks, trees, options, seed)


@dataclass(frozen=True, slots=True)
class VaeGmmSide(VaeGmm):
    side: float = 0.5

    name: ClassVar[str] = "vae-gmm-side"
    title: ClassVar[str] = "the same with side information"


@dataclass(frozen=True, slots=True)
class VaeGmmHole(VaeGmm):
    structure: float = 0.5

    name: ClassVar[str] = "vae-gmm-hole"
    title: ClassVar[str] = "the same with HolE's structure"


@dataclass(frozen=True, slots=True)
class Autoencoded:
    """Networks that can reconstruct; the clusters of a threshold are trained on demand, and cached."""

    data: TrainingData
    networks: dict[str, Parameters]
    trees: dict[str, Merges]
    options: JointOptions
    seed: int
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
            found = train_clusters(self.data, self.networks, start, self.options, seed=self.seed)
            self.known[key] = found[kind]
        return self.known[key]


@dataclass(frozen=True, slots=True)
class Cuva(VaeGmm):
    """Both shared losses at once."""

    structure: float = 0.5
    side: float = 0.5

    name: ClassVar[str] = "cuva"
    title: ClassVar[str] = "CUVA: clustering autoencoders with structure and side information"
