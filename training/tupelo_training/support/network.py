"""The support model for training: MiniLM's six layers, gte-small's twelve, or those of MPNet that teach them.

Two outputs: logits of supported, refuted and unknown (from the first mark) and, for every piece, of whether it is
supported. The embeddings stay as they are, so that the package needs to ship them once.
"""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor, nn

from tupelo_training.encoder.large import read_large
from tupelo_training.encoder.published import our_arrays
from tupelo_training.layers import PairEncoder, Shape
from tupelo_training.support.table import OUTCOMES
from tupelo_training.weights import read_weights, tensors

VOCABULARY, POSITIONS = 30522, 512
EMBEDDINGS = ("words.", "positions.", "segments.", "norm.")

SMALL = Shape()
DEEP = Shape(layers=12)
LARGE = Shape(768, 3072, 12, 1e-5, True)


class SupportModel(PairEncoder):
    def __init__(self, shape: Shape = SMALL, dropout: float = 0.1) -> None:
        super().__init__(shape, VOCABULARY, POSITIONS, dropout)
        self.whole = nn.Linear(shape.width, OUTCOMES)
        self.piece = nn.Linear(shape.width, 1)

    def forward(self, pieces: Tensor, segments: Tensor, lengths: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Logits of the claims' outcomes and of all subwords."""
        x, bias = self.embed(pieces, segments, lengths)
        for layer in self.layers:
            x = layer(x, bias)
        return self.whole(self.dropout(x[:, 0])), self.piece(self.dropout(x)).squeeze(-1)


def load_small(model: SupportModel, path: Path) -> None:
    """The published MiniLM or gte-small, under its own names."""
    _fill(model, our_arrays(tensors(read_weights(path)), len(model.layers), torch.cat))


def load_trained(model: SupportModel, path: Path) -> None:
    """A shipped network as `tupelo_training.support.start` wrote it, under our names."""
    model.load_state_dict(tensors(read_weights(path)))


def load_large(model: SupportModel, *folders: Path) -> None:
    """What `tupelo_training.encoder.large` wrote, in one folder or in several."""
    _fill(model, read_large(*folders))


def _fill(model: SupportModel, found: dict[str, Tensor]) -> None:
    own = dict(model.named_parameters())
    missing = {name for name in own if not name.startswith(("segments.", "whole.", "piece."))} - found.keys()
    if missing:
        raise SystemExit(f"not the weights of an encoder of this shape: {sorted(missing)[:3]} …")
    with torch.no_grad():
        for name in own.keys() & found.keys():
            own[name].copy_(found[name])
