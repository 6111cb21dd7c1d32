"""The arrays that training starts from: a published encoder, rounded as shipped ones are, or a shipped network.

python -m tupelo_training.support.start --minilm model.safetensors --output minilm.npz
python -m tupelo_training.support.start --gte model.onnx --output gte.npz
python -m tupelo_training.support.start --shipped src/tupelo/models/en-support --output start.npz
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tupelo_training.encoder.published import read_gte, read_minilm
from tupelo_training.options import option_parser
from tupelo_training.weights import Arrays, rounded

# The int8 matrices of a layer and its norms, in the order of the graph.
MATRICES, NORMS = ("query_key_value", "output", "up", "down"), ("attention_norm", "norm")
EMBEDDINGS = {2: "positions.weight", 5: "segments.weight", 6: "norm.weight", 7: "norm.bias"}


def read_shipped(folder: Path) -> Arrays:
    """The weights of a shipped network as `tupelo_training.support.export` wrote it, under our names."""
    import onnx
    from onnx import numpy_helper

    def constants(graph: Any) -> dict[str, Any]:
        return {one.name: np.array(numpy_helper.to_array(one)) for one in graph.initializer}

    graph = onnx.load(folder / "layers.onnx").graph
    values, made = constants(graph), {node.output[0]: node for node in graph.node}
    found: Arrays = {}
    products = [node for node in graph.node if node.op_type == "MatMulIntegerToFloat"]
    for number, node in enumerate(products):
        matrix, steps, bias = (values[node.input[place]] for place in (1, 3, 6))
        scaled = made[made[node.input[0]].input[0]]
        # Channels of the input were divided by a factor that the matrix holds.
        factor = values[scaled.input[1]] if scaled.op_type == "Mul" else np.ones(len(matrix), np.float32)
        name = f"layers.{number // len(MATRICES)}.{MATRICES[number % len(MATRICES)]}"
        found[f"{name}.weight"] = ((matrix * steps) * factor[:, None]).T.astype(np.float32)
        found[f"{name}.bias"] = bias
    for number, node in enumerate(node for node in graph.node if node.op_type == "LayerNormalization"):
        name = f"layers.{number // len(NORMS)}.{NORMS[number % len(NORMS)]}"
        found[f"{name}.weight"], found[f"{name}.bias"] = (values[node.input[place]] for place in (1, 2))
    for name, node in zip(("whole", "piece"), (one for one in graph.node if one.op_type == "MatMul"), strict=True):
        found[f"{name}.weight"] = values[node.input[1]].T
        added = next(one for one in graph.node if one.op_type == "Add" and one.input[0] == node.output[0])
        found[f"{name}.bias"] = values[added.input[1]]
    table = list(constants(onnx.load(folder / "embeddings.onnx").graph).values())
    found |= {name: table[place] for place, name in EMBEDDINGS.items()}
    return found | {"words.weight": table[0] * table[1]}


def main() -> None:
    parser = option_parser(__doc__, "output")
    start = parser.add_mutually_exclusive_group(required=True)
    start.add_argument("--minilm", type=Path, help="model.safetensors of all-MiniLM-L6-v2")
    start.add_argument("--gte", type=Path, help="model.onnx of gte-small")
    start.add_argument("--shipped", type=Path, help="folder of a support model")
    options = parser.parse_args()
    if options.shipped:
        found = read_shipped(options.shipped)
    else:
        found = read_minilm(options.minilm) if options.minilm else read_gte(options.gte)
    weights = {name: value for name, value in found.items() if value.dtype == np.float32}
    np.savez_compressed(options.output, allow_pickle=False, **rounded(weights))


if __name__ == "__main__":
    main()
