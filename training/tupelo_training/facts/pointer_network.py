"""A network that writes facts by pointing: it walks over the pairs of entities of a document in their order.

At every pair it writes a property or moves on, as a transducer of speech writes or moves on (Graves 2012), so that
what it can write is made of names of the text and properties of the schema. A pair is two entities and what they both
attend to, all from the encoder of the shipped classifier, which stays as it is, like the first layer of its pairs.
What was written already counts: every pair attends to the facts before it, and knows which share an entity with it
(an inverse, a country of a city).
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

# Which ends of a pair and of a written fact are the same entity: four bits.
OVERLAPS = 16


@dataclass(frozen=True, slots=True)
class PointerSizes:
    """Everything that fixes the shape of the network."""

    relations: int
    types: int = 8
    near: int = 6
    often: int = 5
    states: int = 384
    feature: int = 24
    width: int = 256
    attention_heads: int = 8


class FactPointer(nn.Module):
    def __init__(self, sizes: PointerSizes, dropout: float = 0.2) -> None:
        super().__init__()
        self.sizes = sizes
        states, feature, width = sizes.states, sizes.feature, sizes.width
        self.types = nn.Embedding(sizes.types, feature)
        self.near = nn.Embedding(sizes.near, feature)
        self.often = nn.Embedding(sizes.often, feature)
        self.order = nn.Embedding(2, feature)
        known = states + 6 * feature
        self.subject, self.object = nn.Linear(states, states), nn.Linear(states, states)
        self.subject_context, self.object_context = nn.Linear(known, states), nn.Linear(known, states)
        self.pair = nn.Linear(3 * states, width)
        self.pair_norm = nn.LayerNorm(width)
        # One more than there are properties: the first stands for nothing written yet.
        self.told = nn.Embedding(sizes.relations + 1, width)
        self.key, self.value = nn.Linear(width, width), nn.Linear(width, width)
        self.query, self.read = nn.Linear(width, width), nn.Linear(width, width)
        self.overlap = nn.Embedding(OVERLAPS, sizes.attention_heads)
        self.read_norm = nn.LayerNorm(width)
        self.up, self.write = nn.Linear(width, width), nn.Linear(width, sizes.relations + 1)
        self.dropout = nn.Dropout(dropout)

    def ends(
        self, vectors: Tensor, contexts: Tensor, types: Tensor, often: Tensor, near: Tensor, order: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Subject and object [entities, entities, states] of pairs, each with what both attend to."""
        count = len(types)
        kind, frequency = self.types(types), self.often(often)

        def rows(x: Tensor) -> Tensor:
            return x[:, None].expand(-1, count, -1)

        def columns(x: Tensor) -> Tensor:
            return x[None].expand(count, -1, -1)

        features = [
            rows(kind),
            columns(kind),
            rows(frequency),
            columns(frequency),
            self.near(near),
            self.order(order),
        ]
        around = torch.cat([contexts, *features], dim=-1)
        subject = torch.tanh(self.subject(vectors)[:, None] + self.subject_context(around))
        return subject, torch.tanh(self.object(vectors)[None] + self.object_context(around))

    def pairs(self, subject: Tensor, object_: Tensor) -> Tensor:
        """Vectors [entities, entities, width] of pairs."""
        both = self.dropout(torch.cat([subject, object_, subject * object_], dim=-1))
        made: Tensor = self.pair_norm(functional.gelu(self.pair(both)))
        return made

    def forward(self, pairs: Tensor, facts: Tensor, relations: Tensor, overlaps: Tensor, hidden: Tensor) -> Tensor:
        """Scores [visits, relations + 1] of moving on (first) and of properties.

        `pairs` [visits, width]; what was written: pairs [facts, width] and `relations` [facts], counted from 1. The
        first of them stands for nothing. `overlaps` [visits, facts]; `hidden` [visits, facts] is true where a fact
        was not yet written.
        """
        heads, width = self.sizes.attention_heads, self.sizes.width
        written = facts + self.told(relations)

        def split(x: Tensor) -> Tensor:
            return x.view(len(x), heads, width // heads).transpose(0, 1)

        query, key, value = split(self.query(pairs)), split(self.key(written)), split(self.value(written))
        scores = query @ key.transpose(1, 2) * (width // heads) ** -0.5 + self.overlap(overlaps).permute(2, 0, 1)
        weights = scores.masked_fill(hidden[None], -1e4).softmax(-1)
        read = self.read((weights @ value).transpose(0, 1).flatten(1))
        x = self.read_norm(pairs + self.dropout(read))
        logits: Tensor = self.write(self.dropout(functional.gelu(self.up(x))) + x)
        return logits
