"""The recipe of the extractor on a little data: from tuples as text to graphs that run."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs torch: pip install 'tupelo[train]'")
pytest.importorskip("onnx", reason="needs onnx: pip install 'tupelo[train]'")

from tupelo.core import Analysis, Extraction, Sentence, Word
from tupelo.extract.neural.network import ExtractionNetwork
from tupelo.io.tuples import write_records
from tupelo_training.extract.align import FURTHER, LEADS, OBJECT, OUTSIDE, RELATION, SUBJECT, lay
from tupelo_training.extract.items import held_out_scores
from tupelo_training.extract.prepare import read_rewrites
from tupelo_training.extract.start import encoder_of
from tupelo_training.extract.stored import STEP, below_best, from_below
from tupelo_training.onnx_graphs import calibrate
from tupelo_training.options import write_checksums
from tupelo_training.parser.graphs import encoder_graph
from tupelo_training.parser.model import Encoder, Sizes
from tupelo_training.weights import restored

ROOT = Path(__file__).resolve().parents[2]


def test_parts_are_laid_onto_their_words() -> None:
    laid = lay(["Ann", "sold", "the", "boat", "in", "May", "."], ["sold"], [["Ann"], ["the", "boat"], ["in", "May"]])
    assert laid.labels == (SUBJECT, RELATION, OBJECT, OBJECT, FURTHER, FURTHER, OUTSIDE)
    assert laid.lead == 0
    assert laid.missing == 0


def test_words_that_are_not_in_the_sentence_are_implied() -> None:
    laid = lay(["Bush", ",", "President"], ["is"], [["Bush"], ["President"]])
    assert LEADS[laid.lead] == "is"
    assert laid.labels == (SUBJECT, OUTSIDE, OBJECT)


def test_of_two_equal_words_the_nearer_one_is_taken() -> None:
    laid = lay(["the", "dog", "saw", "that", "the", "old", "dog", "slept"], ["slept"], [["the", "old", "dog"], []])
    assert laid.tokens(SUBJECT) == (4, 5, 6)
    laid = lay(["he", "said", "he", "left", "old", "Rome"], ["left"], [["he"], ["old", "Rome"]])
    assert laid.tokens(SUBJECT) == (2,)


def prepared(folder: Path) -> None:
    """Four sentences of three words; one tuple each, none for the last."""
    pieces = np.array([7592, 2088, 1012] * 4, dtype=np.uint16)
    arrays = {
        "length": np.array([3] * 4, np.uint16),
        "source": np.array([0, 0, 1, 2], np.uint8),
        "fold": np.array([0, 1, 2, 2], np.uint8),
        "rewrite": np.array([0, 1, 0, 0], np.uint8),
        "piece": pieces,
        "count": np.ones(12, np.uint8),
        "shape": np.ones(12, np.uint8),
        "content": np.ones(12, np.uint8),
        "tuple_sentence": np.array([0, 1, 2], np.uint32),
        "tuple_anchor": np.array([1, 1, 1], np.uint16),
        "tuple_lead": np.zeros(3, np.uint8),
        "label": np.array([SUBJECT, RELATION, OBJECT] * 3, np.uint8),
    }
    folder.mkdir()
    np.savez_compressed(folder / "tuples.npz", **arrays)
    labels = ["outside", "relation", "subject", "object", "further"]
    sources = ["carb", "openie4", "plain"]
    rows = {"hello world .": 0, "world hello .": 1, "hello .": 3}
    table = {"sources": sources, "labels": labels, "leads": LEADS, "folds": 2, "rows": rows}
    (folder / "tuples.json").write_text(json.dumps(table), encoding="utf-8")


def run(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", *arguments], check=True, cwd=ROOT, capture_output=True)


def test_a_little_extractor_is_trained_exported_and_read(tmp_path: Path) -> None:
    data, output, folder = tmp_path / "data", tmp_path / "run", tmp_path / "model"
    prepared(data)
    little = ["--tiny", "--steps", "3", "--sentences", "3", "--lower", "1", "--upper", "1", "--rewrites", "0.5"]
    run("tupelo_training.extract.train", "--prepared", str(data), "--output", str(output), *little)
    report = json.loads((output / "report.json").read_text(encoding="utf-8"))
    assert report["steps"] == 3
    held_out = np.load(output / "held-out.npz")
    assert sorted(held_out["row"].tolist()) == [0, 1, 3]
    scores = held_out_scores(output / "held-out.npz", data)
    assert set(scores) == {"hello world .", "world hello .", "hello ."}
    assert any(own.chosen for own in scores.values())
    for own in scores.values():
        assert own.labels.shape == (len(own.chosen), 3, 4, 5)
        assert np.allclose(np.exp(own.labels).sum(axis=-1), 1, atol=1e-5)
    inputs = ("--checkpoint", str(output), "--prepared", str(data))
    run("tupelo_training.extract.export", *inputs, "--output", str(folder))
    (folder / "vocab.txt").write_text(
        "\n".join([*(f"[unused{n}]" for n in range(100)), "[UNK]", "[CLS]", "[SEP]", "a"]), encoding="utf-8"
    )
    write_checksums(folder)
    network = ExtractionNetwork(folder)
    sentence = Analysis("a b", (Word("a", 0, 1), Word("b", 2, 3)))
    (scores,) = network.read([sentence])
    assert scores.anchors.shape == (2,)
    assert np.isfinite(scores.anchors).all()


def test_rewrites_are_read_with_their_originals(tmp_path: Path) -> None:
    path = tmp_path / "rewrites.json"
    gold = [
        Extraction.of(Sentence(text), "sang", arguments)
        for text, arguments in (
            ("Ann sang a song .", ["Ann", "a song"]),
            ("It was Ann who sang a song .", ["Ann", "a song"]),
            ("A song was sung by Ann .", ["Ann"]),
        )
    ]
    write_records(path, [replace(each, group="Ann sang a song .") for each in gold], "robust")
    found = read_rewrites(path, ["Ann sang a song ."])
    assert {text: reworded.original for text, reworded in found.items()} == {
        "It was Ann who sang a song .": "Ann sang a song .",
        "A song was sung by Ann .": "Ann sang a song .",
    }
    assert [len(reworded.tuples) for reworded in found.values()] == [1, 0]


def test_scores_in_bytes_keep_their_softmax() -> None:
    scores = np.array([[3.0, 1.0, -2.0, 0.5, 0.5, 40.0]], np.float32)
    stored = from_below(below_best(scores, 3)).reshape(2, 3)
    assert np.allclose(stored[0], [0, -2, -5], atol=STEP / 2)
    assert stored[1].tolist() == pytest.approx([-255 * STEP, -255 * STEP, 0])


def test_an_encoder_is_read_back_from_its_graph() -> None:
    import torch

    torch.manual_seed(0)
    sizes = Sizes(
        upos=1,
        xpos=1,
        feats=1,
        deprel=1,
        entity=1,
        constituent=1,
        shapes=3,
        vocabulary=30,
        positions=16,
        width=24,
        inner=32,
        layers=2,
        attention_heads=2,
    )
    encoder = Encoder(sizes, 0.0).eval()
    model = torch.nn.ModuleDict({"encoder": encoder}).eval()
    inputs = (
        torch.tensor([[1, 5, 9, 2]]),
        torch.tensor([[0, 1, 2, 0]]),
        torch.ones(1, 4),
        torch.tensor([[0, 1, 2]]),
        torch.tensor([[0, 1, 2]]),
    )
    ranges = {f"encoder.{name}": reach for name, reach in calibrate(encoder, [inputs]).items()}
    weights = {name: value.detach().numpy() for name, value in model.state_dict().items()}
    found = restored(encoder_of(encoder_graph(weights, ranges, 2)))
    before = encoder(*inputs)
    back = Encoder(sizes, 0.0).eval()
    own = dict(back.named_parameters())
    assert {f"encoder.{name}" for name in own} - set(found) == {"encoder.mix", "encoder.scale"}
    with torch.no_grad():
        for name, value in found.items():
            own[name.removeprefix("encoder.")].copy_(torch.from_numpy(value))
    assert torch.allclose(back(*inputs), before, atol=0.05)
    # A guard against comparing with nothing: the values are an order of magnitude larger.
    assert before.abs().mean() > 0.3
