"""The judge: the probability that a tuple is right, that it says something, and that a reader of all would keep it.

Its networks read the features of the tuple, among them how it stands to the other candidates of its sentence, and the
parser's vectors of its predicate, its subject and its first and last argument.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tupelo.core import Extraction, Reason
from tupelo.core.numeric import sigmoid
from tupelo.extract.judge.features import NAMES, READ, Array, features_of, named_shares
from tupelo.nlp.folder import CONFIG, ModelFolder, find_model
from tupelo.nlp.syntax import DependencyTree

# The width of the parser's vectors.
_WIDTH = 384
# Standardized features are clipped to this, so that an odd sentence stays within what was learned.
WIDEST = 5.0
_TINY = 1e-6


class Ensemble:
    """Several small networks whose mean counts, for a number of `features` and the vectors of a number of `words`."""

    def __init__(self, weights: Mapping[str, Array], features: int, words: int) -> None:
        self._mean, self._spread = weights["mean"], weights["spread"]
        self._first, self._first_bias = weights["first"], weights["first_bias"]
        self._last, self._last_bias = weights["last"], weights["last_bias"]
        self._slope, self._intercept = weights["scale"]
        self._networks, slots, width, size = weights["read"].shape
        if slots != words or self._first.shape[1] != features + words * size:
            raise ValueError("weights that do not fit together")
        # Of all networks side by side, for one product per word.
        self._read = np.ascontiguousarray(weights["read"].transpose(1, 2, 0, 3).reshape(slots, width, -1))

    def logits(self, features: Array, vectors: Array) -> Array:
        """The mean logits of the networks: [rows, outputs]."""
        hidden = np.maximum(self._inputs(features, vectors) @ self._first + self._first_bias, 0)
        result: Array = (hidden @ self._last + self._last_bias).mean(axis=0)
        return result

    def shares(self, features: Array, vectors: Array, weights: Array) -> Array:
        """The shares of each input in the sum of the calibrated logits with these `weights`: [rows, inputs]."""
        inputs = self._inputs(features, vectors)
        active = inputs @ self._first + self._first_bias > 0
        towards = (weights * self._slope) @ self._last.transpose(0, 2, 1)
        result: Array = (inputs * ((active * towards) @ self._first.transpose(0, 2, 1))).mean(axis=0)
        return result

    def _inputs(self, features: Array, vectors: Array) -> Array:
        standard = ((features - self._mean) / self._spread).clip(-WIDEST, WIDEST)
        rows, words = vectors.shape[:2]
        products = np.tanh(vectors.transpose(1, 0, 2) @ self._read).reshape(words, rows, self._networks, -1)
        read = products.transpose(2, 1, 0, 3).reshape(self._networks, rows, -1)
        return np.concatenate([np.broadcast_to(standard, (self._networks, *standard.shape)), read], axis=2)

    def probabilities(self, logits: Array) -> Array:
        """Those of the outputs that the slopes and the intercepts were fitted for."""
        result: Array = sigmoid(logits * self._slope + self._intercept, limit=30)
        return result


def vectors_of(tree: DependencyTree, words: NDArray[np.int64]) -> Array:
    """The vectors of some words, zero for words that are not there and for a parser without vectors."""
    known = tree.analysis.vectors
    if known is None or len(known) != tree.size:
        return np.zeros((*words.shape, _WIDTH), dtype=np.float32)
    found: Array = np.where((words >= 0)[..., None], known[words.clip(0)], 0).astype(np.float32)
    return found


FORMAT = 2
SHIPPED = "en-extract"
WEIGHTS = "judge.safetensors"


class TupleJudgement(NamedTuple):
    """Four probabilities.

    `good`: it is right and informative. `right`: the text asserts it. `informative`: it says something, if so.
    `signed`: of all candidates of the sentence a reader would keep this one, because it is good and no fuller one
    that is good repeats it. `reasons` are those of `good`, where they were asked for.
    """

    good: float
    right: float
    informative: float
    signed: float
    reasons: tuple[Reason, ...] = ()


class Judge:
    """A folder of weights."""

    def __init__(self, path: Path) -> None:
        folder = ModelFolder(path, "a judge of tuples")
        config = folder.settings(FORMAT)
        with folder.reading(CONFIG):
            self.version = str(config["version"])
            self.least_confidence = float(config["least_confidence"])
            if tuple(config["features"]) != NAMES:
                raise ValueError("other features than those of this version")
        weights = folder.tensors(WEIGHTS)
        with folder.reading(WEIGHTS):
            self._networks = Ensemble(weights, len(NAMES), READ)
            # The calibration of the outputs: a scale for each, and steps for the first two together (isotonic).
            self._edges, self._steps = weights["edges"], weights["steps"]
            if len(self._steps) != len(self._edges) + 1:
                raise ValueError("steps without their edges")

    def judge(self, extractions: Sequence[Extraction], tree: DependencyTree) -> list[TupleJudgement]:
        """One judgement per tuple of a sentence, explained if the tuples are."""
        if not extractions:
            return []
        features, words = features_of(extractions, tree)
        vectors = vectors_of(tree, words)
        each = self._networks.probabilities(self._networks.logits(features, vectors))
        product = each[:, 0] * each[:, 1]
        good = self._steps[np.searchsorted(self._edges, product)]
        why: list[tuple[Reason, ...]] = [()] * len(extractions)
        if extractions[0].reasons:
            # The slope of the log-odds of the product in each of the two log-odds; the third output has no part.
            towards = np.zeros_like(each)
            towards[:, :2] = (1 - each[:, :2]) / (1 - product + _TINY)[:, None]
            shares = self._networks.shares(features, vectors, towards)
            why = [named_shares(*row) for row in zip(features, shares, strict=True)]
        rows = zip(good.tolist(), *each.T.tolist(), why, strict=True)
        return [TupleJudgement(*row) for row in rows]


@lru_cache(maxsize=1)
def shipped_judge() -> Judge:
    """The English judge inside the package."""
    return Judge(find_model(SHIPPED))
