"""The folder of a trained model: `config.json`, one or two ONNX graphs, optionally a vocabulary."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tupelo.core import InputError
from tupelo.nlp.encoder import VOCABULARY, Encoder, load_encoder
from tupelo.nlp.onnx import Graph
from tupelo.nlp.subwords import Subwords

FORMAT = 1
SHIPPED = Path(__file__).parents[2] / "models" / "en-facts"
KINDS = {
    "pairs": "the relations of all pairs of entities in a document",
    "sentence": "the relations of a marked pair in a sentence",
    "writer": "facts written from text",
}


def kind_of(folder: str | Path) -> str | None:
    """The kind of model in a folder; `None` if there is none, in which case opening it raises the error."""
    try:
        config = json.loads((Path(folder) / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return config.get("kind") if isinstance(config, dict) else None


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation of the schema: its Wikidata property, if any, and its name."""

    name: str
    wikidata: str | None = None

    @property
    def id(self) -> str:
        return self.wikidata or self.name


class ModelFolder:
    """The common base of all models. Graphs are loaded on first use."""

    def __init__(self, folder: str | Path, kind: str, *, threads: int = 1) -> None:
        self.folder = Path(folder)
        self._threads = threads
        path = self.folder / "config.json"
        expected = f"expected a folder with a model of kind {kind} ({KINDS[kind]})"
        try:
            self.config: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise InputError(f"{path}: {error.strerror}, {expected}") from error
        except ValueError as error:
            raise InputError(f"{path}: not JSON ({error}), {expected}") from error
        if not isinstance(self.config, dict) or self.config.get("format") != FORMAT:
            raise InputError(f"{path}: no model of format {FORMAT}, {expected}")
        if self.config.get("kind") != kind:
            raise InputError(f"{path}: a model of kind {self.config.get('kind')}, {expected}")
        try:
            self.name, self.version = str(self.config["name"]), str(self.config["version"])
            self.relations = [Relation(one["name"], one.get("property")) for one in self.config["relations"]]
        except (KeyError, TypeError) as error:
            raise InputError(f"{path}: {error} is missing or of the wrong type, {expected}") from error

    def graph(self, name: str) -> Graph:
        path = self.folder / name
        if not path.is_file():
            raise InputError(f"{path}: no such file, expected a graph that belongs to {self.name}")
        return Graph(path, self._threads)

    @cached_property
    def vocabulary(self) -> list[str]:
        own = self.folder / "vocab.txt"
        return (own if own.is_file() else VOCABULARY).read_text(encoding="utf-8").splitlines()

    @cached_property
    def subwords(self) -> Subwords:
        """The tokenizer, which splits running text as BERT does, without the normalisation of tokenized words."""
        return Subwords(self.vocabulary, normalize={})

    @cached_property
    def encoder(self) -> Encoder:
        """The shared embeddings, only for models without their own."""
        return load_encoder(threads=self._threads)
