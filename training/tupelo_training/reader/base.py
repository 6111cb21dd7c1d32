"""The weights of the shipped support model, read from its graphs: what the reader starts from.

    python -m tupelo_training.reader.base --support src/tupelo/models/en-support --output base.npz

Every matrix is what the graph multiplies with: its int8 values, their steps, and the factors that smooth its inputs
(`tupelo_training.weights` restores floats).
"""

from __future__ import annotations

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


def read_support(folder: Path) -> Arrays:
    """All weights as they are stored, named as in `tupelo_training.reader.network`."""
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
    for name, node in zip(("whole", "piece"), floats, strict=True):
        found[f"{name}.weight"] = np.ascontiguousarray(constants[node.input[1]].T)
    return {**found, **read_embeddings(folder)}


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
    options = option_parser(__doc__, "support", "output").parse_args()
    np.savez_compressed(options.output, allow_pickle=False, **read_support(options.support))


if __name__ == "__main__":
    main()
