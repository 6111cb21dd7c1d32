"""CUVA: clustering autoencoders with structure and side information (Dash et al., EMNLP 2021)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tupelo.canon.methods.vae_gmm import VaeGmm


@dataclass(frozen=True, slots=True)
class Cuva(VaeGmm):
    """Both shared losses at once."""

    structure: float = 0.5
    side: float = 0.5

    name: ClassVar[str] = "cuva"
