"""Cosine of the sentence encoder's vectors of the two whole triples, each read as a sentence. Symmetric."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from tupelo.core.entailment import EntailmentPair
from tupelo.core.extraction import Triple
from tupelo.core.progress import Advance
from tupelo.infer.resources import Resources

if TYPE_CHECKING:
    from tupelo.nlp.encoder import Encoder


# Pairs between two reports of progress; many, so that texts of equal length meet.
AT_ONCE = 1_024


class EncoderCosine:
    """How near the two statements are."""

    name: ClassVar[str] = "encoder"
    directional: ClassVar[bool] = False
    needs: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, resources: Resources) -> None:
        self._resources = resources

    @cached_property
    def _encoder(self) -> Encoder:
        return self._resources.open_encoder()

    def scores(self, pairs: Sequence[EntailmentPair], advance: Advance | None = None) -> list[float]:
        found: list[float] = []
        for start in range(0, len(pairs), AT_ONCE):
            part = pairs[start : start + AT_ONCE]
            texts = [as_text(triple) for pair in part for triple in (pair.premise, pair.hypothesis)]
            vectors = self._encoder.encode(texts).astype(np.float64)
            found += (vectors[::2] * vectors[1::2]).sum(axis=1).tolist()
            if advance is not None:
                advance(len(part))
        return found

    def explain(self, pair: EntailmentPair) -> list[str]:
        bare = [Triple("", triple.relation, "") for triple in (pair.premise, pair.hypothesis)]
        relations = EntailmentPair(bare[0], bare[1])
        return [
            f"cosine of the statements {self.scores([pair])[0]:.3f}, of the relations alone "
            f"{self.scores([relations])[0]:.3f}"
        ]


def as_text(triple: Triple) -> str:
    """A triple as a sentence."""
    return f"{triple.subject} {triple.relation} {triple.object}".strip()
