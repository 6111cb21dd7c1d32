"""The recipe of the extractor on a little data: from tuples as text to graphs that run."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs torch: pip install 'tupelo[train]'")
pytest.importorskip("onnx", reason="needs onnx: pip install 'tupelo[train]'")

from training.extract.align import FURTHER, LEADS, OBJECT, OUTSIDE, RELATION, SUBJECT, lay

from tupelo.core import Analysis, Word
from tupelo.extract.neural.network import Network

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
    table = {"sources": sources, "labels": labels, "leads": LEADS, "folds": 2}
    (folder / "tuples.json").write_text(json.dumps(table), encoding="utf-8")


def run(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", *arguments], check=True, cwd=ROOT, capture_output=True)


def test_a_little_extractor_is_trained_exported_and_read(tmp_path: Path) -> None:
    data, output, folder = tmp_path / "data", tmp_path / "run", tmp_path / "model"
    prepared(data)
    little = ["--tiny", "--steps", "3", "--sentences", "3", "--lower", "1", "--upper", "1"]
    run("training.extract.train", "--prepared", str(data), "--output", str(output), *little)
    report = json.loads((output / "report.json").read_text(encoding="utf-8"))
    assert report["steps"] == 3
    held_out = np.load(output / "held-out.npz")
    assert sorted(held_out["row"].tolist()) == [0, 1, 3]
    assert np.isfinite(held_out["labels"]).all()
    run("training.extract.export", "--checkpoint", str(output), "--prepared", str(data), "--output", str(folder))
    vocabulary = tmp_path / "vocab.txt"
    vocabulary.write_text(
        "\n".join([*(f"[unused{n}]" for n in range(100)), "[UNK]", "[CLS]", "[SEP]", "a"]), encoding="utf-8"
    )
    network = Network(folder, vocabulary)
    sentence = Analysis("a b", (Word("a", 0, 1), Word("b", 2, 3)))
    (scores,) = network.read([sentence])
    assert scores.anchors.shape == (2,)
    assert np.isfinite(scores.anchors).all()
