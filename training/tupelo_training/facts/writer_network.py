"""Text to facts by an encoder and a decoder that writes `s <t> r <t> o <f> s <t> …`.

A Transformer as in Goodrich et al. 2019, with one addition: at every step the decoder either writes a token of its
own or copies a piece of the text (See et al. 2017), because names stand in the text. Tokens are the pieces of the
vocabulary followed by marks and relations, one token each. The decoder can write only pieces of `generated` by
itself, those of the names that it was trained on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from tupelo_training.facts.layers import Layer, causal, hiding, waves
from tupelo_training.facts.written import MARKS


@dataclass(frozen=True, slots=True)
class WriterSizes:
    """Everything that fixes the shape of the network. `own_embeddings`: trained here instead of given."""

    relations: int
    generated: int
    pieces: int = 30_522
    width: int = 384
    inner: int = 1536
    attention_heads: int = 12
    layers: int = 6
    decoder_layers: int = 3
    longest: int = 320
    own_embeddings: bool = False


class FactWriter(nn.Module):
    places: Tensor
    written_as: Tensor

    def __init__(self, sizes: WriterSizes, generated: Sequence[int], dropout: float = 0.1) -> None:
        super().__init__()
        self.sizes = sizes
        width = sizes.width
        self.marks = nn.Embedding(MARKS + sizes.relations, width)
        self.bring = nn.Linear(width, width)
        self.layers = nn.ModuleList(
            Layer(width, sizes.inner, sizes.attention_heads, dropout) for _ in range(sizes.layers)
        )
        self.decoder = nn.ModuleList(
            Layer(width, sizes.inner, sizes.attention_heads, dropout, crossed=True)
            for _ in range(sizes.decoder_layers)
        )
        self.write = nn.Linear(width, MARKS + sizes.relations + sizes.generated)
        self.copy_query = nn.Linear(width, width)
        self.copy_key = nn.Linear(width, width)
        self.gate = nn.Linear(width, 1)
        self.dropout = nn.Dropout(dropout)
        self.norm = nn.LayerNorm(width)
        self.words = nn.Embedding(sizes.pieces, width) if sizes.own_embeddings else None
        if self.words is not None:
            nn.init.normal_(self.words.weight, std=width**-0.5)
        nn.init.normal_(self.marks.weight, std=width**-0.5)
        self.register_buffer("places", waves(max(sizes.longest, 512), width), persistent=False)
        # Where a token stands in what the decoder can write; 0, which is never written, for all others.
        table = torch.zeros(sizes.pieces + MARKS + sizes.relations, dtype=torch.int64)
        table[torch.arange(MARKS + sizes.relations) + sizes.pieces] = torch.arange(MARKS + sizes.relations)
        table[torch.as_tensor(list(generated), dtype=torch.int64)] = (
            MARKS + sizes.relations + torch.arange(sizes.generated)
        )
        self.register_buffer("written_as", table, persistent=False)

    def encode(self, vectors: Tensor, mask: Tensor) -> Tensor:
        """States of the pieces. `vectors` [batch, pieces, width], or the pieces themselves with own embeddings."""
        if self.words is not None:
            vectors = self.words(vectors) * self.sizes.width**0.5 + self.places[: vectors.shape[1]]
        x: Tensor = self.dropout(vectors)
        bias = hiding(mask)
        for layer in self.layers:
            x, _ = layer(x, bias)
        return x

    def decode(self, before: Tensor, looks: Tensor, memory: Tensor, mask: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """What is written (log-probabilities), where is copied from (same) and the scores of writing.

        `before` [batch, steps] are the tokens so far, `looks` [batch, steps, width] the vectors of those that are
        pieces.
        """
        pieces = self.sizes.pieces
        if self.words is not None:
            looks = self.words(before.clamp(max=pieces - 1)) * self.sizes.width**0.5
        marked = self.marks((before - pieces).clamp(min=0)) * self.sizes.width**0.5
        x = torch.where((before >= pieces)[..., None], marked, self.bring(looks).to(marked.dtype))
        x = self.dropout(self.norm(x) + self.places[: before.shape[1]])
        bias, memory_bias = causal(before.shape[1], before.device), hiding(mask)
        for layer in self.decoder:
            x, _ = layer(x, bias, memory, memory_bias)
        written = self.write(x).float().log_softmax(-1)
        scores = (self.copy_query(x) * self.sizes.width**-0.5) @ self.copy_key(memory).transpose(1, 2)
        copied = (scores.float() + memory_bias[:, 0]).log_softmax(-1)
        return written, copied, self.gate(x).float()[..., 0]

    def log_probability(
        self, target: Tensor, written: Tensor, copied: Tensor, gate: Tensor, source: Tensor
    ) -> Tensor:
        """Of each target token [batch, steps], by writing or by copying from `source` [batch, pieces]."""
        place = self.written_as[target]
        by_hand = written.gather(2, place[..., None])[..., 0].masked_fill(place == 0, -1e4)
        same = (source[:, None] == target[..., None]).float()
        by_copy = (copied + (1 - same) * -1e4).logsumexp(-1)
        return torch.logaddexp(nn.functional.logsigmoid(gate) + by_hand, nn.functional.logsigmoid(-gate) + by_copy)
