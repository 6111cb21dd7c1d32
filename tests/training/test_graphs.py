"""The hand-written graphs give the numbers of the network, and the same ones in any batch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytestmark = [pytest.mark.model, pytest.mark.torch]

torch = pytest.importorskip("torch", reason="needs torch: pip install 'tupelo[train]'")
pytest.importorskip("onnx", reason="needs onnx: pip install 'tupelo[train]'")

from tupelo.nlp.folder import OnnxGraph  # noqa: E402
from tupelo.nlp.mentions import CLASSES, FEATURES  # noqa: E402
from tupelo_training.onnx_graphs import calibrate  # noqa: E402
from tupelo_training.parser.graphs import write_graphs  # noqa: E402
from tupelo_training.parser.model import Analyser, Sizes  # noqa: E402

SIZES = Sizes(
    upos=5,
    xpos=7,
    feats=6,
    deprel=9,
    entity=3,
    constituent=4,
    shapes=12,
    vocabulary=50,
    positions=32,
    inner=64,
    layers=2,
    attention_heads=4,
    arc=16,
    rel=8,
    tag=16,
    span=16,
    span_label=8,
)
HEADS = ["upos", "xpos", "feats", "arc", "rel", "entity", "mention"]


@pytest.fixture(scope="module")
def network() -> Any:
    torch.manual_seed(3)
    model = Analyser(SIZES).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.05)
    return model


def batch(sentences: int, seed: int = 0) -> tuple[Any, ...]:
    random = np.random.default_rng(seed)
    first = np.sort(random.integers(1, 11, size=(sentences, 7)), axis=1)
    first[:, 0] = 0
    arrays = (
        random.integers(0, 50, size=(sentences, 12)),
        random.integers(0, 12, size=(sentences, 12)),
        np.ones((sentences, 12), dtype=np.float32),
        first,
        np.minimum(first + 1, 11),
    )
    return tuple(torch.from_numpy(array) for array in arrays)


def graph(path: Path) -> OnnxGraph:
    return OnnxGraph(path.read_bytes(), 1, path.name)


def run(folder: Path, inputs: tuple[Any, ...]) -> dict[str, np.ndarray]:
    names = ["subwords", "shapes", "mask", "first", "last"]
    feed = {name: tensor.numpy() for name, tensor in zip(names, inputs, strict=True)}
    (vectors,) = graph(folder / "encoder.onnx").run(["vectors"], feed)
    found = dict(zip(HEADS, graph(folder / "heads.onnx").run(HEADS, {"vectors": vectors}), strict=True))
    span, label = graph(folder / "constituents.onnx").run(["span", "label"], {"vectors": vectors})
    return {"vectors": vectors, **found, "span": span, "label": label}


def wanted(network: Any, inputs: tuple[Any, ...]) -> dict[str, np.ndarray]:
    with torch.no_grad():
        vectors = network.encoder(*inputs)
        heads = network.heads(vectors)
        span, label = network.constituents(vectors)
    tensors = dict(zip(HEADS, heads, strict=True)) | {"vectors": vectors, "span": span, "label": label.argmax(2)}
    return {name: tensor.numpy() for name, tensor in tensors.items()}


def weights(network: Any) -> dict[str, np.ndarray]:
    return {name: tensor.numpy() for name, tensor in network.state_dict().items()}


def test_float_graphs_give_the_numbers_of_the_network(network: Any, tmp_path: Path) -> None:
    write_graphs(tmp_path, weights(network), None, SIZES.attention_heads)
    inputs = batch(5)
    found, truth = run(tmp_path, inputs), wanted(network, inputs)
    assert found.keys() == truth.keys()
    for name, value in truth.items():
        np.testing.assert_allclose(found[name], value, atol=1e-4, err_msg=name)


def test_padding_is_not_attended_to(network: Any, tmp_path: Path) -> None:
    write_graphs(tmp_path, weights(network), None, SIZES.attention_heads)
    subwords, shapes, mask, first, last = (tensor.clone() for tensor in batch(2))
    mask[:, 9:] = 0
    first, last = first.clamp(max=8), last.clamp(max=8)
    found = run(tmp_path, (subwords, shapes, mask, first, last))
    cut = run(tmp_path, (subwords[:, :9], shapes[:, :9], mask[:, :9], first, last))
    np.testing.assert_allclose(found["vectors"], cut["vectors"], atol=1e-5)


def test_quantised_graphs_are_close_and_do_not_depend_on_the_batch(network: Any, tmp_path: Path) -> None:
    ranges = calibrate(network, [batch(8, seed) for seed in range(1, 5)])
    write_graphs(tmp_path, weights(network), ranges, SIZES.attention_heads)
    inputs = batch(6)
    found, truth = run(tmp_path, inputs), wanted(network, inputs)
    one, other = found["vectors"], truth["vectors"]
    cosine = (one * other).sum(-1) / np.linalg.norm(one, axis=-1) / np.linalg.norm(other, axis=-1)
    assert cosine.min() > 0.99
    for row in range(6):
        alone = run(tmp_path, tuple(tensor[row : row + 1] for tensor in inputs))
        for name, value in alone.items():
            np.testing.assert_array_equal(value[0], found[name][row], err_msg=name)


def test_the_graphs_of_coreference_give_the_scores_of_the_network(network: Any, tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    count = 150  # more than a mention sees on either side
    vectors = random.normal(size=(count, SIZES.width)).astype(np.float32)
    classes = random.integers(0, len(CLASSES), size=count)
    pairs = random.integers(0, count, size=(count, 5))
    features = random.random((count, 5, FEATURES)) < 0.2
    given = (vectors, classes, np.zeros(count, np.int64), pairs, features.astype(np.float32))
    with torch.no_grad():
        expected = network.chains(*(torch.from_numpy(value)[None] for value in given))[0].numpy()
    for ranges, near in ((None, 1e-4), ({}, 0.1)):
        write_graphs(tmp_path, weights(network), ranges, attention_heads=SIZES.attention_heads)
        names = ("left", "right", "pair_left", "pair_right")
        made = graph(tmp_path / "mentions.onnx").run(names, {"vectors": vectors, "classes": classes})
        inputs = dict(zip(names, made, strict=True)) | {"pairs": pairs, "features": features}
        (scores,) = graph(tmp_path / "pairs.onnx").run(["scores"], inputs)
        assert np.abs(scores - expected).max() < near
