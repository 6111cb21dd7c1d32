"""A model folder without weights: its graphs answer with numbers made from the pieces of each word.

Scores depend on the sentence only, as those of the real graphs do, so everything around the graphs can be tested.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tupelo_training.options import write_checksums

CONFIG = {
    "format": 1,
    "name": "stub",
    "version": "0",
    "max_subwords": 64,
    "max_pieces_per_word": 4,
    "normalize": {"-LRB-": "("},
    "upos": ["NOUN", "VERB", "PUNCT"],
    "xpos": ["NN", "VBD", "."],
    "feats": ["_", "Number=Sing"],
    "deprel": ["nsubj", "root", "obj", "punct"],
    "entity": ["O", "B-person", "I-person", "B-place", "I-place"],
    "constituent": ["", "NP", "VP", "S+VP"],
    "mention": ["", "person", "place"],
}
WIDTH = 8


class StubGraph:
    """Stands in for `tupelo.nlp.folder.OnnxGraph`."""

    def __init__(self, content: bytes, threads: int, source: str) -> None:
        self._name = Path(source).name

    def require(self, output: str, size: int) -> None: ...

    def run(self, outputs: Sequence[str], inputs: Mapping[str, np.ndarray]) -> list[np.ndarray]:
        if self._name == "encoder.onnx":
            assert set(inputs) == {"subwords", "shapes", "mask", "first", "last"}
            assert inputs["mask"].all()
            table = np.random.default_rng(1).normal(size=(64, WIDTH)).astype(np.float32)
            states = np.take_along_axis(table[inputs["subwords"] % 64], inputs["first"][:, :, None], axis=1)
            return [states * np.cos(inputs["first"][:, :, None]).astype(np.float32)]
        if self._name == "mentions.onnx":
            return [self._around(inputs["vectors"], inputs["classes"]) for _ in outputs]
        if self._name == "pairs.onnx":
            near = np.einsum("mw,mcw->mc", inputs["left"], inputs["right"][inputs["pairs"]])
            # Some mentions refer to something, others to nothing.
            own = 6 * np.cos(9 * inputs["left"].sum(axis=1, keepdims=True))
            return [4 * np.cos(9 * near) + own + inputs["features"].sum(axis=2) % 3 - 6]
        states = inputs["vectors"]
        return [self._output(name, states) for name in outputs]

    def _around(self, vectors: np.ndarray, classes: np.ndarray) -> np.ndarray:
        """As the real graph: each of two layers sees 64 mentions to either side."""
        layer = np.concatenate([vectors, classes[:, None] / 10], axis=1)
        for _ in range(2):
            layer = np.array([np.cos(layer[max(0, i - 64) : i + 65].sum(axis=0)) for i in range(len(layer))])
        return layer.astype(np.float32)

    def _output(self, name: str, states: np.ndarray) -> np.ndarray:
        random = np.random.default_rng(sum(map(ord, name)))
        pairs = np.einsum("bdw,bhw->bdh", states, states @ random.normal(size=(WIDTH, WIDTH)).astype(np.float32))
        if name in ("arc", "span"):
            return pairs
        if name == "label":
            return (np.abs(pairs) * 10).astype(np.int32) % len(CONFIG["constituent"])  # type: ignore[arg-type]
        if name == "rel":
            return np.stack([pairs * factor for factor in (1, -1, 0.5, 2)], axis=2)
        count = len(CONFIG[name])  # type: ignore[arg-type]
        return states @ random.normal(size=(WIDTH, count)).astype(np.float32)


def write_stub(folder: Path) -> Path:
    """The files of the folder that are not graphs; empty files stand for the graphs."""
    settings: dict[str, Any] = CONFIG
    (folder / "config.json").write_text(json.dumps(settings), encoding="utf-8")
    letters = "abcdefghijklmnopqrstuvwxyz0123456789.,!?()'\"-"
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *letters, *(f"##{letter}" for letter in letters)]
    (folder / "vocab.txt").write_text("\n".join(pieces) + "\n", encoding="utf-8")
    (folder / "split.json").write_text('{"bias":-1.0,"k=.s":3.0,"k=!s":3.0}', encoding="utf-8")
    (folder / "lemmas.json").write_text('{"known":{},"exceptions":{}}', encoding="utf-8")
    for name in ("encoder.onnx", "heads.onnx", "constituents.onnx", "mentions.onnx", "pairs.onnx"):
        (folder / name).touch()
    write_checksums(folder)
    return folder
