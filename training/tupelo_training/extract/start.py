"""The encoder of a shipped analysis model, read back from its graph: what the extractor starts from.

    python -m tupelo_training.extract.start --model src/tupelo/models/en --output encoder.npz [--whole]

The graph has int8 weights, so what is read back is what the model computes with, not what training left. `--whole`
keeps them as int8 with their factors, a third of the size; `restored` reads both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper

from tupelo_training.options import option_parser
from tupelo_training.weights import COLUMNS, ROWS, restored

Arrays = dict[str, NDArray[Any]]
PARTS = ("query_key_value", "output", "up", "down")


def encoder_of(graph: bytes) -> Arrays:
    """Names as `load_encoder` wants them; matrices as int8 [out, in] with factors of their rows and columns."""
    model = onnx.load_from_string(graph).graph
    constants = {each.name: numpy_helper.to_array(each) for each in model.initializer}
    made = {name: node for node in model.node for name in node.output}
    nodes = list(model.node)
    norms = [node for node in nodes if node.op_type == "LayerNormalization"]
    products = [node for node in nodes if node.op_type == "MatMulIntegerToFloat"]
    slices = [node for node in nodes if node.op_type == "Slice"]
    tables = [node for node in nodes if node.op_type == "Gather" and node.input[0] in constants]
    whole, steps, shapes = (constants[node.input[0]] for node in tables)
    found: Arrays = {
        "encoder.words.weight": whole,
        f"encoder.words.weight{ROWS}": steps[:, 0],
        "encoder.positions.weight": constants[slices[0].input[0]],
        "encoder.shapes.weight": shapes,
    }
    found |= dict(_norm("encoder.norm", norms[0], constants))
    for number, node in enumerate(products):
        layer, part = divmod(number, len(PARTS))
        name = f"encoder.layers.{layer}.{PARTS[part]}"
        found[f"{name}.weight"] = np.ascontiguousarray(constants[node.input[1]].T)
        found[f"{name}.weight{ROWS}"] = constants[node.input[3]]
        found[f"{name}.bias"] = constants[node.input[6]]
        before = made[made[node.input[0]].input[0]]
        if before.op_type == "Mul":
            # Input channels were made smaller, the columns of the weights larger.
            found[f"{name}.weight{COLUMNS}"] = constants[before.input[1]]
    for layer in range(len(products) // len(PARTS)):
        name = f"encoder.layers.{layer}"
        found |= dict(_norm(f"{name}.attention_norm", norms[1 + 2 * layer], constants))
        found |= dict(_norm(f"{name}.norm", norms[2 + 2 * layer], constants))
        _balance(found, name)
    return found


def _norm(name: str, node: onnx.NodeProto, constants: Mapping[str, NDArray[Any]]) -> Iterator[tuple[str, Any]]:
    yield f"{name}.weight", constants[node.input[1]]
    yield f"{name}.bias", constants[node.input[2]]


def _balance(found: Arrays, layer: str) -> None:
    """Values and the attention output share factors that cancel out; they go to where both are equally large.

    The graph has them where quantisation loses least, which is no good place to learn from.
    """
    joint, out = f"{layer}.query_key_value", f"{layer}.output"
    values = joint_weight(found, joint)
    width = len(values) // 3
    value = np.linalg.norm(values[2 * width :], axis=1)
    used = np.linalg.norm(joint_weight(found, out), axis=0)
    factor = np.sqrt(used / np.maximum(value, 1e-12)).astype(np.float32)
    rows = found[f"{joint}.weight{ROWS}"].copy()
    bias = found[f"{joint}.bias"].copy()
    rows[2 * width :] *= factor
    bias[2 * width :] *= factor
    found[f"{joint}.weight{ROWS}"], found[f"{joint}.bias"] = rows, bias
    found[f"{out}.weight{COLUMNS}"] = (1 / factor).astype(np.float32)


def joint_weight(found: Mapping[str, NDArray[Any]], name: str) -> NDArray[Any]:
    own = {key: value for key, value in found.items() if key.startswith(f"{name}.weight")}
    return restored(own)[f"{name}.weight"]


def main() -> None:
    parser = option_parser(__doc__, "output")
    parser.add_argument("--model", type=Path, required=True, help="folder with encoder.onnx")
    parser.add_argument("--whole", action="store_true", help="int8 with factors instead of float16")
    options = parser.parse_args()
    found = encoder_of((options.model / "encoder.onnx").read_bytes())
    if not options.whole:
        found = {name: value.astype(np.float16) for name, value in restored(found).items()}
    np.savez_compressed(options.output, **found)


if __name__ == "__main__":
    main()
