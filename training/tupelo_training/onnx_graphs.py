"""Weights to ONNX graphs, written node by node.

An exporter would give the same numbers; written by hand the graphs are small and use onnxruntime's fused operators,
and every matrix product can choose how it is quantised:

- weights: int8, one scale per output channel;
- activations: uint8 with one constant scale per layer, never a range taken from the data at hand, so that the numbers
  of a sentence do not depend on what shares its batch;
- before that, large input channels are made smaller and the rows of the weights larger by the same factor
  (SmoothQuant, Xiao et al. 2023). In front of the attention output this costs nothing, as it goes into the values'
  weights; elsewhere it is one product with a constant vector.

The scales come from `calibrate`, which watches the float network read sample sentences.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from tupelo_training.weights import LEVELS, as_int8

Array = NDArray[np.float32]
FUSED = "com.microsoft"
OPSETS = (("", 18), (FUSED, 1))
# How much of the difference between channels moves from activations to weights.
SMOOTHING = 0.75
# The inputs of the second feed-forward layer have the largest outliers.
DOWN_SMOOTHING = 0.85
# The smallest value of GELU: what comes out of it needs hardly any room below zero.
LOWEST_GELU = 0.17


@dataclass(slots=True)
class Builder:
    """Collects the nodes and constants of one graph."""

    weights: Mapping[str, Array]
    ranges: Mapping[str, Array] | None
    nodes: list[onnx.NodeProto] = field(default_factory=list)
    constants: list[onnx.TensorProto] = field(default_factory=list)

    def constant(self, value: NDArray[Any] | float) -> str:
        name = f"c{len(self.constants)}"
        array = np.ascontiguousarray(value) if isinstance(value, np.ndarray) and value.ndim else np.asarray(value)
        self.constants.append(numpy_helper.from_array(array, name))
        return name

    def add(self, kind: str, *inputs: str, domain: str = "", outputs: int = 1, **attributes: Any) -> Any:
        """A node; the name of its output, or a list of names when it has several."""
        names = [f"{kind.lower()}{len(self.nodes)}_{number}" for number in range(outputs)]
        self.nodes.append(helper.make_node(kind, list(inputs), names, domain=domain, **attributes))
        return names[0] if outputs == 1 else names

    def ints(self, *values: int) -> str:
        return self.constant(np.array(values, dtype=np.int64))

    def linear(
        self, x: str, weight: Array, bias: Array | None, reach: Array | None, *, after_gelu: bool = False
    ) -> str:
        """`x @ weight + bias`, weight as [in, out]. `reach`, for int8, is the largest value of each input channel."""
        if reach is None:
            y = self.add("MatMul", x, self.constant(weight))
            return y if bias is None else self.add("Add", y, self.constant(bias))
        smooth = smoothing(reach, weight, DOWN_SMOOTHING if after_gelu else SMOOTHING)
        x = self.add("Mul", x, self.constant((1 / smooth).astype(np.float32)))
        high = float((reach / smooth).max())
        low = float((np.minimum(reach, LOWEST_GELU) / smooth).max()) if after_gelu else high
        return self.quantised(x, weight * smooth[:, None], bias, low, high)

    def quantised(self, x: str, weight: Array, bias: Array | None, low: float, high: float) -> str:
        """The product for inputs between `-low` and `high`."""
        step = (low + high) / (2 * LEVELS)
        scale = self.constant(np.float32(step))
        zero = self.constant(np.uint8(round(low / step)))
        steps = np.maximum(np.abs(weight).max(axis=0) / LEVELS, 1e-12).astype(np.float32)
        whole = np.clip(np.rint(weight / steps), -LEVELS, LEVELS).astype(np.int8)
        inputs = [
            self.add("QuantizeLinear", x, scale, zero),
            self.constant(whole),
            scale,
            self.constant(steps),
            zero,
            self.constant(np.zeros(weight.shape[1], dtype=np.int8)),
        ]
        if bias is not None:
            inputs.append(self.constant(bias))
        return str(self.add("MatMulIntegerToFloat", *inputs, domain=FUSED))

    def small(self, x: str, name: str) -> str:
        """`x @ weight + bias` in float, with a weight that is only stored as int8: nothing has to be calibrated."""
        weight = self.matrix(name)
        if self.ranges is not None:
            steps = np.maximum(np.abs(weight).max(axis=0) / LEVELS, 1e-12).astype(np.float32)
            whole = self.constant(np.clip(np.rint(weight / steps), -LEVELS, LEVELS).astype(np.int8))
            matrix = self.add("Mul", self.add("Cast", whole, to=TensorProto.FLOAT), self.constant(steps))
        else:
            matrix = self.constant(weight)
        y = self.add("MatMul", x, matrix)
        return str(self.add("Add", y, self.constant(self.bias(name))) if f"{name}.bias" in self.weights else y)

    def matrix(self, name: str) -> Array:
        """A weight as [in, out]."""
        return np.ascontiguousarray(self.weights[f"{name}.weight"].T)

    def bias(self, name: str) -> Array:
        return self.weights[f"{name}.bias"]

    def reach(self, name: str) -> Array | None:
        return None if self.ranges is None else self.ranges.get(name)

    def finish(
        self, inputs: Mapping[str, tuple[int, list[Any]]], outputs: Mapping[str, tuple[str, int, list[Any]]]
    ) -> bytes:
        """`inputs`: name, type and shape; `outputs`: name, the node output that it is, type and shape."""
        for name, (source, _, _) in outputs.items():
            self.nodes.append(helper.make_node("Identity", [source], [name]))
        graph = helper.make_graph(
            self.nodes,
            "tupelo",
            [helper.make_tensor_value_info(name, kind, shape) for name, (kind, shape) in inputs.items()],
            [helper.make_tensor_value_info(name, kind, shape) for name, (_, kind, shape) in outputs.items()],
            self.constants,
        )
        opsets = [helper.make_opsetid(domain, version) for domain, version in OPSETS]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=9, producer_name="tupelo")
        return bytes(model.SerializeToString(deterministic=True))


def smoothing(reach: Array, weight: Array, strength: float) -> Array:
    """The factor by which each input channel is divided, and each row of the weights multiplied."""
    rows = np.maximum(np.abs(weight).max(axis=1), 1e-6)
    factor = np.maximum(reach, 1e-6) ** strength / rows ** (1 - strength)
    return np.asarray(factor, dtype=np.float32)


def embedded(build: Builder, table: Array, subwords: str, *, quantise: bool) -> str:
    """Rows of the table; looked up first and made float afterwards, so that it stays small in memory as well."""
    if not quantise:
        return str(build.add("Gather", build.constant(table), subwords))
    whole, steps = (build.constant(value) for value in as_int8(table))
    found = build.add("Cast", build.add("Gather", whole, subwords), to=TensorProto.FLOAT)
    return str(build.add("Mul", found, build.add("Gather", steps, subwords)))


def positions_of(build: Builder, table: Array, subwords: str) -> str:
    """The first rows of a table, as many as there are subwords."""
    length = build.add("Shape", subwords, start=1, end=2)
    return str(build.add("Slice", build.constant(table), build.ints(0), length, build.ints(0)))


def norm(build: Builder, name: str, x: str, epsilon: float = 1e-12) -> str:
    parts = [build.constant(build.weights[f"{name}.{kind}"]) for kind in ("weight", "bias")]
    return str(build.add("LayerNormalization", x, *parts, axis=-1, epsilon=epsilon))


def encoder_layer(build: Builder, name: str, x: str, attention_heads: int, *mask: str) -> str:
    """A layer of the encoder; `mask` are the inputs of attention beside query, key and value."""
    joint, joint_bias = build.matrix(f"{name}.query_key_value"), build.bias(f"{name}.query_key_value")
    out, out_reach = build.matrix(f"{name}.output"), build.reach(f"{name}.output")
    width = out.shape[0]
    if out_reach is not None:
        # Attention only mixes values, so their channels can be made smaller where they are made.
        smooth = smoothing(out_reach, out, SMOOTHING)
        joint, joint_bias = joint.copy(), joint_bias.copy()
        joint[:, 2 * width :] /= smooth
        joint_bias[2 * width :] /= smooth
    both = build.linear(x, joint, joint_bias, build.reach(f"{name}.query_key_value"))
    query, key, value = build.add("Split", both, outputs=3, axis=-1, num_outputs=3)
    mixed = build.add("MultiHeadAttention", query, key, value, *mask, domain=FUSED, num_heads=attention_heads)
    if out_reach is None:
        y = build.linear(mixed, out, build.bias(f"{name}.output"), None)
    else:
        high = float((out_reach / smooth).max())
        y = build.quantised(mixed, out * smooth[:, None], build.bias(f"{name}.output"), high, high)
    x = norm(build, f"{name}.attention_norm", build.add("Add", x, y))
    up = build.linear(x, build.matrix(f"{name}.up"), build.bias(f"{name}.up"), build.reach(f"{name}.up"))
    up = build.add("Gelu", up, domain=FUSED)
    down = build.matrix(f"{name}.down"), build.bias(f"{name}.down"), build.reach(f"{name}.down")
    return norm(build, f"{name}.norm", build.add("Add", x, build.linear(up, *down, after_gelu=True)))


def calibrate(model: Any, batches: Iterable[tuple[Any, ...]]) -> dict[str, Array]:
    """The largest value of each input channel of every linear layer, while the network reads `batches`.

    A batch is what the network takes: subwords, shapes, mask, first, last. Padding is read as well, so batches
    without padding are best.
    """
    import torch

    reach: dict[str, Any] = {}

    def watch(name: str) -> Any:
        def look(_: Any, inputs: tuple[Any, ...]) -> None:
            largest = inputs[0].detach().abs().flatten(0, -2).amax(0)
            reach[name] = torch.maximum(reach[name], largest) if name in reach else largest

        return look

    layers = [(name, module) for name, module in model.named_modules() if isinstance(module, torch.nn.Linear)]
    hooks = [module.register_forward_pre_hook(watch(name)) for name, module in layers]
    with torch.no_grad():
        for batch in batches:
            model(*batch)
    for hook in hooks:
        hook.remove()
    return {name: value.float().cpu().numpy() for name, value in reach.items()}
