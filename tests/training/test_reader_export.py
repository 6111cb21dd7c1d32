"""The reader as files: what the support model gives it, and the numbers of the network, also with eight bits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytestmark = [pytest.mark.model, pytest.mark.torch]

torch = pytest.importorskip("torch", reason="needs torch: pip install 'tupelo[train]'")
pytest.importorskip("onnx", reason="needs onnx: pip install 'tupelo[train]'")

from tupelo.nlp.encoder import (  # noqa: E402
    TextPair,
    load_encoder,
    pair_arrays,
)
from tupelo.nlp.folder import ModelFolder, find_model  # noqa: E402
from tupelo.nlp.reader import PassageReading, load_reader  # noqa: E402
from tupelo_training.reader.base import read_support  # noqa: E402
from tupelo_training.reader.export import write_reader  # noqa: E402
from tupelo_training.reader.network import LAYERS, ReaderModel  # noqa: E402
from tupelo_training.reader.prepare import Table  # noqa: E402
from tupelo_training.reader.questions import NONE, Question, Text  # noqa: E402
from tupelo_training.reader.table import read_table  # noqa: E402
from tupelo_training.weights import restored  # noqa: E402

SUPPORT = find_model("en-support")
QUESTION = "Marta Solheim founded Nordic Ferries."
PASSAGES = (
    # These two share a batch, the shorter one with padding.
    "Marta Solheim founded Nordic Ferries in Bergen in 1998. Nordic Ferries now has 40 ships.",
    "Nordic Ferries was bought by Globex in 2005. It was not Marta Solheim who founded it.",
    "Bergen is a city in Norway.",
    "Olaf Dahl founded Nordic Ferries.",
)


@pytest.fixture(scope="module")
def network() -> Any:
    torch.manual_seed(3)
    return ReaderModel(restored(read_support(SUPPORT)), LAYERS).eval()


def inputs(passage: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    encoder = load_encoder()
    ids, asked = encoder.cut(passage).ids, encoder.cut(QUESTION).ids[1:]
    return pair_arrays([TextPair((*ids, *asked), len(ids))])


def expected(network: Any, passage: str) -> tuple[np.ndarray, np.ndarray]:
    """What the network says: of the outcomes and of the subwords."""
    pieces, segments, _ = map(torch.from_numpy, inputs(passage))
    with torch.no_grad():
        outcome, marks = network(pieces, segments)
    return outcome[0].numpy(), marks[0].numpy()


def run(folder: Path, passages: Sequence[str], output: str) -> Iterator[np.ndarray]:
    """What the graph of a folder says, passage by passage, over the embeddings of the support model."""
    embeddings = ModelFolder(SUPPORT, "a support model").graph("embeddings.onnx", 1)
    layers = ModelFolder(folder, "layers").graph("layers.onnx", 1)
    for passage in passages:
        ids, segments, mask = inputs(passage)
        (vectors,) = embeddings.run(["vectors"], {"subwords": ids, "segments": segments})
        yield layers.run([output], {"vectors": vectors, "mask": mask})[0][0]


def chances(reading: PassageReading) -> list[float]:
    return [reading.answered, reading.none, reading.yes, reading.no]


def softmax(logits: np.ndarray) -> np.ndarray:
    shares = np.exp(logits - logits.max())
    return shares / shares.sum()


def test_the_weights_of_the_support_model_are_read_whole(network: Any) -> None:
    """No answer, yes and no begin as unknown, supported and refuted; only the bias is not kept."""
    given = [whole[[2, 0, 1]] for whole in run(SUPPORT, PASSAGES, "whole")]
    found = [expected(network, passage)[0][1:] for passage in PASSAGES]
    apart = np.ptp(given, axis=0)
    assert apart.min() > 1
    np.testing.assert_allclose(
        found - np.mean(found, axis=0), given - np.mean(given, axis=0), atol=0.15 * apart.max()
    )


def test_a_folder_of_floats_reads_as_the_network_does(network: Any, tmp_path: Path) -> None:
    write_reader(network, tmp_path, SUPPORT, None)
    reader = load_reader(tmp_path)
    for passage, reading in zip(PASSAGES, reader.read(QUESTION, PASSAGES), strict=True):
        outcome, marks = expected(network, passage)
        np.testing.assert_allclose(chances(reading), softmax(outcome), atol=1e-3)
        offsets = load_encoder().cut(passage).offsets
        first, last = (marks[1 : len(offsets) - 1, place] for place in (0, 1))
        both = {(low, high): first[low] + last[high] for low in range(len(first)) for high in range(low, len(last))}
        low, high = max((pair for pair in both if pair[1] - pair[0] < 24), key=lambda pair: both[pair])
        assert (reading.spans[0].start, reading.spans[0].end) == (offsets[low + 1][0], offsets[high + 1][1])


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Questions to take the ranges of activations from."""
    made = Table()
    for number, passage in enumerate(PASSAGES * 40):
        key = f"own|{number}"
        made.add(iter([Text(key, key, "", (passage,)), Question("written", key, QUESTION, NONE)]))
    path = tmp_path_factory.mktemp("table") / "table.npz"
    made.save(path)
    return path


def test_with_eight_bits_it_is_close_and_does_not_depend_on_the_batch(
    network: Any, table: Path, tmp_path: Path
) -> None:
    write_reader(network, tmp_path, SUPPORT, read_table(table))
    assert (tmp_path / "layers.onnx").stat().st_size < 23 << 20
    reader = load_reader(tmp_path)
    readings = reader.read(QUESTION, PASSAGES)
    for passage, reading in zip(PASSAGES, readings, strict=True):
        np.testing.assert_allclose(chances(reading), softmax(expected(network, passage)[0]), atol=0.05)
        assert reader.read(QUESTION, [passage]) == [reading]
    assert np.ptp([chances(one) for one in readings], axis=0).max() > 0.5
    found = np.concatenate([*run(tmp_path, PASSAGES, "marks")])
    given = np.concatenate([expected(network, passage)[1] for passage in PASSAGES])
    assert all(np.corrcoef(found[:, place], given[:, place])[0, 1] > 0.98 for place in range(3))
