"""The extractor's weights as two ONNX graphs, quantised like those of the analysis model.

`reader.onnx` reads a batch of sentences with equally many subwords: no padding, so a sentence's numbers do not depend
on its neighbours. `filler.onnx` reads them again for every anchor, out of the vectors that the reader left.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from onnx import TensorProto

from tupelo_training.onnx_graphs import FUSED, Array, Builder, embedded, encoder_layer, norm, positions_of


def _words(build: Builder, x: str) -> str:
    """One vector per word: the mean of its first and its last subword."""
    first, last = (
        build.add("GatherND", x, build.add("Unsqueeze", places, build.ints(2)), batch_dims=1)
        for places in ("first", "last")
    )
    return str(build.add("Mul", build.add("Add", first, last), build.constant(np.float32(0.5))))


def _hidden(build: Builder, name: str, x: str) -> str:
    weights = build.matrix(name), build.bias(name), build.reach(name)
    return str(build.add("Gelu", build.linear(x, *weights), domain=FUSED))


def _last(build: Builder, name: str, x: str) -> str:
    return str(build.linear(x, build.matrix(name), build.bias(name), None))


def reader_graph(
    weights: Mapping[str, Array], ranges: Mapping[str, Array] | None, attention_heads: int, source: int = 0
) -> bytes:
    """Subwords to vectors of subwords and anchor scores of words, in the style of one source."""
    build = Builder(weights, ranges)
    table = weights["reader.words.weight"]
    pieces = embedded(build, table, "subwords", quantise=ranges is not None)
    # The style is the same for every sentence, so it goes into the positions.
    styled = weights["reader.positions.weight"] + weights["reader.sources.weight"][source]
    positions = positions_of(build, styled, "subwords")
    shapes = build.add("Gather", build.constant(weights["reader.shapes.weight"]), "shapes")
    x = norm(build, "reader.norm", build.add("Add", build.add("Add", pieces, shapes), positions))
    for layer in range(_layers(weights, "reader")):
        x = encoder_layer(build, f"reader.layers.{layer}", x, attention_heads)
    anchors = _last(build, "reader.anchor", _hidden(build, "reader.anchor_hidden", _words(build, x)))
    anchors = build.add("Squeeze", anchors, build.ints(2))
    pieces_shape, words_shape = ["batch", "pieces"], ["batch", "words"]
    return build.finish(
        {
            "subwords": (TensorProto.INT64, pieces_shape),
            "shapes": (TensorProto.INT64, pieces_shape),
            "first": (TensorProto.INT64, words_shape),
            "last": (TensorProto.INT64, words_shape),
        },
        {
            "states": (x, TensorProto.FLOAT, [*pieces_shape, table.shape[1]]),
            "anchors": (anchors, TensorProto.FLOAT, words_shape),
        },
    )


def filler_graph(weights: Mapping[str, Array], ranges: Mapping[str, Array] | None, attention_heads: int) -> bytes:
    """Vectors of subwords with one anchor marked to labels of words and to what the slots hold."""
    build = Builder(weights, ranges)
    x = build.add("Gather", "states", "rows", axis=0)
    mark = build.add("Mul", build.add("Unsqueeze", "marked", build.ints(2)), build.constant(weights["filler.mark"]))
    x = build.add("Add", x, mark)
    for layer in range(_layers(weights, "filler")):
        x = encoder_layer(build, f"filler.layers.{layer}", x, attention_heads)
    words = _words(build, x)
    labels = _last(build, "filler.label", _hidden(build, "filler.hidden", words))
    own = build.add("GatherND", words, build.add("Unsqueeze", "anchor", build.ints(1)), batch_dims=1)
    slots = _last(build, "filler.slot", _hidden(build, "filler.slot_hidden", own))
    sizes = weights["filler.label.bias"].shape[0], weights["filler.slot.bias"].shape[0]
    return build.finish(
        {
            "states": (TensorProto.FLOAT, ["batch", "pieces", weights["filler.mark"].shape[0]]),
            "rows": (TensorProto.INT64, ["anchors"]),
            "marked": (TensorProto.FLOAT, ["anchors", "pieces"]),
            "first": (TensorProto.INT64, ["anchors", "words"]),
            "last": (TensorProto.INT64, ["anchors", "words"]),
            "anchor": (TensorProto.INT64, ["anchors"]),
        },
        {
            "labels": (labels, TensorProto.FLOAT, ["anchors", "words", sizes[0]]),
            "slots": (slots, TensorProto.FLOAT, ["anchors", sizes[1]]),
        },
    )


def _layers(weights: Mapping[str, Array], part: str) -> int:
    return len({name.split(".")[2] for name in weights if name.startswith(f"{part}.layers.")})
