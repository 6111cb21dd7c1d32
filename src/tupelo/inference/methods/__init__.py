"""The entailment methods by name, and their resources.

A method is one class: `name`, `title`, `needs` and `directional` are its attributes. Other packages add theirs
through the entry point group `tupelo.inference_methods`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from tupelo.core import InputError, Registry
from tupelo.core.assertion import Assertion
from tupelo.core.entailment import EntailmentPair
from tupelo.core.progress import Advance
from tupelo.core.vectors import Vectors

if TYPE_CHECKING:
    from tupelo.core.protocols import SupportReader
    from tupelo.nlp.encoder import Encoder


_NEEDED = {
    "vectors": "vectors of relations: give --vectors (tupelo embed makes them)",
    "assertions": "assertions to count in: give --assertions",
    "support": "the support model",
}
# Pairs between two reports of progress; many, so that texts of equal length share batches.
AT_ONCE = 1_024


@dataclass(frozen=True, slots=True)
class InferenceResources:
    """Resources, `None` if not given. `encoder` and `support` open their model on first use."""

    vectors: Vectors | None = None
    assertions: Iterable[Assertion] | None = None
    encoder: Callable[[], Encoder] | None = None
    support: Callable[[], SupportReader] | None = None

    def require(self, name: str, method: str) -> Any:
        """The resource of that name; an error with the option that gives it if it is missing."""
        found = getattr(self, name)
        if found is None:
            raise InputError(f"method '{method}' needs {_NEEDED[name]}")
        return found

    def open_encoder(self) -> Encoder:
        """The encoder that was given, the shipped one otherwise."""
        if self.encoder is not None:
            return self.encoder()
        from tupelo.nlp.encoder import load_encoder

        return load_encoder()


class EntailmentMethod(Protocol):
    """Scores how strongly premises entail hypotheses. Constructors take `InferenceResources` and do no work.

    A larger score means a stronger entailment; scores of different methods are not comparable. `needs` names the
    resources without which a method cannot run. A method that is not `directional` returns the same score for
    both orders of a pair. One that `reads_sentences` (optional, `False` if it is missing) is given sentences as they
    are; for other methods they are split into arguments and relation.
    """

    name: ClassVar[str]
    directional: ClassVar[bool]
    needs: ClassVar[frozenset[str]]

    def scores(self, pairs: Sequence[EntailmentPair], advance: Advance | None = None) -> Sequence[float]:
        """One score per pair, in order. Slow methods report progress to `advance`, in pairs."""

    def explain(self, pair: EntailmentPair) -> Sequence[str]:
        """Reasons for the score as lines for people, the most important first."""


class ShippedEntailment:
    """Base of our methods: scores in batches, and the encoder on first use."""

    name: ClassVar[str]
    directional: ClassVar[bool] = True
    needs: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, resources: InferenceResources) -> None:
        self._resources = resources

    @cached_property
    def _encoder(self) -> Encoder:
        return self._resources.open_encoder()

    def scores(self, pairs: Sequence[EntailmentPair], advance: Advance | None = None) -> list[float]:
        found: list[float] = []
        for start in range(0, len(pairs), AT_ONCE):
            part = pairs[start : start + AT_ONCE]
            found += self._scores(part)
            if advance is not None:
                advance(len(part))
        return found

    def _scores(self, pairs: Sequence[EntailmentPair]) -> Sequence[float]:
        return [self._score(pair) for pair in pairs]

    def _score(self, pair: EntailmentPair) -> float:
        raise NotImplementedError  # pragma: no cover


METHODS: Registry[Callable[[InferenceResources], EntailmentMethod]] = Registry(
    "entailment-method",
    {
        "lemma": "tupelo_training.entail.untrained:LemmaContainment",
        "overlap": "tupelo_training.entail.untrained:RelationOverlap",
        "embedding": "tupelo_training.entail.untrained:EmbeddingCosine",
        "inclusion": "tupelo_training.entail.inclusion:FeatureInclusion",
        "binc": "tupelo_training.entail.inclusion:BalancedInclusion",
        "encoder": "tupelo_training.entail.untrained:EncoderCosine",
        "support": "tupelo.inference.methods.support:Supported",
        "learned": "tupelo.inference.methods.learned:Learned",
    },
    group="tupelo.inference_methods",
)
# The method that is used unless another one is named.
DEFAULT = "learned"
