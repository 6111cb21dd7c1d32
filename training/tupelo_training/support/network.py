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
from tupelo_training.layers import HEADS, Layer, Shape
from tupelo_training.parser.model import distance_buckets
from tupelo_training.support.table import OUTCOMES
from tupelo_training.weights import read_weights, tensors

VOCABULARY, POSITIONS = 30522, 512
BUCKETS = 32
EMBEDDINGS = ("words.", "positions.", "segments.", "norm.")


SMALL = Shape()
DEEP = Shape(layers=12)
LARGE = Shape(768, 3072, 12, 1e-5, True)


class SupportModel(nn.Module):
    def __init__(self, shape: Shape = SMALL, dropout: float = 0.1) -> None:
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, shape.width)
        self.positions = nn.Embedding(POSITIONS, shape.width)
        self.segments = nn.Embedding(2, shape.width)
        self.norm = nn.LayerNorm(shape.width, eps=shape.epsilon)
        self.layers = nn.ModuleList(Layer(shape, dropout) for _ in range(shape.layers))
        self.distances = nn.Embedding(BUCKETS, HEADS) if shape.distances else None
        self.dropout = nn.Dropout(dropout)
        self.whole = nn.Linear(shape.width, OUTCOMES)
        self.piece = nn.Linear(shape.width, 1)
        # MPNet knows no segments: the larger network learns them, from nothing.
        nn.init.zeros_(self.segments.weight)
        fixed = [self.words, self.positions, self.norm, self.distances if shape.distances else self.segments]
        for part in fixed:
            part.requires_grad_(False)

    def forward(self, pieces: Tensor, segments: Tensor, lengths: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Logits of the claims' outcomes and of all subwords; `lengths` where rows are padded."""
        places = torch.arange(pieces.shape[1], device=pieces.device)
        x = self.norm(self.words(pieces) + self.positions(places) + self.segments(segments))
        x = self.dropout(
            x.to(torch.get_autocast_dtype(x.device.type)) if torch.is_autocast_enabled(x.device.type) else x
        )
        bias = None
        if lengths is not None:
            bias = ((places >= lengths[:, None]) * -1e4)[:, None, None].to(x.dtype)
        if self.distances is not None:
            near = self.distances(distance_buckets(places, BUCKETS)).permute(2, 0, 1)[None].to(x.dtype)
            bias = near if bias is None else bias + near
        for layer in self.layers:
            x = layer(x, bias)
        return self.whole(self.dropout(x[:, 0])), self.piece(self.dropout(x)).squeeze(-1)


def load_small(model: SupportModel, path: Path) -> None:
    """The published MiniLM or gte-small, under its own names."""
    _fill(model, our_arrays(tensors(read_weights(path)), len(model.layers), torch.cat))


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
