"""The entailment methods by name, and what they may use besides the pairs.

A method is one class: `name`, `title`, `needs` and `directional` are its attributes. Other packages add theirs
through the entry point group `tupelo.inference_methods`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol

from tupelo.core import InputError, Registry
from tupelo.core.entailment import EntailmentPair
from tupelo.core.progress import Advance
from tupelo.core.vectors import Vectors

if TYPE_CHECKING:
    from tupelo.infer.methods.inclusion import Distribution
    from tupelo.nlp.encoder import Encoder


@dataclass(frozen=True, slots=True)
class InferenceResources:
    """What is `None` was not given. `encoder` makes the sentence encoder when it is first needed."""

    vectors: Vectors | None = None
    distribution: Distribution | None = None
    encoder: Callable[[], Encoder] | None = None

    def need_vectors(self, method: str) -> Vectors:
        if self.vectors is None:
            raise InputError(
                f"method '{method}' needs vectors of relations: give --vectors (tupelo embed makes them)"
            )
        return self.vectors

    def need_distribution(self, method: str) -> Distribution:
        if self.distribution is None:
            raise InputError(f"method '{method}' needs assertions to count in: give --assertions")
        return self.distribution

    def open_encoder(self) -> Encoder:
        """The encoder that was given, the shipped one otherwise."""
        if self.encoder is not None:
            return self.encoder()
        from tupelo.nlp.encoder import load_encoder

        return load_encoder()


class EntailmentMethod(Protocol):
    """Says how strongly premises entail hypotheses. Constructors take `InferenceResources` and do no work.

    A larger score means a stronger entailment; scores of different methods are not comparable. `needs` names the
    resources without which a method cannot run. A method that is not `directional` gives both orders of a pair the
    same score.
    """

    name: ClassVar[str]
    directional: ClassVar[bool]
    needs: ClassVar[frozenset[str]]

    def scores(self, pairs: Sequence[EntailmentPair], advance: Advance | None = None) -> Sequence[float]:
        """One number per pair, in order. Methods that take long tell `advance` how many pairs they have done."""

    def explain(self, pair: EntailmentPair) -> Sequence[str]:
        """Why the score is what it is: lines for people, the most important first."""


METHODS: Registry[Callable[[InferenceResources], EntailmentMethod]] = Registry(
    "entailment-method",
    {
        "lemma": "tupelo.infer.methods.lexical:LemmaContainment",
        "overlap": "tupelo.infer.methods.lexical:RelationOverlap",
        "embedding": "tupelo.infer.methods.cosine:EmbeddingCosine",
        "inclusion": "tupelo.infer.methods.inclusion:FeatureInclusion",
        "binc": "tupelo.infer.methods.inclusion:BalancedInclusion",
        "encoder": "tupelo.infer.methods.cosine:EncoderCosine",
        "learned": "tupelo.infer.methods.learned:Learned",
    },
    group="tupelo.inference_methods",
)
# The method that is used unless another one is named.
DEFAULT = "learned"
