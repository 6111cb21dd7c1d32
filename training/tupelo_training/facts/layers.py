"""Layers of a Transformer (Vaswani et al. 2017), normalised after each part as in BERT."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from tupelo_training.loop import Optimization
from tupelo_training.weights import as_int8

EPSILON = 1e-12
# What is added to the scores of places that must not be seen.
HIDDEN = -10_000.0


class Attention(nn.Module):
    """Scaled dot-product attention with several heads. The query may come from another sequence than the rest."""

    def __init__(self, width: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.output = nn.Linear(width, width)
        self.dropout = nn.Dropout(dropout)

    def split(self, x: Tensor) -> Tensor:
        return x.view(*x.shape[:-1], self.heads, x.shape[-1] // self.heads).transpose(1, 2)

    def forward(self, x: Tensor, memory: Tensor, bias: Tensor, *, with_weights: bool) -> tuple[Tensor, Tensor]:
        """The mixed values and, if asked for, the weights [batch, heads, queries, keys]."""
        query, key, value = self.split(self.query(x)), self.split(self.key(memory)), self.split(self.value(memory))
        if not with_weights:
            dropout = self.dropout.p if self.training else 0.0
            mixed = functional.scaled_dot_product_attention(query, key, value, bias.to(query.dtype), dropout)
            return self.output(mixed.transpose(1, 2).flatten(2)), bias
        weights = ((query * (query.shape[-1] ** -0.5)) @ key.transpose(-1, -2) + bias).softmax(-1)
        mixed = self.dropout(weights.to(value.dtype)) @ value
        return self.output(mixed.transpose(1, 2).flatten(2)), weights


class Layer(nn.Module):
    """One layer; with `crossed` it also looks at the states of an encoder, as a decoder does."""

    def __init__(self, width: int, inner: int, heads: int, dropout: float, *, crossed: bool = False) -> None:
        super().__init__()
        self.attention = Attention(width, heads, dropout)
        self.attention_norm = nn.LayerNorm(width, eps=EPSILON)
        self.crossed = Attention(width, heads, dropout) if crossed else None
        self.crossed_norm = nn.LayerNorm(width, eps=EPSILON) if crossed else None
        self.up = nn.Linear(width, inner)
        self.down = nn.Linear(inner, width)
        self.norm = nn.LayerNorm(width, eps=EPSILON)
        self.dropout = nn.Dropout(dropout)

    def forward(
        self,
        x: Tensor,
        bias: Tensor,
        memory: Tensor | None = None,
        memory_bias: Tensor | None = None,
        *,
        with_weights: bool = True,
    ) -> tuple[Tensor, Tensor]:
        """The states, and the weights of the attention: to the memory where there is one."""
        mixed, weights = self.attention(x, x, bias, with_weights=with_weights)
        x = self.attention_norm(x + self.dropout(mixed))
        if self.crossed is not None:
            assert self.crossed_norm is not None
            mixed, weights = self.crossed(x, memory, memory_bias, with_weights=True)
            x = self.crossed_norm(x + self.dropout(mixed))
        return self.norm(x + self.dropout(self.down(functional.gelu(self.up(x))))), weights


def hiding(mask: Tensor) -> Tensor:
    """What attention adds to its scores for a mask [batch, keys] of 1 (there) and 0 (padding)."""
    return ((1.0 - mask.float()) * HIDDEN)[:, None, None, :]


def causal(length: int, device: torch.device) -> Tensor:
    """What attention adds so that no place sees a later one."""
    return torch.full((length, length), HIDDEN, device=device).triu(1)[None, None]


def waves(length: int, width: int) -> Tensor:
    """Positions as sines and cosines (Vaswani et al. 2017), [length, width]."""
    places = torch.arange(length, dtype=torch.float32)[:, None]
    rates = torch.exp(torch.arange(0, width, 2, dtype=torch.float32) * (-math.log(10_000.0) / width))
    return torch.cat([torch.sin(places * rates), torch.cos(places * rates)], dim=1)


def bert_layer(layer: Layer, weights: Mapping[str, Tensor], number: int) -> None:
    """Copies one layer of a published BERT file."""
    name = f"encoder.layer.{number}"
    parts = {
        "attention.query": "attention.self.query",
        "attention.key": "attention.self.key",
        "attention.value": "attention.self.value",
        "attention.output": "attention.output.dense",
        "attention_norm": "attention.output.LayerNorm",
        "up": "intermediate.dense",
        "down": "output.dense",
        "norm": "output.LayerNorm",
    }
    own = dict(layer.named_parameters())
    with torch.no_grad():
        for ours, theirs in parts.items():
            for kind in ("weight", "bias"):
                own[f"{ours}.{kind}"].copy_(weights[f"{name}.{theirs}.{kind}"])


def rated_by_part(model: nn.Module, encoder_rate: float, rate: float, decay: float = 0.01) -> Optimization:
    """Optimization with one learning rate for the layers of the encoder and another for the rest."""
    encoder = [value for name, value in model.named_parameters() if name.startswith("layers.")]
    rest = [value for name, value in model.named_parameters() if not name.startswith("layers.")]
    groups: list[dict[str, Any]] = [
        {"params": encoder, "lr": encoder_rate, "weight_decay": decay},
        {"params": rest, "lr": rate, "weight_decay": decay},
    ]
    return Optimization(groups, list(model.parameters()), clip=1.0)


def rounded(weights: Mapping[str, Tensor]) -> dict[str, NDArray[Any]]:
    """Weights as they are shipped: matrices as int8, each followed by one step per row, everything else as it is."""
    stored: dict[str, NDArray[Any]] = {}
    for name, value in weights.items():
        array = value.detach().float().cpu().numpy()
        if array.ndim == 2:
            stored[name], stored[f"{name}@steps"] = as_int8(array)
        else:
            stored[name] = array
    return stored
