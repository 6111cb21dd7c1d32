"""The weights of the shipped support model, read from its graphs: what the reader starts from.

    python -m tupelo_training.reader.base --support src/tupelo/models/en-support --output base.npz

Every matrix is what the graph multiplies with: its int8 values, their steps, and the factors that smooth its inputs
(`tupelo_training.weights` restores floats).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tupelo.nlp.wire import (
    GRAPH,
    INITIALIZER,
    NODE,
    NODE_INPUT,
    NODE_KIND,
    NODE_OUTPUT,
    TENSOR_DIMENSION,
    TENSOR_NAME,
    TENSOR_TYPE,
    TENSOR_VALUES,
    fields,
)
from tupelo_training.options import option_parser
from tupelo_training.weights import COLUMNS, ROWS

Arrays = dict[str, np.ndarray]
_TYPES = {1: np.float32, 2: np.uint8, 3: np.int8, 6: np.int32, 7: np.int64}


@dataclass(frozen=True, slots=True)
class Node:
    kind: str
    inputs: tuple[str, ...]
    output: str


def read_graph(path: Path) -> tuple[list[Node], Arrays]:
    """The nodes of a graph and its constants."""
    (graph,) = (field.content for field in fields(path.read_bytes()) if field.number == GRAPH)
    nodes, constants = [], {}
    for field in fields(graph):
        if field.number == NODE:
            parts = list(fields(field.content))
            names = {
                number: [bytes(part.content).decode() for part in parts if part.number == number]
                for number in (NODE_INPUT, NODE_OUTPUT, NODE_KIND)
            }
            nodes.append(Node(names[NODE_KIND][0], tuple(names[NODE_INPUT]), names[NODE_OUTPUT][0]))
        elif field.number == INITIALIZER:
            parts = list(fields(field.content))
            shape = [int(part.value) for part in parts if part.number == TENSOR_DIMENSION]  # type: ignore[arg-type]
            (kind,) = (part.value for part in parts if part.number == TENSOR_TYPE)
            (name,) = (bytes(part.content).decode() for part in parts if part.number == TENSOR_NAME)
            (values,) = (part.content for part in parts if part.number == TENSOR_VALUES)
            constants[name] = np.frombuffer(values, _TYPES[int(kind)]).reshape(shape)  # type: ignore[arg-type]
    return nodes, constants


def read_support(folder: Path) -> tuple[Arrays, list[str]]:
    """All weights as they are stored, named as in `tupelo_training.reader.network`; the tensors after each layer."""
    nodes, constants = read_graph(folder / "layers.onnx")
    made = {node.output: node for node in nodes}
    products = [node for node in nodes if node.kind == "MatMulIntegerToFloat"]
    norms = [node for node in nodes if node.kind == "LayerNormalization"]
    found: Arrays = {}
    for number, node in enumerate(products):
        name = f"layers.{number // 4}.{('query_key_value', 'output', 'up', 'down')[number % 4]}"
        quantised = made[node.inputs[0]]
        before = made.get(quantised.inputs[0])
        found[f"{name}.weight"] = np.ascontiguousarray(constants[node.inputs[1]].T)
        found[f"{name}.weight{ROWS}"] = constants[node.inputs[3]]
        if before is not None and before.kind == "Mul":
            found[f"{name}.weight{COLUMNS}"] = constants[before.inputs[1]]
        found[f"{name}.bias"] = constants[node.inputs[6]]
    for number, node in enumerate(norms):
        name = f"layers.{number // 2}.{('attention_norm', 'norm')[number % 2]}"
        found[f"{name}.weight"], found[f"{name}.bias"] = (constants[one] for one in node.inputs[1:3])
    floats = [node for node in nodes if node.kind == "MatMul"]
    for name, node in zip(("whole", "piece"), floats, strict=True):
        found[f"{name}.weight"] = np.ascontiguousarray(constants[node.inputs[1]].T)
    return {**found, **_embeddings(folder)}, [node.output for node in norms[1::2]]


def _embeddings(folder: Path) -> Arrays:
    nodes, constants = read_graph(folder / "embeddings.onnx")
    tables = [constants[node.inputs[0]] for node in nodes if node.kind == "Gather" and node.inputs[0] in constants]
    words, steps = (
        next(one for one in tables if one.dtype == kind and len(one) > 2) for kind in (np.int8, np.float32)
    )
    (positions,) = (constants[node.inputs[0]] for node in nodes if node.kind == "Slice")
    (norm,) = (node for node in nodes if node.kind == "LayerNormalization")
    return {
        "words.weight": words,
        f"words.weight{ROWS}": steps,
        "positions.weight": positions,
        "segments.weight": next(one for one in tables if len(one) == 2),
        "norm.weight": constants[norm.inputs[1]],
        "norm.bias": constants[norm.inputs[2]],
    }


def main() -> None:
    options = option_parser(__doc__, "support", "output").parse_args()
    weights, _ = read_support(options.support)
    np.savez_compressed(options.output, allow_pickle=False, **weights)


if __name__ == "__main__":
    main()
