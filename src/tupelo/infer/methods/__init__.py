"""Ways to tell whether one relation entails another, by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Protocol

from tupelo.core import Registry
from tupelo.core.entailment import EntailmentPair
from tupelo.core.progress import Advance
from tupelo.infer.resources import Resources


class EntailmentMethod(Protocol):
    """Says how strongly premises entail hypotheses. Constructors take a `infer.resources.Resources` and do no work.

    A larger score means a stronger entailment; scores of different methods
    are not comparable. `needs` names the resources without which a method
    cannot run. A method that is not `directional` gives both orders of a pair
    the same score.
    """

    name: ClassVar[str]
    directional: ClassVar[bool]
    needs: ClassVar[frozenset[str]]

    def scores(self, pairs: Sequence[EntailmentPair], advance: Advance | None = None) -> Sequence[float]:
        """One number per pair, in order. Methods that take long tell `advance` how many pairs they have done."""

    def explain(self, pair: EntailmentPair) -> Sequence[str]:
        """Why the score is what it is: lines for people, the most important first."""


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
