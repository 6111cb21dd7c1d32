"""The entailment network: the graph that ships computes what was trained; folds keep apart what they promise."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from tupelo.core.entailment import EntailmentPair
from tupelo.core.triple import Triple

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")

from training.entail.data import FREQUENT, argument_folds, relation_folds  # noqa: E402
from training.entail.export import random_weights, upper_graph, write_network  # noqa: E402
from training.entail.model import ALL_LAYERS, WIDTH, Entailer  # noqa: E402
from training.entail.prepare import FROZEN, with_variables  # noqa: E402
from training.entail.weigh import apply, fit  # noqa: E402

from tupelo.nlp.onnx import Graph  # noqa: E402


def logits(tmp_path, weights, states, sides, *, quantise):
    (tmp_path / "upper.onnx").write_bytes(upper_graph(weights, quantise=quantise))
    return Graph(tmp_path / "upper.onnx", 1).run(["logit"], {"states": states, "sides": sides.astype(np.float32)})[0]


def test_the_graph_computes_what_was_trained(tmp_path):
    torch.manual_seed(0)
    model = Entailer(ALL_LAYERS - FROZEN).eval()
    weights = {name: value.numpy() for name, value in model.state_dict().items()}
    states = np.random.default_rng(0).normal(size=(3, 7, WIDTH)).astype(np.float32)
    sides = np.array([[0, 0, 0, 0, 1, 1, 1]] * 3)
    with torch.no_grad():
        expected = model(
            torch.from_numpy(states), torch.from_numpy(sides), torch.ones(3, 7, dtype=torch.bool)
        ).numpy()
    assert logits(tmp_path, weights, states, sides, quantise=False) == pytest.approx(expected, abs=1e-4)
    assert logits(tmp_path, weights, states, sides, quantise=True) == pytest.approx(expected, abs=0.02)


def test_padding_changes_nothing():
    torch.manual_seed(0)
    model = Entailer(1).eval()
    states = torch.randn(1, 5, WIDTH)
    sides = torch.tensor([[0, 0, 0, 1, 1]])
    with torch.no_grad():
        alone = model(states, sides, torch.ones(1, 5, dtype=torch.bool))
        padded = torch.cat([states, torch.full((1, 3, WIDTH), 9.0)], dim=1)
        mask = torch.tensor([[True] * 5 + [False] * 3])
        among = model(padded, torch.cat([sides, torch.ones(1, 3, dtype=torch.int64)], dim=1), mask)
    assert among.item() == pytest.approx(alone.item(), abs=1e-5)


def test_a_written_network_can_be_loaded(tmp_path):
    from tupelo.infer.methods.learned import ALL_NAMES
    from tupelo.infer.network import load_network
    from tupelo.nlp.encoder import load_encoder

    count = len(ALL_NAMES)
    weighing = {"inputs": list(ALL_NAMES), "means": [0.0] * count, "scales": [1.0] * count, "weights": [0.0] * count}
    write_network(tmp_path / "n", random_weights(), {**weighing, "bias": 0.0}, quantise=True)
    network = load_network(load_encoder(), tmp_path / "n")
    pair = EntailmentPair(Triple("Moss", "heals", "wounds"), Triple("Moss", "is useful in", "wounds"))
    one, other = network.answers([pair, pair.reversed()])
    assert one != other
    assert network.weigh(np.ones((1, count))) == [0.5]


def pairs_of(relations):
    return [EntailmentPair(Triple(f"a{i}", p, f"b{i}"), Triple(f"a{i}", h, f"b{i}"), True)
            for i, (p, h) in enumerate(relations)]  # fmt: skip


def test_frequent_relations_and_reverses_stay_in_one_fold():
    chance = np.random.default_rng(0)
    relations = [(f"r{chance.integers(0, 40)}", f"s{i}") for i in range(900)]
    pairs = pairs_of(relations)
    pairs += [pair.reversed() for pair in pairs[::3]]
    folds = relation_folds(pairs)
    counts = Counter(t.relation for pair in pairs for t in (pair.premise, pair.hypothesis))
    for relation, count in counts.items():
        inside = {
            folds[i] for i, pair in enumerate(pairs) if relation in (pair.premise.relation, pair.hypothesis.relation)
        }
        assert count < FREQUENT or len(inside) == 1
    where = {pair.key(): fold for pair, fold in zip(pairs, folds, strict=True)}
    assert all(where[pair.reversed().key()] == fold for pair, fold in zip(pairs[900:], folds[900:], strict=True))
    assert set(Counter(folds.tolist())) == set(range(5))


def test_arguments_stay_in_one_fold():
    pairs = [
        EntailmentPair(Triple(f"a{i % 7}", f"p{i}", "b"), Triple(f"a{i % 7}", "q", "b"), True) for i in range(70)
    ]
    folds = argument_folds(pairs)
    assert all(len({folds[i] for i in range(start, 70, 7)}) == 1 for start in range(7))


def test_variables_keep_the_order_of_arguments():
    import random

    pair = EntailmentPair(Triple("A dramatist", "wrote", "Hamlet"), Triple("Hamlet", "was written by", "a dramatist"))
    shown = with_variables(pair, random.Random(0))
    assert (shown.premise.subject, shown.premise.object) == (shown.hypothesis.object, shown.hypothesis.subject)


def test_logistic_regression_finds_what_was_planted():
    chance = np.random.default_rng(0)
    table = chance.normal(size=(4000, 3))
    truth = 1 / (1 + np.exp(-(2 * table[:, 0] - table[:, 1] - 1)))
    labels = (chance.random(4000) < truth).astype(float)
    fitted = fit(table, labels, np.ones(4000), penalty=1e-6)
    assert np.array(fitted["weights"]) / np.array(fitted["scales"]) == pytest.approx([2, -1, 0], abs=0.2)
    assert np.abs(apply(fitted, table) - truth).mean() < 0.02
    # The optimum: the gradient is zero.
    x = (table - np.array(fitted["means"])) / np.array(fitted["scales"])
    assert np.abs(x.T @ (apply(fitted, table) - labels)).max() < 1e-3
