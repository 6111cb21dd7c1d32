"""Entities and relations clustered by two autoencoders that share what triples and side information say (CUVA).

Dash, Rossiello, Mihindukulasooriya, Bagchi and Gliozzo, "Open Knowledge Graphs
Canonicalization using Variational Autoencoders" (EMNLP 2021). Both networks
are first trained to reconstruct; their mixtures then start from the clusters of
hierarchical clustering at a threshold, and everything is trained on. The
structure of the triples enters as HolE's ranking loss over latent means, side
information as squared distances of latent means. Without both it is VAE-GMM.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tupelo.canon.embed.hole import corrupt, ranking_loss
from tupelo.canon.embed.side import SidePairs, side_loss
from tupelo.canon.embed.vae import Adam, Parameters, encode, make_mixture, make_network, run_pass, shares
from tupelo.canon.embed.vocabulary import Floats, Integers

_BATCH = 1024
KINDS = ("entity", "relation")


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


@dataclass(frozen=True, slots=True)
class Warm:
    """Networks that can reconstruct, before any mixture."""

    rows: dict[str, Floats]
    networks: dict[str, Parameters]


def warm_up(
    rows: dict[str, Floats],
    options: JointOptions,
    *,
    seed: int,
    advance: Callable[[int], None] = lambda steps: None,
) -> Warm:
    """Two plain autoencoders; one step of progress an epoch."""
    random = np.random.default_rng(seed)
    networks = {}
    for kind in KINDS:
        network = make_network(rows[kind].shape[1], options.hidden, options.latent, random)
        adam = Adam(options.rate)
        for _ in range(options.warm_epochs):
            for batch in _batches(len(rows[kind]), random):
                some = rows[kind][batch]
                noise = np.zeros((len(some), options.latent), dtype=np.float32)
                adam.update(network, run_pass(network, some, noise).gradients, 1 / len(some))
            advance(1)
        networks[kind] = network
    return Warm(rows, networks)


def train_clusters(
    warm: Warm,
    start: dict[str, Integers],
    triples: Integers,
    pairs: dict[str, SidePairs],
    options: JointOptions,
    *,
    seed: int,
) -> dict[str, Integers]:
    """Cluster numbers of all entity and relation forms, from the partitions in `start`."""
    random = np.random.default_rng(seed)
    networks: dict[str, Parameters] = {}
    for kind, labels in start.items():
        latent = encode(warm.networks[kind], warm.rows[kind])[0]
        copies = {name: values.copy() for name, values in warm.networks[kind].items()}
        networks[kind] = copies | make_mixture(latent, labels, options.variance_share)
    adams = {kind: Adam(options.rate) for kind in networks}
    triples = np.unique(triples, axis=0)
    for _ in range(options.epochs):
        shared = _shared_gradients(networks, warm.rows, triples, pairs, options, random)
        for kind, network in networks.items():
            rows = warm.rows[kind]
            for batch in _batches(len(rows), random):
                noise = random.standard_normal((len(batch), options.latent)).astype(np.float32)
                on_latent = shared[kind][batch] if kind in shared else None
                gradients = run_pass(network, rows[batch], noise, on_latent).gradients
                adams[kind].update(network, gradients, 1 / len(batch))
    return {kind: _assign(network, warm.rows[kind]) for kind, network in networks.items()}


def _shared_gradients(
    networks: dict[str, Parameters],
    rows: dict[str, Floats],
    triples: Integers,
    pairs: dict[str, SidePairs],
    options: JointOptions,
    random: np.random.Generator,
) -> dict[str, Floats]:
    """What structure and side information ask of the latent means, once an epoch over everything."""
    if not options.structure and not options.side:
        return {}
    latent = {kind: encode(network, rows[kind])[0] for kind, network in networks.items()}
    wanted = {kind: np.zeros_like(values) for kind, values in latent.items()}
    if options.structure:
        false = corrupt(triples, options.negatives, len(rows["entity"]), random)
        _, *parts = ranking_loss(latent["entity"], latent["relation"], triples, false, options.margin)
        for kind, found in zip(KINDS, parts, strict=True):
            for places, gradients in found:
                np.add.at(wanted[kind], places, options.structure * gradients)
    if options.side:
        for kind, values in latent.items():
            gradient = side_loss(values, pairs[kind])[1]
            wanted[kind] += options.side * max(1, len(pairs[kind].left)) * gradient
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
