"""A small network that reads sentences of a source and a claim, and says how far the claim is supported.

Six layers of MiniLM on the embeddings of the shipped encoder (`tupelo.nlp.encoder`), trained on claims made from
texts and on human judgements of summaries (`tupelo_training.support`). It gives a probability for the claim and one
for every piece of it: which words the source does not bear out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tupelo.facts.quotes import straight
from tupelo.nlp.encoder import MODELS, Encoder, load_encoder, read_config
from tupelo.nlp.onnx import Graph

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORMAT = 1
SHIPPED = MODELS / "en-support"


@dataclass(frozen=True, slots=True)
class Judgement:
    """How likely a claim is supported; and each piece of it, which stands for the characters `[start, end)`."""

    probability: float
    pieces: tuple[tuple[int, int, float], ...]

    @property
    def least(self) -> float:
        """The probability of the piece that is least likely to be supported."""
        return min((chance for _, _, chance in self.pieces), default=self.probability)

    @property
    def mean(self) -> float:
        return sum(chance for _, _, chance in self.pieces) / len(self.pieces) if self.pieces else self.probability


class SupportNetwork:
    """A folder of weights; graphs are opened when they are first needed."""

    def __init__(self, folder: Path, *, threads: int = 1) -> None:
        self.folder = folder
        self._threads = threads
        config = read_config(folder, FORMAT, "a support model")
        self.name: str = config["name"]
        self.version: str = config["version"]
        self.room: int = config["room"]
        self._longest_claim: int = config["longest_claim"]

    @cached_property
    def _encoder(self) -> Encoder:
        return load_encoder(threads=self._threads)

    @cached_property
    def _layers(self) -> Graph:
        return Graph(self.folder / "layers.onnx", self._threads)

    def cut(self, text: str) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...]]:
        """The pieces of a text without marks, and their characters."""
        found = self._encoder.cut(straight(text))
        return found.ids[1:-1], found.offsets[1:-1]

    def judge(self, sentences: Sequence[Sequence[int]], claim: str) -> Judgement:
        """A claim against the pieces of some sentences, which have at most `room` together."""
        whole = self._encoder.cut(straight(claim))
        start, end = whole.ids[0], whole.ids[-1]
        ids, offsets = whole.ids[1:-1][: self._longest_claim], whole.offsets[1:-1][: self._longest_claim]
        premise = [piece for sentence in sentences for piece in sentence][: self.room]
        row = np.array([[start, *premise, end, *ids, end]], dtype=np.int64)
        first = len(premise) + 2
        segments: NDArray[np.int64] = np.zeros_like(row)
        segments[:, first:] = 1
        vectors = self._encoder.embed(row, segments)
        logits, pieces = self._layers.run(["whole", "pieces"], {"vectors": vectors})
        chances = 1 / (1 + np.exp(-pieces[0, first : first + len(ids), 0].astype(np.float64)))
        return Judgement(
            float(1 / (1 + np.exp(-np.float64(logits[0, 0])))),
            tuple((low, high, float(chance)) for (low, high), chance in zip(offsets, chances, strict=True)),
        )


def load_network(folder: str | Path | None = None, *, threads: int = 1) -> SupportNetwork:
    """The shipped support model, or one that `tupelo_training.support.export` wrote to a folder."""
    return SupportNetwork(SHIPPED if folder is None else Path(folder), threads=threads)
