"""The shipped encoder's graph, run by torch: the states that the head meets at work, without onnxruntime.

python -m tupelo_training.coreference.frozen --model src/tupelo/models/en --output FOLDER
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from tupelo_training.options import option_parser


def write(model: Path, folder: Path) -> None:
    """The nodes and constants of the encoder in files that numpy reads."""
    import onnx
    from onnx import helper, numpy_helper

    graph = onnx.load(model / "encoder.onnx").graph
    nodes = [
        [n.op_type, [*n.input], [*n.output], {a.name: helper.get_attribute_value(a) for a in n.attribute}]
        for n in graph.node
    ]
    (folder / "encoder.json").write_text(json.dumps(nodes), "utf-8")
    constants = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    np.savez_compressed(folder / "encoder.npz", allow_pickle=False, **constants)


class FrozenEncoder:
    """Vectors of words as the graph computes them, rounding of activations included."""

    def __init__(self, folder: Path, device: torch.device) -> None:
        self._nodes = json.loads((folder / "encoder.json").read_text("utf-8"))
        with np.load(folder / "encoder.npz") as file:
            self._constants = {name: torch.from_numpy(np.asarray(file[name])).to(device) for name in file.files}
        for kind, inputs, _, _ in self._nodes:
            if kind == "MatMulIntegerToFloat":
                self._constants[inputs[1]] = self._constants[inputs[1]].float()

    @torch.no_grad()
    def __call__(self, subwords: Tensor, shapes: Tensor, mask: Tensor, first: Tensor, last: Tensor) -> Tensor:
        """`[batch, words, width]`; all inputs are as the graph takes them."""
        known: dict[str, Any] = self._constants | {
            "subwords": subwords, "shapes": shapes, "mask": mask, "first": first, "last": last, "": None
        }  # fmt: skip
        for kind, inputs, outputs, settings in self._nodes:
            found = _step(kind, [known[name] for name in inputs], settings)
            known |= dict(zip(outputs, found if isinstance(found, tuple) else (found,), strict=True))
        vectors: Tensor = known["vectors"]
        return vectors


def _step(kind: str, given: list[Any], settings: dict[str, Any]) -> Any:
    x = given[0]
    match kind:
        case "Gather":
            return x[given[1]]
        case "Cast":
            return x.float()
        case "Add":
            return x + given[1]
        case "Mul":
            return x * given[1]
        case "Shape":
            return x.shape[1]
        case "Slice":
            return x[: given[2]]
        case "LayerNormalization":
            return functional.layer_norm(x, x.shape[-1:], given[1], given[2], settings["epsilon"])
        case "QuantizeLinear":
            return torch.clamp(torch.round(x / given[1]) + given[2].float(), 0, 255) - given[2].float()
        case "MatMul":
            return x @ given[1]
        case "MatMulIntegerToFloat":
            y = x @ given[1] * (given[2] * given[3])
            return y + given[6] if len(given) > 6 else y
        case "Split":
            return x.chunk(settings["num_outputs"], -1)
        case "MultiHeadAttention":
            heads = settings["num_heads"]
            q, k, v = (one.unflatten(-1, (heads, -1)).transpose(1, 2) for one in given[:3])
            mixed = functional.scaled_dot_product_attention(q, k, v, (given[4] > 0)[:, None, None])
            return mixed.transpose(1, 2).flatten(2)
        case "Gelu":
            return functional.gelu(x)
        case "Unsqueeze":
            return x
        case "GatherND":
            return x.gather(1, given[1][:, :, None].expand(-1, -1, x.shape[-1]))
        case "Identity":
            return x
    raise ValueError(f"no operation {kind!r}")


def main() -> None:
    options = option_parser(__doc__, "model", "output").parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    write(options.model, options.output)


if __name__ == "__main__":
    main()
