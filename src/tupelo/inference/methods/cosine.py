"""Symmetric methods: the cosine of relation embeddings, and of the sentence encoder's vectors.

`embedding` is in the manner of DIRT: relations with similar arguments are similar. The vectors come from `tupelo
embed relations`, or from any file of vectors. A relation without one gets the mean of the vectors of its words where
those exist; a pair without any vector scores -1. `encoder` encodes the two whole triples as sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from tupelo.core.entailment import EntailmentPair
from tupelo.core.extraction import Triple
from tupelo.core.vectors import Floats32, Vectors, unit_rows
from tupelo.inference.methods import InferenceResources, ShippedEntailment
from tupelo.inference.phrases import folded
from tupelo.relations.phrases import base_relation, read_phrase

UNKNOWN = -1.0


class EmbeddingCosine(ShippedEntailment):
    """Cosine of the vectors of two relations."""

    name: ClassVar[str] = "embedding"
    title: ClassVar[str] = "cosine of relation vectors (--vectors), as in DIRT; symmetric"
    directional: ClassVar[bool] = False
    needs: ClassVar[frozenset[str]] = frozenset({"vectors"})

    def __init__(self, resources: InferenceResources) -> None:
        self._vectors: Vectors = resources.require("vectors", self.name)

    def _scores(self, pairs: Sequence[EntailmentPair]) -> list[float]:
        return [self._score(pair) for pair in pairs]

    def _score(self, pair: EntailmentPair) -> float:
        one, other = (direction_of(self._vectors, text) for text in (pair.premise.relation, pair.hypothesis.relation))
        return UNKNOWN if one is None or other is None else float(one @ other)

    def explain(self, pair: EntailmentPair) -> list[str]:
        lines = [f"cosine {self._score(pair):.3f}"]
        for text in (pair.premise.relation, pair.hypothesis.relation):
            name = known_name(self._vectors, text)
            if name is not None:
                near = ", ".join(item.name for item in self._vectors.neighbours(name, 5))
                lines.append(f"near '{text}': {near}")
            elif direction_of(self._vectors, text) is not None:
                lines.append(f"'{text}' has no vector; that of its words is used")
            else:
                lines.append(f"'{text}' has no vector")
        return lines


def known_name(vectors: Vectors, text: str) -> str | None:
    """The name of a phrase in the vectors: as it is, in lower case, with underscores, or in base form."""
    lower = folded(text)
    names = text, lower, lower.replace(" ", "_"), base_relation(text)
    return next((name for name in names if name in vectors), None)


def direction_of(vectors: Vectors, text: str) -> Floats32 | None:
    """The direction of a relation's vector, or of the mean of its words'; `None` when there is neither."""
    name = known_name(vectors, text)
    if name is not None:
        direction: Floats32 = vectors.directions[vectors.index[name]]
        return direction
    rows = [vectors.index[word] for word in read_phrase(text).words if word in vectors]
    if not rows:
        return None
    mean: Floats32 = unit_rows(np.mean(vectors.directions[rows], axis=0, keepdims=True, dtype=np.float32))[0]
    return mean


class EncoderCosine(ShippedEntailment):
    """Cosine of the vectors of two statements."""

    name: ClassVar[str] = "encoder"
    title: ClassVar[str] = "cosine of the statements' vectors; symmetric"
    directional: ClassVar[bool] = False

    def _scores(self, pairs: Sequence[EntailmentPair]) -> list[float]:
        texts = [as_text(triple) for pair in pairs for triple in (pair.premise, pair.hypothesis)]
        vectors = self._encoder.encode(texts).astype(np.float64)
        found: list[float] = (vectors[::2] * vectors[1::2]).sum(axis=1).tolist()
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
