"""The network: a MiniLM encoder, one vector per word, and small heads on top.

Encoder: Wang et al. 2020 (MiniLM), six BERT layers of width 384, with one addition: an embedding of the word's shape,
because the vocabulary is uncased. Teachers may have a larger one, of MPNet's shape (Song et al. 2020), whose
attention also knows how far apart two subwords are. Words: the layers are mixed by learned weights (Peters et al.
2018), and a word's vector is the mean of its first and last subword. Dependencies: biaffine attention (Dozat and
Manning 2017). Constituents: a scalar score per span, trained as a tree CRF, and a label per span (Zhang et al. 2020).
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from tupelo.nlp.mentions import CLASSES, FEATURES
from tupelo_training.encoder.published import SEGMENTS, our_arrays
from tupelo_training.layers import distance_buckets

WIDTH = 384


@dataclass(frozen=True, slots=True)
class Sizes:
    """Everything that fixes the shape of the network; written into the checkpoint."""

    upos: int
    xpos: int
    feats: int
    deprel: int
    entity: int
    constituent: int
    shapes: int
    kinds: int = 11
    vocabulary: int = 30522
    positions: int = 512
    width: int = WIDTH
    inner: int = 1536
    layers: int = 6
    attention_heads: int = 12
    arc: int = 384
    rel: int = 96
    tag: int = 256
    span: int = 256
    span_label: int = 96
    chain: int = 256
    chain_layers: int = 2
    chain_heads: int = 4
    distances: int = 0  # MPNet's buckets of distances between subwords; 0: none


class Layer(nn.Module):
    def __init__(self, sizes: Sizes, dropout: float) -> None:
        super().__init__()
        width = sizes.width
        self.heads = sizes.attention_heads
        self.query_key_value = nn.Linear(width, 3 * width)
        self.output = nn.Linear(width, width)
        self.attention_norm = nn.LayerNorm(width, eps=1e-12)
        self.up = nn.Linear(width, sizes.inner)
        self.down = nn.Linear(sizes.inner, width)
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        q, k, v = self.query_key_value(x).unflatten(-1, (3 * self.heads, -1)).transpose(1, 2).chunk(3, dim=1)
        scores = (q * (q.shape[-1] ** -0.5)) @ k.transpose(-1, -2) + bias
        mixed = self.dropout(scores.softmax(-1)) @ v
        x = self.attention_norm(x + self.dropout(self.output(mixed.transpose(1, 2).flatten(2))))
        return self.norm(x + self.dropout(self.down(functional.gelu(self.up(x)))))


class Encoder(nn.Module):
    def __init__(self, sizes: Sizes, dropout: float) -> None:
        super().__init__()
        self.words = nn.Embedding(sizes.vocabulary, sizes.width)
        self.positions = nn.Embedding(sizes.positions, sizes.width)
        self.shapes = nn.Embedding(sizes.shapes, sizes.width)
        self.norm = nn.LayerNorm(sizes.width, eps=1e-12)
        self.dropout = nn.Dropout(dropout)
        self.layers = nn.ModuleList(Layer(sizes, dropout) for _ in range(sizes.layers))
        self.mix = nn.Parameter(torch.zeros(sizes.layers + 1))
        self.scale = nn.Parameter(torch.ones(()))
        self.distances = nn.Embedding(sizes.distances, sizes.attention_heads) if sizes.distances else None
        nn.init.normal_(self.shapes.weight, std=0.02)

    def forward(self, subwords: Tensor, shapes: Tensor, mask: Tensor, first: Tensor, last: Tensor) -> Tensor:
        places = torch.arange(subwords.shape[1], device=subwords.device)
        x = self.dropout(self.norm(self.words(subwords) + self.positions(places) + self.shapes(shapes)))
        bias = ((1.0 - mask) * -10000.0)[:, None, None, :]
        if self.distances is not None:
            buckets = distance_buckets(places, self.distances.num_embeddings)
            bias = bias + self.distances(buckets).permute(2, 0, 1)[None]
        weights = self.mix.softmax(0) * self.scale
        total = weights[0] * x
        for index, layer in enumerate(self.layers, start=1):
            x = layer(x, bias)
            total = total + weights[index] * x

        def pick(places: Tensor) -> Tensor:
            return total.gather(1, places[:, :, None].expand(-1, -1, total.shape[-1]))

        return (pick(first) + pick(last)) * 0.5


class Biaffine(nn.Module):
    """`score[b, x, l, y]` for every pair of words and every label."""

    def __init__(self, width: int, inner: int, labels: int, dropout: float) -> None:
        super().__init__()
        self.left = nn.Linear(width, inner)
        self.right = nn.Linear(width, inner)
        self.product = nn.Linear(inner, labels * inner, bias=False)
        self.left_only = nn.Linear(inner, labels)
        self.right_only = nn.Linear(inner, labels, bias=False)
        self.labels = labels
        self.scale = inner**-0.5
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        left = self.dropout(functional.gelu(self.left(x)))
        right = self.dropout(functional.gelu(self.right(x)))
        crossed = (self.product(left) * self.scale).unflatten(-1, (self.labels, -1)).flatten(1, 2)
        scores = (crossed @ right.transpose(1, 2)).unflatten(1, (-1, self.labels))
        return scores + self.left_only(left)[:, :, :, None] + self.right_only(right).transpose(1, 2)[:, None]


class Heads(nn.Module):
    def __init__(self, sizes: Sizes, dropout: float) -> None:
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.tag = nn.Linear(sizes.width, sizes.tag)
        self.upos = nn.Linear(sizes.tag, sizes.upos)
        self.xpos = nn.Linear(sizes.tag, sizes.xpos)
        self.feats = nn.Linear(sizes.tag, sizes.feats)
        self.name = nn.Linear(sizes.width, sizes.tag)
        self.entity = nn.Linear(sizes.tag, sizes.entity)
        # What a mention with this word as its head is about, named or not.
        self.kind = nn.Linear(sizes.tag, sizes.kinds)
        self.arc = Biaffine(sizes.width, sizes.arc, 1, dropout)
        self.rel = Biaffine(sizes.width, sizes.rel, sizes.deprel, dropout)

    def forward(self, vectors: Tensor) -> tuple[Tensor, ...]:
        x = self.dropout(vectors)
        tag = self.dropout(functional.gelu(self.tag(x)))
        name = self.dropout(functional.gelu(self.name(x)))
        arc = self.arc(x)[:, :, 0]
        return self.upos(tag), self.xpos(tag), self.feats(tag), arc, self.rel(x), self.entity(name), self.kind(name)


class Constituents(nn.Module):
    def __init__(self, sizes: Sizes, dropout: float) -> None:
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.span = Biaffine(sizes.width, sizes.span, 1, dropout)
        self.label = Biaffine(sizes.width, sizes.span_label, sizes.constituent, dropout)

    def forward(self, vectors: Tensor) -> tuple[Tensor, Tensor]:
        x = self.dropout(vectors)
        return self.span(x)[:, :, 0], self.label(x)


NEAR = 64  # mentions that a mention sees on each side
STEPS = 12  # of distances between mentions


class ChainLayer(nn.Module):
    """Attention over the mentions around; norms come first, as in GPT-2."""

    def __init__(self, width: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.heads = heads
        self.norm = nn.LayerNorm(width)
        self.query_key_value = nn.Linear(width, 3 * width)
        self.output = nn.Linear(width, width)
        self.inner_norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, 2 * width)
        self.down = nn.Linear(2 * width, width)
        self.distance = nn.Parameter(torch.zeros(heads, 2 * STEPS))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, steps: Tensor, hidden: Tensor) -> Tensor:
        q, k, v = (
            self.query_key_value(self.norm(x)).unflatten(-1, (3 * self.heads, -1)).transpose(1, 2).chunk(3, dim=1)
        )
        scores = (q * (q.shape[-1] ** -0.5)) @ k.transpose(-1, -2) + self.distance[:, steps][None]
        mixed = scores.masked_fill(hidden[:, None], -10000.0).softmax(-1) @ v
        x = x + self.dropout(self.output(mixed.transpose(1, 2).flatten(2)))
        return x + self.dropout(self.down(functional.gelu(self.up(self.inner_norm(x)))))


@dataclass(frozen=True, slots=True)
class ChainShape:
    """`inputs` are the numbers of a mention; `score` and `pair` are the widths of the two layers of the score."""

    inputs: int
    width: int = 256
    layers: int = 2
    heads: int = 4
    score: int = 256
    pair: int = 96


class Chains(nn.Module):
    """What a mention refers to: a score for each earlier candidate; nothing has the score 0."""

    def __init__(self, shape: ChainShape, dropout: float) -> None:
        super().__init__()
        width = shape.width
        self.dropout = nn.Dropout(dropout)
        self.enter = nn.Linear(shape.inputs, width)
        self.classes = nn.Embedding(len(CLASSES), width)
        self.layers = nn.ModuleList(ChainLayer(width, shape.heads, 0.1) for _ in range(shape.layers))
        self.norm = nn.LayerNorm(width)
        self.left = nn.Linear(width, shape.score)
        self.right = nn.Linear(width, shape.score)
        self.pair_left = nn.Linear(width, shape.pair)
        self.pair_right = nn.Linear(width, shape.pair, bias=False)
        self.features = nn.Linear(FEATURES, shape.pair, bias=False)
        self.pair_score = nn.Linear(shape.pair, 1)

    def forward(self, vectors: Tensor, kinds: Tensor, document: Tensor, pairs: Tensor, features: Tensor) -> Tensor:
        """`vectors[b, m]` of mentions; `pairs[b, m, c]` are the candidates' places."""
        x = self.enter(self.dropout(vectors)) + self.classes(kinds)
        places = torch.arange(x.shape[1], device=x.device)
        apart = places[:, None] - places[None, :]
        steps = torch.log2(apart.abs().clamp(min=1).float()).long().clamp(max=STEPS - 2) + (apart != 0)
        steps = steps + (apart < 0) * STEPS
        hidden = (document[:, :, None] != document[:, None, :]) | (apart.abs() > NEAR)[None]
        for layer in self.layers:
            x = layer(x, steps, hidden)
        x = self.dropout(self.norm(x))
        left, near = self.left(x), self.pair_right(x).float()
        # All pairs at once, of which some are taken: to sum the gradients of vectors that were picked takes longer.
        straight = (left @ self.right(x).transpose(1, 2)).float().gather(2, pairs) * left.shape[-1] ** -0.5
        picked = near.gather(1, pairs.flatten(1)[:, :, None].expand(-1, -1, near.shape[-1]))
        mixed = self.pair_left(x)[:, :, None] + picked.unflatten(1, tuple(pairs.shape[1:])) + self.features(features)
        scores: Tensor = straight + self.pair_score(functional.gelu(mixed))[..., 0]
        return scores


class Analyser(nn.Module):
    def __init__(self, sizes: Sizes, encoder_dropout: float = 0.1, head_dropout: float = 0.33) -> None:
        super().__init__()
        self.encoder = Encoder(sizes, encoder_dropout)
        self.heads = Heads(sizes, head_dropout)
        self.constituents = Constituents(sizes, head_dropout)
        shape = ChainShape(sizes.width, sizes.chain, sizes.chain_layers, sizes.chain_heads, sizes.chain)
        self.chains = Chains(shape, head_dropout)

    def forward(
        self,
        subwords: Tensor,
        shapes: Tensor,
        mask: Tensor,
        first: Tensor,
        last: Tensor,
        mentions: tuple[Tensor, ...] | None = None,
    ) -> tuple[Tensor, ...]:
        """Scores of sentences; with `mentions`, of what those refer to, for several documents side by side."""
        vectors = self.encoder(subwords, shapes, mask, first, last)
        if mentions is not None:
            word, kinds, document, pairs, features = mentions
            words = vectors.flatten(0, 1)[word.flatten()].unflatten(0, tuple(word.shape))
            return (self.chains(words, kinds, document, pairs, features.to(words.dtype)),)
        *heads, kind = self.heads(vectors)
        return (*heads, *self.constituents(vectors), kind)


def load_pretrained(encoder: Encoder, weights: dict[str, Tensor]) -> None:
    """Copies the published weights; the one token type in use is added to the position embeddings."""
    own = dict(encoder.named_parameters())
    found = our_arrays(weights, len(encoder.layers), torch.cat)
    segments = found.pop(SEGMENTS)
    with torch.no_grad():
        for name, value in found.items():
            own[name].copy_(value)
        own["positions.weight"].add_(segments[0].to(own["positions.weight"]))
