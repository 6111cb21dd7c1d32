"""A larger network that teaches the shipped one: the same heads over all-mpnet-base-v2 (Song et al. 2020).

Its pieces are ours under other numbers; the arrays come in our order, rounded (`NAME@scale`), in files `large-N.npz`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from tupelo_training.encoder.large import read_large
from tupelo_training.facts.layers import hiding
from tupelo_training.facts.pair_network import PairReader, PairSizes
from tupelo_training.layers import BUCKETS, distance_buckets

SHAPE = {"width": 768, "inner": 3072, "layers": 12, "attention_heads": 12}


class LargeReader(PairReader):
    """MPNet's attention also knows how far apart two pieces are."""

    def __init__(self, sizes: PairSizes, dropout: float, head_dropout: float) -> None:
        super().__init__(sizes, dropout, head_dropout)
        self.distances = nn.Embedding(BUCKETS, sizes.attention_heads)

    def bias(self, mask: Tensor) -> Tensor:
        places = torch.arange(mask.shape[1], device=mask.device)
        return hiding(mask) + self.distances(distance_buckets(places, BUCKETS)).permute(2, 0, 1)[None]


class LargeEmbeddings:
    """As `corpus.Embeddings`, for the larger network. They are not trained either."""

    def __init__(self, folders: Sequence[Path], device: torch.device) -> None:
        self.arrays = read_large(*folders)
        self.table = self.arrays["words.weight"].to(device)
        self.places = self.arrays["positions.weight"].to(device)
        self.norm = [self.arrays[f"norm.{kind}"].to(device) for kind in ("weight", "bias")]

    def __call__(self, pieces: Tensor) -> Tensor:
        summed = self.table[pieces] + self.places[: pieces.shape[1]]
        return functional.layer_norm(summed, summed.shape[-1:], *self.norm, eps=1e-5)

    def fill(self, network: LargeReader) -> None:
        """Copies the layers into a network."""
        own = dict(network.named_parameters())
        parts = {
            "attention.output": "output",
            "attention_norm": "attention_norm",
            "up": "up",
            "down": "down",
            "norm": "norm",
        }
        with torch.no_grad():
            own["distances.weight"].copy_(self.arrays["distances.weight"])
            for number in range(len(network.layers)):
                name = f"layers.{number}"
                for kind in ("weight", "bias"):
                    for ours, theirs in parts.items():
                        own[f"{name}.{ours}.{kind}"].copy_(self.arrays[f"{name}.{theirs}.{kind}"])
                    three = self.arrays[f"{name}.query_key_value.{kind}"].chunk(3)
                    for ours, value in zip(("query", "key", "value"), three, strict=True):
                        own[f"{name}.attention.{ours}.{kind}"].copy_(value)
