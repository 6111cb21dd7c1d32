"""VAE-GMM: a clustering autoencoder over the vectors of forms, alone, with side information, or with structure.

The rows VAEGMM, VAEGMM+SI and VAEGMM+HolE of the COMBO paper; CUVA has both and
a file of its own. The clusters at a threshold start from hierarchical
clustering cut there, so the threshold decides how many there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.cluster import Merges, complete_linkage
from tupelo.canon.cuts import COSINE_GRID, MergeTree, in_order_of_appearance
from tupelo.canon.embed.hole import HoleOptions, train
from tupelo.canon.embed.joint import KINDS, JointOptions, Warm, train_clusters, warm_up
from tupelo.canon.embed.side import SidePairs, find_side_pairs
from tupelo.canon.embed.vocabulary import Vocabulary, kind_of, read_vocabulary, starting_vectors
from tupelo.canon.resources import Resources
from tupelo.core.canonical import SUBTASKS, TripleMention
from tupelo.core.progress import Advance

# Where the forms of the other kind are cut while one kind is asked for.
_OTHER = 0.3


@dataclass(frozen=True, slots=True)
class VaeGmm:
    """`structure` and `side` weigh HolE's loss and that of side information; 0 leaves one out."""

    size: int = 128
    epochs: int = 8
    structure: float = 0.0
    side: float = 0.0

    name: ClassVar[str] = "vae-gmm"
    needs: ClassVar[frozenset[str]] = frozenset()

    def prepare(
        self,
        mentions: Sequence[TripleMention],
        resources: Resources,
        *,
        seed: int = 0,
        advance: Advance = lambda steps: None,
    ) -> Autoencoded:
        vocabulary = read_vocabulary(mentions)
        rows = {
            kind: starting_vectors(vocabulary.forms(kind), resources, self.size, seed=seed, advance=advance)
            for kind in KINDS
        }
        options = JointOptions(epochs=self.epochs, structure=self.structure, side=self.side)
        pairs = {kind: find_side_pairs(kind, vocabulary, mentions, resources) for kind in KINDS}
        if self.structure or self.side:
            # A mixture hardly leaves the clusters that it starts from: what the triples and side information say must
            # be in the vectors before these clusters are made.
            before = HoleOptions(structure=self.structure, side=self.side)
            trained = train(
                rows["entity"],
                rows["relation"],
                vocabulary.triples,
                pairs["entity"],
                pairs["relation"],
                before,
                seed=seed,
                advance=advance,
            )
            rows = dict(zip(KINDS, trained, strict=True))
        trees = {kind: complete_linkage(rows[kind]) for kind in KINDS}
        return Autoencoded(
            vocabulary, warm_up(rows, options, seed=seed, advance=advance), trees, pairs, options, seed
        )


@dataclass(frozen=True, slots=True)
class VaeGmmSide(VaeGmm):
    side: float = 0.5

    name: ClassVar[str] = "vae-gmm-side"


@dataclass(frozen=True, slots=True)
class VaeGmmHole(VaeGmm):
    structure: float = 0.5

    name: ClassVar[str] = "vae-gmm-hole"


@dataclass(frozen=True, slots=True)
class Autoencoded:
    """Warm networks; the clusters of a threshold are trained when they are asked for, and kept."""

    vocabulary: Vocabulary
    warm: Warm
    trees: dict[str, Merges]
    pairs: dict[str, SidePairs]
    options: JointOptions
    seed: int
    known: dict[tuple[str, float], NDArray[np.int64]] = field(default_factory=dict)

    def subtask(self, name: str) -> AutoencodedCut:
        return AutoencodedCut(self, name)

    def clusters(self, kind: str, threshold: float) -> NDArray[np.int64]:
        """Cluster numbers of all forms of a kind."""
        key = kind, round(threshold, 9)
        if key not in self.known:
            wanted = KINDS if self.options.structure else (kind,)
            start = {each: self.trees[each].labels(threshold if each == kind else _OTHER) for each in wanted}
            found = train_clusters(
                self.warm, start, self.vocabulary.triples, self.pairs, self.options, seed=self.seed
            )
            self.known[key] = found[kind]
        return self.known[key]


@dataclass(frozen=True, slots=True)
class AutoencodedCut:
    """Clusters for every threshold; they need not nest, and there is no tree."""

    prepared: Autoencoded
    name: str
    grid: Sequence[float] = COSINE_GRID

    def labels(self, threshold: float) -> NDArray[np.int64]:
        of_forms = self.prepared.clusters(kind_of(self.name), threshold)
        return in_order_of_appearance(of_forms[self.prepared.vocabulary.slot(SUBTASKS[self.name])])

    def tree(self) -> MergeTree | None:
        return None
