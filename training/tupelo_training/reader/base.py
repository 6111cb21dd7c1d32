"""The weights of the shipped support model, read from its graphs: what the reader starts from.

    python -m tupelo_training.reader.base --support src/tupelo/models/en-support --output base.npz
    python -m tupelo_training.reader.base --support src/tupelo/models/en-support --reader en-reader --output old.npz

With `--reader`, those of a reader that was exported: to train it further.

Every matrix is what the graph multiplies with: its int8 values, their steps, and the factors that smooth its inputs
(`tupelo_training.weights` restores floats).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

from tupelo_training.options import option_parser
from tupelo_training.weights import COLUMNS, ROWS, Arrays


def read_graph(path: Path) -> tuple[list[onnx.NodeProto], Arrays]:
    """The nodes of a graph and its constants."""
    graph = onnx.load(path).graph
    return list(graph.node), {one.name: numpy_helper.to_array(one) for one in graph.initializer}


def read_layers(folder: Path, heads: Sequence[str]) -> Arrays:
    """The weights above the embeddings as they are stored, named as in `tupelo_training.reader.network`."""
    nodes, constants = read_graph(folder / "layers.onnx")
    made = {node.output[0]: node for node in nodes}
    products = [node for node in nodes if node.op_type == "MatMulIntegerToFloat"]
    norms = [node for node in nodes if node.op_type == "LayerNormalization"]
    found: Arrays = {}
    for number, node in enumerate(products):
        name = f"layers.{number // 4}.{('query_key_value', 'output', 'up', 'down')[number % 4]}"
        quantised = made[node.input[0]]
        before = made.get(quantised.input[0])
        found[f"{name}.weight"] = np.ascontiguousarray(constants[node.input[1]].T)
        found[f"{name}.weight{ROWS}"] = constants[node.input[3]]
        if before is not None and before.op_type == "Mul":
            found[f"{name}.weight{COLUMNS}"] = constants[before.input[1]]
        found[f"{name}.bias"] = constants[node.input[6]]
    for number, node in enumerate(norms):
        name = f"layers.{number // 2}.{('attention_norm', 'norm')[number % 2]}"
        found[f"{name}.weight"], found[f"{name}.bias"] = (constants[one] for one in node.input[1:3])
    floats = [node for node in nodes if node.op_type == "MatMul"]
    for name, node in zip(heads, floats, strict=True):
        found[f"{name}.weight"] = np.ascontiguousarray(constants[node.input[1]].T)
        found |= {f"{name}.bias": constants[one.input[1]] for one in nodes if one.input[0] == node.output[0]}
    return found


def read_support(folder: Path, reader: Path | None = None) -> Arrays:
    """All weights of a support model, or of a reader over its embeddings."""
    heads = ("outcome", "marks") if reader else ("whole", "piece")
    return {**read_layers(reader or folder, heads), **read_embeddings(folder)}


def read_embeddings(folder: Path) -> Arrays:
    """Only what is below the layers."""
    nodes, constants = read_graph(folder / "embeddings.onnx")
    tables = [constants[node.input[0]] for node in nodes if node.op_type == "Gather" and node.input[0] in constants]
    words, steps = (
        next(one for one in tables if one.dtype == kind and len(one) > 2) for kind in (np.int8, np.float32)
    )
    (positions,) = (constants[node.input[0]] for node in nodes if node.op_type == "Slice")
    (norm,) = (node for node in nodes if node.op_type == "LayerNormalization")
    return {
        "words.weight": words,
        f"words.weight{ROWS}": steps,
        "positions.weight": positions,
        "segments.weight": next(one for one in tables if len(one) == 2),
        "norm.weight": constants[norm.input[1]],
        "norm.bias": constants[norm.input[2]],
    }


def main() -> None:
    options = option_parser(__doc__, "support", "output", reader="a reader to train further").parse_args()
    weights = read_support(options.support, options.reader)
    np.savez_compressed(options.output, allow_pickle=False, **weights)


if __name__ == "__main__":
    main()
