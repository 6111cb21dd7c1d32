"""A trained entailment network as the files that the package ships.

    python -m training.entail.export --checkpoint final/weights.npz --weighing run/weights.json \
        --output src/tupelo/models/en-entail

Weights are kept as int8 with a scale per output channel and summed as floats, as in the sentence encoder. Without
`--checkpoint` a random network is written, for tests. `--float` leaves the weights alone, to measure what int8 costs.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from onnx import TensorProto

from training.encoder import linear, norm
from training.entail.model import ALL_LAYERS, HEADS, HIDDEN, INNER, WIDTH
from training.entail.prepare import FROZEN
from training.export import write_checksums
from training.graphs import FUSED, Array, Builder
from tupelo.infer.methods.learned import ALL_NAMES
from tupelo.infer.network import FORMAT

VERSION = "1.0.0"


def upper_graph(weights: Mapping[str, Array], *, quantise: bool = True) -> bytes:
    """`states` [batch, pieces, width] of a lower layer and `sides` [batch, pieces] to `logit` [batch]."""
    build = Builder(weights, None)
    width = weights["hidden.weight"].shape[1] // 5
    heads = HEADS * width // WIDTH

    def dense(name: str, x: str) -> str:
        return linear(build, x, build.matrix(name), build.bias(name), quantise=quantise)

    x = "states"
    for number in range(1 + max(int(name.split(".")[1]) for name in weights if name.startswith("layers."))):
        name = f"layers.{number}"
        parts = [dense(f"{name}.attention.self.{part}", x) for part in ("query", "key", "value")]
        mixed = build.add("MultiHeadAttention", *parts, domain=FUSED, num_heads=heads)
        y = dense(f"{name}.attention.output.dense", mixed)
        x = norm(build, f"{name}.attention.output.LayerNorm", build.add("Add", x, y))
        up = build.add("Gelu", dense(f"{name}.intermediate.dense", x), domain=FUSED)
        x = norm(build, f"{name}.output.LayerNorm", build.add("Add", x, dense(f"{name}.output.dense", up)))
    one = build.constant(np.float32(1))
    premise = _mean(build, x, build.add("Sub", one, "sides"))
    hypothesis = _mean(build, x, "sides")
    first = build.add("Gather", x, build.constant(np.int64(0)), axis=1)
    parts = [
        first,
        premise,
        hypothesis,
        build.add("Abs", build.add("Sub", premise, hypothesis)),
        build.add("Mul", premise, hypothesis),
    ]
    hidden = build.add("Gelu", dense("hidden", build.add("Concat", *parts, axis=-1)), domain=FUSED)
    logit = build.add("Squeeze", dense("answer", hidden), build.ints(1))
    return build.finish(
        {
            "states": (TensorProto.FLOAT, ["batch", "pieces", width]),
            "sides": (TensorProto.FLOAT, ["batch", "pieces"]),
        },
        {"logit": (logit, TensorProto.FLOAT, ["batch"])},
    )


def _mean(build: Builder, x: str, mask: str) -> str:
    weights = build.add("Unsqueeze", mask, build.ints(2))
    total = build.add("ReduceSum", build.add("Mul", x, weights), build.ints(1), keepdims=0)
    return str(build.add("Div", total, build.add("ReduceSum", weights, build.ints(1), keepdims=0)))


def random_weights(layers: int = ALL_LAYERS - FROZEN, seed: int = 0) -> dict[str, Array]:
    """A network that knows nothing."""
    chance = np.random.default_rng(seed)
    shapes: dict[str, tuple[int, ...]] = {
        "hidden.weight": (HIDDEN, 5 * WIDTH),
        "hidden.bias": (HIDDEN,),
        "answer.weight": (1, HIDDEN),
        "answer.bias": (1,),
    }
    for number in range(layers):
        name = f"layers.{number}"
        dense = {f"{name}.attention.self.{part}": (WIDTH, WIDTH) for part in ("query", "key", "value")} | {
            f"{name}.attention.output.dense": (WIDTH, WIDTH),
            f"{name}.intermediate.dense": (INNER, WIDTH),
            f"{name}.output.dense": (WIDTH, INNER),
        }
        for key, shape in dense.items():
            shapes |= {f"{key}.weight": shape, f"{key}.bias": shape[:1]}
        for key in (f"{name}.attention.output.LayerNorm", f"{name}.output.LayerNorm"):
            shapes |= {f"{key}.weight": (WIDTH,), f"{key}.bias": (WIDTH,)}
    return {name: chance.normal(0, 0.05, shape).astype(np.float32) for name, shape in shapes.items()}


def write_network(
    folder: Path, weights: Mapping[str, Array], weighing: Mapping[str, object], *, quantise: bool
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "upper.onnx").write_bytes(upper_graph(weights, quantise=quantise))
    config = {
        "format": FORMAT,
        "name": "tupelo-en-entail",
        "version": VERSION,
        "encoder_layer": FROZEN,
        **weighing,
    }
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
    write_checksums(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--checkpoint", type=Path)
    parser.add_argument("--weighing", type=Path, help="what training.entail.weigh wrote")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--float", action="store_true", dest="as_float")
    options = parser.parse_args()
    weights = dict(np.load(options.checkpoint)) if options.checkpoint else random_weights()
    count = len(ALL_NAMES)
    nothing = {"means": [0.0] * count, "scales": [1.0] * count, "weights": [1.0] + [0.0] * (count - 1), "bias": 0.0}
    weighing = (
        json.loads(options.weighing.read_text("utf-8"))
        if options.weighing
        else {"inputs": list(ALL_NAMES), **nothing}
    )
    write_network(options.output, weights, weighing, quantise=not options.as_float)


if __name__ == "__main__":
    main()
