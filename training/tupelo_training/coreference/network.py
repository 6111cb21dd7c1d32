"""A teacher of coreference that reads across sentences.

It has the twelve layers of the shipped reader, which see up to 512 subwords of a document at once, and above them
chains like those of the student, which read vectors of the frozen encoder: it knows one sentence at a time.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor, nn

from tupelo_training.layers import PairEncoder, Shape
from tupelo_training.parser.model import Chains, ChainShape

WIDTH = 384


class Teacher(PairEncoder):
    """`base` are the weights that it begins with, the shipped reader's or those of the support model."""

    def __init__(self, base: Mapping[str, np.ndarray], shapes: int, layers: int = 12, dropout: float = 0.1) -> None:
        vocabulary = len(base["words.weight"])
        super().__init__(Shape(layers=layers), vocabulary, len(base["positions.weight"]), dropout)
        own = dict(self.named_parameters())
        with torch.no_grad():
            for name in own.keys() & base.keys():
                own[name].copy_(torch.from_numpy(np.array(base[name], np.float32)))
        self.shapes = nn.Embedding(shapes, WIDTH)
        nn.init.zeros_(self.shapes.weight)
        self.mix = nn.Parameter(torch.zeros(3))
        self.head = Chains(ChainShape(WIDTH), 0.33)

    def read(self, pieces: Tensor, places: Tensor, shapes: Tensor, segment: Tensor) -> Tensor:
        """States of rows of subwords; each row has several texts, told apart by `segment`."""
        x = self.norm(self.words(pieces) + self.positions(places) + self.segments.weight[0] + self.shapes(shapes))
        bias = ((segment[:, :, None] != segment[:, None, :]) * -1e4)[:, None]
        if torch.is_autocast_enabled(x.device.type):
            x = x.to(torch.get_autocast_dtype(x.device.type))
        x, bias = self.dropout(x), bias.to(x.dtype)
        states = []
        for layer in self.layers:
            x = layer(x, bias)
            states.append(x)
        weights = self.mix.softmax(0).to(x.dtype)
        last: Tensor = (
            weights[0] * states[-1]
            + weights[1] * states[3 * len(states) // 4]
            + weights[2] * states[len(states) // 2]
        )
        return last

    def forward(
        self,
        text: tuple[Tensor, Tensor, Tensor, Tensor],
        first: Tensor,
        last: Tensor,
        rest: tuple[Tensor, Tensor, Tensor, Tensor],
    ) -> Tensor:
        """`text` are rows of subwords of a batch; `first[b, m]` and `last[b, m]` are places among all of them."""
        used = text[3][:, 0] >= 0
        states, width = self.read(*(one[used] for one in text)).flatten(0, 1), text[0].shape[1]
        row = used.long().cumsum(0) - 1
        first, last = (row[places // width] * width + places % width for places in (first, last))
        return self.head((states[first] + states[last]) * 0.5, *rest)  # type: ignore[no-any-return]
