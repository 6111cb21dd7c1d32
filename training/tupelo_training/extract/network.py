"""What both judges learn with: several small networks as one, whose weights `tupelo.extract.judge.network` reads."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from tupelo.extract.judge.network import WIDEST

Array = NDArray[np.float32]
MEMBERS = 8
READ_WIDTH = 6


class JudgeNetwork(nn.Module):
    """Features, and what each network reads of the vectors of some words, to logits."""

    def __init__(self, features: int, words: int, width: int, hidden: int, outputs: int) -> None:
        super().__init__()
        inputs = features + words * READ_WIDTH
        self.read = nn.Parameter(torch.randn(MEMBERS, words, width, READ_WIDTH) * width**-0.5)
        self.first = nn.Parameter(torch.randn(MEMBERS, inputs, hidden) * inputs**-0.5)
        self.first_bias = nn.Parameter(torch.zeros(MEMBERS, 1, hidden))
        self.last = nn.Parameter(torch.randn(MEMBERS, hidden, outputs) * hidden**-0.5)
        self.last_bias = nn.Parameter(torch.zeros(MEMBERS, 1, outputs))
        self.dropout = nn.Dropout(0.3)

    def forward(self, features: Tensor, vectors: Tensor) -> Tensor:
        """[rows, features] and [rows, words, width] to [members, rows, outputs]."""
        read = torch.tanh(torch.einsum("nrd,mrdk->mnrk", vectors, self.read))
        inputs = self.dropout(torch.cat([features.expand(MEMBERS, -1, -1), read.flatten(2)], dim=2))
        hidden = torch.relu(inputs @ self.first + self.first_bias)
        return self.dropout(hidden) @ self.last + self.last_bias


def logits_of(weights: Mapping[str, Array], features: Array, vectors: Array) -> Array:
    """The mean logits of the members: [rows, outputs]."""
    standard = torch.from_numpy(((features - weights["mean"]) / weights["spread"]).clip(-WIDEST, WIDEST))
    network = JudgeNetwork(features.shape[1], *vectors.shape[1:], *weights["last"].shape[1:])
    network.load_state_dict({name: torch.from_numpy(weights[name]) for name in network.state_dict()})
    network.eval()
    with torch.no_grad():
        found = network(standard, torch.from_numpy(vectors))
    return np.asarray(found.mean(0).numpy())
