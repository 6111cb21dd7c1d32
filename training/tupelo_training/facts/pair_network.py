"""The relations of every pair of entities in a document.

Encoder: the layers of a MiniLM over embeddings that stay as they are, with the types of the mentions and the shapes
of the words added. An entity is the log-sum-exp of its mentions, and a pair sees the places that both entities attend
to (Zhou et al. 2021, ATLOP). Pairs then talk to each other in triangles: what (a, c) and (c, b) say goes into (a, b),
as "in Lyon" and "Lyon is in France" make "in France", and (b, a) goes into (a, b), as relations have inverses. Every
relation has its own score against the pair's threshold, and one more says whether there is a relation at all.

The same layers, over the words without marks, find the mentions: a tag for every word, and for every two mentions
whether they are one entity.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from tupelo.factmodels.pairs import LIKENESSES, TAGS
from tupelo_training.facts.layers import HIDDEN, Layer, hiding


@dataclass(frozen=True, slots=True)
class PairSizes:
    """Everything that fixes the shape of the network."""

    relations: int
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
    link: int = 128


class Outputs(NamedTuple):
    """`scores` of relations (threshold first) and of any `related`, `tags` of pieces, `linked` mentions."""

    scores: Tensor
    related: Tensor
    tags: Tensor
    linked: Tensor


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
        self.tags = nn.Linear(width, len(TAGS))
        self.alike = nn.Embedding(2 * LIKENESSES, sizes.link)
        self.mention = nn.Linear(width, sizes.link)
        self.link_product = nn.Linear(sizes.link, sizes.link)
        self.link_distance = nn.Linear(sizes.link, sizes.link, bias=False)
        self.linked = nn.Linear(sizes.link, 1)
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
        alike: Tensor,
    ) -> Outputs:
        """Everything about documents whose mentions are known: read once without marks and once with them.

        `pool` [batch, mentions, pieces] has the share of each piece in a mention, `members` [batch, entities, most]
        the mentions of each entity, counted from 1 (0: none), `near` and `order` [batch, entities, entities].
        """
        count = len(marks)
        x, weights = self.encode(
            vectors.repeat(2, 1, 1),
            torch.cat([torch.zeros_like(marks), marks]),
            shapes.repeat(2, 1),
            mask.repeat(2, 1),
        )
        bare, x, weights = x[:count], x[count:], weights[count:]
        scores, related = self.relate(x, weights, pool, members, types, near, often, order)
        return Outputs(scores, related, self.tags(bare), self.link(bare, pool, alike))

    def encode(self, vectors: Tensor, marks: Tensor, shapes: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """States of pieces, and the attention of the last layer."""
        x = self.dropout(vectors + self.marks(marks) + self.shapes(shapes))
        bias = self.bias(mask)
        weights = bias
        for number, layer in enumerate(self.layers, start=1):
            x, weights = layer(x, bias, with_weights=number == len(self.layers))
        return x, weights

    def link(self, x: Tensor, pool: Tensor, alike: Tensor) -> Tensor:
        """Scores [batch, mentions, mentions] of being one entity."""
        mentions = self.mention(pool.to(x.dtype) @ x)
        one, two = mentions[:, :, None], mentions[:, None]
        known = self.link_product(one * two) + self.link_distance((one - two).abs()) + self.alike(alike)
        scores: Tensor = self.linked(self.head_dropout(functional.gelu(known)))[..., 0]
        return scores

    def relate(
        self,
        x: Tensor,
        weights: Tensor,
        pool: Tensor,
        members: Tensor,
        types: Tensor,
        near: Tensor,
        often: Tensor,
        order: Tensor,
    ) -> tuple[Tensor, Tensor]:
        """Scores of relations (threshold first) and of any relation."""
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
        return self.product(crossed) + self.relations(pairs), self.related(pairs)[..., 0]

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
