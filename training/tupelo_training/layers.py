"""The layer that the smaller networks share. torch only."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

HEADS = 12


@dataclass(frozen=True, slots=True)
class Shape:
    width: int = 384
    inner: int = 1536
    layers: int = 6
    epsilon: float = 1e-12
    distances: bool = False


class Norm(nn.LayerNorm):
    """A norm that stays in half precision where the rest is: between layers, most time goes into moving numbers."""

    def forward(self, x: Tensor) -> Tensor:
        with torch.autocast(x.device.type, enabled=False):
            weight, bias = self.weight.to(x.dtype), self.bias.to(x.dtype)
            return functional.layer_norm(x, self.normalized_shape, weight, bias, self.eps)


class Layer(nn.Module):
    def __init__(self, shape: Shape, dropout: float) -> None:
        super().__init__()
        self.query_key_value = nn.Linear(shape.width, 3 * shape.width)
        self.output = nn.Linear(shape.width, shape.width)
        self.attention_norm = Norm(shape.width, eps=shape.epsilon)
        self.up = nn.Linear(shape.width, shape.inner)
        self.down = nn.Linear(shape.inner, shape.width)
        self.norm = Norm(shape.width, eps=shape.epsilon)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, bias: Tensor | None) -> Tensor:
        q, k, v = self.query_key_value(x).unflatten(-1, (3 * HEADS, -1)).transpose(1, 2).chunk(3, dim=1)
        mixed = functional.scaled_dot_product_attention(q, k, v, bias)
        x = self.attention_norm(x + self.dropout(self.output(mixed.transpose(1, 2).flatten(2))))
        return self.norm(x + self.dropout(self.down(functional.gelu(self.up(x)))))
