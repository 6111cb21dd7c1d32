"""Side information + HAC: vectors of forms that side information holds to be one are drawn together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tupelo.canon.methods.trained import TrainedVectors


@dataclass(frozen=True, slots=True)
class SideInformation(TrainedVectors):
    """The row GloVe+SI+HAC of the COMBO paper."""

    structure: float = 0.0

    name: ClassVar[str] = "side"
    needs: ClassVar[frozenset[str]] = frozenset()
