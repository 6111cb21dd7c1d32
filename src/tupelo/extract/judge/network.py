"""The judge: how probable it is that a tuple is right, and that it says something on its own.

Several small networks whose mean is the answer. Each reads the features of the tuple and the parser's vectors of its
predicate, its subject and its first and last argument, so only a few products are added to the parser's own pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tupelo.core import Extraction
from tupelo.core.numeric import sigmoid
from tupelo.extract.judge.features import NAMES, READ, Array, features_of
from tupelo.nlp.folder import CONFIG, ModelFolder, find_model
from tupelo.nlp.syntax import DependencyTree

FORMAT = 2
SHIPPED = "en-extract"
WEIGHTS = "judge.safetensors"
# The width of the parser's vectors.
_WIDTH = 384
# Standardized features beyond this are cut off, so that an odd sentence stays within what was learned.
WIDEST = 5.0


class Judgement(NamedTuple):
    """Two probabilities: that the text asserts the tuple, and that it is informative if it does."""

    right: float
    informative: float


class Judge:
    """A folder of weights."""

    def __init__(self, path: Path) -> None:
        folder = ModelFolder(path, "a judge of tuples")
        config = folder.settings(FORMAT)
        with folder.reading(CONFIG):
            self.version = str(config["version"])
            self.least_confidence = float(config["least_confidence"])
            self.least_informative = float(config["least_informative"])
            if tuple(config["features"]) != NAMES:
                raise ValueError("other features than those of this version")
        weights = folder.tensors(WEIGHTS)
        with folder.reading(WEIGHTS):
            self._mean, self._spread = weights["mean"], weights["spread"]
            self._read, self._first, self._first_bias = weights["read"], weights["first"], weights["first_bias"]
            self._last, self._last_bias = weights["last"], weights["last_bias"]
            # What turns outputs into probabilities: steps for right (isotonic), slope and intercept for informative.
            self._edges, self._steps = weights["edges"], weights["steps"]
            self._slope, self._intercept = weights["scale"].tolist()
            if len(self._steps) != len(self._edges) + 1:
                raise ValueError("steps without their edges")
            if self._read.shape[1] != READ or self._first.shape[1] != len(NAMES) + READ * self._read.shape[3]:
                raise ValueError("weights that do not fit together")

    def judge(self, extractions: Sequence[Extraction], tree: DependencyTree) -> list[Judgement]:
        """One judgement per tuple of a sentence."""
        if not extractions:
            return []
        features, words = features_of(extractions, tree)
        logits = self.logits(features, vectors_of(tree, words))
        right = self._steps[np.searchsorted(self._edges, logits[:, 0])]
        informative = sigmoid(logits[:, 1] * self._slope + self._intercept, limit=30)
        return [Judgement(*pair) for pair in zip(right.tolist(), informative.tolist(), strict=True)]

    def logits(self, features: Array, vectors: Array) -> Array:
        """The mean logits of the networks, before scaling: [tuples, 2]."""
        standard = ((features - self._mean) / self._spread).clip(-WIDEST, WIDEST)
        read = np.tanh(np.einsum("nrd,mrdk->mnrk", vectors, self._read, optimize=True))
        inputs = np.concatenate(
            [np.broadcast_to(standard, (len(read), *standard.shape)), read.reshape(*read.shape[:2], -1)], axis=2
        )
        hidden = np.maximum(inputs @ self._first + self._first_bias, 0)
        result: Array = (hidden @ self._last + self._last_bias).mean(axis=0)
        return result


def vectors_of(tree: DependencyTree, words: NDArray[np.int64]) -> Array:
    """The vectors of some words, zero for words that are not there and for a parser without vectors."""
    known = tree.analysis.vectors
    if known is None or len(known) != tree.size:
        return np.zeros((*words.shape, _WIDTH), dtype=np.float32)
    found: Array = np.where((words >= 0)[..., None], known[words.clip(0)], 0).astype(np.float32)
    return found


@lru_cache(maxsize=1)
def shipped_judge() -> Judge:
    """The English judge inside the package."""
    return Judge(find_model(SHIPPED))
