"""The reader for training: a network over a passage and a question, and small heads.

It begins as the support model or, for a larger network that teaches, as all-mpnet-base-v2
(`tupelo_training.encoder.large`).

Outputs: what the question has (an answer in the passage, none, yes, no), from the first mark; and for every subword
logits of being the first of an answer, the last, and inside one.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor, nn

from tupelo_training.layers import PairEncoder, Shape

OUTCOMES = 4
MARKS = 3
LAYERS = 12
# Added to the norms' variances: by the support model, and by MPNet.
_EPSILON, _LARGE_EPSILON = 1e-12, 1e-5


class ReaderModel(PairEncoder):
    """`base` are the weights that it begins with; `own` is how many layers are trained, those below are not."""

    def __init__(self, base: Mapping[str, np.ndarray], own: int, dropout: float = 0.1) -> None:
        vocabulary, width = base["words.weight"].shape
        large = "distances.weight" in base
        shape = Shape(width, 4 * width, LAYERS, _LARGE_EPSILON if large else _EPSILON, large)
        super().__init__(shape, vocabulary, len(base["positions.weight"]), dropout)
        self.outcome = nn.Linear(width, OUTCOMES)
        self.marks = nn.Linear(width, MARKS)
        self.fixed = LAYERS - own
        parts = dict(self.named_parameters())
        with torch.no_grad():
            for name in parts.keys() & base.keys():
                parts[name].copy_(torch.from_numpy(np.array(base[name], np.float32)))
            if "whole.weight" in base:
                # Supported, refuted and unknown of a claim are much like yes, no and none of a question.
                whole = torch.from_numpy(np.array(base["whole.weight"], np.float32))
                self.outcome.weight.copy_(torch.stack([whole.mean(0), whole[2], whole[0], whole[1]]))
                self.outcome.bias.zero_()
        self.layers[: self.fixed].requires_grad_(False)

    def own_names(self) -> list[str]:
        """The names of what is trained."""
        return [name for name, part in self.named_parameters() if part.requires_grad]

    def above(self, x: Tensor, bias: Tensor | None) -> tuple[Tensor, Tensor]:
        """What `forward` gives, for the states after the layers that are not trained."""
        for layer in self.layers[self.fixed :]:
            x = layer(x, bias)
        return self.outcome(self.dropout(x[:, 0])), self.marks(self.dropout(x))

    def forward(self, pieces: Tensor, segments: Tensor, lengths: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Logits of the outcomes [batch, 4] and of the subwords [batch, subwords, 3]."""
        x, bias = self.embed(pieces, segments, lengths)
        for layer in self.layers[: self.fixed]:
            x = layer(x, bias)
        return self.above(x, bias)
