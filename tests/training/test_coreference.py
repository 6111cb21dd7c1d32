"""The head of coreference that is trained over the frozen encoder: read back from graphs, batches, and figures."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tupelo_training.coreference.frozen import FrozenEncoder, write  # noqa: E402
from tupelo_training.coreference.shipped import read_shipped  # noqa: E402
from tupelo_training.coreference.table import MENTIONS, ROW, Documents, Tables  # noqa: E402
from tupelo_training.parser.graphs import encoder_graph, mentions_graph, pairs_graph  # noqa: E402
from tupelo_training.parser.model import Chains, ChainShape, Encoder, Sizes  # noqa: E402

LABELS = {"upos": 5, "xpos": 5, "feats": 5, "deprel": 5, "entity": 3, "constituent": 4, "shapes": 8}


def test_weights_are_read_back_from_the_graphs(tmp_path: Path) -> None:
    torch.manual_seed(1)
    network = Chains(ChainShape(16, width=24, score=24, pair=8), 0.0)
    with torch.no_grad():
        for layer in network.layers:
            layer.distance.normal_()
    state = {f"chains.{name}": value.numpy() for name, value in network.state_dict().items()}
    (tmp_path / "mentions.onnx").write_bytes(mentions_graph(state, {}))
    (tmp_path / "pairs.onnx").write_bytes(pairs_graph(state, {}))
    found = read_shipped(tmp_path)
    assert {f"chains.{name}" for name in found} == state.keys()
    for name, value in found.items():
        wanted = state[f"chains.{name}"]
        if name.endswith("distance"):
            # Of steps that no distance within reach has, nothing is stored.
            value, wanted = value[:, value.any(0)], wanted[:, value.any(0)]
        np.testing.assert_allclose(value, wanted, atol=0.01, err_msg=name)


def test_the_frozen_encoder_gives_the_vectors_of_the_graph(tmp_path: Path) -> None:
    onnxruntime = pytest.importorskip("onnxruntime")
    torch.manual_seed(2)
    sizes = Sizes(**LABELS, vocabulary=50, positions=20, width=24, inner=32, layers=2, attention_heads=2)
    encoder = Encoder(sizes, 0.0).eval()
    weights = {f"encoder.{name}": value.numpy() for name, value in encoder.state_dict().items()}
    (tmp_path / "encoder.onnx").write_bytes(encoder_graph(weights, None, 2))
    random = np.random.default_rng(1)
    inputs = {
        "subwords": random.integers(0, 50, (2, 9)),
        "shapes": random.integers(0, 8, (2, 9)),
        "mask": np.ones((2, 9), np.float32),
        "first": np.tile(np.arange(4), (2, 1)),
        "last": np.tile(np.arange(1, 5), (2, 1)),
    }
    (wanted,) = onnxruntime.InferenceSession(str(tmp_path / "encoder.onnx")).run(["vectors"], inputs)
    with torch.no_grad():
        truth = encoder(*map(torch.from_numpy, inputs.values())).numpy()
    np.testing.assert_allclose(wanted, truth, atol=1e-4)
    write(tmp_path, tmp_path)
    given = [torch.from_numpy(value) for value in inputs.values()]
    found = FrozenEncoder(tmp_path, torch.device("cpu"))(*given).numpy()
    np.testing.assert_allclose(found, wanted, atol=1e-4)


def documents(folder: Path, sentences: int) -> Documents:
    """One document whose sentences have four words of two subwords, of which two head mentions."""
    words = np.full(sentences, 4)
    count = 2 * sentences
    columns = {
        "sentence": np.repeat(np.arange(sentences), 2),
        "head": np.tile([0, 2], sentences),
        "governor": np.tile([-1, 0], sentences),
        **{name: np.zeros(count) for name in ("first", "last", "number", "gender", "text", "lemma", "acronym")},
        **{name: np.zeros(count) for name in ("relation", "subject", "kind")},
        "tokens": np.zeros((count, 6)),
        "entity": np.zeros(count),
        "purpose": np.zeros(count),
        "source": np.zeros(1),
        "sentences": np.array([sentences]),
        "mentions": np.array([count]),
        "words": words,
        "pieces": np.full(words.sum(), 2),
        "shape": np.zeros(words.sum()),
        "piece": np.arange(2 * words.sum()) % 1000,
    }
    arrays = {name: value.astype(np.int64) for name, value in columns.items()}
    np.savez(folder / "documents.npz", **arrays)
    (folder / "documents.json").write_text(json.dumps({}), "utf-8")
    return Documents(folder / "documents.npz")


def test_mentions_are_found_again_among_the_subwords_of_their_rows(tmp_path: Path) -> None:
    found = documents(tmp_path, 400)
    tables = Tables(found, ("gum-train",))
    tables.move(torch.device("cpu"))
    assert tables.count == 3  # 800 mentions, of which a group holds 320
    batch = tables.batch(torch.arange(tables.count))
    pieces = batch.pieces.flatten(1)
    for group in range(tables.count):
        for place in range(MENTIONS):
            if batch.document[group, place] >= 0:
                mention = int(batch.index[group, place])
                word = 4 * (mention // 2) + 2 * (mention % 2)
                ends = [int(pieces[group, int(end[group, place])]) for end in (batch.first, batch.last)]
                assert ends == [2 * word % 1000, (2 * word + 1) % 1000]
    assert batch.pieces.shape[2] == ROW
    assert batch.right.any(-1).sum() == 800 - tables.count  # all are one entity, and begin anew in each group
