"""Several small networks whose mean is the answer: what the judges of tuples and of links compute.

Each network reads features and the parser's vectors of a few words, so only a few products are added to the parser's
own pass.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from tupelo.core.numeric import sigmoid
from tupelo.extract.judge.features import Array
from tupelo.nlp.syntax import DependencyTree

# The width of the parser's vectors.
_WIDTH = 384
# Standardized features are clipped to this, so that an odd sentence stays within what was learned.
WIDEST = 5.0


class Ensemble:
    """Networks for a number of `features` and the vectors of a number of `words`."""

    def __init__(self, weights: Mapping[str, Array], features: int, words: int) -> None:
        self._mean, self._spread = weights["mean"], weights["spread"]
        self._first, self._first_bias = weights["first"], weights["first_bias"]
        self._last, self._last_bias = weights["last"], weights["last_bias"]
        self._slope, self._intercept = weights["scale"].tolist()
        self._networks, slots, width, size = weights["read"].shape
        if slots != words or self._first.shape[1] != features + words * size:
            raise ValueError("weights that do not fit together")
        # Of all networks side by side, for one product per word.
        self._read = np.ascontiguousarray(weights["read"].transpose(1, 2, 0, 3).reshape(slots, width, -1))

    def logits(self, features: Array, vectors: Array) -> Array:
        """The mean logits of the networks: [rows, outputs]."""
        standard = ((features - self._mean) / self._spread).clip(-WIDEST, WIDEST)
        rows, words = vectors.shape[:2]
        products = np.tanh(vectors.transpose(1, 0, 2) @ self._read).reshape(words, rows, self._networks, -1)
        read = products.transpose(2, 1, 0, 3).reshape(self._networks, rows, -1)
        inputs = np.concatenate([np.broadcast_to(standard, (self._networks, *standard.shape)), read], axis=2)
        hidden = np.maximum(inputs @ self._first + self._first_bias, 0)
        result: Array = (hidden @ self._last + self._last_bias).mean(axis=0)
        return result

    def probabilities(self, logits: Array) -> Array:
        """Those of the output that the slope and the intercept were fitted for."""
        result: Array = sigmoid(logits * self._slope + self._intercept, limit=30)
        return result


def vectors_of(tree: DependencyTree, words: NDArray[np.int64]) -> Array:
    """The vectors of some words, zero for words that are not there and for a parser without vectors."""
    known = tree.analysis.vectors
    if known is None or len(known) != tree.size:
        return np.zeros((*words.shape, _WIDTH), dtype=np.float32)
    found: Array = np.where((words >= 0)[..., None], known[words.clip(0)], 0).astype(np.float32)
    return found
