"""The learned method: a network that reads both statements, how near these are, and what their words tell.

Weights were fitted to judged pairs (`tupelo_training.entail`); `tupelo.infer.judge` has the sum. The score is a
probability, and directional: that a statement is near another does not make it follow from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from tupelo.core.entailment import EntailmentPair
from tupelo.core.progress import Advance
from tupelo.infer.features import NAMES
from tupelo.infer.judge import SHIPPED, Judge, input_blocks
from tupelo.infer.methods.encoder import AT_ONCE
from tupelo.infer.resources import Resources

if TYPE_CHECKING:
    from tupelo.infer.network import PairNetwork
    from tupelo.nlp.encoder import Encoder

_MEANINGS = {
    "network": "what the network makes of both statements together",
    "statements": "how near the statements are, dimension by dimension",
    "relations": "how near the relations are, dimension by dimension",
    "premise": "what the premise's relation says by itself",
    "hypothesis": "what the hypothesis' relation says by itself",
    "cosines": "cosines of statements and relations",
    "covered": "words of the hypothesis that the premise has",
    "covering": "words of the premise that the hypothesis has",
    "surplus": "words of the premise alone",
    "missing": "words of the hypothesis alone",
    "equal_content": "the same content words",
    "same_head": "the same first content word",
    "negation_differs": "only one is negated",
    "negated_premise": "the premise is negated",
    "negated_hypothesis": "the hypothesis is negated",
    "weaker_premise": "only the premise is hedged (may, can)",
    "weaker_hypothesis": "only the hypothesis is hedged (may, can)",
    "past_premise_only": "only the premise is past",
    "past_hypothesis_only": "only the hypothesis is past",
    "staged_premise_only": "only the premise is about a beginning or an attempt",
    "staged_hypothesis_only": "only the hypothesis is about a beginning or an attempt",
    "swapped": "the arguments change places",
    "voice_fits": "voice and order of arguments fit",
    "copular_premise_only": "only the premise says what something is",
    "copular_hypothesis_only": "only the hypothesis says what something is",
    "same_preposition": "the same preposition",
    "other_preposition": "another preposition",
    "vague_premise": "the premise is vague",
    "vague_hypothesis": "the hypothesis is vague",
    "longer_premise": "the premise is longer",
    "longer_hypothesis": "the hypothesis is longer",
}
_LEAST_SHOWN = 0.1


class Learned:
    """Probability that the premise entails the hypothesis."""

    name: ClassVar[str] = "learned"
    directional: ClassVar[bool] = True
    needs: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, resources: Resources) -> None:
        self._resources = resources
        self._judge = Judge(SHIPPED)

    @cached_property
    def _encoder(self) -> Encoder:
        return self._resources.open_encoder()

    @cached_property
    def _network(self) -> PairNetwork:
        return self._judge.network(self._encoder)

    def scores(self, pairs: Sequence[EntailmentPair], advance: Advance | None = None) -> list[float]:
        found: list[float] = []
        for start in range(0, len(pairs), AT_ONCE):
            part = pairs[start : start + AT_ONCE]
            blocks = input_blocks(part, self._encoder)
            found += self._judge.probabilities(blocks, self._network.logits(part)).tolist()
            if advance is not None:
                advance(len(part))
        return found

    def explain(self, pair: EntailmentPair) -> list[str]:
        blocks = input_blocks([pair], self._encoder)
        added = self._judge.contributions(blocks, self._network.logits([pair]))
        parts = {name: float(part[0]) for name, part in added.items()}
        near = blocks["cosines"][:, 0]
        words = self._judge.word_contributions(blocks["words"], near)[0].tolist()
        # The words one by one instead of together; those that a pair does not have add nothing.
        shown = {name: part for name, part in parts.items() if not name.startswith("words")}
        shown |= dict(zip(NAMES, words, strict=True))
        ranked = sorted(shown.items(), key=lambda item: -abs(item[1]))
        lines = [f"{part:+.2f}  {_MEANINGS[name]}" for name, part in ranked if abs(part) >= _LEAST_SHOWN]
        return [f"cosine of the statements {near[0]:.2f}, of the relations {blocks['cosines'][0, 1]:.2f}", *lines]
