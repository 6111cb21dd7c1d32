"""The network: which tokens anchor a tuple, and which tokens belong to the tuples of an anchor.

The lower layers of the encoder read the sentence once and a small head says which words are anchors (usually the main
word of a relation). The upper layers then read the sentence again for every anchor, with the anchor marked, and give
every word a label in each of several *slots*: one anchor may have several tuples. A slot also says whether it holds a
tuple at all and which implied words ("is", "has") its relation starts with. Reading again with the last layers only
is what OpenIE6 (Kolluru et al. 2020) does for tuple after tuple; slots instead of turns make it one step.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from tupelo_training.parser.model import Layer, Sizes

SLOTS = 4


@dataclass(frozen=True, slots=True)
class ExtractorSizes:
    """Everything that fixes the shape of the network; written into the checkpoint."""

    sources: int
    labels: int
    leads: int
    shapes: int
    slots: int = SLOTS
    lower: int = 4
    upper: int = 2
    vocabulary: int = 30522
    positions: int = 512
    width: int = 384
    inner: int = 1536
    attention_heads: int = 12
    anchor: int = 128
    label: int = 384

    def layer_sizes(self) -> Sizes:
        return Sizes(
            upos=1,
            xpos=1,
            feats=1,
            deprel=1,
            entity=1,
            constituent=1,
            shapes=self.shapes,
            vocabulary=self.vocabulary,
            positions=self.positions,
            width=self.width,
            inner=self.inner,
            layers=self.lower + self.upper,
            attention_heads=self.attention_heads,
        )


def pick(x: Tensor, places: Tensor) -> Tensor:
    return x.gather(1, places[:, :, None].expand(-1, -1, x.shape[-1]))


class Reader(nn.Module):
    """Subwords to vectors of subwords, and an anchor score for every word."""

    def __init__(self, sizes: ExtractorSizes, dropout: float) -> None:
        super().__init__()
        layer = sizes.layer_sizes()
        self.words = nn.Embedding(sizes.vocabulary, sizes.width)
        self.positions = nn.Embedding(sizes.positions, sizes.width)
        self.shapes = nn.Embedding(sizes.shapes, sizes.width)
        self.sources = nn.Embedding(sizes.sources, sizes.width)
        self.norm = nn.LayerNorm(sizes.width, eps=1e-12)
        self.dropout = nn.Dropout(dropout)
        self.layers = nn.ModuleList(Layer(layer, dropout) for _ in range(sizes.lower))
        self.anchor_hidden = nn.Linear(sizes.width, sizes.anchor)
        self.anchor = nn.Linear(sizes.anchor, 1)
        nn.init.normal_(self.sources.weight, std=0.02)

    def forward(
        self, subwords: Tensor, shapes: Tensor, bias: Tensor, first: Tensor, last: Tensor, source: Tensor
    ) -> tuple[Tensor, Tensor]:
        places = torch.arange(subwords.shape[1], device=subwords.device)
        x = self.words(subwords) + self.positions(places) + self.shapes(shapes) + self.sources(source)[:, None]
        x = self.dropout(self.norm(x))
        for layer in self.layers:
            x = layer(x, bias)
        words = self.dropout((pick(x, first) + pick(x, last)) * 0.5)
        return x, self.anchor(self.dropout(functional.gelu(self.anchor_hidden(words))))[..., 0]


class Filler(nn.Module):
    """Subwords with one anchor marked to labels per word and slot."""

    def __init__(self, sizes: ExtractorSizes, dropout: float) -> None:
        super().__init__()
        layer = sizes.layer_sizes()
        self.slots, self.labels = sizes.slots, sizes.labels
        self.mark = nn.Parameter(torch.randn(sizes.width) * 0.05)
        self.layers = nn.ModuleList(Layer(layer, dropout) for _ in range(sizes.upper))
        self.dropout = nn.Dropout(dropout)
        self.hidden = nn.Linear(sizes.width, sizes.label)
        self.label = nn.Linear(sizes.label, sizes.slots * sizes.labels)
        self.slot_hidden = nn.Linear(sizes.width, sizes.label)
        self.slot = nn.Linear(sizes.label, sizes.slots * (1 + sizes.leads))

    def forward(
        self, x: Tensor, bias: Tensor, first: Tensor, last: Tensor, marked: Tensor, anchor: Tensor
    ) -> tuple[Tensor, Tensor]:
        """`marked` [A, S] is 1 on the subwords of the anchor, `anchor` [A, 1] its word."""
        x = x + marked[:, :, None] * self.mark
        for layer in self.layers:
            x = layer(x, bias)
        words = self.dropout((pick(x, first) + pick(x, last)) * 0.5)
        labels = self.label(self.dropout(functional.gelu(self.hidden(words))))
        own = pick(words, anchor)[:, 0]
        slots = self.slot(self.dropout(functional.gelu(self.slot_hidden(own))))
        return labels.unflatten(-1, (self.slots, self.labels)), slots.unflatten(-1, (self.slots, -1))


class Extractor(nn.Module):
    def __init__(self, sizes: ExtractorSizes, dropout: float = 0.1) -> None:
        super().__init__()
        self.reader = Reader(sizes, dropout)
        self.filler = Filler(sizes, dropout)

    def forward(
        self,
        subwords: Tensor,
        shapes: Tensor,
        mask: Tensor,
        first: Tensor,
        last: Tensor,
        source: Tensor,
        row: Tensor,
        marked: Tensor,
        anchor: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Anchors [B, N], labels [A, N, slots, labels], slots [A, slots, 1 + leads]; `row` [A]: its sentence."""
        bias = ((1.0 - mask) * -10000.0)[:, None, None, :]
        x, anchors = self.reader(subwords, shapes, bias, first, last, source)
        labels, slots = self.filler(x[row], bias[row], first[row], last[row], marked, anchor)
        return anchors, labels, slots


def load_encoder(model: Extractor, weights: dict[str, Tensor], lower: int) -> None:
    """Starts from the encoder of the shipped analysis model, which knows syntax already."""
    own = dict(model.named_parameters())
    with torch.no_grad():
        for name, value in weights.items():
            if not name.startswith("encoder."):
                continue
            rest = name.removeprefix("encoder.")
            if rest.startswith("layers."):
                _, number, tail = rest.split(".", 2)
                place = int(number)
                ours = f"reader.layers.{place}.{tail}" if place < lower else f"filler.layers.{place - lower}.{tail}"
            else:
                ours = f"reader.{rest}"
            if ours in own:
                own[ours].copy_(value)
