"""The analysis model's weights as ONNX graphs: encoder, heads, constituents, and two for coreference."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto

from tupelo_training.onnx_graphs import FUSED, Array, Builder, embedded, encoder_layer, norm, positions_of
from tupelo_training.parser.model import NEAR, STEPS

# Of torch's normalisation, and what hides a mention from another.
_EPSILON, _HIDDEN = 1e-5, -10000.0


def encoder_graph(weights: Mapping[str, Array], ranges: Mapping[str, Array] | None, attention_heads: int) -> bytes:
    """Sub-words to one vector per word."""
    build = Builder(weights, ranges)
    width = weights["encoder.norm.weight"].shape[0]
    table = weights["encoder.words.weight"]
    pieces = embedded(build, table, "subwords", quantise=ranges is not None)
    positions = positions_of(build, weights["encoder.positions.weight"], "subwords")
    shapes = build.add("Gather", build.constant(weights["encoder.shapes.weight"]), "shapes")
    x = norm(build, "encoder.norm", build.add("Add", build.add("Add", pieces, shapes), positions))
    mask = build.add("Cast", "mask", to=TensorProto.INT32)
    mix = np.exp(weights["encoder.mix"] - weights["encoder.mix"].max())
    mix = (mix / mix.sum() * weights["encoder.scale"]).astype(np.float32)
    total = build.add("Mul", x, build.constant(mix[0]))
    for layer in range(len(mix) - 1):
        x = encoder_layer(build, f"encoder.layers.{layer}", x, attention_heads, "", mask)
        total = build.add("Add", total, build.add("Mul", x, build.constant(mix[layer + 1])))

    def pick(places: str) -> str:
        return str(build.add("GatherND", total, build.add("Unsqueeze", places, build.ints(2)), batch_dims=1))

    vectors = build.add("Mul", build.add("Add", pick("first"), pick("last")), build.constant(np.float32(0.5)))
    pieces_shape, words_shape = ["batch", "pieces"], ["batch", "words"]
    return build.finish(
        {
            "subwords": (TensorProto.INT64, pieces_shape),
            "shapes": (TensorProto.INT64, pieces_shape),
            "mask": (TensorProto.FLOAT, pieces_shape),
            "first": (TensorProto.INT64, words_shape),
            "last": (TensorProto.INT64, words_shape),
        },
        {"vectors": (vectors, TensorProto.FLOAT, [*words_shape, width])},
    )


def _joint_layer(build: Builder, names: list[str]) -> list[str]:
    """Layers that read the same vectors, computed as one, each with GELU behind it."""
    weight = np.concatenate([build.matrix(name) for name in names], axis=1)
    bias = np.concatenate([build.bias(name) for name in names])
    hidden = build.add("Gelu", build.linear("vectors", weight, bias, build.reach(names[0])), domain=FUSED)
    sizes = build.ints(*(build.bias(name).shape[0] for name in names))
    outputs = build.add("Split", hidden, sizes, outputs=len(names), axis=-1)
    return list(outputs)


def _biaffine(build: Builder, name: str, left: str, right: str) -> str:
    """Scores [batch, left word, label, right word]; [batch, left word, right word] when there is one label."""
    inner = build.matrix(f"{name}.left").shape[1]
    labels = build.matrix(f"{name}.left_only").shape[1]
    product = build.matrix(f"{name}.product") * np.float32(inner**-0.5)
    crossed = build.linear(left, product, None, build.reach(f"{name}.product"), after_gelu=True)
    own = build.linear(left, build.matrix(f"{name}.left_only"), build.bias(f"{name}.left_only"), None)
    other = build.add(
        "Transpose", build.linear(right, build.matrix(f"{name}.right_only"), None, None), perm=[0, 2, 1]
    )
    turned = build.add("Transpose", right, perm=[0, 2, 1])
    if labels == 1:
        return str(build.add("Add", build.add("Add", build.add("MatMul", crossed, turned), own), other))
    flat = build.add("Reshape", crossed, build.ints(0, -1, inner))
    scores = build.add("MatMul", flat, turned)
    shape = build.add(
        "Concat",
        build.add("Shape", left, start=0, end=2),
        build.ints(labels),
        build.add("Shape", left, start=1, end=2),
        axis=0,
    )
    scores = build.add("Reshape", scores, shape)
    scores = build.add("Add", scores, build.add("Unsqueeze", own, build.ints(3)))
    return str(build.add("Add", scores, build.add("Unsqueeze", other, build.ints(1))))


def heads_graph(weights: Mapping[str, Array], ranges: Mapping[str, Array] | None) -> bytes:
    """Word vectors to tags, dependencies, entities and heads of mentions."""
    build = Builder(weights, ranges)
    width = weights["heads.tag.weight"].shape[1]
    tag, name, arc_left, arc_right, rel_left, rel_right = _joint_layer(
        build, ["heads.tag", "heads.name", "heads.arc.left", "heads.arc.right", "heads.rel.left", "heads.rel.right"]
    )
    kinds = ("upos", "xpos", "feats")
    tags = build.linear(
        tag,
        np.concatenate([build.matrix(f"heads.{kind}") for kind in kinds], axis=1),
        np.concatenate([build.bias(f"heads.{kind}") for kind in kinds]),
        None,
    )
    sizes = [build.bias(f"heads.{kind}").shape[0] for kind in kinds]
    found = dict(zip(kinds, build.add("Split", tags, build.ints(*sizes), outputs=3, axis=-1), strict=True))
    entity = build.linear(name, build.matrix("heads.entity"), build.bias("heads.entity"), None)
    mention = build.linear(name, build.matrix("heads.kind"), build.bias("heads.kind"), None)
    entities, relations = build.bias("heads.entity").shape[0], build.matrix("heads.rel.left_only").shape[1]
    words = ["batch", "words"]
    return build.finish(
        {"vectors": (TensorProto.FLOAT, [*words, width])},
        {
            **{
                kind: (found[kind], TensorProto.FLOAT, [*words, size])
                for kind, size in zip(kinds, sizes, strict=True)
            },
            "arc": (_biaffine(build, "heads.arc", arc_left, arc_right), TensorProto.FLOAT, [*words, "heads"]),
            "rel": (
                _biaffine(build, "heads.rel", rel_left, rel_right),
                TensorProto.FLOAT,
                [*words, relations, "heads"],
            ),
            "entity": (entity, TensorProto.FLOAT, [*words, entities]),
            "mention": (mention, TensorProto.FLOAT, [*words, build.bias("heads.kind").shape[0]]),
        },
    )


def constituents_graph(weights: Mapping[str, Array], ranges: Mapping[str, Array] | None) -> bytes:
    """Word vectors to span scores and the best label of each span."""
    build = Builder(weights, ranges)
    width = weights["constituents.span.left.weight"].shape[1]
    span_left, span_right, label_left, label_right = _joint_layer(
        build, [f"constituents.{name}" for name in ("span.left", "span.right", "label.left", "label.right")]
    )
    span = _biaffine(build, "constituents.span", span_left, span_right)
    labels = _biaffine(build, "constituents.label", label_left, label_right)
    best = build.add("Cast", build.add("ArgMax", labels, axis=2, keepdims=0), to=TensorProto.INT32)
    words = ["batch", "words"]
    return build.finish(
        {"vectors": (TensorProto.FLOAT, [*words, width])},
        {
            "span": (span, TensorProto.FLOAT, [*words, "ends"]),
            "label": (best, TensorProto.INT32, [*words, "ends"]),
        },
    )


def mentions_graph(weights: Mapping[str, Array], ranges: Mapping[str, Array] | None) -> bytes:
    """The vectors of a document's mentions, in order, to what the scores of pairs are made from."""
    build = Builder(weights, ranges)
    entered = build.small("vectors", "chains.enter")
    x = build.add("Add", entered, build.add("Gather", build.constant(weights["chains.classes.weight"]), "classes"))
    count = build.add("Squeeze", build.add("Shape", "vectors", start=0, end=1))
    places = build.add("Range", build.constant(np.int64(0)), count, build.constant(np.int64(1)))
    apart = build.add(
        "Sub", build.add("Unsqueeze", places, build.ints(1)), build.add("Unsqueeze", places, build.ints(0))
    )
    beyond = NEAR + 1
    apart = build.add("Clip", apart, build.constant(np.int64(-beyond)), build.constant(np.int64(beyond)))
    steps = build.add("Add", apart, build.constant(np.int64(beyond)))
    for layer in range(
        sum(name.endswith("query_key_value.weight") for name in weights if name.startswith("chains."))
    ):
        x = _chain_layer(build, f"chains.layers.{layer}", x, steps)
    x = norm(build, "chains.norm", x, _EPSILON)
    width, pair = weights["chains.left.weight"].shape[0], weights["chains.pair_left.weight"].shape[0]
    outputs = {"left": width, "right": width, "pair_left": pair, "pair_right": pair}
    return build.finish(
        {
            "vectors": (TensorProto.FLOAT, ["mentions", weights["chains.enter.weight"].shape[1]]),
            "classes": (TensorProto.INT64, ["mentions"]),
        },
        {
            name: (build.small(x, f"chains.{name}"), TensorProto.FLOAT, ["mentions", size])
            for name, size in outputs.items()
        },
    )


def distance_steps(apart: NDArray[np.int64]) -> NDArray[np.int64]:
    """Which distance between two mentions each number of places is, as `Chains.forward` divides them."""
    away = np.log2(np.maximum(np.abs(apart), 1)).astype(np.int64)
    return np.minimum(away, STEPS - 2) + (apart != 0) + (apart < 0) * STEPS


def _chain_layer(build: Builder, name: str, x: str, steps: str) -> str:
    distance = build.weights[f"{name}.distance"]
    heads = distance.shape[0]
    width = build.weights[f"{name}.output.weight"].shape[0]
    apart = np.arange(-NEAR - 1, NEAR + 2)
    bias = np.where(np.abs(apart) > NEAR, _HIDDEN, distance[:, distance_steps(apart)]).astype(np.float32)
    joint = build.small(norm(build, f"{name}.norm", x, _EPSILON), f"{name}.query_key_value")
    split = build.add("Reshape", joint, build.ints(0, 3, heads, -1))
    turned = build.add("Transpose", split, perm=[1, 2, 0, 3])
    query, key, value = (
        build.add("Squeeze", part, build.ints(0))
        for part in build.add("Split", turned, outputs=3, axis=0, num_outputs=3)
    )
    scaled = build.add("Mul", query, build.constant(np.float32((width // heads) ** -0.5)))
    scores = build.add("MatMul", scaled, build.add("Transpose", key, perm=[0, 2, 1]))
    scores = build.add("Add", scores, build.add("Gather", build.constant(bias), steps, axis=1))
    mixed = build.add("MatMul", build.add("Softmax", scores, axis=-1), value)
    mixed = build.add("Reshape", build.add("Transpose", mixed, perm=[1, 0, 2]), build.ints(0, -1))
    x = build.add("Add", x, build.small(mixed, f"{name}.output"))
    up = build.add("Gelu", build.small(norm(build, f"{name}.inner_norm", x, _EPSILON), f"{name}.up"), domain=FUSED)
    return str(build.add("Add", x, build.small(up, f"{name}.down")))


def pairs_graph(weights: Mapping[str, Array], ranges: Mapping[str, Array] | None) -> bytes:
    """Scores of mentions with their candidates."""
    build = Builder(weights, ranges)
    width, pair = weights["chains.left.weight"].shape[0], weights["chains.pair_left.weight"].shape[0]
    straight = build.add(
        "MatMul", build.add("Gather", "right", "pairs"), build.add("Unsqueeze", "left", build.ints(2))
    )
    straight = build.add("Mul", straight, build.constant(np.float32(width**-0.5)))
    features = build.small(build.add("Cast", "features", to=TensorProto.FLOAT), "chains.features")
    mixed = build.add("Add", features, build.add("Gather", "pair_right", "pairs"))
    mixed = build.add("Add", mixed, build.add("Unsqueeze", "pair_left", build.ints(1)))
    scores = build.add("Add", straight, build.small(build.add("Gelu", mixed, domain=FUSED), "chains.pair_score"))
    shape = ["asked", "candidates"]
    return build.finish(
        {
            "left": (TensorProto.FLOAT, ["asked", width]),
            "pair_left": (TensorProto.FLOAT, ["asked", pair]),
            "right": (TensorProto.FLOAT, ["mentions", width]),
            "pair_right": (TensorProto.FLOAT, ["mentions", pair]),
            "pairs": (TensorProto.INT64, shape),
            "features": (TensorProto.BOOL, [*shape, weights["chains.features.weight"].shape[1]]),
        },
        {"scores": (build.add("Squeeze", scores, build.ints(2)), TensorProto.FLOAT, shape)},
    )


def write_graphs(
    folder: Path, weights: Mapping[str, Array], ranges: Mapping[str, Array] | None, attention_heads: int
) -> None:
    """The graphs of a model; in float when there are no ranges."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "encoder.onnx").write_bytes(encoder_graph(weights, ranges, attention_heads))
    (folder / "heads.onnx").write_bytes(heads_graph(weights, ranges))
    (folder / "constituents.onnx").write_bytes(constituents_graph(weights, ranges))
    (folder / "mentions.onnx").write_bytes(mentions_graph(weights, ranges))
    (folder / "pairs.onnx").write_bytes(pairs_graph(weights, ranges))
