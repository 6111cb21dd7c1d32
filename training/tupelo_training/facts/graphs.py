"""Trained networks as ONNX graphs, written node by node.

Matrices are kept as int8 with one step per output and turned into floats when a graph is opened; all sums are float,
so that int8 costs room and next to no accuracy. `rounded=False` leaves the weights alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from tupelo_training.facts.layers import EPSILON, HIDDEN
from tupelo_training.onnx_graphs import FUSED
from tupelo_training.weights import as_int8

Array = NDArray[np.float32]
FLOAT, INT = TensorProto.FLOAT, TensorProto.INT64
_TORCH_EPSILON = 1e-5


class Builder:
    """Collects the nodes and constants of one graph."""

    def __init__(self, weights: Mapping[str, Array], *, rounded: bool = True) -> None:
        self.weights = weights
        self.rounded = rounded
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []
        self._known: dict[str, str] = {}

    def constant(self, value: NDArray[Any] | float | int) -> str:
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.array(value, order="C"), name))
        return name

    def ints(self, *values: int) -> str:
        return self.constant(np.array(values, dtype=np.int64))

    def number(self, value: float) -> str:
        return self.constant(np.array(value, dtype=np.float32))

    def add(self, kind: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        name = f"{kind.lower()}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], domain=domain, **attributes))
        return name

    def matrix(self, array: Array, axis: int) -> str:
        """A matrix, rounded along the axis that is summed over."""
        if not self.rounded:
            return self.constant(array)
        whole, steps = (self.constant(value) for value in as_int8(array, axis))
        return self.add("Mul", self.add("Cast", whole, to=FLOAT), steps)

    def linear(self, name: str, x: str) -> str:
        weight = np.ascontiguousarray(self.weights[f"{name}.weight"].T)
        product = self.add("MatMul", x, self.matrix(weight, 0))
        return self.add("Add", product, self.constant(self.weights[f"{name}.bias"]))

    def table(self, name: str, places: str) -> str:
        """Rows of an embedding table; rounded rows are looked up first and made float afterwards."""
        array = self.weights[f"{name}.weight"]
        if not self.rounded or array.shape[0] < 1000:
            return self.add("Gather", self.constant(array), places)
        whole, steps = (self.constant(value) for value in as_int8(array))
        found = self.add("Cast", self.add("Gather", whole, places), to=FLOAT)
        return self.add("Mul", found, self.add("Gather", steps, places))

    def norm(self, name: str, x: str, epsilon: float = EPSILON) -> str:
        parts = [self.constant(self.weights[f"{name}.{kind}"]) for kind in ("weight", "bias")]
        return self.add("LayerNormalization", x, *parts, axis=-1, epsilon=epsilon)

    def gelu(self, x: str) -> str:
        return self.add("Gelu", x, domain=FUSED)

    def reshape(self, x: str, *shape: int) -> str:
        return self.add("Reshape", x, self.ints(*shape))

    def split_heads(self, x: str, heads: int) -> str:
        """[batch, places, width] to [batch, heads, places, width / heads]."""
        width = -1
        return self.add("Transpose", self.reshape(x, 0, 0, heads, width), perm=[0, 2, 1, 3])

    def attend(self, query: str, key: str, value: str, width: int, heads: int, bias: str | None) -> tuple[str, str]:
        """Mixed values [batch, places, width] and the weights."""
        scaled = self.add("Mul", query, self.number((width // heads) ** -0.5))
        scores = self.add("MatMul", scaled, self.add("Transpose", key, perm=[0, 1, 3, 2]))
        if bias is not None:
            scores = self.add("Add", scores, bias)
        weights = self.add("Softmax", scores, axis=-1)
        mixed = self.add("Transpose", self.add("MatMul", weights, value), perm=[0, 2, 1, 3])
        return self.reshape(mixed, 0, 0, width), weights

    def feed(self, name: str, x: str) -> str:
        up = self.gelu(self.linear(f"{name}.up", x))
        return self.norm(f"{name}.norm", self.add("Add", x, self.linear(f"{name}.down", up)))

    def layer(self, name: str, x: str, width: int, heads: int, bias: str | None) -> tuple[str, str]:
        """One layer of an encoder, and its attention."""
        query, key, value = (
            self.split_heads(self.linear(f"{name}.attention.{part}", x), heads) for part in ("query", "key", "value")
        )
        mixed, weights = self.attend(query, key, value, width, heads, bias)
        summed = self.add("Add", x, self.linear(f"{name}.attention.output", mixed))
        return self.feed(name, self.norm(f"{name}.attention_norm", summed)), weights

    def hiding(self, mask: str) -> str:
        """What attention adds for a mask [batch, places] of 1 and 0: [batch, 1, 1, places]."""
        hidden = self.add("Mul", self.add("Sub", self.number(1.0), mask), self.number(HIDDEN))
        return self.add("Unsqueeze", hidden, self.ints(1, 2))

    def finish(self, inputs: Mapping[str, tuple[int, list[Any]]], outputs: Mapping[str, str]) -> bytes:
        """`inputs`: name, type and shape; `outputs`: name, and the node output that it is."""
        for name, source in outputs.items():
            self.nodes.append(helper.make_node("Identity", [source], [name]))
        graph = helper.make_graph(
            self.nodes,
            "tupelo",
            [helper.make_tensor_value_info(name, kind, shape) for name, (kind, shape) in inputs.items()],
            [helper.make_tensor_value_info(name, FLOAT, None) for name in outputs],
            self.constants,
        )
        opsets = [helper.make_opsetid("", 18), helper.make_opsetid(FUSED, 1)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=9, producer_name="tupelo")
        return bytes(model.SerializeToString(deterministic=True))


def layers_graph(weights: Mapping[str, Array], heads: int, *, rounded: bool = True) -> bytes:
    """One window of a document: `states` [pieces, width], `attention` of the last layer, `tags` [pieces, tags]."""
    build = Builder(weights, rounded=rounded)
    add = build.add
    width = weights["marks.weight"].shape[1]
    x = add("Add", "vectors", add("Add", build.table("marks", "marks"), build.table("shapes", "shapes")))
    seen = ""
    for number in range(_count(weights, "layers")):
        x, seen = build.layer(f"layers.{number}", x, width, heads, None)
    states = add("Squeeze", x, build.ints(0))
    return build.finish(
        {
            "vectors": (FLOAT, [1, "pieces", width]),
            "marks": (INT, [1, "pieces"]),
            "shapes": (INT, [1, "pieces"]),
        },
        {"states": states, "attention": add("Squeeze", seen, build.ints(0)), "tags": build.linear("tags", states)},
    )


def links_graph(weights: Mapping[str, Array], *, rounded: bool = True) -> bytes:
    """Mentions in the states of a window without marks: `linked` [mentions, mentions]."""
    build = Builder({**weights, "link_distance.bias": np.zeros(1, np.float32)}, rounded=rounded)
    add = build.add
    width = weights["marks.weight"].shape[1]
    mentions = build.linear("mention", add("MatMul", "pool", "states"))
    one, two = (add("Unsqueeze", mentions, build.ints(axis)) for axis in (1, 0))
    product = build.linear("link_product", add("Mul", one, two))
    distance = build.linear("link_distance", add("Abs", add("Sub", one, two)))
    known = add("Add", add("Add", product, distance), build.table("alike", "alike"))
    return build.finish(
        {
            "states": (FLOAT, ["pieces", width]),
            "pool": (FLOAT, ["mentions", "pieces"]),
            "alike": (INT, ["mentions", "mentions"]),
        },
        {"linked": add("Squeeze", build.linear("linked", build.gelu(known)), build.ints(2))},
    )


def pairs_graph(weights: Mapping[str, Array], heads: int, *, relations: int, rounded: bool = True) -> bytes:
    """Pairs in the states of a window: `scores` [entities, entities, relations] and `related`.

    Only the first `relations` are kept; later ones were only learned with.
    """
    build = Builder(weights, rounded=rounded)
    add = build.add
    width = weights["marks.weight"].shape[1]
    subject, object_ = _ends(build, width)
    product = {name: weights[f"product.{name}"][: relations + 1] for name in ("weight", "bias")}
    block = product["weight"].shape[1] // width
    left = add("Unsqueeze", build.reshape(subject, 0, 0, -1, block), build.ints(4))
    right = add("Unsqueeze", build.reshape(object_, 0, 0, -1, block), build.ints(3))
    crossed = build.reshape(add("Mul", left, right), 0, 0, -1)
    logits = add(
        "Add",
        add("MatMul", crossed, build.matrix(np.ascontiguousarray(product["weight"].T), 0)),
        build.constant(product["bias"]),
    )
    pairs = build.gelu(build.linear("pair", add("Concat", subject, object_, axis=-1)))
    for number in range(_count(weights, "rounds")):
        pairs = _triangle(build, f"rounds.{number}", pairs)
    pairs = build.norm("pair_norm", pairs, _TORCH_EPSILON)
    few = Builder({f"relations.{name}": weights[f"relations.{name}"][: relations + 1] for name in ("weight", "bias")})
    few.nodes, few.constants, few.rounded = build.nodes, build.constants, rounded
    logits = add("Add", logits, few.linear("relations", pairs))
    threshold = add("Slice", logits, build.ints(0), build.ints(1), build.ints(2))
    scores = add("Sub", add("Slice", logits, build.ints(1), build.ints(relations + 1), build.ints(2)), threshold)
    related = add("Squeeze", build.linear("related", pairs), build.ints(2))
    return build.finish(_pair_inputs(width, heads), {"scores": scores, "related": related})


def _pair_inputs(width: int, heads: int) -> dict[str, tuple[int, list[Any]]]:
    return {
        "states": (FLOAT, ["pieces", width]),
        "attention": (FLOAT, [heads, "pieces", "pieces"]),
        "pool": (FLOAT, ["mentions", "pieces"]),
        "members": (INT, ["entities", "most"]),
        "types": (INT, ["entities"]),
        "near": (INT, ["entities", "entities"]),
        "often": (INT, ["entities"]),
        "order": (INT, ["entities", "entities"]),
    }


def _ends(build: Builder, width: int) -> tuple[str, str]:
    """Subject and object [entities, entities, width] of all pairs, each with what both attend to."""
    add = build.add
    states, attention = "states", "attention"
    # Mentions, counted from 1; row 0 stands for none.
    mentions = add("Concat", build.constant(np.zeros((1, width), np.float32)), add("MatMul", "pool", states), axis=0)
    there = add("Cast", add("Greater", "members", build.ints(0)), to=FLOAT)
    hidden = add("Mul", add("Sub", build.number(1.0), there), build.number(HIDDEN))
    chosen = add("Add", add("Gather", mentions, "members"), add("Unsqueeze", hidden, build.ints(2)))
    entities = add("ReduceLogSumExp", chosen, build.ints(1), keepdims=0)
    often = add("ReduceSum", there, build.ints(1), keepdims=1)
    share = add("Unsqueeze", add("Div", there, often), build.ints(2))
    padded = add("Pad", "pool", build.ints(1, 0, 0, 0), build.number(0.0))
    places = add("ReduceSum", add("Mul", add("Gather", padded, "members"), share), build.ints(1), keepdims=0)
    looks = add("MatMul", places, attention)
    # For every piece the products of what two entities give it, summed over heads: [pieces, entities, entities].
    by_piece = add("Transpose", looks, perm=[2, 1, 0])
    both = add("MatMul", by_piece, add("Transpose", by_piece, perm=[0, 2, 1]))
    both = add("Transpose", both, perm=[1, 2, 0])
    total = add("Add", add("ReduceSum", both, build.ints(2), keepdims=1), build.number(1e-5))
    context = add("MatMul", add("Div", both, total), states)
    # Features of pairs.
    count = add("Shape", "members", start=0, end=1)
    square = add("Concat", count, count, build.ints(-1), axis=0)

    def rows(x: str) -> str:
        return add("Expand", add("Unsqueeze", x, build.ints(1)), _one(build, square))

    def columns(x: str) -> str:
        return add("Expand", add("Unsqueeze", x, build.ints(0)), _one(build, square))

    kind, frequency = build.table("types", "types"), build.table("often", "often")
    features = [rows(kind), columns(kind), rows(frequency), columns(frequency)]
    features += [build.table("near", "near"), build.table("order", "order")]
    around = add("Concat", context, *features, axis=-1)
    subject, object_ = (
        add("Tanh", add("Add", add("Unsqueeze", build.linear(name, entities), build.ints(axis)), context_part))
        for name, axis in (("subject", 1), ("object", 0))
        for context_part in [build.linear(f"{name}_context", around)]
    )
    return subject, object_


def pointer_graphs(weights: Mapping[str, Array], heads: int, *, rounded: bool = True) -> tuple[bytes, bytes]:
    """The pairs of a window [entities, entities, width], and the scores of what may be written at each of them.

    `heads` are those of the encoder's last layer.
    """
    build = Builder(weights, rounded=rounded)
    add = build.add
    states = weights["subject.weight"].shape[0]
    subject, object_ = _ends(build, states)
    both = add("Concat", subject, object_, add("Mul", subject, object_), axis=-1)
    pairs = build.norm("pair_norm", build.gelu(build.linear("pair", both)), _TORCH_EPSILON)
    return build.finish(_pair_inputs(states, heads), {"pairs": pairs}), _pointer_step(weights, rounded)


def _pointer_step(weights: Mapping[str, Array], rounded: bool) -> bytes:
    build = Builder(weights, rounded=rounded)
    add = build.add
    width, heads = weights["pair_norm.weight"].shape[0], weights["overlap.weight"].shape[1]
    written = add("Add", "facts", build.table("told", "relations"))

    def split(name: str, x: str, *order: int) -> str:
        return add("Transpose", build.reshape(build.linear(name, x), -1, heads, width // heads), perm=list(order))

    scores = add("MatMul", split("query", "pairs", 1, 0, 2), split("key", written, 1, 2, 0))
    shared = add("Transpose", build.table("overlap", "overlaps"), perm=[2, 0, 1])
    scaled = add("Add", add("Mul", scores, build.number((width // heads) ** -0.5)), shared)
    mixed = add("MatMul", add("Softmax", scaled, axis=-1), split("value", written, 1, 0, 2))
    mixed = build.reshape(add("Transpose", mixed, perm=[1, 0, 2]), -1, width)
    x = build.norm("read_norm", add("Add", "pairs", build.linear("read", mixed)), _TORCH_EPSILON)
    found = build.linear("write", add("Add", build.gelu(build.linear("up", x)), x))
    inputs: dict[str, tuple[int, list[Any]]] = {
        "pairs": (FLOAT, ["visits", width]),
        "facts": (FLOAT, ["facts", width]),
        "relations": (INT, ["facts"]),
        "overlaps": (INT, ["visits", "facts"]),
    }
    return build.finish(inputs, {"scores": found})


def _one(build: Builder, square: str) -> str:
    """[entities, entities, 1]: the last axis stays as it is when something is expanded to this."""
    return build.add("Abs", square)


def _glu(build: Builder, x: str, width: int) -> str:
    """The first half times the sigmoid of the second."""
    left = build.add("Slice", x, build.ints(0), build.ints(width), build.ints(-1))
    right = build.add("Slice", x, build.ints(width), build.ints(2 * width), build.ints(-1))
    return build.add("Mul", left, build.add("Sigmoid", right))


def _triangle(build: Builder, name: str, pairs: str) -> str:
    width = build.weights[f"{name}.norm.weight"].shape[0]
    x = build.norm(f"{name}.norm", pairs, _TORCH_EPSILON)
    left, right = (_glu(build, build.linear(f"{name}.{side}", x), width) for side in ("left", "right"))
    left, right = (build.add("Transpose", side, perm=[2, 0, 1]) for side in (left, right))
    joined = build.add("Transpose", build.add("MatMul", left, right), perm=[1, 2, 0])
    gates = build.add("Sigmoid", build.linear(f"{name}.gate", x))
    by_way = build.add("Slice", gates, build.ints(0), build.ints(width), build.ints(-1))
    by_return = build.add("Slice", gates, build.ints(width), build.ints(2 * width), build.ints(-1))
    out = build.linear(f"{name}.out", build.norm(f"{name}.middle", joined, _TORCH_EPSILON))
    back = build.linear(f"{name}.back", build.add("Transpose", x, perm=[1, 0, 2]))
    return build.add("Add", pairs, build.add("Add", build.add("Mul", by_way, out), build.add("Mul", by_return, back)))


def sentence_graph(weights: Mapping[str, Array], heads: int, *, rounded: bool = True) -> bytes:
    """Marked sentences to `scores` [batch, relations]."""
    build = Builder(weights, rounded=rounded)
    x, inputs, width = _embedded(build)
    bias = build.hiding("mask")
    for number in range(_count(weights, "layers")):
        x, _ = build.layer(f"layers.{number}", x, width, heads, bias)
    hidden = build.add("Transpose", build.add("Squeeze", bias, build.ints(1)), perm=[0, 2, 1])
    scores = build.add("Add", build.linear("relations", x), hidden)
    best = build.add("ReduceMax", scores, build.ints(1), keepdims=0)
    return build.finish(inputs, {"scores": best})


def writer_graphs(weights: Mapping[str, Array], heads: int, *, rounded: bool = True) -> tuple[bytes, bytes]:
    """The encoder, and one step of the decoder that keeps its earlier keys and values."""
    return _writer_encoder(weights, heads, rounded), _writer_step(weights, heads, rounded)


def _writer_encoder(weights: Mapping[str, Array], heads: int, rounded: bool) -> bytes:
    build = Builder(weights, rounded=rounded)
    x, inputs, width = _embedded(build)
    bias = build.hiding("mask")
    for number in range(_count(weights, "layers")):
        x, _ = build.layer(f"layers.{number}", x, width, heads, bias)
    outputs = {"copy_keys": build.linear("copy_key", x)}
    for number in range(_count(weights, "decoder")):
        for part in ("key", "value"):
            made = build.linear(f"decoder.{number}.crossed.{part}", x)
            outputs[f"memory_{part}s{number}"] = build.split_heads(made, heads)
    return build.finish(inputs, outputs)


def _writer_step(weights: Mapping[str, Array], heads: int, rounded: bool) -> bytes:
    """`before` [rows] and `place` [1], `looks` [rows, width] unless embeddings are its own; what was kept."""
    build = Builder(weights, rounded=rounded)
    add = build.add
    width = weights["norm.weight"].shape[0]
    own = "words.weight" in weights
    pieces = weights["words.weight"].shape[0] if own else int(weights["pieces"])
    scale = build.number(width**0.5)
    zero = build.ints(0)
    looks = "looks"
    if own:
        looks = add("Mul", build.table("words", add("Min", "before", build.ints(pieces - 1))), scale)
    mark = add("Max", add("Sub", "before", build.ints(pieces)), zero)
    marked = add("Mul", build.table("marks", mark), scale)
    is_mark = add("Unsqueeze", add("GreaterOrEqual", "before", build.ints(pieces)), build.ints(1))
    x = add("Where", is_mark, marked, build.linear("bring", looks))
    here = add("Gather", build.constant(weights["places"]), "place")
    x = add("Unsqueeze", add("Add", build.norm("norm", x, _TORCH_EPSILON), here), build.ints(1))
    bias = build.hiding("mask")
    layers = _count(weights, "decoder")
    outputs: dict[str, str] = {}
    for number in range(layers):
        name = f"decoder.{number}"
        query, key, value = (
            build.split_heads(build.linear(f"{name}.attention.{part}", x), heads)
            for part in ("query", "key", "value")
        )
        key = add("Concat", f"keys{number}", key, axis=2)
        value = add("Concat", f"values{number}", value, axis=2)
        outputs[f"new_keys{number}"], outputs[f"new_values{number}"] = key, value
        mixed, _ = build.attend(query, key, value, width, heads, None)
        x = build.norm(f"{name}.attention_norm", add("Add", x, build.linear(f"{name}.attention.output", mixed)))
        query = build.split_heads(build.linear(f"{name}.crossed.query", x), heads)
        mixed, _ = build.attend(query, f"memory_keys{number}", f"memory_values{number}", width, heads, bias)
        x = build.norm(f"{name}.crossed_norm", add("Add", x, build.linear(f"{name}.crossed.output", mixed)))
        x = build.feed(name, x)
    written = add("LogSoftmax", add("Squeeze", build.linear("write", x), build.ints(1)), axis=-1)
    query = add("Mul", build.linear("copy_query", x), build.number(width**-0.5))
    scores = add("Squeeze", add("MatMul", query, add("Transpose", "copy_keys", perm=[0, 2, 1])), build.ints(1))
    copied = add("LogSoftmax", add("Add", scores, add("Squeeze", bias, build.ints(1, 2))), axis=-1)
    gate = add("Squeeze", build.linear("gate", x), build.ints(1, 2))
    per_head = width // heads
    inputs: dict[str, tuple[int, list[Any]]] = {
        "before": (INT, ["rows"]),
        "place": (INT, [1]),
        "mask": (FLOAT, ["rows", "pieces"]),
        "copy_keys": (FLOAT, ["rows", "pieces", width]),
    }
    if not own:
        inputs["looks"] = (FLOAT, ["rows", width])
    for number in range(layers):
        for part in ("keys", "values"):
            inputs[f"{part}{number}"] = (FLOAT, ["rows", heads, "steps", per_head])
            inputs[f"memory_{part}{number}"] = (FLOAT, ["rows", heads, "pieces", per_head])
    return build.finish(inputs, {"written": written, "copied": copied, "gate": gate, **outputs})


def _embedded(build: Builder) -> tuple[str, dict[str, tuple[int, list[Any]]], int]:
    """The input of an encoder: shared vectors as they come, or pieces and a table of the network's own."""
    mask = {"mask": (FLOAT, ["batch", "pieces"])}
    if "words.weight" not in build.weights:
        width = int(build.weights["layers.0.norm.weight"].shape[0])
        return "vectors", {"vectors": (FLOAT, ["batch", "pieces", width]), **mask}, width
    width = int(build.weights["words.weight"].shape[1])
    scaled = build.add("Mul", build.table("words", "subwords"), build.number(width**0.5))
    length = build.add("Shape", "subwords", start=1, end=2)
    places = build.add("Slice", build.constant(build.weights["places"]), build.ints(0), length, build.ints(0))
    return build.add("Add", scaled, places), {"subwords": (INT, ["batch", "pieces"]), **mask}, width


def _count(weights: Mapping[str, Array], name: str) -> int:
    return 1 + max((int(key.split(".")[1]) for key in weights if key.startswith(f"{name}.")), default=-1)
