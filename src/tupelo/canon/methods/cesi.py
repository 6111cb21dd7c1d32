"""CESI: structure and side information in one objective, then clustering (Vashishth et al., WWW 2018)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tupelo.canon.methods.trained import TrainedVectors


@dataclass(frozen=True, slots=True)
class Cesi(TrainedVectors):
    """The row CESI of the COMBO paper."""

    name: ClassVar[str] = "cesi"
    needs: ClassVar[frozenset[str]] = frozenset()
