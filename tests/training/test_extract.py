"""The judge of tuples: it learns, and its output becomes a probability."""

from __future__ import annotations

import json
import sys
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra `train`")

import tupelo
from tupelo.core import Argument, Extraction, Sentence
from tupelo.extract.judge.network import Judge
from tupelo.extract.rules import RuleExtractor
from tupelo_training.extract import train
from tupelo_training.extract.train import area, in_tenths, isotonic, labels_of, platt
from tupelo_training.judged.readings import pieces
from tupelo_training.judged.stored import JudgedDocument, JudgedSet, JudgedTuple, write_judged

SENTENCES = [
    "Ann Lee founded Acme in Oslo in 1990.",
    "Bob Hall, a lawyer from Bergen, sold the old mill to the town.",
    "The town did not repair the bridge that the storm had damaged.",
    "Critics say that the museum lost two paintings.",
    "She bought the boat and painted it red.",
    "The river, which flows through the valley, feeds three lakes.",
]


def test_a_reader_signs_the_fullest_of_the_good_ones() -> None:
    text = "Ann founded Acme in Oslo ."
    words = text.split()

    def made(*places: int, label: str) -> tuple[Extraction, JudgedTuple]:
        parts = [Argument(words[place], tokens=(place,), spans=()) for place in (1, 0, *places)]
        item = Extraction(Sentence(text), parts[0], parts[1], tuple(parts[2:]))
        document = JudgedDocument("d", "news", "ours", "MIT", "train", text)
        return item, JudgedTuple(document, 0, len(text), (), None, (), label)

    read = [made(2, label="good"), made(2, 4, label="good"), made(2, 3, 4, label="wrong"), made(3, label="empty")]
    right, good, signed, known = labels_of(read, [])
    assert right == [True, True, False, True]
    assert good == [True, True, False, False]
    assert signed == [False, True, False, False]
    assert known == [True] * 4
    # Nobody has said whether the fuller one is good.
    assert labels_of(read[:1], [read[1][0]])[2:] == ([True], [False])


def test_the_area_counts_pairs_in_the_right_order() -> None:
    scores, targets = np.array([0.1, 0.4, 0.35, 0.8], np.float32), np.array([0, 0, 1, 1], np.float32)
    pairs = [(a, b) for a, b in combinations(range(4), 2) if targets[a] != targets[b]]
    in_order = sum((scores[a] < scores[b]) == (targets[a] < targets[b]) for a, b in pairs)
    assert area(scores, targets) == pytest.approx(in_order / len(pairs))


def test_steps_rise_and_have_the_share_of_what_falls_on_them() -> None:
    generator = np.random.default_rng(3)
    logits = generator.normal(size=600).astype(np.float32)
    targets = (generator.random(600) < 1 / (1 + np.exp(-2 * logits))).astype(np.float32)
    edges, steps = isotonic(logits, targets, 50)
    assert (np.diff(steps) > 0).all()
    on = np.searchsorted(edges, logits)
    for number, step in enumerate(steps.tolist()):
        assert (on == number).sum() >= 50
        assert targets[on == number].mean() == pytest.approx(step, abs=1e-6)


def test_steps_within_a_tenth_become_one_with_the_share_of_their_tuples() -> None:
    edges, steps = np.array([-2, -1, 1], np.float32), np.array([0.02, 0.06, 0.55, 0.9], np.float32)
    edges, steps = in_tenths(edges, steps, np.array([30, 10, 5, 5]))
    assert edges.tolist() == [-1, 1]
    assert steps == pytest.approx([(0.02 * 30 + 0.06 * 10) / 40, 0.55, 0.9])


def test_outputs_that_mean_nothing_become_the_rate() -> None:
    edges, steps = isotonic(np.array([3, 2, 1, 0], np.float32), np.array([0, 0, 1, 1], np.float32), 1)
    assert (edges.tolist(), steps.tolist()) == ([], [0.5])


def test_a_scale_undoes_what_was_done_to_log_odds() -> None:
    generator = np.random.default_rng(5)
    odds = generator.normal(size=20_000).astype(np.float32)
    targets = (generator.random(20_000) < 1 / (1 + np.exp(-odds))).astype(np.float32)
    slope, intercept = platt(odds * 2 + 1, targets)
    assert slope == pytest.approx(0.5, abs=0.05)
    assert intercept == pytest.approx(-0.5, abs=0.08)


@pytest.mark.model
def test_it_learns_from_a_judged_set_and_what_it_writes_can_be_read(tmp_path: Path, monkeypatch, capsys) -> None:
    texts = {f"d{number}": text for number, text in enumerate(SENTENCES)}
    documents = {name: JudgedDocument(name, "news", "ours", "CC0", "train", text) for name, text in texts.items()}
    rules, tuples = RuleExtractor(), []
    analyses = tupelo.load().analyze(list(texts.values()), lines=True)
    for analysis, (name, text) in zip(analyses, texts.items(), strict=True):
        for place, item in enumerate(rules.propose(analysis)[0]):
            parts = [
                tuple(piece if isinstance(piece, str) else (piece[0], piece[1]) for piece in pieces(text, part))
                for part in (item.rel, *item.arguments)
            ]
            label, wrong = (("good", None), ("wrong", "subject"), ("empty", None))[place % 3]
            rel, subject, *args = parts
            judged = JudgedTuple(
                documents[name], 0, len(text), rel, subject, tuple(args), label, wrong, rule=item.rule
            )
            tuples.append(judged)
    (tmp_path / "judged").mkdir()
    write_judged(JudgedSet(tuple(documents.values()), tuple(tuples)), tmp_path / "judged")
    folder = tmp_path / "model"
    options = ["--judged", str(tmp_path / "judged"), "--output", str(folder), "--epochs", "1"]
    monkeypatch.setattr(sys, "argv", ["train", *options])
    train.main()
    assert json.loads(capsys.readouterr().out)["tuples"] == len(tuples)
    (analysis,) = tupelo.load().analyze(SENTENCES[0], vectors=True)
    judgements = Judge(folder).judge(*rules.propose(analysis))
    assert all(0 <= value <= 1 for judgement in judgements for value in judgement if not isinstance(value, tuple))
