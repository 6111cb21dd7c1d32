"""Contextual vectors and hierarchical clustering: the encoder rows of the COMBO paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from tupelo.canon.encoders.pooling import phrase_states
from tupelo.canon.resources import Resources, StateEncoder
from tupelo.canon.vectors import VectorCut, standardized
from tupelo.core import InputError
from tupelo.core.canonical import SLOTS, SUBTASKS, TripleMention
from tupelo.core.progress import Advance


@dataclass(frozen=True, slots=True)
class EncoderVectors:
    """`form`, `pooling` and `layer` (0 for the embeddings, -1 for the last) as the paper varies them."""

    form: str = "sentence"
    pooling: str = "mean"
    layer: int = -1
    standardize: bool = True
    linkage: str = "complete"
    approximate: bool = False

    name: ClassVar[str] = "encoder"
    needs: ClassVar[frozenset[str]] = frozenset({"encoder"})

    def prepare(
        self,
        mentions: Sequence[TripleMention],
        resources: Resources,
        *,
        seed: int = 0,
        advance: Advance = lambda steps: None,
    ) -> EncodedMentions:
        encoder: StateEncoder = resources.require("encoder", self.name)
        if not -encoder.layers - 1 <= self.layer <= encoder.layers:
            raise InputError(f"layer {self.layer}, expected 0 to {encoder.layers} for this encoder")
        states = phrase_states(encoder, mentions, self.form, self.pooling, advance)
        return EncodedMentions(self, states[:, :, self.layer])


@dataclass(frozen=True, slots=True)
class EncodedMentions:
    method: EncoderVectors
    vectors: NDArray[np.float32]

    def subtask(self, name: str) -> VectorCut:
        vectors = self.vectors[:, SLOTS.index(SUBTASKS[name])]
        return VectorCut(
            standardized(vectors) if self.method.standardize else vectors,
            linkage=self.method.linkage,
            approximate=self.method.approximate,
        )
