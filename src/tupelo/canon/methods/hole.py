"""HolE + HAC: vectors trained on the structure of the triples, then hierarchical clustering."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tupelo.canon.methods.trained import TrainedVectors


@dataclass(frozen=True, slots=True)
class Hole(TrainedVectors):
    """The row GloVe+HolE+HAC of the COMBO paper."""

    side: float = 0.0

    name: ClassVar[str] = "hole"
    needs: ClassVar[frozenset[str]] = frozenset()
