"""The graph of the support model gives the numbers of the network, in any batch, also with eight bits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytestmark = [pytest.mark.model, pytest.mark.torch]

torch = pytest.importorskip("torch", reason="needs torch: pip install 'tupelo[train]'")
pytest.importorskip("onnx", reason="needs onnx: pip install 'tupelo[train]'")

from tupelo.checking.network import ClaimReading, load_network  # noqa: E402
from tupelo.nlp.folder import OnnxGraph, find_model  # noqa: E402
from tupelo_training.onnx_graphs import calibrate  # noqa: E402
from tupelo_training.support.export import SupportModel, support_graph  # noqa: E402
from tupelo_training.support.network import DEEP  # noqa: E402
from tupelo_training.support.start import read_shipped  # noqa: E402
from tupelo_training.weights import tensors  # noqa: E402


@pytest.fixture(scope="module")
def network() -> Any:
    torch.manual_seed(5)
    model = SupportModel().eval()
    model.layers = model.layers[:2]
    return model


def batch(rows: int, seed: int = 0) -> tuple[Any, Any]:
    random = np.random.default_rng(seed)
    segments = np.zeros((rows, 20), dtype=np.int64)
    segments[:, 12:] = 1
    return torch.from_numpy(random.integers(0, 30_000, size=(rows, 20))), torch.from_numpy(segments)


def run(
    path: Path, network: Any, pieces: Any, segments: Any, mask: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """What the graph says; embeddings are no part of it."""
    with torch.no_grad():
        places = torch.arange(pieces.shape[1])
        vectors = network.norm(network.words(pieces) + network.positions(places) + network.segments(segments))
    inputs = {"vectors": vectors.numpy(), "mask": np.ones(pieces.shape, np.int64) if mask is None else mask}
    whole, each = OnnxGraph(path.read_bytes(), 1, path.name).run(["whole", "pieces"], inputs)
    return whole, each[:, :, 0]


def write(folder: Path, network: Any, ranges: dict[str, np.ndarray] | None) -> Path:
    weights = {name: value.detach().numpy() for name, value in network.state_dict().items()}
    path = folder / "layers.onnx"
    path.write_bytes(support_graph(weights, ranges, len(network.layers)))
    return path


def test_the_graph_gives_the_numbers_of_the_network(network: Any, tmp_path: Path) -> None:
    path = write(tmp_path, network, None)
    pieces, segments = batch(4)
    with torch.no_grad():
        whole, each = network(pieces, segments)
    found_whole, found_each = run(path, network, pieces, segments)
    np.testing.assert_allclose(found_whole, whole.numpy(), atol=1e-4)
    np.testing.assert_allclose(found_each, each.numpy(), atol=1e-4)
    # The two outputs are not one and the same.
    assert not np.allclose(found_each[:, 0], found_whole[:, 0], atol=1e-3)


def test_padding_does_not_count(network: Any, tmp_path: Path) -> None:
    path = write(tmp_path, network, None)
    pieces, segments = batch(3)
    mask = np.ones(pieces.shape, np.int64)
    mask[1, 15:] = 0
    whole, each = run(path, network, pieces, segments, mask)
    alone, its = run(path, network, pieces[1:2, :15], segments[1:2, :15])
    np.testing.assert_allclose(whole[1], alone[0], atol=1e-5)
    np.testing.assert_allclose(each[1, :15], its[0], atol=1e-5)
    with torch.no_grad():
        expected, _ = network(pieces, segments, torch.tensor([20, 15, 20]))
    np.testing.assert_allclose(whole, expected.numpy(), atol=1e-4)


def test_with_eight_bits_it_is_close_and_does_not_depend_on_the_batch(network: Any, tmp_path: Path) -> None:
    path = write(tmp_path, network, calibrate(network, [batch(8, seed) for seed in range(1, 5)]))
    pieces, segments = batch(6)
    with torch.no_grad():
        _, each = network(pieces, segments)
    whole, found = run(path, network, pieces, segments)
    assert np.corrcoef(found.reshape(-1), each.numpy().reshape(-1))[0, 1] > 0.98
    for row in range(6):
        alone, its = run(path, network, pieces[row : row + 1], segments[row : row + 1])
        np.testing.assert_array_equal(alone[0], whole[row])
        np.testing.assert_array_equal(its[0], found[row])


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Acme bought Corvane in 2012.", "Corvane was sold to Acme."),
        ("Before she left, Mona gave the cat its food.", "Mona fed the dog."),
        ("The bridge may close.", "The bridge closed in 2012."),
    ],
)
def test_the_shipped_network_is_read_back_as_it_was_before_rounding(text: str, claim: str) -> None:
    model = SupportModel(DEEP)
    model.load_state_dict(tensors(read_shipped(find_model("en-support"))))
    shipped = load_network()
    evidence, own = shipped.cut(text), shipped.cut(claim)
    pieces, segments = [101, *evidence, 102, *own, 102], [0] * (len(evidence) + 2) + [1] * (len(own) + 1)
    with torch.no_grad():
        whole, _ = model.eval()(torch.tensor([pieces]), torch.tensor([segments]))
    found = shipped.judge([ClaimReading(evidence, claim)])[0]
    # The network itself is sure; the rest is the rounding of activations.
    np.testing.assert_allclose([found.supported, found.refuted, found.unknown], whole.softmax(-1)[0], atol=0.1)
