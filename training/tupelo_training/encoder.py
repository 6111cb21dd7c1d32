"""A BERT-like encoder as the two files that the package ships.

    python -m tupelo_training.encoder --weights model.safetensors --output src/tupelo/models/en-encoder

`embeddings.onnx` turns pieces into vectors and `layers.onnx` turns these into the states of every layer, so that a
network that was trained further on the same vocabulary can share the first file, half of the weight, and bring only
layers of its own (`layers_graph` writes them too).

Weights are kept as int8, one scale per output channel (per row of the embedding table), and are turned into floats
when a graph is opened; all sums are float. So the numbers of a text do not depend on what shares its batch, and
vectors stay closer to those of the float network than with int8 sums. `--float` leaves the weights alone.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from onnx import TensorProto

from tupelo_training.export import write_checksums
from tupelo_training.graphs import FUSED, LEVELS, Array, Builder

FORMAT = 1
VERSION = "1.0.0"
# all-MiniLM-L6-v2, revision 1110a243, as published.
PUBLISHED = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
EPSILON = 1e-12


def stored(build: Builder, weight: Array, *, axis: int) -> tuple[str, str]:
    """A weight as int8 and its scales, both names of constants; `axis` is the one that is summed over."""
    steps = np.maximum(np.abs(weight).max(axis=axis, keepdims=True) / LEVELS, 1e-12).astype(np.float32)
    return build.constant(np.rint(weight / steps).astype(np.int8)), build.constant(steps)


def linear(build: Builder, x: str, weight: Array, bias: Array, *, quantise: bool) -> str:
    """`x @ weight + bias`, weight as [in, out]."""
    if quantise:
        whole, steps = stored(build, weight, axis=0)
        matrix = build.add("Mul", build.add("Cast", whole, to=TensorProto.FLOAT), steps)
    else:
        matrix = build.constant(weight)
    return str(build.add("Add", build.add("MatMul", x, matrix), build.constant(bias)))


def norm(build: Builder, name: str, x: str) -> str:
    parts = [build.constant(build.weights[f"{name}.{kind}"]) for kind in ("weight", "bias")]
    return str(build.add("LayerNormalization", x, *parts, axis=-1, epsilon=EPSILON))


def embeddings_graph(weights: Mapping[str, Array], *, quantise: bool = True) -> bytes:
    """`subwords` and `segments`, both [batch, pieces], to `vectors` [batch, pieces, width]."""
    build = Builder(weights, None)
    table = weights["embeddings.word_embeddings.weight"]
    if quantise:
        # Looked up first and made float afterwards: the table stays small in memory as well.
        whole, steps = stored(build, table, axis=1)
        found = build.add("Cast", build.add("Gather", whole, "subwords"), to=TensorProto.FLOAT)
        pieces = build.add("Mul", found, build.add("Gather", steps, "subwords"))
    else:
        pieces = build.add("Gather", build.constant(table), "subwords")
    length = build.add("Shape", "subwords", start=1, end=2)
    positions = build.add(
        "Slice",
        build.constant(weights["embeddings.position_embeddings.weight"]),
        build.ints(0),
        length,
        build.ints(0),
    )
    segments = build.add("Gather", build.constant(weights["embeddings.token_type_embeddings.weight"]), "segments")
    summed = build.add("Add", build.add("Add", pieces, segments), positions)
    shape = ["batch", "pieces"]
    return build.finish(
        {"subwords": (TensorProto.INT64, shape), "segments": (TensorProto.INT64, shape)},
        {"vectors": (norm(build, "embeddings.LayerNorm", summed), TensorProto.FLOAT, [*shape, table.shape[1]])},
    )


def layers_graph(weights: Mapping[str, Array], attention_heads: int, *, quantise: bool = True) -> bytes:
    """`vectors` [batch, pieces, width], nothing padded, to `layer1`, `layer2`, … of the same shape."""
    build = Builder(weights, None)
    x, states = "vectors", []
    layers = 1 + max(int(name.split(".")[2]) for name in weights if name.startswith("encoder.layer."))
    width = weights["encoder.layer.0.output.dense.bias"].shape[0]

    def dense(name: str, x: str) -> str:
        return linear(build, x, build.matrix(name), build.bias(name), quantise=quantise)

    for number in range(layers):
        name = f"encoder.layer.{number}"
        parts = [dense(f"{name}.attention.self.{part}", x) for part in ("query", "key", "value")]
        mixed = build.add("MultiHeadAttention", *parts, domain=FUSED, num_heads=attention_heads)
        y = dense(f"{name}.attention.output.dense", mixed)
        x = norm(build, f"{name}.attention.output.LayerNorm", build.add("Add", x, y))
        up = build.add("Gelu", dense(f"{name}.intermediate.dense", x), domain=FUSED)
        y = dense(f"{name}.output.dense", up)
        x = norm(build, f"{name}.output.LayerNorm", build.add("Add", x, y))
        states.append(x)
    shape = ["batch", "pieces", width]
    return build.finish(
        {"vectors": (TensorProto.FLOAT, shape)},
        {f"layer{number}": (state, TensorProto.FLOAT, shape) for number, state in enumerate(states, start=1)},
    )


def write_encoder(
    folder: Path, weights: Mapping[str, Array], attention_heads: int, *, name: str, quantise: bool = True
) -> None:
    """The two graphs, their description and checksums."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "embeddings.onnx").write_bytes(embeddings_graph(weights, quantise=quantise))
    (folder / "layers.onnx").write_bytes(layers_graph(weights, attention_heads, quantise=quantise))
    config = {
        "format": FORMAT,
        "name": name,
        "version": VERSION,
        "layers": 1 + max(int(key.split(".")[2]) for key in weights if key.startswith("encoder.layer.")),
        "dimensions": weights["embeddings.word_embeddings.weight"].shape[1],
        "max_subwords": weights["embeddings.position_embeddings.weight"].shape[0],
    }
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
    write_checksums(folder)


def main() -> None:
    from safetensors.numpy import load_file

    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--weights", type=Path, required=True, help="model.safetensors of all-MiniLM-L6-v2")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--float", action="store_true", dest="as_float")
    given = parser.parse_args()
    if hashlib.sha256(given.weights.read_bytes()).hexdigest() != PUBLISHED:
        raise SystemExit(f"{given.weights}: not the published all-MiniLM-L6-v2 (SHA-256 {PUBLISHED})")
    weights = {name: array.astype(np.float32) for name, array in load_file(given.weights).items() if array.ndim}
    weights.pop("embeddings.position_ids", None)
    write_encoder(given.output, weights, 12, name="tupelo-en-encoder", quantise=not given.as_float)


if __name__ == "__main__":
    main()
