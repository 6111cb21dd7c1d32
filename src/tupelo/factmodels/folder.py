"""The folder of a trained model: `config.json`, one or two ONNX graphs, optionally a vocabulary."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tupelo.nlp.encoder import SHIPPED as ENCODER
from tupelo.nlp.encoder import Encoder, load_encoder
from tupelo.nlp.folder import CONFIG, ModelFolder, OnnxGraph, find_model, model_path
from tupelo.nlp.subwords import Subwords

FORMAT = 1
SHIPPED = "en-facts"
SUPPORT = "en-support"
# The part of the package that knows WebNLG's relations, by which users name it.
WEBNLG = "webnlg"
KINDS = {
    "pairs": "the relations of all pairs of entities in a document",
    "sentence": "the relations of a marked pair in a sentence",
    "writer": "facts written from text",
    "pointer": "facts written by pointing at names",
}


def kind_of(path: str | Path) -> str:
    """The kind of model in a folder."""
    return str(ModelFolder(model_path(path), "a model of facts").settings(FORMAT).get("kind"))


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation of the schema: its Wikidata property, if any, and its name."""

    name: str
    wikidata: str | None = None

    @property
    def id(self) -> str:
        return self.wikidata or self.name


class FactModel:
    """The common base of all models of a `kind`: the shipped one, which is in `part` of its package, or a folder.

    Graphs are loaded on first use.
    """

    kind = part = ""

    def __init__(self, folder: str | Path | None = None, *, threads: int = 1) -> None:
        path, kind = find_model(SHIPPED) / self.part if folder is None else model_path(folder), self.kind
        self._folder = ModelFolder(path, f"a model of kind {kind} ({KINDS[kind]})")
        self._threads = threads
        config = self._folder.settings(FORMAT)
        with self._folder.reading(CONFIG):
            if config["kind"] != kind:
                raise ValueError(f"a model of kind {config['kind']}")
            self.name, self.version = str(config["name"]), str(config["version"])
            self.relations = [Relation(one["name"], one.get("property")) for one in config["relations"]]
            self._embeddings = str(config.get("embeddings", ENCODER))
            if self._embeddings not in (ENCODER, SUPPORT):
                raise ValueError(f"embeddings of {self._embeddings!r}")
            self._configure(config)

    def _configure(self, config: Mapping[str, Any]) -> None:
        """Read the settings that only one kind has."""

    def graph(self, name: str, **sizes: int) -> OnnxGraph:
        return self._folder.graph(name, self._threads, **sizes)

    @cached_property
    def vocabulary(self) -> list[str]:
        return self._folder.vocabulary()

    @cached_property
    def subwords(self) -> Subwords:
        """The tokenizer, which splits running text as BERT does, without the normalisation of tokenized words."""
        return Subwords(self.vocabulary, normalize={})

    @cached_property
    def encoder(self) -> Encoder:
        """The shared embeddings, only for models without their own."""
        return load_encoder(threads=self._threads)

    @cached_property
    def _support_embeddings(self) -> OnnxGraph:
        folder = ModelFolder(find_model(self._embeddings), "the embeddings of a shipped model")
        return folder.graph("embeddings.onnx", self._threads)

    def embed(self, subwords: NDArray[np.int64]) -> NDArray[np.float32]:
        """The vectors of subwords [batch, subwords], from the shipped model whose embeddings this one shares."""
        if self._embeddings == ENCODER:
            return self.encoder.embed(subwords)
        inputs = {"subwords": subwords, "segments": np.zeros_like(subwords)}
        (vectors,) = self._support_embeddings.run(["vectors"], inputs)
        return vectors
