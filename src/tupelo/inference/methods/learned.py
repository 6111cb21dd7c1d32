"""The learned method: networks that read both statements, how close these are, and features of their words.

Sentences are scored by the support model alone (`tupelo.inference.methods.support`). In any case, the logit is higher
if both relations are known to be the same (`tupelo.inference.known`).

Triples are judged as in Levy/Holt, whose annotators were more generous. The logit is a weighted sum of that of the
support model and another one. If only one of the two statements is negated, or both have the same words but different
roles or prepositions, the support model decides alone, unless the relations are known to be the same; other pairs
with a low probability without it are not scored by it.

The other logit is the mean of two. One is that of the network that reads both statements together
(`tupelo.inference.network`), the other a weighted sum of

* the products of the two statements' vectors, dimension by dimension: a cosine with a weight per dimension;
* the same for the relations alone;
* the vector of the premise's relation and that of the hypothesis': some relations are entailed by many others, and
  some entail few;
* the two cosines, their squares and product;
* the features of words (`tupelo.inference.features`), alone and times the cosine of the statements.

Weights were fitted to judged pairs (`tupelo_training.entail`). The score is a directional
probability: similarity alone is no entailment.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from tupelo.core.entailment import EntailmentPair, is_whole
from tupelo.core.numeric import sigmoid
from tupelo.core.protocols import SupportReader
from tupelo.inference.features import FEATURES, NAMES, feature_table
from tupelo.inference.known import KNOWN, known_reason
from tupelo.inference.methods.cosine import as_text
from tupelo.inference.methods.support import SUREST, Supported, are_known, support_logits
from tupelo.inference.network import PairNetwork
from tupelo.inference.phrases import are_swapped, with_arguments
from tupelo.nlp.encoder import Encoder
from tupelo.nlp.folder import ModelFolder, find_model
from tupelo.relations.forms import manner
from tupelo.relations.phrases import read_phrase
from tupelo.relations.roles import has_agent

Floats = NDArray[np.float64]

FORMAT = 3
SHIPPED = "en-entail"
WEIGHTS = "weights.json"

# The blocks of inputs, in the order of their weights.
BLOCKS = ("statements", "relations", "premise", "hypothesis", "cosines", "words", "words_if_near")


def input_blocks(pairs: Sequence[EntailmentPair], encoder: Encoder) -> dict[str, Floats]:
    """The inputs of the weights: a row per pair in every block."""
    statements, relations = (
        encoder.encode([text for pair in pairs for text in texts(pair)]).astype(np.float64).reshape(len(pairs), 2, -1)
        for texts in (_statements, _relations)
    )
    products, relation_products = statements[:, 0] * statements[:, 1], relations[:, 0] * relations[:, 1]
    near, relation_near = products.sum(axis=1), relation_products.sum(axis=1)
    words = feature_table(pairs)
    return {
        "statements": products,
        "relations": relation_products,
        "premise": relations[:, 0],
        "hypothesis": relations[:, 1],
        "cosines": np.stack([near, relation_near, near**2, relation_near**2, near * relation_near], axis=1),
        "words": words,
        "words_if_near": words * near[:, None],
    }


def _statements(pair: EntailmentPair) -> tuple[str, str]:
    return as_text(pair.premise), as_text(with_arguments(pair))


def _relations(pair: EntailmentPair) -> tuple[str, str]:
    return pair.premise.relation, pair.hypothesis.relation


class EntailmentWeights:
    """Weights from a folder."""

    def __init__(self, path: Path) -> None:
        self._folder = ModelFolder(path, "an entailment model")
        stored = self._folder.settings(FORMAT, WEIGHTS)
        with self._folder.reading(WEIGHTS):
            if stored["features"] != list(NAMES):
                raise ValueError("other features than those of this version")
            self._weights = {name: np.array(stored["weights"][name], dtype=np.float64) for name in BLOCKS}
            width = self._weights["statements"].shape
            if any(self._weights[name].shape != width for name in ("relations", "premise", "hypothesis")):
                raise ValueError("vectors of unequal size")
            if any(self._weights[name].shape != (len(NAMES),) for name in ("words", "words_if_near")):
                raise ValueError(f"words of another size than {len(NAMES)}")
            self._means = {name: float(stored["means"][name]) for name in BLOCKS}
            self._bias = float(stored["bias"])
            network = stored["network"]
            self._network_share, self._network_bias = float(network["share"]), float(network["bias"])
            self._network_unit = [float(weight) for weight in network["unit"]]
            self._support = {name: float(stored["support"][name]) for name in ("share", "bias", "least")}

    def network(self, encoder: Encoder) -> PairNetwork:
        """The network, on that encoder's embeddings."""
        return PairNetwork(self._folder, self._network_unit, self._network_bias, encoder)

    def contributions(self, blocks: Mapping[str, Floats], network: Floats) -> dict[str, Floats]:
        """Contributions of the network and of every block to the logit, relative to the mean in training."""
        share = 1 - self._network_share
        parts = {name: share * (blocks[name] @ self._weights[name] - self._means[name]) for name in BLOCKS}
        return {"network": self._network_share * network, **parts}

    def word_contributions(self, words: Floats, near: Floats) -> Floats:
        """Contributions of every word feature, alone and times the cosine."""
        alone: Floats = words * self._weights["words"] + words * near[:, None] * self._weights["words_if_near"]
        return (1 - self._network_share) * alone

    def logits(self, blocks: Mapping[str, Floats], network: Floats) -> Floats:
        """Logits of the network and the features, without the support model."""
        bias = (1 - self._network_share) * self._bias
        return np.asarray(sum(self.contributions(blocks, network).values()) + bias)

    def with_support(self, pairs: Sequence[EntailmentPair], logits: Floats, support: SupportReader) -> Floats:
        """Logits of pairs of triples, including the support model."""
        known = are_known(pairs)
        decided = ~known & np.array([_support_decides(pair) for pair in pairs], dtype=bool)
        read = np.flatnonzero(known | decided | (sigmoid(logits) >= self._support["least"]))
        supported = np.full(len(pairs), -SUREST)
        supported[read] = support_logits([pairs[place] for place in read.tolist()], support)
        share = self._support["share"]
        mixed = (1 - share) * logits + share * supported + self._support["bias"] + KNOWN * known
        return np.where(decided, supported, mixed)


def _support_decides(pair: EntailmentPair) -> bool:
    """Whether only one statement is negated, or the same words have different roles or prepositions."""
    texts = pair.premise.relation, pair.hypothesis.relation
    premise, hypothesis = map(read_phrase, texts)
    if premise.negated != hypothesis.negated or manner(texts[0]).negated != manner(texts[1]).negated:
        return True
    turned = are_swapped(pair) != (premise.passive != hypothesis.passive)
    prepositions = {None if has_agent(phrase) else phrase.preposition for phrase in (premise, hypothesis)}
    return set(premise.content) == set(hypothesis.content) and (turned or len(prepositions) > 1)


_MEANINGS = {
    "network": "what the network makes of both statements together",
    "statements": "how near the statements are, dimension by dimension",
    "relations": "how near the relations are, dimension by dimension",
    "premise": "what the premise's relation says by itself",
    "hypothesis": "what the hypothesis' relation says by itself",
    "cosines": "cosines of statements and relations",
    **FEATURES,
}
_LEAST_SHOWN = 0.1


class Learned(Supported):
    """Probability that the premise entails the hypothesis."""

    name: ClassVar[str] = "learned"
    title: ClassVar[str] = "networks that read both statements; fitted to judged pairs; a probability"

    @cached_property
    def _judge(self) -> EntailmentWeights:
        return EntailmentWeights(find_model(SHIPPED))

    @cached_property
    def _network(self) -> PairNetwork:
        return self._judge.network(self._encoder)

    def _logits(self, pairs: Sequence[EntailmentPair]) -> Floats:
        logits = np.zeros(len(pairs))
        whole = np.array([_is_read_whole(pair) for pair in pairs], dtype=bool)
        for places, judge in ((np.flatnonzero(whole), super()._logits), (np.flatnonzero(~whole), self._triples)):
            if places.size:
                logits[places] = judge([pairs[place] for place in places.tolist()])
        return logits

    def _triples(self, pairs: Sequence[EntailmentPair]) -> Floats:
        blocks = input_blocks(pairs, self._encoder)
        return self._judge.with_support(pairs, self._judge.logits(blocks, self._network.logits(pairs)), self._support)

    def explain(self, pair: EntailmentPair) -> list[str]:
        reasons = super().explain(pair)
        if _is_read_whole(pair):
            return reasons
        if known_reason(pair) is None and _support_decides(pair):
            return [*reasons, "only one is negated, or the roles or prepositions differ: nothing else counts"]
        return [*reasons, *self._explain_triples(pair)]

    def _explain_triples(self, pair: EntailmentPair) -> list[str]:
        blocks = input_blocks([pair], self._encoder)
        added = self._judge.contributions(blocks, self._network.logits([pair]))
        parts = {name: float(part[0]) for name, part in added.items()}
        near = blocks["cosines"][:, 0]
        words = self._judge.word_contributions(blocks["words"], near)[0].tolist()
        # Word features one by one instead of their sum; absent ones contribute nothing.
        shown = {name: part for name, part in parts.items() if not name.startswith("words")}
        shown |= dict(zip(NAMES, words, strict=True))
        ranked = sorted(shown.items(), key=lambda item: -abs(item[1]))
        lines = [f"{part:+.2f}  {_MEANINGS[name]}" for name, part in ranked if abs(part) >= _LEAST_SHOWN]
        return [f"cosine of the statements {near[0]:.2f}, of the relations {blocks['cosines'][0, 1]:.2f}", *lines]


def _is_read_whole(pair: EntailmentPair) -> bool:
    return is_whole(pair.premise) or is_whole(pair.hypothesis)
