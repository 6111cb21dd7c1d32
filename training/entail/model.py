"""The network: the upper layers of MiniLM read premise and hypothesis together; a head gives one number.

Embeddings and lower layers are those of the shipped sentence encoder, untouched: their states are computed once
(`training.entail.prepare`), training is twice as fast, and the package ships them once for both uses.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

WIDTH, INNER, HEADS, ALL_LAYERS = 384, 1536, 12, 6
HIDDEN = 128


class Layer(nn.Module):
    """One layer of BERT; parameters have the published names."""

    def __init__(self) -> None:
        super().__init__()
        self.attention = nn.ModuleDict(
            {
                "self": nn.ModuleDict({part: nn.Linear(WIDTH, WIDTH) for part in ("query", "key", "value")}),
                "output": nn.ModuleDict(
                    {"dense": nn.Linear(WIDTH, WIDTH), "LayerNorm": nn.LayerNorm(WIDTH, eps=1e-12)}
                ),
            }
        )
        self.intermediate = nn.ModuleDict({"dense": nn.Linear(WIDTH, INNER)})
        self.output = nn.ModuleDict({"dense": nn.Linear(INNER, WIDTH), "LayerNorm": nn.LayerNorm(WIDTH, eps=1e-12)})
        self.dropout = nn.Dropout(0.1)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        batch, length, _ = x.shape
        own = self.attention["self"]
        query, key, value = (
            own[part](x).view(batch, length, HEADS, -1).transpose(1, 2) for part in ("query", "key", "value")
        )
        mixed = functional.scaled_dot_product_attention(
            query, key, value, attn_mask=mask[:, None, None, :], dropout_p=0.1 if self.training else 0.0
        )
        mixed = self.attention["output"]["dense"](mixed.transpose(1, 2).reshape(batch, length, WIDTH))
        x = self.attention["output"]["LayerNorm"](x + self.dropout(mixed))
        inner = self.output["dense"](functional.gelu(self.intermediate["dense"](x)))
        return self.output["LayerNorm"](x + self.dropout(inner))


class Entailer(nn.Module):
    """States of a lower layer to one logit per pair."""

    def __init__(self, layers: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList(Layer() for _ in range(layers))
        self.dropout = nn.Dropout(0.1)
        self.hidden = nn.Linear(5 * WIDTH, HIDDEN)
        self.answer = nn.Linear(HIDDEN, 1)

    def start_from(self, published: Mapping[str, np.ndarray]) -> None:
        """Take the upper layers of the published weights."""
        first = ALL_LAYERS - len(self.layers)
        for number, layer in enumerate(self.layers, start=first):
            prefix = f"encoder.layer.{number}."
            layer.load_state_dict(
                {
                    name.removeprefix(prefix): torch.from_numpy(np.array(value))
                    for name, value in published.items()
                    if name.startswith(prefix)
                }
            )

    def forward(self, states: Tensor, sides: Tensor, mask: Tensor) -> Tensor:
        """`sides` is 0 in the premise and 1 in the hypothesis; `mask` is false where a row is padded."""
        for layer in self.layers:
            states = layer(states, mask)
        premise, hypothesis = _mean(states, mask & (sides == 0)), _mean(states, mask & (sides == 1))
        joined = [states[:, 0], premise, hypothesis, (premise - hypothesis).abs(), premise * hypothesis]
        hidden = functional.gelu(self.hidden(self.dropout(torch.cat(joined, dim=-1))))
        return self.answer(self.dropout(hidden)).squeeze(-1)


def _mean(states: Tensor, mask: Tensor) -> Tensor:
    weights = mask.unsqueeze(-1).to(states.dtype)
    return (states * weights).sum(1) / weights.sum(1)
