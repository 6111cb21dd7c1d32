"""Ways to tell whether one relation entails another, by name."""

from __future__ import annotations

from collections.abc import Callable

from tupelo.core import Registry
from tupelo.core.protocols import EntailmentMethod
from tupelo.infer.resources import Resources

METHODS: Registry[Callable[[Resources], EntailmentMethod]] = Registry(
    "entailment-method",
    {
        "lemma": "tupelo.infer.methods.lemma:LemmaContainment",
        "overlap": "tupelo.infer.methods.overlap:TokenOverlap",
        "embedding": "tupelo.infer.methods.embedding:EmbeddingCosine",
        "inclusion": "tupelo.infer.methods.inclusion:FeatureInclusion",
        "binc": "tupelo.infer.methods.inclusion:BalancedInclusion",
        "encoder": "tupelo.infer.methods.encoder:EncoderCosine",
        "learned": "tupelo.infer.methods.learned:Learned",
    },
)
TITLES = {
    "lemma": "the premise has every base form of the hypothesis",
    "overlap": "shared words of the relations, rare words counting more; symmetric",
    "embedding": "cosine of relation vectors (--vectors), as in DIRT; symmetric",
    "inclusion": "the premise's arguments are arguments of the hypothesis (--assertions)",
    "binc": "the same, balanced with similarity: BInc (--assertions)",
    "encoder": "cosine of the statements' vectors; symmetric",
    "learned": "fitted to judged pairs: vectors and what the words tell; a probability",
}
# What is used when nobody chooses.
DEFAULT = "learned"

__all__ = ["DEFAULT", "METHODS", "TITLES"]
