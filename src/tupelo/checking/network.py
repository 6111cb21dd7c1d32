"""The support model: reads a claim with sentences of a source and predicts whether they support it.

A cross-encoder over the subwords of the shipped encoder (`training/tupelo_training/support`). It predicts three
outcomes for the claim, which is supported, refuted, or neither, and the probability that each subword of the claim is
supported.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from tupelo.checking.checked import Curve
from tupelo.core.numeric import sigmoid
from tupelo.nlp.encoder import CrossEncoder, TextPair, load_encoder
from tupelo.nlp.folder import CONFIG, ModelFolder, find_model, model_path

FORMAT = 2
SHIPPED = "en-support"
# Judgements with all their subwords take memory.
_JUDGED_AT_ONCE = 8192


class ClaimReading(NamedTuple):
    """A claim to be read, with the subwords of its evidence."""

    evidence: tuple[int, ...]
    claim: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """Probabilities that a claim is supported, refuted, or neither, which sum to 1.

    `subwords` are characters `[start, end)` of the claim, each with the probability that it is supported.
    """

    supported: float
    refuted: float
    unknown: float
    subwords: tuple[tuple[int, int, float], ...] = ()

    @property
    def refutes(self) -> bool:
        return self.refuted > max(self.unknown, self.supported)

    def least_within(self, spans: Sequence[tuple[int, int]]) -> float:
        """The probability of the least likely subword within some spans; that of the claim if none is."""
        inside = (
            probability
            for low, high, probability in self.subwords
            if any(start < high and low < end for start, end in spans)
        )
        return min(inside, default=self.supported)


class ClaimReader(Protocol):
    """Judges claims given evidence.

    `room` is how many subwords of evidence it can read; `curve` turns findings with it into probabilities.
    """

    @property
    def room(self) -> int: ...

    @property
    def curve(self) -> Curve: ...

    def cut(self, text: str) -> tuple[int, ...]:
        """The subwords of a text."""

    def judge(self, readings: Sequence[ClaimReading]) -> list[Judgement]:
        """One judgement per reading, in order."""


class SupportNetwork:
    """The network in a folder; graphs are loaded on first use."""

    def __init__(self, path: Path, *, threads: int = 1) -> None:
        self._folder = ModelFolder(path, "a support model")
        self._threads = threads
        config = self._folder.settings(FORMAT)
        with self._folder.reading(CONFIG):
            self.name = str(config["name"])
            self.version = str(config["version"])
            self.room = int(config["room"])
            self._longest_claim = int(config["longest_claim"])

    @property
    def fingerprint(self) -> str:
        """Identifies the weights of this model."""
        return self._folder.fingerprint

    @cached_property
    def curve(self) -> Curve:
        stored = self._folder.json("calibration.json")
        with self._folder.reading("calibration.json"):
            return Curve({str(name): float(weight) for name, weight in stored["weights"].items()})

    @cached_property
    def _network(self) -> CrossEncoder:
        encoder = load_encoder(threads=self._threads)
        return CrossEncoder(encoder, self._folder, {"whole": 3, "pieces": 1}, self._folder)

    def cut(self, text: str) -> tuple[int, ...]:
        return self._network.cut(text).ids[1:-1]

    def judge(self, readings: Sequence[ClaimReading]) -> list[Judgement]:
        """One judgement per reading, in order; readings of similar length are read together."""
        rows = [self._row(reading) for reading in readings]
        found: dict[int, Judgement] = {}
        for places, (whole, subwords) in self._network.read([row.pair for row in rows]):
            outcomes = np.exp(whole.astype(np.float64) - whole.max(axis=1, keepdims=True))
            outcomes /= outcomes.sum(axis=1, keepdims=True)
            for number, place in enumerate(places):
                found[place] = _judgement(rows[place], outcomes[number], subwords[number])
        return [found[place] for place in range(len(rows))]

    def outcomes(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[float, float, float]]:
        """Supported, refuted and neither for every (text, claim); equal pairs are read once."""
        distinct = list(dict.fromkeys(pairs))
        known: dict[tuple[str, str], tuple[float, float, float]] = {}
        for start in range(0, len(distinct), _JUDGED_AT_ONCE):
            some = distinct[start : start + _JUDGED_AT_ONCE]
            judged = self.judge([ClaimReading(self.cut(text), claim) for text, claim in some])
            known |= {pair: (one.supported, one.refuted, one.unknown) for pair, one in zip(some, judged, strict=True)}
        return [known[pair] for pair in pairs]

    def _row(self, reading: ClaimReading) -> _Row:
        claim = self._network.cut(reading.claim)
        start, end = claim.ids[0], claim.ids[-1]
        ids, offsets = claim.ids[1:-1][: self._longest_claim], claim.offsets[1:-1][: self._longest_claim]
        evidence = reading.evidence[: self.room]
        return _Row(TextPair((start, *evidence, end, *ids, end), len(evidence) + 2), offsets)


class _Row(NamedTuple):
    """Evidence and claim as the network reads them, and the characters of the subwords of the claim."""

    pair: TextPair
    offsets: tuple[tuple[int, int], ...]


def _judgement(row: _Row, outcomes: NDArray[np.float64], subwords: NDArray[np.float32]) -> Judgement:
    first = row.pair.second
    inside = subwords[first : first + len(row.offsets), 0].astype(np.float64)
    supported, refuted, unknown = outcomes.tolist()
    spans = zip(row.offsets, sigmoid(inside).tolist(), strict=True)
    return Judgement(supported, refuted, unknown, tuple((low, high, one) for (low, high), one in spans))


def load_network(folder: str | Path | None = None, *, threads: int = 1) -> SupportNetwork:
    """The shipped support model, or one that `tupelo_training.support.export` wrote to a folder."""
    return SupportNetwork(find_model(SHIPPED) if folder is None else model_path(folder), threads=threads)
