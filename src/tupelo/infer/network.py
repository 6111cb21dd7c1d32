"""The shipped entailment network: reading a pair, and weighing what is known about it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tupelo.core import InputError
from tupelo.core.entailment import EntailmentPair
from tupelo.infer.methods.encoder import as_text
from tupelo.nlp.encoder import MODELS, Encoder, groups_of_equal_length
from tupelo.nlp.onnx import Graph

Floats = NDArray[np.float64]

FORMAT = 1
SHIPPED = MODELS / "en-entail"
_BATCH = 64


class EntailmentNetwork:
    """A folder of weights over an encoder; the graph is opened when it is first needed."""

    def __init__(self, folder: Path, encoder: Encoder, *, threads: int = 1) -> None:
        self.folder = folder
        self._encoder, self._threads = encoder, threads
        try:
            config: dict[str, Any] = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        except OSError as error:
            raise InputError(
                f"{folder / 'config.json'}: {error.strerror}, expected a folder with an entailment network"
            ) from error
        if config.get("format") != FORMAT:
            raise InputError(f"{folder}: entailment format {config.get('format')}, expected {FORMAT}")
        self.name: str = config["name"]
        self.version: str = config["version"]
        self.inputs: tuple[str, ...] = tuple(config["inputs"])
        self._layer: int = config["encoder_layer"]
        self._means, self._scales, self._weights = (
            np.array(config[key], dtype=np.float64) for key in ("means", "scales", "weights")
        )
        self._bias: float = config["bias"]

    @cached_property
    def _graph(self) -> Graph:
        return Graph(self.folder / "upper.onnx", self._threads)

    def answers(self, pairs: Sequence[EntailmentPair]) -> Floats:
        """The network's logit for each pair. Pairs of equal length share a batch, so nothing is padded."""
        cut = [self._encoder.cut_pair(as_text(pair.premise), as_text(pair.hypothesis)) for pair in pairs]
        found = np.zeros(len(pairs))
        for group in groups_of_equal_length([len(pieces.ids) for pieces, _ in cut], _BATCH):
            ids = np.array([cut[number][0].ids for number in group], dtype=np.int64)
            sides = np.array([cut[number][1] for number in group], dtype=np.int64)
            states = self._encoder.advance(self._encoder.embed(ids, sides), self._layer)
            (logits,) = self._graph.run(["logit"], {"states": states, "sides": sides.astype(np.float32)})
            found[group] = logits
        return found

    def contributions(self, table: Floats) -> Floats:
        """What each input adds to the logit of the final score, beyond what it adds on average."""
        parts: Floats = (table - self._means) / self._scales * self._weights
        return parts

    def weigh(self, table: Floats) -> Floats:
        """Probabilities from rows of inputs."""
        probabilities: Floats = 1 / (1 + np.exp(-(self.contributions(table).sum(axis=1) + self._bias)))
        return probabilities


def load_network(encoder: Encoder, folder: str | Path | None = None, *, threads: int = 1) -> EntailmentNetwork:
    """The shipped network, or one that `training.entail.export` wrote to a folder."""
    return EntailmentNetwork(SHIPPED if folder is None else Path(folder), encoder, threads=threads)
