"""The learned method: networks that read both statements, how close these are, and features of their words.

Sentences are scored by the support model alone (`tupelo.inference.methods.support`). In any case, the logit is higher
if both relations are known to be the same (`tupelo.inference.statements`).

Triples are judged as in Levy/Holt, whose annotators were more generous. The logit is a weighted sum of that of the
support model and another one. If only one of the two statements is negated, or both have the same words but different
roles or prepositions, the support model decides alone, unless the relations are known to be the same; other pairs
with a low probability without it are not scored by it.

The other logit is the mean of two. One is that of `PairNetwork`, the other a weighted sum of

* the products of the two statements' vectors, dimension by dimension: a cosine with a weight per dimension;
* the same for the relations alone;
* the vector of the premise's relation and that of the hypothesis': some relations are entailed by many others, and
  some entail few;
* the two cosines, their squares and product;
* the features of words (`FEATURES`), alone and times the cosine of the statements.

Weights were fitted to judged pairs (`tupelo_training.entail`). The score is a directional
probability: similarity alone is no entailment.

`PairNetwork` has layers of its own on the shipped encoder's embeddings. Premise and hypothesis are one input, parts
separated by bars, so every word of one can be compared with every word of the other. One linear unit scores three
states of the last layer: that of [CLS] and the means over the subwords of each relation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from tupelo.core.entailment import EntailmentPair, is_whole
from tupelo.core.extraction import Triple
from tupelo.core.numeric import sigmoid
from tupelo.core.protocols import SupportReader
from tupelo.inference.methods.support import SUREST, Supported, are_known, support_logits
from tupelo.inference.statements import KNOWN, are_swapped, as_text, known_reason, with_arguments
from tupelo.nlp.encoder import CrossEncoder, EncodedText, Encoder, TextPair
from tupelo.nlp.folder import ModelFolder, find_model
from tupelo.nlp.languages import language_data
from tupelo.nlp.languages.en.grammar import PREPOSITIONS, VAGUE_RELATION_WORDS
from tupelo.relations.forms import manner
from tupelo.relations.phrases import RelationPhrase, read_phrase
from tupelo.relations.roles import has_agent

# Only the first characters of a part are read: arguments may be whole clauses, and cost grows with their length.
_MOST_CHARACTERS = 400


@dataclass(frozen=True, slots=True)
class Reading:
    """A pair in subwords. `first` and `second` are the half-open positions of the two relations."""

    ids: tuple[int, ...]
    segments: tuple[int, ...]
    first: tuple[int, int]
    second: tuple[int, int]

    @property
    def pair(self) -> TextPair:
        return TextPair(self.ids, self.segments.index(1))


def read_pair(premise: Triple, hypothesis: Triple, encoder: Encoder) -> Reading:
    """Premise and hypothesis as one input of a network with the encoder's vocabulary."""
    texts, spans = zip(*(_text(triple) for triple in (premise, hypothesis)), strict=True)
    subwords, segments = encoder.cut_pair(*texts)
    places = [_places(subwords, segments, number, span) for number, span in enumerate(spans)]
    return Reading(subwords.ids, segments, places[0], places[1])


def _text(triple: Triple) -> tuple[str, tuple[int, int]]:
    subject, relation, target = (
        " ".join(part.split())[:_MOST_CHARACTERS] for part in (triple.subject, triple.relation, triple.object)
    )
    start = len(subject) + 3
    return f"{subject} | {relation} | {target}", (start, start + len(relation))


def _places(subwords: EncodedText, segments: tuple[int, ...], number: int, span: tuple[int, int]) -> tuple[int, int]:
    """The subwords of one text that lie in a span of its characters; [CLS] where there are none."""
    found = [
        place
        for place, ((start, end), segment) in enumerate(zip(subwords.offsets, segments, strict=True))
        if segment == number and start < end and start >= span[0] and end <= span[1]
    ]
    return (found[0], found[-1] + 1) if found else (0, 1)


LAST = "layer6"


class PairNetwork:
    """Layers from a folder and the unit above them, [3 * width]."""

    def __init__(self, folder: ModelFolder, unit: Sequence[float], bias: float, encoder: Encoder) -> None:
        self._unit = np.array(unit, dtype=np.float32)
        self._bias = bias
        self._network = CrossEncoder(encoder, folder, {LAST: self._unit.size // 3})

    def logits(self, pairs: Sequence[EntailmentPair]) -> Floats:
        """One for each pair. Pairs of equal length share a batch, so nothing is padded; equal ones are read once."""
        order: dict[Reading, int] = {}
        rows = [
            order.setdefault(read_pair(pair.premise, with_arguments(pair), self._network.encoder), len(order))
            for pair in pairs
        ]
        readings = list(order)
        found = np.zeros(len(readings))
        for places, (states,) in self._network.read([reading.pair for reading in readings]):
            found[places] = self._scores(states, [readings[place] for place in places])
        return found[rows]

    def _scores(self, states: NDArray[np.float32], readings: Sequence[Reading]) -> NDArray[np.float32]:
        features = np.empty((len(readings), self._unit.size), dtype=np.float32)
        for row, (state, reading) in enumerate(zip(states, readings, strict=True)):
            relations = [state[slice(*span)].mean(axis=0) for span in (reading.first, reading.second)]
            features[row] = np.concatenate([state[0], *relations])
        found: NDArray[np.float32] = features @ self._unit + np.float32(self._bias)
        return found


Floats = NDArray[np.float64]

# Name -> meaning, in the order of the weights.
FEATURES: Mapping[str, str] = language_data("entailment")["features"]
NAMES = tuple(FEATURES)


def word_features(pair: EntailmentPair) -> list[float]:
    """One number for each of `FEATURES`."""
    premise, hypothesis = read_phrase(pair.premise.relation), read_phrase(pair.hypothesis.relation)
    known, wanted = set(premise.content), set(hypothesis.content)
    both = known & wanted
    swapped = are_swapped(pair)
    longer = len(premise.words) - len(hypothesis.words)
    prepositions = premise.preposition, hypothesis.preposition

    def only_one(here: bool, there: bool) -> tuple[float, float]:
        return float(here and not there), float(there and not here)

    return [
        _share(both, wanted),
        _share(both, known),
        min(len(known - wanted), 3) / 3,
        min(len(wanted - known), 3) / 3,
        float(known == wanted),
        float(bool(premise.content) and premise.content[:1] == hypothesis.content[:1]),
        float(premise.negated != hypothesis.negated),
        float(premise.negated),
        float(hypothesis.negated),
        *only_one(premise.weak, hypothesis.weak),
        *only_one(premise.past, hypothesis.past),
        *only_one(premise.staged, hypothesis.staged),
        float(swapped),
        float(swapped == (premise.passive != hypothesis.passive)),
        *only_one(premise.copular, hypothesis.copular),
        float(None not in prepositions and prepositions[0] == prepositions[1]),
        float(None not in prepositions and prepositions[0] != prepositions[1]),
        _vagueness(premise),
        _vagueness(hypothesis),
        min(max(longer, 0), 4) / 4,
        min(max(-longer, 0), 4) / 4,
    ]


def _share(part: set[str], whole: set[str]) -> float:
    return len(part) / len(whole) if whole else 0.0


def _vagueness(phrase: RelationPhrase) -> float:
    words = [base for base in phrase.content if base not in PREPOSITIONS]
    return sum(base in VAGUE_RELATION_WORDS for base in words) / len(words) if words else 1.0


FORMAT = 3
SHIPPED = "en-entail"
WEIGHTS = "weights.json"

# The blocks of inputs, in the order of their weights.
BLOCKS = ("statements", "relations", "premise", "hypothesis", "cosines", "words", "words_if_near")


def input_blocks(pairs: Sequence[EntailmentPair], encoder: Encoder) -> dict[str, Floats]:
    """The inputs of the weights: a row per pair in every block."""
    texts = (
        [text for pair in pairs for text in (as_text(pair.premise), as_text(with_arguments(pair)))],
        [text for pair in pairs for text in (pair.premise.relation, pair.hypothesis.relation)],
    )
    statements, relations = (encoder.encode(some).astype(np.float64).reshape(len(pairs), 2, -1) for some in texts)
    products, relation_products = statements[:, 0] * statements[:, 1], relations[:, 0] * relations[:, 1]
    near, relation_near = products.sum(axis=1), relation_products.sum(axis=1)
    words = np.array([word_features(pair) for pair in pairs], dtype=np.float64).reshape(len(pairs), len(NAMES))
    return {
        "statements": products,
        "relations": relation_products,
        "premise": relations[:, 0],
        "hypothesis": relations[:, 1],
        "cosines": np.stack([near, relation_near, near**2, relation_near**2, near * relation_near], axis=1),
        "words": words,
        "words_if_near": words * near[:, None],
    }


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


_MEANINGS = {**language_data("entailment")["blocks"], **FEATURES}
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
