"""The support model: reads a claim with sentences of a source and predicts whether they support it.

Six layers of MiniLM on the embeddings of the shipped encoder (`tupelo.nlp.encoder`), trained on claims made from
texts and on human judgements of summaries (`training/tupelo_training/support`). It predicts a probability for the
claim and one for each of its subwords, which shows the words that the source does not support.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from tupelo.core import Analysis
from tupelo.core.numeric import sigmoid
from tupelo.facts.evidence import EvidenceIndex
from tupelo.nlp.encoder import Encoder, load_encoder
from tupelo.nlp.folder import CONFIG, ModelFolder, find_model, model_path
from tupelo.nlp.onnx import Graph

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORMAT = 1
SHIPPED = "en-support"
_DOUBLED = re.compile(r"``|''")
_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'", "`": "'"})


@dataclass(frozen=True, slots=True)
class Judgement:
    """The probability that a claim is supported, and that of each subword, which covers characters `[start, end)`."""

    probability: float
    subwords: tuple[tuple[int, int, float], ...]

    @property
    def least(self) -> float:
        """The probability of the subword that is least likely to be supported."""
        return min((probability for _, _, probability in self.subwords), default=self.probability)


class ClaimReader(Protocol):
    """Judges a claim given sentences of a source; `room` is how many subwords of these it can read."""

    @property
    def room(self) -> int: ...

    def cut(self, text: str) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...]]: ...

    def judge(self, sentences: Sequence[Sequence[int]], claim: str) -> Judgement: ...


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

    @cached_property
    def _encoder(self) -> Encoder:
        return load_encoder(threads=self._threads)

    @cached_property
    def _layers(self) -> Graph:
        return self._folder.graph("layers.onnx", self._threads)

    def cut(self, text: str) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...]]:
        """The subwords of a text without special tokens, and their character spans."""
        found = self._encoder.cut(straight(text))
        return found.ids[1:-1], found.offsets[1:-1]

    def judge(self, sentences: Sequence[Sequence[int]], claim: str) -> Judgement:
        """Judge a claim given the subwords of some sentences, at most `room` in total."""
        whole = self._encoder.cut(straight(claim))
        start, end = whole.ids[0], whole.ids[-1]
        ids, offsets = whole.ids[1:-1][: self._longest_claim], whole.offsets[1:-1][: self._longest_claim]
        premise = [subword for sentence in sentences for subword in sentence][: self.room]
        row = np.array([[start, *premise, end, *ids, end]], dtype=np.int64)
        first = len(premise) + 2
        segments: NDArray[np.int64] = np.zeros_like(row)
        segments[:, first:] = 1
        vectors = self._encoder.embed(row, segments)
        logits, subwords = self._layers.run(["whole", "pieces"], {"vectors": vectors})
        probabilities = sigmoid(subwords[0, first : first + len(ids), 0].astype(np.float64))
        return Judgement(
            float(sigmoid(np.float64(logits[0, 0]))),
            tuple((low, high, float(one)) for (low, high), one in zip(offsets, probabilities, strict=True)),
        )


def load_network(folder: str | Path | None = None, *, threads: int = 1) -> SupportNetwork:
    """The shipped support model, or one that `tupelo_training.support.export` wrote to a folder."""
    return SupportNetwork(find_model(SHIPPED) if folder is None else model_path(folder), threads=threads)


class SourceReader:
    """A network with an index of the sentences of one source."""

    def __init__(self, network: ClaimReader, source: Sequence[Analysis]) -> None:
        self._network = network
        self._subwords = [network.cut(analysis.text)[0][: network.room] for analysis in source]
        words = [[word.text for word in analysis.words] for analysis in source]
        self._index = EvidenceIndex(words, [len(subwords) for subwords in self._subwords])

    def __call__(self, sentence: Analysis) -> Judgement:
        """The network's judgement of a sentence."""
        chosen = self._index.choose([word.text for word in sentence.words], self._network.room)
        return self._network.judge([self._subwords[number] for number in chosen], sentence.text)


def straight(text: str) -> str:
    """A text of the same length with straight quotation marks, which suit parser and network best.

    A source and a text about it often use different quotation marks. A doubled mark becomes one with a space on the
    inside, so that spans are valid for the original text.

    >>> straight("``We’re ‘done’,'' she said.")
    '" We\\'re \\'done\\', " she said.'
    """
    return _DOUBLED.sub(lambda match: '" ' if match[0] == "``" else ' "', text).translate(_QUOTES)
