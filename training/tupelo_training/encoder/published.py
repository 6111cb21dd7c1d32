"""Names of published encoders (BERT's, which MiniLM uses, and MPNet's) and of the same arrays in our networks.

Ours are `words`, `positions`, `segments`, `norm` and, for each of `layers`, `query_key_value`, `output`,
`attention_norm`, `up`, `down` and `norm`, each with `weight` and mostly `bias`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

KINDS = ("weight", "bias")
# all-MiniLM-L6-v2, revision 1110a243, as published.
MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
# gte-small as exported to ONNX, MIT.
GTE_SHA256 = "398a29991324e0b383afa13375d681ced3079c83e097fb1ebd9290d7498523b3"
MPNET_SHA256 = "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658"


@dataclass(frozen=True, slots=True)
class Published:
    """What a family of encoders calls the parts of a layer; `projections` are query, key and value."""

    projections: Sequence[str]
    parts: Mapping[str, str]


SEGMENTS = "segments.weight"  # MPNet has none
EMBEDDINGS = {
    "words.weight": "embeddings.word_embeddings.weight",
    "positions.weight": "embeddings.position_embeddings.weight",
    SEGMENTS: "embeddings.token_type_embeddings.weight",
    "norm.weight": "embeddings.LayerNorm.weight",
    "norm.bias": "embeddings.LayerNorm.bias",
}
BERT = Published(
    tuple(f"attention.self.{name}" for name in ("query", "key", "value")),
    {
        "output": "attention.output.dense",
        "attention_norm": "attention.output.LayerNorm",
        "up": "intermediate.dense",
        "down": "output.dense",
        "norm": "output.LayerNorm",
    },
)
MPNET = Published(
    tuple(f"attention.attn.{name}" for name in "qkv"),
    {
        "output": "attention.attn.o",
        "attention_norm": "attention.LayerNorm",
        "up": "intermediate.dense",
        "down": "output.dense",
        "norm": "output.LayerNorm",
    },
)


def read_minilm(path: Path) -> dict[str, Any]:
    """The published arrays of all-MiniLM-L6-v2 (numpy), without its table of position numbers."""
    return {name: value for name, value in _read(path, MINILM_SHA256).items() if not name.endswith("position_ids")}


def read_mpnet(path: Path) -> dict[str, Any]:
    """The published arrays of all-mpnet-base-v2 (numpy)."""
    return _read(path, MPNET_SHA256)


def read_gte(path: Path) -> dict[str, Any]:
    """The arrays of gte-small (numpy) from its ONNX graph, under the names of BERT.

    The graph keeps the names of all but matrices, which it holds transposed; the product that uses one is named after
    its layer.
    """
    import onnx
    from onnx import numpy_helper

    _verify(path, GTE_SHA256)
    graph = onnx.load(path).graph
    arrays = {item.name: numpy_helper.to_array(item) for item in graph.initializer}
    found = {name: value for name, value in arrays.items() if name.startswith(("embeddings.", "encoder."))}
    for node in graph.node:
        if node.op_type == "MatMul" and node.input[1] in arrays:
            name = node.name.strip("/").removesuffix("/MatMul").replace("/", ".")
            found[f"{name}.weight"] = arrays[node.input[1]].T
    return found


def _read(path: Path, sha256: str) -> dict[str, Any]:
    from safetensors.numpy import load_file

    _verify(path, sha256)
    return dict(load_file(path))


def _verify(path: Path, sha256: str) -> None:
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != sha256:
        raise SystemExit(f"{path}: SHA-256 is {found}, expected {sha256}")


def layer_count(weights: Mapping[str, Any]) -> int:
    """Layers of an encoder under its published names."""
    return 1 + max(int(name.split(".")[2]) for name in weights if name.startswith("encoder.layer."))


def our_arrays(
    weights: Mapping[str, Any], layers: int, concatenate: Callable[[list[Any]], Any], names: Published = BERT
) -> dict[str, Any]:
    """Published arrays (numpy or torch) under our names."""
    found = {ours: weights[theirs] for ours, theirs in EMBEDDINGS.items() if ours != SEGMENTS or theirs in weights}
    for layer in range(layers):
        theirs = f"encoder.layer.{layer}"
        for kind in KINDS:
            for ours, part in names.parts.items():
                found[f"layers.{layer}.{ours}.{kind}"] = weights[f"{theirs}.{part}.{kind}"]
            three = [weights[f"{theirs}.{part}.{kind}"] for part in names.projections]
            found[f"layers.{layer}.query_key_value.{kind}"] = concatenate(three)
    return found


def published_arrays(arrays: Mapping[str, Any]) -> dict[str, Any]:
    """Our arrays (torch) under the names of BERT."""
    found = {theirs: arrays[ours] for ours, theirs in EMBEDDINGS.items() if ours in arrays}
    for layer in range(sum(name.endswith("query_key_value.bias") for name in arrays)):
        theirs = f"encoder.layer.{layer}"
        for kind in KINDS:
            for ours, part in BERT.parts.items():
                found[f"{theirs}.{part}.{kind}"] = arrays[f"layers.{layer}.{ours}.{kind}"]
            three = arrays[f"layers.{layer}.query_key_value.{kind}"].chunk(3)
            found |= {f"{theirs}.{part}.{kind}": value for part, value in zip(BERT.projections, three, strict=True)}
    return found
