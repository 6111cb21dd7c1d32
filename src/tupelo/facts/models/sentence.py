"""The paper's classifier at work: a pair of entities marked in a sentence, and the probability of every relation.

>>> mark_pair("Ann was born in Oslo.", (0, 3), (16, 20))
'SUBJ{Ann} was born in OBJ{Oslo}.'
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tupelo.core import InputError
from tupelo.facts.models.folder import ModelFolder
from tupelo.nlp.encoder import groups_of_equal_length
from tupelo.nlp.onnx import Graph

SUBJECT_MARK, OBJECT_MARK = "SUBJ", "OBJ"


def mark_pair(sentence: str, subject: tuple[int, int], object_: tuple[int, int]) -> str:
    """The sentence with `SUBJ{…}` and `OBJ{…}` around two spans of characters, which must not overlap."""
    if subject[0] < object_[1] and object_[0] < subject[1]:
        raise InputError(f"spans {subject} and {object_} overlap, expected two mentions that lie apart")
    marks = [(*subject, SUBJECT_MARK), (*object_, OBJECT_MARK)]
    for start, end, mark in sorted(marks, reverse=True):
        sentence = f"{sentence[:start]}{mark}{{{sentence[start:end]}}}{sentence[end:]}"
    return sentence


class SentenceModel(ModelFolder):
    """A folder that `tupelo facts train` wrote, for the relation classifier or the binary one."""

    def __init__(self, folder: str | Path, *, threads: int = 1) -> None:
        super().__init__(folder, "sentence", threads=threads)
        self._most_pieces = int(self.config["max_subwords"])
        self._own = bool(self.config["own_embeddings"])
        self.threshold = float(self.config.get("threshold", 0.5))

    @cached_property
    def _graph(self) -> Graph:
        return self.graph("sentence.onnx")

    def cut(self, marked: str) -> list[int]:
        """The pieces of a marked sentence. Of a long one the part around the marks is kept."""
        cut = self.subwords.cut_text(marked)
        room = self._most_pieces - 2
        if len(cut) > room:
            where = marked.find(f"{SUBJECT_MARK}{{"), marked.find(f"{OBJECT_MARK}{{")
            first = next((place for place, (_, start, _) in enumerate(cut) if start >= min(where)), 0)
            first = max(0, min(first - room // 8, len(cut) - room))
            cut = cut[first : first + room]
        return [self.subwords.start, *(piece for piece, _, _ in cut), self.subwords.end]

    def probabilities(self, marked: Iterable[str], *, batch_size: int = 64) -> NDArray[np.float32]:
        """[sentences, relations], in order; sentences of the same length share a batch."""
        pieces: Sequence[list[int]] = [self.cut(text) for text in marked]
        found = np.zeros((len(pieces), len(self.relations)), dtype=np.float32)
        for group in groups_of_equal_length([len(item) for item in pieces], batch_size):
            ids = np.array([pieces[index] for index in group], dtype=np.int64)
            inputs = {"subwords": ids} if self._own else {"vectors": self.encoder.embed(ids)}
            (scores,) = self._graph.run(["scores"], {**inputs, "mask": np.ones(ids.shape, dtype=np.float32)})
            found[group] = 1 / (1 + np.exp(-scores))
        return found
