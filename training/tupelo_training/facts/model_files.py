"""A trained network as the files of a model folder, by name. Who calls this writes them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tupelo.factmodels.folder import FORMAT, Relation
from tupelo_training.facts.graphs import (
    Array,
    layers_graph,
    links_graph,
    pairs_graph,
    pointer_graphs,
    sentence_graph,
    writer_graphs,
)
from tupelo_training.facts.pair_network import PairReader
from tupelo_training.facts.pointer_network import FactPointer
from tupelo_training.facts.sentence_network import SentenceReader
from tupelo_training.facts.writer_network import FactWriter

Files = dict[str, bytes]


def _weights(model: Any) -> dict[str, Array]:
    return {name: value.detach().float().cpu().numpy() for name, value in model.state_dict().items()}


def _config(kind: str, name: str, version: str, relations: Sequence[Relation], **more: Any) -> bytes:
    table = [
        {"name": one.name} if one.wikidata is None else {"name": one.name, "property": one.wikidata}
        for one in relations
    ]
    whole = {"format": FORMAT, "kind": kind, "name": name, "version": version, **more, "relations": table}
    return (json.dumps(whole, ensure_ascii=False, indent=1) + "\n").encode()


def with_checksums(files: Mapping[str, bytes]) -> Files:
    """The files and `SHA256SUMS`."""
    lines = [f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in sorted(files.items())]
    return {**files, "SHA256SUMS": "".join(lines).encode("ascii")}


def pairs_files(
    model: PairReader,
    relations: Sequence[Relation],
    *,
    name: str,
    version: str,
    threshold: float = 0.0,
    related_threshold: float = 0.0,
    calibration: tuple[float, float] = (1.0, 0.0),
    related_calibration: tuple[float, float] = (1.0, 0.0),
    embeddings: str = "en-encoder",
    rounded: bool = True,
) -> Files:
    """The document-level classifier for the first of its relations, as many as are named."""
    weights, heads = _weights(model), model.sizes.attention_heads
    config = _config(
        "pairs",
        name,
        version,
        relations,
        max_subwords=512,
        threshold=threshold,
        related_threshold=related_threshold,
        calibration=calibration,
        related_calibration=related_calibration,
        embeddings=embeddings,
    )
    graphs = {
        "layers.onnx": layers_graph(weights, heads, rounded=rounded),
        "links.onnx": links_graph(weights, rounded=rounded),
        "pairs.onnx": pairs_graph(weights, heads, relations=len(relations), rounded=rounded),
    }
    return with_checksums({"config.json": config, **graphs})


def sentence_files(
    model: SentenceReader,
    relations: Sequence[Relation],
    *,
    name: str,
    version: str,
    threshold: float = 0.5,
    embeddings: str = "en-encoder",
    rounded: bool = True,
) -> Files:
    """The paper's classifier. `embeddings` are those of a shipped model, unless it has its own."""
    weights = {**_weights(model), "places": model.places.numpy()}
    config = _config(
        "sentence",
        name,
        version,
        relations,
        max_subwords=512,
        threshold=threshold,
        own_embeddings=model.sizes.own_embeddings,
        embeddings=embeddings,
    )
    graph = sentence_graph(weights, model.sizes.attention_heads, rounded=rounded)
    return with_checksums({"config.json": config, "sentence.onnx": graph})


def pointer_files(
    model: FactPointer,
    relations: Sequence[Relation],
    *,
    name: str,
    version: str,
    heads: int = 12,
    eager: float = 0.5,
    calibration: tuple[float, float] = (1.0, 0.0),
    rounded: bool = True,
) -> Files:
    """The end-to-end model that points at names. `heads` are those of the classifier's encoder."""
    pairs, step = pointer_graphs(_weights(model), heads, rounded=rounded)
    config = _config("pointer", name, version, relations, eager=eager, calibration=calibration)
    return with_checksums({"config.json": config, "pairs.onnx": pairs, "step.onnx": step})


def writer_files(
    model: FactWriter,
    relations: Sequence[Relation],
    generated: Sequence[int],
    names: Sequence[str],
    *,
    name: str,
    version: str,
    window: int,
    reduced: bool = False,
    rounded: bool = True,
) -> Files:
    """The end-to-end model. `names` are spelled as they should come out."""
    sizes = model.sizes
    weights = {**_weights(model), "places": model.places.numpy(), "pieces": np.array(sizes.pieces)}
    encoder, step = writer_graphs(weights, sizes.attention_heads, rounded=rounded)
    config = _config(
        "writer",
        name,
        version,
        relations,
        max_subwords=512,
        longest=sizes.longest,
        window=window,
        reduced=reduced,
        own_embeddings=sizes.own_embeddings,
        decoder_layers=sizes.decoder_layers,
        attention_heads=sizes.attention_heads,
        per_head=sizes.width // sizes.attention_heads,
        generated=list(generated),
        names=list(names),
    )
    return with_checksums({"config.json": config, "encoder.onnx": encoder, "step.onnx": step})
