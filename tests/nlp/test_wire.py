"""Graphs that are shortened without the onnx package: the same numbers as in the whole."""

from __future__ import annotations

import numpy as np
import pytest

from tupelo.core import InputError
from tupelo.nlp.folder import ModelFolder, find_model
from tupelo.nlp.onnx import Graph
from tupelo.nlp.wire import GRAPH, NODE, NODE_INPUT, NODE_KIND, NODE_OUTPUT, computing, fields, message


@pytest.fixture(scope="module")
def whole() -> bytes:
    return ModelFolder(find_model("en-support"), "a support model").read("layers.onnx")


def nodes(model: bytes) -> list[tuple[str, str, str]]:
    """Kind, first input and output of every node."""
    (graph,) = (field.content for field in fields(model) if field.number == GRAPH)
    found = []
    for field in fields(graph):
        if field.number == NODE:
            parts = [(part.number, bytes(part.content).decode("latin-1")) for part in fields(field.content)]
            found.append(tuple(dict(reversed(parts))[number] for number in (NODE_KIND, NODE_INPUT, NODE_OUTPUT)))
    return found


def test_a_graph_up_to_a_tensor_computes_the_same_numbers(whole: bytes) -> None:
    (inner,) = [given for kind, given, output in nodes(whole) if (kind, output) == ("Identity", "pieces")]
    random = np.random.default_rng(0)
    inputs = {
        "vectors": random.standard_normal((2, 7, 384)).astype(np.float32),
        "mask": np.array([[1] * 7, [1] * 5 + [0] * 2]),
    }
    (expected,) = Graph(whole, 1, "whole").run(["pieces"], inputs)
    (found,) = Graph(computing(whole, inner), 1, "short").run([inner], inputs)
    assert np.array_equal(found, expected)


def test_a_shorter_graph_is_smaller(whole: bytes) -> None:
    norms = [output for kind, _, output in nodes(whole) if kind == "LayerNormalization"]
    first, second = computing(whole, norms[1]), computing(whole, norms[3])
    assert len(first) < len(second) < len(whole)
    assert nodes(first)[-1][2] == norms[1]


def test_what_is_no_graph_is_refused(whole: bytes) -> None:
    with pytest.raises(ValueError, match="no tensor 'none'"):
        computing(message(GRAPH, b""), "none")
    with pytest.raises(ValueError, match="too early"):
        list(fields(whole[:1000]))
    with pytest.raises(ValueError, match="not an ONNX graph"):
        list(fields(b"\x0c"))
    with pytest.raises(InputError):
        Graph(b"\x0c", 1, "none")
