"""The judge: the probability that a tuple is right, and that it says something on its own.

Its networks read the features of the tuple and the parser's vectors of its predicate, its subject and its first and
last argument.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tupelo.core import Extraction
from tupelo.extract.judge.ensemble import Ensemble, vectors_of
from tupelo.extract.judge.features import NAMES, READ, features_of
from tupelo.nlp.folder import CONFIG, ModelFolder, find_model
from tupelo.nlp.syntax import DependencyTree

FORMAT = 2
SHIPPED = "en-extract"
WEIGHTS = "judge.safetensors"


class TupleJudgement(NamedTuple):
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
            self._networks = Ensemble(weights, len(NAMES), READ)
            # The calibration of the outputs: steps for right (isotonic), a scale for informative.
            self._edges, self._steps = weights["edges"], weights["steps"]
            if len(self._steps) != len(self._edges) + 1:
                raise ValueError("steps without their edges")

    def judge(self, extractions: Sequence[Extraction], tree: DependencyTree) -> list[TupleJudgement]:
        """One judgement per tuple of a sentence."""
        if not extractions:
            return []
        features, words = features_of(extractions, tree)
        logits = self._networks.logits(features, vectors_of(tree, words))
        right = self._steps[np.searchsorted(self._edges, logits[:, 0])]
        informative = self._networks.probabilities(logits[:, 1])
        return [TupleJudgement(*pair) for pair in zip(right.tolist(), informative.tolist(), strict=True)]


@lru_cache(maxsize=1)
def shipped_judge() -> Judge:
    """The English judge inside the package."""
    return Judge(find_model(SHIPPED))
