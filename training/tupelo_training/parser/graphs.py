"""The analysis model's weights as three ONNX graphs: encoder, heads and constituents."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from onnx import TensorProto

from tupelo_training.onnx_graphs import FUSED, Array, Builder, embedded, encoder_layer, norm, positions_of


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
    """Word vectors to tags, dependencies and entities."""
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


def write_graphs(
    folder: Path, weights: Mapping[str, Array], ranges: Mapping[str, Array] | None, attention_heads: int
) -> None:
    """The three graphs of a model; in float when there are no ranges."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "encoder.onnx").write_bytes(encoder_graph(weights, ranges, attention_heads))
    (folder / "heads.onnx").write_bytes(heads_graph(weights, ranges))
    (folder / "constituents.onnx").write_bytes(constituents_graph(weights, ranges))
