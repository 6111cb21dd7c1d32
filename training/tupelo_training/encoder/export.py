"""A BERT-like encoder as the two files that the package ships.

    python -m tupelo_training.encoder.export --weights model.safetensors --output src/tupelo/models/en-encoder

`embeddings.onnx` turns subwords into vectors and `layers.onnx` turns these into the states of every layer, so that a
network that was trained further on the same vocabulary can share the first file, half of the weight, and bring only
layers of its own (`layers_graph` writes them too).

Weights are kept as int8, one scale per output channel (per row of the embedding table), and are turned into floats
when a graph is opened; all sums are float. So the numbers of a text do not depend on what shares its batch, and
vectors stay closer to those of the float network than with int8 sums. `--float` leaves the weights alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from onnx import TensorProto

from tupelo_training.encoder.published import layer_count, read_minilm
from tupelo_training.onnx_graphs import FUSED, Array, Builder, embedded, norm, positions_of
from tupelo_training.options import option_parser, write_checksums, write_json
from tupelo_training.weights import as_int8

FORMAT = 1
VERSION = "1.0.0"


def linear(build: Builder, x: str, weight: Array, bias: Array, *, quantise: bool) -> str:
    """`x @ weight + bias`, weight as [in, out]."""
    if quantise:
        whole, steps = (build.constant(value) for value in as_int8(weight, axis=0))
        matrix = build.add("Mul", build.add("Cast", whole, to=TensorProto.FLOAT), steps)
    else:
        matrix = build.constant(weight)
    return str(build.add("Add", build.add("MatMul", x, matrix), build.constant(bias)))


def embeddings_graph(weights: Mapping[str, Array], *, quantise: bool = True) -> bytes:
    """`subwords` and `segments`, both [batch, pieces], to `vectors` [batch, pieces, width]."""
    build = Builder(weights, None)
    table = weights["embeddings.word_embeddings.weight"]
    pieces = embedded(build, table, "subwords", quantise=quantise)
    positions = positions_of(build, weights["embeddings.position_embeddings.weight"], "subwords")
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
    width = weights["encoder.layer.0.output.dense.bias"].shape[0]

    def dense(name: str, x: str) -> str:
        return linear(build, x, build.matrix(name), build.bias(name), quantise=quantise)

    for number in range(layer_count(weights)):
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
        "layers": layer_count(weights),
        "dimensions": weights["embeddings.word_embeddings.weight"].shape[1],
        "max_subwords": weights["embeddings.position_embeddings.weight"].shape[0],
    }
    write_json(folder / "config.json", config)
    write_checksums(folder)


def main() -> None:
    parser = option_parser(__doc__, "output")
    parser.add_argument("--weights", type=Path, required=True, help="model.safetensors of all-MiniLM-L6-v2")
    parser.add_argument("--float", action="store_true", dest="as_float")
    given = parser.parse_args()
    weights = {name: array.astype(np.float32) for name, array in read_minilm(given.weights).items() if array.ndim}
    write_encoder(given.output, weights, 12, name="tupelo-en-encoder", quantise=not given.as_float)


if __name__ == "__main__":
    main()
