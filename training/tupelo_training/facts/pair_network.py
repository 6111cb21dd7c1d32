"""The relations of every pair of entities in a document.

Encoder: the layers of a MiniLM over embeddings that stay as they are, with the types of the mentions and the shapes
of the words added. An entity is the log-sum-exp of its mentions, and a pair sees the places that both entities attend
to (Zhou et al. 2021, ATLOP). Pairs then talk to each other in triangles: what (a, c) and (c, b) say goes into (a, b),
as "in Lyon" and "Lyon is in France" make "in France", and (b, a) goes into (a, b), as relations have inverses. Every
relation has its own score against the pair's threshold, and one more says whether there is a relation at all.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from tupelo_training.facts.layers import HIDDEN, Layer, hiding


@dataclass(frozen=True, slots=True)
class PairSizes:
    """Everything that fixes the shape of the network."""

    relations: int
    others: int = 1
    marks: int = 15
    shapes: int = 12
    types: int = 8
    near: int = 6
    often: int = 5
    width: int = 384
    inner: int = 1536
    layers: int = 6
    attention_heads: int = 12
    feature: int = 24
    block: int = 64
    pair: int = 128
    rounds: int = 2


class Triangle(nn.Module):
    """One round of talk between pairs, [batch, entities, entities, width]."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.left = nn.Linear(width, 2 * width)
        self.right = nn.Linear(width, 2 * width)
        self.middle = nn.LayerNorm(width)
        self.out = nn.Linear(width, width)
        self.back = nn.Linear(width, width)
        self.gate = nn.Linear(width, 2 * width)
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.back.weight)

    def forward(self, pairs: Tensor, there: Tensor) -> Tensor:
        x = self.norm(pairs)
        left = functional.glu(self.left(x)) * there
        right = functional.glu(self.right(x)) * there
        # [batch, width, entities, entities]: a product of matrices for every channel.
        joined = (left.permute(0, 3, 1, 2) @ right.permute(0, 3, 1, 2)).permute(0, 2, 3, 1)
        by_way, by_return = self.gate(x).sigmoid().chunk(2, dim=-1)
        told: Tensor = by_way * self.out(self.middle(joined)) + by_return * self.back(x.transpose(1, 2))
        return pairs + told


class PairReader(nn.Module):
    def __init__(self, sizes: PairSizes, dropout: float = 0.1, head_dropout: float = 0.2) -> None:
        super().__init__()
        self.sizes = sizes
        width, feature = sizes.width, sizes.feature
        self.marks = nn.Embedding(sizes.marks, width)
        self.shapes = nn.Embedding(sizes.shapes, width)
        self.layers = nn.ModuleList(
            Layer(width, sizes.inner, sizes.attention_heads, dropout) for _ in range(sizes.layers)
        )
        self.types = nn.Embedding(sizes.types, feature)
        self.near = nn.Embedding(sizes.near, feature)
        self.often = nn.Embedding(sizes.often, feature)
        self.order = nn.Embedding(2, feature)
        known = 6 * feature
        self.subject = nn.Linear(width, width)
        self.object = nn.Linear(width, width)
        self.subject_context = nn.Linear(width + known, width)
        self.object_context = nn.Linear(width + known, width)
        self.product = nn.Linear(width * sizes.block, sizes.relations + 1)
        self.pair = nn.Linear(2 * width, sizes.pair)
        self.rounds = nn.ModuleList(Triangle(sizes.pair) for _ in range(sizes.rounds))
        self.pair_norm = nn.LayerNorm(sizes.pair)
        self.relations = nn.Linear(sizes.pair, sizes.relations + 1)
        self.related = nn.Linear(sizes.pair, 1)
        self.others = nn.Linear(sizes.pair, sizes.others)
        self.dropout = nn.Dropout(dropout)
        self.head_dropout = nn.Dropout(head_dropout)
        for table in (self.marks, self.shapes):
            nn.init.normal_(table.weight, std=0.02)

    def forward(
        self,
        vectors: Tensor,
        marks: Tensor,
        shapes: Tensor,
        mask: Tensor,
        pool: Tensor,
        members: Tensor,
        types: Tensor,
        near: Tensor,
        often: Tensor,
        order: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Scores of relations (threshold first), of any relation, and of the other schema.

        `pool` [batch, mentions, pieces] has the share of each piece in a mention, `members` [batch, entities, most]
        the mentions of each entity, counted from 1 (0: none), `near` and `order` [batch, entities, entities].
        """
        x = self.dropout(vectors + self.marks(marks) + self.shapes(shapes))
        bias = self.bias(mask)
        weights = bias
        for layer in self.layers:
            x, weights = layer(x, bias)
        entities, seen = self.entities(x, weights, pool, members)
        context = self.context(x, seen)
        count = members.shape[1]
        kind, frequency = self.types(types), self.often(often)
        features = torch.cat(
            [
                kind[:, :, None].expand(-1, -1, count, -1),
                kind[:, None].expand(-1, count, -1, -1),
                frequency[:, :, None].expand(-1, -1, count, -1),
                frequency[:, None].expand(-1, count, -1, -1),
                self.near(near),
                self.order(order),
            ],
            dim=-1,
        )
        around = self.head_dropout(torch.cat([context, features.to(context.dtype)], dim=-1))
        subject = torch.tanh(self.subject(entities)[:, :, None] + self.subject_context(around))
        object_ = torch.tanh(self.object(entities)[:, None] + self.object_context(around))
        subject, object_ = self.head_dropout(subject), self.head_dropout(object_)
        block = self.sizes.block
        crossed = (
            subject.unflatten(-1, (-1, block))[..., :, None] * object_.unflatten(-1, (-1, block))[..., None, :]
        ).flatten(-3)
        pairs = functional.gelu(self.pair(torch.cat([subject, object_], dim=-1)))
        there = (members[:, :, :1] > 0).to(pairs.dtype)
        for triangle in self.rounds:
            pairs = triangle(pairs, (there[:, :, None] * there[:, None]))
        pairs = self.head_dropout(self.pair_norm(pairs))
        return self.product(crossed) + self.relations(pairs), self.related(pairs)[..., 0], self.others(pairs)

    def bias(self, mask: Tensor) -> Tensor:
        return hiding(mask)

    def entities(self, x: Tensor, weights: Tensor, pool: Tensor, members: Tensor) -> tuple[Tensor, Tensor]:
        """Vectors [batch, entities, width] and what each attends to [batch, heads, entities, pieces]."""
        there = (members > 0).float()
        mentions = functional.pad((pool.to(x.dtype) @ x).float(), (0, 0, 1, 0))
        batch, count, most = members.shape
        chosen = mentions.gather(1, members.flatten(1)[:, :, None].expand(-1, -1, mentions.shape[-1]))
        chosen = chosen.view(batch, count, most, -1) + ((1.0 - there) * HIDDEN)[..., None]
        share = there / there.sum(-1, keepdim=True).clamp(min=1.0)
        # Entities [batch, entities, mentions + 1] as shares of mentions.
        table = torch.zeros(batch, count, mentions.shape[1], device=x.device).scatter_add_(2, members, share)
        seen = (table[:, :, 1:] @ pool)[:, None].to(weights.dtype) @ weights
        vectors = chosen.logsumexp(2) * (there.sum(-1, keepdim=True) > 0)
        return vectors.to(x.dtype), seen

    def context(self, x: Tensor, seen: Tensor) -> Tensor:
        """What both entities of a pair attend to, [batch, entities, entities, width]."""
        both = torch.einsum("bhsl,bhol->bsol", seen, seen)
        both = both / (both.sum(-1, keepdim=True) + 1e-5)
        return torch.einsum("bsol,bld->bsod", both.to(x.dtype), x)


def adaptive_loss(logits: Tensor, gold: Tensor) -> Tensor:
    """Relations that hold should pass the pair's threshold, and the threshold all others (Zhou et al. 2021).

    `logits` [pairs, relations + 1], threshold first; `gold` [pairs, relations] of 0 and 1.
    """
    holds = functional.pad(gold, (1, 0))
    only_threshold = torch.zeros_like(holds)
    only_threshold[:, 0] = 1.0
    above = logits + (1.0 - torch.maximum(holds, only_threshold)) * HIDDEN
    passed = -(functional.log_softmax(above, dim=-1) * holds).sum(-1)
    below = logits + holds * HIDDEN
    kept = -functional.log_softmax(below, dim=-1)[:, 0]
    return passed + kept


def sigmoid_loss(logits: Tensor, gold: Tensor) -> Tensor:
    """Every relation by itself, against a threshold that is part of the score."""
    scores = logits[:, 1:] - logits[:, :1]
    return functional.binary_cross_entropy_with_logits(scores, gold, reduction="none").sum(-1)
