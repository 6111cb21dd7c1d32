"""The reader for training: the twelve layers of the support model, the last of them its own, and small heads.

Outputs: what the question has (an answer in the passage, none, yes, no), from the first mark; and for every subword
logits of being the first of an answer, the last, and inside one.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor, nn

from tupelo_training.layers import Layer, Shape

OUTCOMES = 4
MARKS = 3
LAYERS = 12


class ReaderModel(nn.Module):
    """`own` is how many layers are trained; those below, and the embeddings, stay as they are."""

    def __init__(self, base: Mapping[str, np.ndarray], own: int, dropout: float = 0.1) -> None:
        super().__init__()
        vocabulary, width = base["words.weight"].shape
        shape = Shape(layers=LAYERS)
        self.words = nn.Embedding(vocabulary, width)
        self.positions = nn.Embedding(len(base["positions.weight"]), width)
        self.segments = nn.Embedding(2, width)
        self.norm = nn.LayerNorm(width, eps=shape.epsilon)
        self.layers = nn.ModuleList(
            Layer(shape, dropout if number >= LAYERS - own else 0) for number in range(LAYERS)
        )
        self.dropout = nn.Dropout(dropout)
        self.outcome = nn.Linear(width, OUTCOMES)
        self.marks = nn.Linear(width, MARKS)
        self.fixed = LAYERS - own
        parts = dict(self.named_parameters())
        with torch.no_grad():
            for name in parts.keys() & base.keys():
                parts[name].copy_(torch.from_numpy(np.array(base[name], np.float32)))
            # Supported, refuted and unknown of a claim are much like yes, no and none of a question.
            whole = torch.from_numpy(np.array(base["whole.weight"], np.float32))
            self.outcome.weight.copy_(torch.stack([whole.mean(0), whole[2], whole[0], whole[1]]))
            self.outcome.bias.zero_()
        for name, part in parts.items():
            part.requires_grad_(name in self.own_names())

    def own_names(self) -> list[str]:
        """The names of what is trained."""
        heads = ("outcome.", "marks.")
        layers = tuple(f"layers.{number}." for number in range(self.fixed, LAYERS))
        return [name for name, _ in self.named_parameters() if name.startswith((*heads, *layers))]

    def below(self, pieces: Tensor, segments: Tensor, lengths: Tensor | None = None) -> tuple[Tensor, Tensor | None]:
        """The states after the layers that are not trained, and what attention adds for padding."""
        places = torch.arange(pieces.shape[1], device=pieces.device)
        x = self.norm(self.words(pieces) + self.positions(places) + self.segments(segments))
        if torch.is_autocast_enabled(x.device.type):
            x = x.to(torch.get_autocast_dtype(x.device.type))
        bias = None if lengths is None else ((places >= lengths[:, None]) * -1e4)[:, None, None].to(x.dtype)
        for layer in self.layers[: self.fixed]:
            x = layer(x, bias)
        return x, bias

    def above(self, x: Tensor, bias: Tensor | None) -> tuple[Tensor, Tensor]:
        for layer in self.layers[self.fixed :]:
            x = layer(x, bias)
        return self.outcome(self.dropout(x[:, 0])), self.marks(self.dropout(x))

    def forward(self, pieces: Tensor, segments: Tensor, lengths: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Logits of the outcomes [batch, 4] and of the subwords [batch, subwords, 3]."""
        with torch.no_grad():
            x, bias = self.below(pieces, segments, lengths)
        return self.above(x, bias)
