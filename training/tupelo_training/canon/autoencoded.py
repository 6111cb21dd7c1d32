"""Clustering autoencoders: VAE-GMM alone, with side information or with structure, and CUVA with both.

VAE-GMM's rows in the COMBO paper are VAEGMM, VAEGMM+SI and VAEGMM+HolE. CUVA is Dash, Rossiello, Mihindukulasooriya,
Bagchi and Gliozzo, "Open Knowledge Graphs Canonicalization using Variational Autoencoders" (EMNLP 2021). There is one
network for entities and one for relations, and both are trained in its two stages:

1. The mixture starts from hierarchical clustering at a threshold, so the threshold bounds the number of clusters. The
encoder and the mixture learn to put every phrase into its cluster. 2. The encoder is frozen. The decoder and the
mixture are trained to reconstruct; structure is HolE's score over the means
   of the clusters of subject, relation and object, weighted by their shares, which should exceed that of triples with
   another phrase.

The vectors of the phrases are trained in both; side information is their squared distance. A phrase then is in its
likeliest cluster. Training needs torch (the extra `train`) and runs on a GPU where there is one.

Numbers of a vector have a deviation of about 1, as in the published program. Learning
rates are meant for such vectors: vectors of length 1 would be far from their start after an epoch, and near the mean
output of the decoder, in one cluster. The defaults are quicker than the published program: fewer steps at
a higher rate; `PUBLISHED` has its sizes. It takes the initial latent vectors from 100-dimensional GloVe, we from
the principal components of the phrases.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from typing import Any, ClassVar

import numpy as np

from tupelo.canon.cluster import Merges, complete_linkage
from tupelo.canon.clusters import components
from tupelo.canon.cuts import COSINE_GRID, in_order_of_appearance
from tupelo.canon.methods import CanonResources, Mentions, no_progress
from tupelo.core import MissingExtraError
from tupelo.core.canonical import SUBTASKS
from tupelo.core.progress import Advance
from tupelo_training.canon.cuts import FlatCut
from tupelo_training.canon.shipped import ShippedMethod, StartChanges
from tupelo_training.canon.side import SideWeights, TrainingData, read_training_data
from tupelo_training.canon.vocabulary import KINDS, Integers, kind_of

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


@dataclass(frozen=True, slots=True)
class AutoencoderOptions(SideWeights):
    """`size`, `hidden` and `latent` are dimensions, `first_epochs` and `first_rate` belong to the first stage.

    `spread` is the variance of a cluster at the start, as a multiple of that of all phrases: a small one keeps every
    phrase where it is, a large one puts all of them together. `structure` and `side` are the weights of HolE's loss
    and of that of side information, whose sources have weights of their own; 0 omits one. `published` takes the sizes
    of the published program, which need a GPU.
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


@dataclass(frozen=True, slots=True)
class VaeGmm(AutoencoderOptions, ShippedMethod):
    """An autoencoder with neither structure nor side information; its options are those of the training."""

    name: ClassVar[str] = "vae-gmm"
    title: ClassVar[str] = "a clustering autoencoder"

    def __post_init__(self) -> None:
        SideWeights.__post_init__(self)
        if find_spec("torch") is None:
            raise MissingExtraError(f"the method '{self.name}'", "train")

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
    """Clusters by threshold, trained on demand and cached."""

    data: TrainingData
    trees: dict[str, Merges]
    options: VaeGmm
    seed: int
    advance: Advance = no_progress
    known: dict[tuple[str, float], Integers] = field(default_factory=dict)

    def subtask(self, name: str) -> FlatCut:
        forms = self.data.vocabulary.slot(SUBTASKS[name])
        return FlatCut(lambda threshold: self.clusters(kind_of(name), threshold)[forms], COSINE_GRID)

    def changes(self, subtask: str, threshold: float) -> StartChanges:
        """The clusters of the start, of the forms of the subtask's kind, that training did not keep."""
        kind = kind_of(subtask)
        start, own = _partition(self.trees[kind].labels(threshold)), _partition(self.clusters(kind, threshold))
        return StartChanges(len(start - own), len(start))

    def around(self, subtasks: Sequence[str], threshold: float) -> Callable[[float], Integers]:
        """Cluster numbers of all items of some subtasks by shares of a threshold, from one training.

        Below 1, clusters are intersected with those of the start at that share; above 1 they are merged where the
        start merges them.
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
            from tupelo_training.canon.vae import train_clusters

            found = train_clusters(self.data, start, self.options, seed=self.seed, advance=self.advance)
            self.known.update({(each, key[1]): labels for each, labels in found.items()})
        return self.known[key]


def _partition(labels: Integers) -> set[frozenset[int]]:
    """The clusters as sets of places."""
    return {frozenset(np.flatnonzero(labels == label).tolist()) for label in np.unique(labels)}


@dataclass(frozen=True, slots=True)
class Cuva(VaeGmm):
    """Both shared losses at once."""

    structure: float = 1.0
    side: float = 1.0

    name: ClassVar[str] = "cuva"
    title: ClassVar[str] = "CUVA: clustering autoencoders with structure and side information"
