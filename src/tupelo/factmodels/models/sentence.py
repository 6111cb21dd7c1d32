"""The paper's classifier at inference: the probability of every relation for a pair marked in a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tupelo.core.numeric import sigmoid
from tupelo.factmodels.models.examples import OBJECT_MARK, SUBJECT_MARK
from tupelo.factmodels.models.folder import SHIPPED, FactModel
from tupelo.nlp.encoder import groups_of_equal_length
from tupelo.nlp.folder import find_model
from tupelo.nlp.onnx import OnnxGraph


class SentenceModel(FactModel):
    """The shipped classifier, or a folder that `tupelo facts train` wrote, for relations or for any at all."""

    def __init__(self, folder: str | Path | None = None, *, threads: int = 1) -> None:
        super().__init__(find_model(SHIPPED) / "sentence" if folder is None else folder, "sentence", threads=threads)

    def _configure(self, config: Mapping[str, Any]) -> None:
        self._most_subwords = int(config["max_subwords"])
        self._own = bool(config["own_embeddings"])
        self.threshold = float(config.get("threshold", 0.5))

    @cached_property
    def _graph(self) -> OnnxGraph:
        return self.graph("sentence.onnx", scores=len(self.relations))

    def cut(self, marked: str) -> list[int]:
        """The subwords of a marked sentence, truncated to the part around the marks if it is long."""
        cut = self.subwords.cut_text(marked)
        room = self._most_subwords - 2
        if len(cut) > room:
            where = marked.find(f"{SUBJECT_MARK}{{"), marked.find(f"{OBJECT_MARK}{{")
            first = next((place for place, (_, start, _) in enumerate(cut) if start >= min(where)), 0)
            first = max(0, min(first - room // 8, len(cut) - room))
            cut = cut[first : first + room]
        return [self.subwords.start, *(subword for subword, _, _ in cut), self.subwords.end]

    def probabilities(self, marked: Iterable[str], *, batch_size: int = 64) -> NDArray[np.float32]:
        """[sentences, relations], in order; sentences of the same length share a batch."""
        subwords: Sequence[list[int]] = [self.cut(text) for text in marked]
        found = np.zeros((len(subwords), len(self.relations)), dtype=np.float32)
        for group in groups_of_equal_length([len(item) for item in subwords], batch_size):
            ids = np.array([subwords[index] for index in group], dtype=np.int64)
            inputs = {"subwords": ids} if self._own else {"vectors": self.embed(ids)}
            (scores,) = self._graph.run(["scores"], {**inputs, "mask": np.ones(ids.shape, dtype=np.float32)})
            found[group] = sigmoid(scores)
        return found
