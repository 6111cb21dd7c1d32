"""The layer that the smaller networks share. torch only."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

HEADS = 12
# Of the distances between subwords.
BUCKETS = 32


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


def distance_buckets(places: Tensor, count: int) -> Tensor:
    """Which bucket the distance from each place to each other falls into, as MPNet divides them.

    Half of the buckets for each direction; near distances have one each, farther ones share on a logarithmic scale
    up to 128.
    """
    half, near = count // 2, count // 4
    distance = places[:, None] - places[None, :]
    away = distance.abs()
    far = near + (torch.log(away.clamp(min=1) / near) / math.log(128 / near) * (half - near)).long()
    return (distance < 0).long() * half + torch.where(away < near, away, far.clamp(max=half - 1))


class PairEncoder(nn.Module):
    """Reads two texts, marked by segments. The layers are trained, the embeddings stay as they are.

    With `distances`, MPNet's, attention also knows how far apart two subwords are. MPNet knows no segments: they are
    learned then, from nothing.
    """

    def __init__(self, shape: Shape, vocabulary: int, positions: int, dropout: float) -> None:
        super().__init__()
        self.words = nn.Embedding(vocabulary, shape.width)
        self.positions = nn.Embedding(positions, shape.width)
        self.segments = nn.Embedding(2, shape.width)
        self.norm = nn.LayerNorm(shape.width, eps=shape.epsilon)
        self.layers = nn.ModuleList(Layer(shape, dropout) for _ in range(shape.layers))
        self.distances = nn.Embedding(BUCKETS, HEADS) if shape.distances else None
        self.dropout = nn.Dropout(dropout)
        nn.init.zeros_(self.segments.weight)
        for part in (self.words, self.positions, self.norm, self.distances or self.segments):
            part.requires_grad_(False)

    def embed(self, pieces: Tensor, segments: Tensor, lengths: Tensor | None) -> tuple[Tensor, Tensor | None]:
        """What the first layer gets, and what attention adds; `lengths` where rows are padded."""
        places = torch.arange(pieces.shape[1], device=pieces.device)
        x = self.norm(self.words(pieces) + self.positions(places) + self.segments(segments))
        if torch.is_autocast_enabled(x.device.type):
            x = x.to(torch.get_autocast_dtype(x.device.type))
        bias = None if lengths is None else ((places >= lengths[:, None]) * -1e4)[:, None, None].to(x.dtype)
        if self.distances is not None:
            near = self.distances(distance_buckets(places, BUCKETS)).permute(2, 0, 1)[None].to(x.dtype)
            bias = near if bias is None else bias + near
        return self.dropout(x), bias
