"""The entailment model: what ships computes what was fitted; folds keep apart what they promise."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest

pytest.importorskip("onnx", reason="training needs the extra train")

from tupelo.core.entailment import EntailmentPair
from tupelo.core.extraction import Triple
from tupelo.inference.methods.learned import BLOCKS, NAMES, EntailmentWeights
from tupelo_training.entail import train as training
from tupelo_training.entail.data import FREQUENT, argument_folds, relation_folds


def made_up(count=400, seed=0):
    """Blocks of inputs with a planted rule: dimension 3 of the statements, minus the first feature."""
    chance = np.random.default_rng(seed)
    sizes = {"statements": 12, "relations": 12, "premise": 12, "hypothesis": 12, "cosines": 5}
    blocks = {name: chance.normal(size=(count, sizes.get(name, len(NAMES)))) for name in BLOCKS}
    truth = 3 * blocks["statements"][:, 3] - 2 * blocks["words"][:, 0]
    return blocks, (truth + chance.normal(size=count) > 0).astype(float)


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(training, "COMPONENTS", dict.fromkeys(training.COMPONENTS, 12))
    monkeypatch.setattr(training, "PENALTIES", dict.fromkeys(training.PENALTIES, 10.0))


def fitted(blocks, labels):
    scaling = training.Scaling(blocks)
    return scaling, *training.fit(scaling.columns(blocks), labels, np.ones(len(labels)), scaling.penalties())


def test_what_is_written_computes_what_was_fitted(tmp_path):
    blocks, labels = made_up()
    scaling, found, bias = fitted(blocks, labels)
    training.write(tmp_path, scaling, found, bias, {"share": 0.25, "unit": [], "bias": 0.0})
    network = np.linspace(-3, 3, len(labels))
    expected = 0.75 * (scaling.columns(blocks) @ found + bias) + 0.25 * network
    assert EntailmentWeights(tmp_path).logits(blocks, network) == pytest.approx(expected, abs=2e-3)
    assert json.loads((tmp_path / "weights.json").read_text("utf-8"))["features"] == list(NAMES)


def test_the_planted_rule_is_found_on_held_out_folds():
    blocks, labels = made_up()
    folds = np.arange(len(labels)) % 5
    logits = training.held_out(blocks, labels, np.ones(len(labels)), folds)
    assert ((logits > 0) == labels).mean() > 0.75
    # With shuffled labels there is nothing to find.
    shuffled = np.random.default_rng(1).permutation(labels)
    nothing = training.held_out(blocks, shuffled, np.ones(len(labels)), folds)
    assert ((nothing > 0) == shuffled).mean() < 0.65


def test_fitting_ends_where_the_gradient_is_zero():
    blocks, labels = made_up()
    scaling, found, bias = fitted(blocks, labels)
    columns = scaling.columns(blocks)
    errors = 1 / (1 + np.exp(-(columns @ found + bias))) - labels
    assert np.abs(columns.T @ errors + scaling.penalties() * found).max() < 1e-5
    assert abs(errors.sum()) < 1e-5


def pairs_of(relations):
    return [
        EntailmentPair(Triple(f"a{i}", p, f"b{i}"), Triple(f"a{i}", h, f"b{i}"), True)
        for i, (p, h) in enumerate(relations)
    ]


def test_frequent_relations_and_reverses_stay_in_one_fold():
    chance = np.random.default_rng(0)
    pairs = pairs_of([(f"r{chance.integers(0, 40)}", f"s{i}") for i in range(900)])
    pairs += [pair.reversed() for pair in pairs[::3]]
    folds = relation_folds(pairs)
    where: dict[str, set[int]] = {}
    for pair, fold in zip(pairs, folds.tolist(), strict=True):
        for triple in (pair.premise, pair.hypothesis):
            where.setdefault(triple.relation, set()).add(fold)
    counts = Counter(t.relation for pair in pairs for t in (pair.premise, pair.hypothesis))
    assert all(len(where[relation]) == 1 for relation, count in counts.items() if count >= FREQUENT)
    by_pair = {pair.key(): fold for pair, fold in zip(pairs, folds, strict=True)}
    assert all(by_pair[pair.reversed().key()] == fold for pair, fold in zip(pairs[900:], folds[900:], strict=True))
    assert set(folds.tolist()) == set(range(5))


def test_arguments_stay_in_one_fold():
    pairs = [
        EntailmentPair(Triple(f"a{i % 7}", f"p{i}", "b"), Triple(f"a{i % 7}", "q", "b"), True) for i in range(70)
    ]
    folds = argument_folds(pairs)
    assert all(len({folds[i] for i in range(start, 70, 7)}) == 1 for start in range(7))


def test_pairs_that_hold_one_way_only_weigh_more():
    one = EntailmentPair(Triple("a", "p", "b"), Triple("a", "q", "b"), True)
    back = EntailmentPair(one.hypothesis, one.premise, False)
    alone = EntailmentPair(Triple("a", "p", "b"), Triple("a", "r", "b"), True)
    assert training.weights_of([one, back, alone]).tolist() == [training.DIRECTIONAL, training.DIRECTIONAL, 1]
