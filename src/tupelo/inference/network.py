"""The network that reads premise and hypothesis together: layers of its own on the shipped encoder's embeddings.

Premise and hypothesis are one input, parts separated by bars, so every word of one can be compared with every word of
the other. One linear unit scores three states of the last layer: that of [CLS] and the means over the subwords of
each relation. `tupelo_training.entail` trains the layers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tupelo.core.entailment import EntailmentPair
from tupelo.core.extraction import Triple
from tupelo.inference.phrases import with_arguments
from tupelo.nlp.encoder import CrossEncoder, TextPair

if TYPE_CHECKING:
    from tupelo.nlp.encoder import EncodedText, Encoder
    from tupelo.nlp.folder import ModelFolder

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


Floats = NDArray[np.float64]

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
