"""The weights of the shipped graphs of coreference, read back: what a student goes on from, and one of its teachers.

python -m tupelo_training.coreference.shipped --model src/tupelo/models/en --output shipped.npz
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tupelo_training.options import option_parser
from tupelo_training.parser.graphs import distance_steps
from tupelo_training.parser.model import NEAR, STEPS
from tupelo_training.reader.base import read_graph
from tupelo_training.weights import Arrays

_LAYER = ("query_key_value", "output", "up", "down")


def read_shipped(folder: Path) -> Arrays:
    """Weights under the names of `parser.model.Chains`."""
    nodes, constants = read_graph(folder / "mentions.onnx")
    layers = sum(node.op_type == "Gelu" for node in nodes)
    products = ["enter"]
    products += [f"layers.{number}.{part}" for number in range(layers) for part in _LAYER]
    products += ["left", "right", "pair_left", "pair_right"]
    norms = [f"layers.{number}.{part}" for number in range(layers) for part in ("norm", "inner_norm")]
    found = _products(folder / "mentions.onnx", products)
    made = (node for node in nodes if node.op_type == "LayerNormalization")
    for name, node in zip([*norms, "norm"], made, strict=True):
        found[f"{name}.weight"], found[f"{name}.bias"] = (constants[one] for one in node.input[1:3])
    tables = [constants[node.input[0]] for node in nodes if node.op_type == "Gather" and node.input[0] in constants]
    found["classes.weight"] = next(one for one in tables if one.ndim == 2 and one.shape[1] != 2 * NEAR + 3)
    apart = np.arange(-NEAR, NEAR + 1)
    for number, table in enumerate(one for one in tables if one.shape[1] == 2 * NEAR + 3):
        distance = np.zeros((len(table), 2 * STEPS), np.float32)
        distance[:, distance_steps(apart)] = table[:, apart + NEAR + 1]
        found[f"layers.{number}.distance"] = distance
    return found | _products(folder / "pairs.onnx", ["features", "pair_score"])


def _products(path: Path, names: list[str]) -> Arrays:
    """The products with a matrix that is stored as int8, in the order of the graph."""
    nodes, constants = read_graph(path)
    made = {node.output[0]: node for node in nodes}
    users = {name: node for node in nodes for name in node.input}
    matrices = [node for node in nodes if node.op_type == "MatMul" and made.get(node.input[1], node).op_type == "Mul"]
    matrices = [node for node in matrices if made[made[node.input[1]].input[0]].op_type == "Cast"]
    found: Arrays = {}
    for name, node in zip(names, matrices, strict=True):
        scaled = made[node.input[1]]
        whole = constants[made[scaled.input[0]].input[0]].astype(np.float32)
        found[f"{name}.weight"] = np.ascontiguousarray((whole * constants[scaled.input[1]]).T)
        after = users.get(node.output[0])
        if after is not None and after.op_type == "Add" and name not in ("pair_right", "features"):
            found[f"{name}.bias"] = constants[after.input[1]]
    return found


def main() -> None:
    options = option_parser(__doc__, "model", "output").parse_args()
    np.savez(options.output, allow_pickle=False, **read_shipped(options.model))


if __name__ == "__main__":
    main()
