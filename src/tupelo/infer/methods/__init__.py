"""Ways to tell whether one relation entails another, by name."""

from __future__ import annotations

from tupelo.core import Registry
from tupelo.core.protocols import EntailmentMethod

METHODS: Registry[type[EntailmentMethod]] = Registry(
    "entailment-method",
    {
        "lemma": "tupelo.infer.methods.lemma:LemmaContainment",
        "overlap": "tupelo.infer.methods.overlap:TokenOverlap",
        "embedding": "tupelo.infer.methods.embedding:EmbeddingCosine",
        "inclusion": "tupelo.infer.methods.inclusion:FeatureInclusion",
        "binc": "tupelo.infer.methods.inclusion:BalancedInclusion",
        "encoder": "tupelo.infer.methods.encoder:EncoderCosine",
    },
)
# What is used when nobody chooses.
DEFAULT = "encoder"

__all__ = ["DEFAULT", "METHODS"]
