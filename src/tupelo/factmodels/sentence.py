"""The paper's classifier at inference: the probability of every relation for a pair marked in a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tupelo.core import InputError
from tupelo.core.numeric import sigmoid
from tupelo.factmodels.folder import FactModel
from tupelo.nlp.encoder import groups_of_equal_length

SUBJECT_MARK, OBJECT_MARK = "SUBJ", "OBJ"


def marked(text: str, subjects: Iterable[Sequence[int]], objects: Iterable[Sequence[int]]) -> str:
    """A sentence with marks around the mentions of subject and object, which must not overlap.

    >>> marked("Person1 was born in City1.", [(0, 7)], [(20, 25)])
    'SUBJ{Person1} was born in OBJ{City1}.'
    """
    marks = ((SUBJECT_MARK, subjects), (OBJECT_MARK, objects))
    spans = [(start, end, mark) for mark, mentions in marks for start, end in mentions]
    for start, end, mark in sorted(spans, reverse=True):
        text = f"{text[:start]}{mark}{{{text[start:end]}}}{text[end:]}"
    return text


def mark_pair(sentence: str, subject: tuple[int, int], object_: tuple[int, int]) -> str:
    """`marked` for one mention of each."""
    if subject[0] < object_[1] and object_[0] < subject[1]:
        raise InputError(f"spans {subject} and {object_} overlap, expected two mentions that lie apart")
    return marked(sentence, [subject], [object_])


class SentenceModel(FactModel):
    """The shipped classifier, or a folder that `tupelo facts train` wrote, for relations or for any at all."""

    kind, part = "sentence", "sentence"

    def _configure(self, config: Mapping[str, Any]) -> None:
        self._most_subwords = int(config["max_subwords"])
        self._own = bool(config["own_embeddings"])
        self.threshold = float(config.get("threshold", 0.5))

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
            graph = self.graph("sentence.onnx", scores=len(self.relations))
            (scores,) = graph.run(["scores"], {**inputs, "mask": np.ones(ids.shape, dtype=np.float32)})
            found[group] = sigmoid(scores)
        return found
