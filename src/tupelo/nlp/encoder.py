"""Embeddings of phrases and sentences: the shipped encoder, a MiniLM (Wang et al. 2020) for sentence similarity.

The weights are those of all-MiniLM-L6-v2, stored as int8 and summed as floats (`tupelo_training.encoder`). Texts with
the same number of subwords share a batch, so there is no padding and the vectors of a text do not depend on the rest
of the batch.

A network fine-tuned from this encoder does not need its own embedding table: it can feed the vectors of
`Encoder.embed` into its own layers, as a `CrossEncoder` does.

>>> encoder = load_encoder()
>>> encoder.encode(["was born in", "is a native of"]).shape
(2, 384)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tupelo.nlp.folder import CONFIG, ModelFolder, OnnxGraph, find_model, model_path
from tupelo.nlp.subwords import Subwords, straight

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORMAT = 1
SHIPPED = "en-encoder"
EMBEDDINGS, LAYERS = "embeddings.onnx", "layers.onnx"
# Number of texts that are read ahead to find texts of equal length.
_AHEAD = 4_096
_MOST_SUBWORDS = 4_096
# The largest batch of texts.
_TEXTS_AT_ONCE = 64
# The share of a padded row that must not be padding: a processor spends as much time on it.
_LEAST_FILLED = 0.9
# The largest batch of layers without a mask.
_BATCH = 32


@dataclass(frozen=True, slots=True)
class EncodedText:
    """A text as subwords; the special tokens at the start and the end cover no characters."""

    ids: tuple[int, ...]
    offsets: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class States:
    """The states of one text: [layers + 1, subwords, dimensions], layer 0 being the embeddings."""

    vectors: NDArray[np.float32]
    offsets: tuple[tuple[int, int], ...]


class Encoder:
    """A folder of weights; graphs are opened when they are first needed."""

    def __init__(self, path: Path, *, threads: int = 1) -> None:
        self.folder = ModelFolder(path, "an encoder")
        self.threads = threads
        config = self.folder.settings(FORMAT)
        with self.folder.reading(CONFIG):
            self.name = str(config["name"])
            self.version = str(config["version"])
            self.layers = int(config["layers"])
            self.dimensions = int(config["dimensions"])
            self._most_subwords = int(config["max_subwords"])

    @cached_property
    def _subwords(self) -> Subwords:
        return Subwords(self.folder.vocabulary(), normalize={})

    @property
    def _layers(self) -> OnnxGraph:
        return self.folder.graph(LAYERS, self.threads, **{f"layer{self.layers}": self.dimensions})

    def cut(self, text: str, most: int | None = None) -> EncodedText:
        """The subwords of a text between the two special tokens, at most `most`, or else what the network takes."""
        return self._encoded(
            self._subwords.cut_text(text)[: min(most or self._most_subwords, self._most_subwords) - 2]
        )

    def join(self, texts: Sequence[str]) -> EncodedText:
        """Several texts as one input, with a separator after each; offsets are per text. Long texts are truncated."""
        room = self._most_subwords // max(len(texts), 1) - 1
        return self._encoded(*(self._subwords.cut_text(text)[:room] for text in texts))

    def cut_pair(self, first: str, second: str) -> tuple[EncodedText, tuple[int, ...]]:
        """Two texts as one input, with the segment (0 or 1) of every subword; a long first text is truncated."""
        right = self._subwords.cut_text(second)[: self._most_subwords // 2 - 2]
        left = self._subwords.cut_text(first)[: self._most_subwords - 3 - len(right)]
        return self._encoded(left, right), (0,) * (len(left) + 2) + (1,) * (len(right) + 1)

    def _encoded(self, *texts: Sequence[tuple[int, int, int]]) -> EncodedText:
        """Texts in subwords after the start token, with a separator after each."""
        ids, offsets = [self._subwords.start], [(0, 0)]
        for text in texts:
            ids += [*(subword for subword, _, _ in text), self._subwords.end]
            offsets += [*((start, end) for _, start, end in text), (0, 0)]
        return EncodedText(tuple(ids), tuple(offsets))

    def embed(self, ids: NDArray[np.int64], segments: NDArray[np.int64] | None = None) -> NDArray[np.float32]:
        """Embeddings [batch, subwords, dimensions] of subwords [batch, subwords], before the first layer."""
        kinds = np.zeros_like(ids) if segments is None else segments
        graph = self.folder.graph(EMBEDDINGS, self.threads, vectors=self.dimensions)
        (vectors,) = graph.run(["vectors"], {"subwords": ids, "segments": kinds})
        return vectors

    def states(self, texts: Iterable[str]) -> Iterator[States]:
        """The states of every layer, text by text, in order."""
        return self.read(map(self.cut, texts))

    def read(self, inputs: Iterable[EncodedText]) -> Iterator[States]:
        """The states of inputs assembled from subwords, such as phrases between special tokens, in order."""
        names = [f"layer{number}" for number in range(1, self.layers + 1)]
        stream = iter(inputs)
        while window := list(islice(stream, _AHEAD // 16)):
            found: list[States | None] = [None] * len(window)
            for group in groups_of_equal_length([len(item.ids) for item in window], _TEXTS_AT_ONCE):
                embedded = self.embed(np.array([window[index].ids for index in group], dtype=np.int64))
                layers = np.stack([embedded, *self._layers.run(names, {"vectors": embedded})], axis=1)
                for row, index in enumerate(group):
                    found[index] = States(layers[row], window[index].offsets)
            yield from (item for item in found if item is not None)

    def encode(self, texts: Iterable[str], *, subwords: int | None = None) -> NDArray[np.float32]:
        """One unit vector per text: the mean over its subwords, special tokens included, in the last layer.

        Repeated texts are encoded once. Of long ones, only the first `subwords` are read.
        """
        last = f"layer{self.layers}"
        order: dict[str, int] = {}
        rows = [order.setdefault(text, len(order)) for text in texts]
        distinct = list(order)
        vectors = np.zeros((len(distinct), self.dimensions), dtype=np.float32)
        for start in range(0, len(distinct), _AHEAD):
            window = [self.cut(text, subwords) for text in distinct[start : start + _AHEAD]]
            for group in groups_of_equal_length([len(item.ids) for item in window], _TEXTS_AT_ONCE):
                embedded = self.embed(np.array([window[index].ids for index in group], dtype=np.int64))
                (states,) = self._layers.run([last], {"vectors": embedded})
                mean = states.mean(axis=1)
                places = [start + index for index in group]
                vectors[places] = mean / np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), 1e-12)
        return vectors[rows]


def groups_of_equal_length(lengths: Sequence[int], batch_size: int) -> Iterator[list[int]]:
    """Batches of indexes of items of the same length, limited by `batch_size` and a total number of subwords."""
    by_length: dict[int, list[int]] = {}
    for index, length in enumerate(lengths):
        by_length.setdefault(length, []).append(index)
    for length, members in sorted(by_length.items()):
        most = max(1, min(batch_size, _MOST_SUBWORDS // max(length, 1)))
        for start in range(0, len(members), most):
            yield members[start : start + most]


def groups_of_similar_length(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Places of items, the longest first; a batch is neither too large nor padded too much."""
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lambda place: (-lengths[place], place)):
        if batch and (
            (len(batch) + 1) * lengths[batch[0]] > _MOST_SUBWORDS
            or lengths[place] < _LEAST_FILLED * lengths[batch[0]]
        ):
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def load_encoder(folder: str | Path | None = None, *, threads: int = 1) -> Encoder:
    """The shipped encoder, or one that `tupelo_training.encoder.export` wrote to a folder."""
    return Encoder(find_model(SHIPPED) if folder is None else model_path(folder), threads=threads)


class TextPair(NamedTuple):
    """Two texts as one input: its subwords, and the position where the second text begins."""

    subwords: tuple[int, ...]
    second: int


class CrossEncoder:
    """A network that reads two texts as one input, so that every word of one can attend to the other.

    It has the layers in a model folder, above the embeddings of a folder or else of the encoder; loaded on first use.

    `outputs` are those of the layers, each with its number of values. Without `embeddings`, the layers take no mask:
    then only pairs of equal length share a batch, so that nothing is padded.
    """

    def __init__(
        self, encoder: Encoder, folder: ModelFolder, outputs: Mapping[str, int], embeddings: ModelFolder | None = None
    ) -> None:
        self.encoder = encoder
        self._folder, self._outputs, self._embeddings = folder, dict(outputs), embeddings

    def cut(self, text: str, most: int | None = None) -> EncodedText:
        """The subwords of a text with straight quotation marks, between the two special tokens."""
        return self.encoder.cut(straight(text), most)

    def read(self, pairs: Sequence[TextPair]) -> Iterator[tuple[list[int], list[NDArray[Any]]]]:
        """Batches of pairs of similar length: their places in `pairs`, and the outputs of the layers for them."""
        lengths = [len(pair.subwords) for pair in pairs]
        below, threads = self._embeddings, self.encoder.threads
        graph = None if below is None else below.graph(EMBEDDINGS, threads)
        for places in groups_of_similar_length(lengths) if graph else groups_of_equal_length(lengths, _BATCH):
            ids, segments, mask = pair_arrays([pairs[place] for place in places])
            if graph is None:
                inputs: dict[str, NDArray[Any]] = {"vectors": self.encoder.embed(ids, segments)}
            else:
                (vectors,) = graph.run(["vectors"], {"subwords": ids, "segments": segments})
                inputs = {"vectors": vectors, "mask": mask}
            layers = self._folder.graph(LAYERS, threads, **self._outputs)
            yield places, layers.run(list(self._outputs), inputs)


def pair_arrays(pairs: Sequence[TextPair]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Subwords, segments and mask of a batch, padded to its longest pair."""
    shape = (len(pairs), max(len(pair.subwords) for pair in pairs))
    ids, segments, mask = (np.zeros(shape, dtype=np.int64) for _ in range(3))
    for number, (subwords, second) in enumerate(pairs):
        size = len(subwords)
        ids[number, :size] = subwords
        segments[number, second:size] = 1
        mask[number, :size] = 1
    return ids, segments, mask
