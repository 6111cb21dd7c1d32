"""Cross-encoders: networks that read two texts as one input, so that every word of one can attend to the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tupelo.nlp.encoder import EncodedText, Encoder, groups_of_equal_length, groups_of_similar_length
from tupelo.nlp.folder import ModelFolder, OnnxGraph
from tupelo.nlp.subwords import straight

if TYPE_CHECKING:
    from numpy.typing import NDArray

EMBEDDINGS, LAYERS = "embeddings.onnx", "layers.onnx"
# The largest batch of layers without a mask.
_BATCH = 32


class TextPair(NamedTuple):
    """Two texts as one input: its subwords, and the position where the second text begins."""

    subwords: tuple[int, ...]
    second: int


class CrossEncoder:
    """The layers in a model folder, above the embeddings of a folder or else of the encoder; loaded on first use.

    `outputs` are those of the layers, each with its number of values. Without `embeddings`, the layers take no mask:
    then only pairs of equal length share a batch, so that nothing is padded.
    """

    def __init__(
        self,
        encoder: Encoder,
        folder: ModelFolder,
        outputs: Mapping[str, int],
        embeddings: ModelFolder | None = None,
    ) -> None:
        self.encoder = encoder
        self._folder, self._outputs, self._embeddings_folder = folder, dict(outputs), embeddings

    @cached_property
    def _embeddings(self) -> OnnxGraph | None:
        folder = self._embeddings_folder
        return None if folder is None else folder.graph(EMBEDDINGS, self.encoder.threads)

    @cached_property
    def _layers(self) -> OnnxGraph:
        return self._folder.graph(LAYERS, self.encoder.threads, **self._outputs)

    def cut(self, text: str, most: int | None = None) -> EncodedText:
        """The subwords of a text with straight quotation marks, between the two special tokens."""
        return self.encoder.cut(straight(text), most)

    def read(self, pairs: Sequence[TextPair]) -> Iterator[tuple[list[int], list[NDArray[Any]]]]:
        """Batches of pairs of similar length: their places in `pairs`, and the outputs of the layers for them."""
        lengths = [len(pair.subwords) for pair in pairs]
        graph = self._embeddings
        for places in groups_of_similar_length(lengths) if graph else groups_of_equal_length(lengths, _BATCH):
            ids, segments, mask = pair_arrays([pairs[place] for place in places])
            if graph is None:
                inputs: dict[str, NDArray[Any]] = {"vectors": self.encoder.embed(ids, segments)}
            else:
                (vectors,) = graph.run(["vectors"], {"subwords": ids, "segments": segments})
                inputs = {"vectors": vectors, "mask": mask}
            yield places, self._layers.run(list(self._outputs), inputs)


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
