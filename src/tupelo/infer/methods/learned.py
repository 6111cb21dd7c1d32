"""The learned method: a network that reads both statements at once, and what their words tell.

The network is the upper half of a small transformer over the states of the shipped sentence encoder; it was trained
on judged pairs (`training/entail`). Its answers for both directions, two cosines and the features of
`tupelo.infer.features` are weighed by a logistic regression. The score is a probability, and directional: that a
statement is near another does not make it follow from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from tupelo.core.entailment import EntailmentPair
from tupelo.core.protocols import Advance
from tupelo.infer.features import NAMES, feature_table
from tupelo.infer.methods.encoder import AT_ONCE, as_text
from tupelo.infer.network import EntailmentNetwork, load_network
from tupelo.infer.resources import Resources

if TYPE_CHECKING:
    from tupelo.nlp.encoder import Encoder

Floats = NDArray[np.float64]

# What stands before the features of words, in the order of the weights that ship.
NETWORK_NAMES = ("network", "network_reversed", "cosine", "relation_cosine")
ALL_NAMES = (*NETWORK_NAMES, *NAMES)

_MEANINGS = {
    "network": "the network's answer",
    "network_reversed": "the network's answer for the reverse",
    "cosine": "how near the statements are",
    "relation_cosine": "how near the relations are",
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


class Learned:
    """Probability that the premise entails the hypothesis."""

    name: ClassVar[str] = "learned"
    directional: ClassVar[bool] = True
    needs: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, resources: Resources) -> None:
        self._resources = resources

    @cached_property
    def _encoder(self) -> Encoder:
        return self._resources.open_encoder()

    @cached_property
    def _network(self) -> EntailmentNetwork:
        return load_network(self._encoder)

    def scores(self, pairs: Sequence[EntailmentPair], advance: Advance | None = None) -> list[float]:
        found: list[float] = []
        for start in range(0, len(pairs), AT_ONCE):
            part = pairs[start : start + AT_ONCE]
            found += self._network.weigh(self.table(part)).tolist()
            if advance is not None:
                advance(len(part))
        return found

    def table(self, pairs: Sequence[EntailmentPair]) -> Floats:
        """A row of `ALL_NAMES` for each pair."""
        both = self._network.answers([*pairs, *(pair.reversed() for pair in pairs)])
        return input_table(pairs, both[: len(pairs)], both[len(pairs) :], self._encoder)

    def explain(self, pair: EntailmentPair) -> list[str]:
        table = self.table([pair])
        parts = self._network.contributions(table)[0]
        ranked = sorted(
            zip(parts.tolist(), ALL_NAMES, table[0].tolist(), strict=True), key=lambda item: -abs(item[0])
        )
        return [
            f"{part:+.2f}  {_MEANINGS[name]}" + (f" ({value:.2f})" if name in NETWORK_NAMES else "")
            for part, name, value in ranked
            if abs(part) >= 0.1
        ]


def input_table(pairs: Sequence[EntailmentPair], forward: Floats, backward: Floats, encoder: Encoder) -> Floats:
    """The network's answers, the two cosines and the features of words, side by side."""
    columns = [forward, backward]
    for text_of in (as_text, lambda triple: triple.relation):
        texts = [text_of(triple) for pair in pairs for triple in (pair.premise, pair.hypothesis)]
        vectors = encoder.encode(texts).astype(np.float64)
        columns.append((vectors[::2] * vectors[1::2]).sum(axis=1))
    return np.concatenate([np.stack(columns, axis=1), feature_table(pairs)], axis=1)
