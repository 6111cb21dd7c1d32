"""The stacked network: members do not touch each other, and what ships computes what was trained."""

from __future__ import annotations

import json

import numpy as np
import pytest

pytestmark = pytest.mark.torch

torch = pytest.importorskip("torch", reason="training needs the extra train")
pytest.importorskip("onnx", reason="training needs the extra train")

from tupelo.core.entailment import EntailmentPair  # noqa: E402
from tupelo.core.extraction import Triple  # noqa: E402
from tupelo.inference.methods.learned import (  # noqa: E402
    PairNetwork,
    read_pair,
)
from tupelo.nlp.encoder import LAYERS, load_encoder  # noqa: E402
from tupelo.nlp.folder import ModelFolder  # noqa: E402
from tupelo_training.encoder.export import embeddings_graph, layers_graph  # noqa: E402
from tupelo_training.entail import network as training  # noqa: E402
from tupelo_training.entail.prepare import table  # noqa: E402
from tupelo_training.entail.train import HEADS, Trained  # noqa: E402
from tupelo_training.options import write_checksums  # noqa: E402
from tupelo_training.weights import as_int8  # noqa: E402

WIDTH, INNER = 24, 32
VERBS = ("kills", "harms", "was sold to", "has been very useful in", "met")


@pytest.fixture(scope="module")
def published():
    """Random weights of a small BERT under the published names."""
    chance = np.random.default_rng(0)
    words = len(load_encoder().folder.vocabulary())
    shapes = {
        "embeddings.word_embeddings.weight": (words, WIDTH),
        "embeddings.position_embeddings.weight": (64, WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
        "embeddings.LayerNorm.weight": (WIDTH,),
        "embeddings.LayerNorm.bias": (WIDTH,),
    }
    for layer in range(6):
        for part in training.DENSE:
            rows, columns = {"intermediate.dense": (INNER, WIDTH), "output.dense": (WIDTH, INNER)}.get(
                part, (WIDTH, WIDTH)
            )
            shapes[f"encoder.layer.{layer}.{part}.weight"] = (rows, columns)
            shapes[f"encoder.layer.{layer}.{part}.bias"] = (rows,)
        for part in training.NORMS:
            for kind in ("weight", "bias"):
                shapes[f"encoder.layer.{layer}.{part}.{kind}"] = (WIDTH,)
    found = {name: chance.normal(0, 0.3, shape).astype(np.float32) for name, shape in shapes.items()}
    return {name: array + 1 if "LayerNorm.weight" in name else array for name, array in found.items()}


@pytest.fixture(scope="module")
def encoder(published, tmp_path_factory):
    folder = tmp_path_factory.mktemp("encoder")
    (folder / "embeddings.onnx").write_bytes(embeddings_graph(published))
    (folder / "layers.onnx").write_bytes(layers_graph(published, HEADS))
    config = {"format": 1, "name": "small", "version": "0", "layers": 6, "dimensions": WIDTH, "max_subwords": 64}
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    write_checksums(folder)
    return load_encoder(folder)


def pairs():
    return [
        EntailmentPair(Triple("Ann", one, "the old bear"), Triple("Ann", other, "the old bear"), one < other)
        for one in VERBS
        for other in VERBS
        if one != other
    ]


def arrays_of(encoder):
    judged = pairs()
    rows = {pair.key(): row for row, pair in enumerate(judged)}
    readings = [read_pair(pair.premise, pair.hypothesis, encoder) for pair in judged]
    count = len(judged)
    arrays = {
        "labels": np.array([pair.entailed for pair in judged], np.int8),
        "reverse": np.array([rows[pair.reversed().key()] for pair in judged], np.int32),
        "directional": np.ones(count, bool),
        **{f"folds_{name}": np.arange(count) % 5 for name in training.DIVISIONS},
        **{f"logits_{name}": np.zeros(count, np.float32) for name in training.DIVISIONS},
        "more_labels": np.array([pair.entailed for pair in judged], np.int8),
    }
    # Three forms, all alike.
    for name, times in (("judged", 3), ("drawn", 1), ("more", 1)):
        arrays |= {f"{name}_{key}": array for key, array in table(readings * times).items()}
    return arrays


@pytest.fixture(scope="module")
def job(published, encoder):
    weights = {name: torch.from_numpy(array) for name, array in published.items()}
    return training.Job(arrays_of(encoder), training.Network(weights, torch.device("cpu")))


SETTING = training.Setting("small", first_stage=("more",), first_steps=2, epochs=4.0, rate=1e-2, batch=8, ranking=1.0)


@pytest.mark.model
def test_what_ships_computes_what_was_trained(job, encoder, tmp_path):
    torch.manual_seed(0)
    # As different as two seeds can become.
    stack = {
        name: weight + (0.3 if name.startswith("head") else 0.01) * torch.randn_like(weight)
        for name, weight in job.network.stack(2 * len(training.PARTS)).items()
    }
    found = job.held_out(stack, [0, 1])
    np.savez(tmp_path / "small.npz", **found)
    described = np.array(json.dumps({"name": "small"}))
    np.savez(tmp_path / "final.npz", setting=described, **training.final_weights(stack, 2))
    trained = Trained(tmp_path)
    (tmp_path / LAYERS).write_bytes(layers_graph(trained.layers(), HEADS))
    write_checksums(tmp_path)
    unit = trained.described()
    network = PairNetwork(ModelFolder(tmp_path, "layers"), unit["unit"], unit["bias"], encoder)
    rounded = {}
    for name, weight in stack.items():
        mean = training.mean_of_seeds(weight, 2)[-1:]
        if mean.dim() == 3 and not name.startswith("head"):
            whole, steps = as_int8(mean[0].numpy(), axis=0)
            mean = torch.from_numpy(whole * steps)[None]
        rounded[name] = mean
    expected = job.scores(rounded, np.arange(job.count))[0]
    logits = network.logits(pairs())
    assert np.std(expected) > 0.1
    assert logits == pytest.approx(expected, abs=1e-3)
    for row in (0, 7):
        assert network.logits(pairs()[row : row + 1])[0] == pytest.approx(logits[row], abs=1e-5)
    assert trained.held_out("relations").shape == (job.count,)


def test_members_learn_as_they_would_alone(job):
    """Without dropout, whose random numbers are shared, a member does not notice the others."""
    plain = training.replace(SETTING, dropout=0.0, rate=1e-3)
    together = job.train(plain, [0, 1])
    job._first = {}
    alone = job.train(plain, [1])
    for name, weight in alone.items():
        # Nothing depends on the bias of keys: its gradient is noise.
        if name.endswith("key.bias"):
            continue
        assert torch.allclose(together[name].view(-1, 2, *weight.shape[1:])[:, 1], weight, atol=1e-4), name


@pytest.fixture
def one_member(monkeypatch):
    """Only the member that learns from everything: the others would cost the same again, each."""
    monkeypatch.setattr(training, "PARTS", [(training.EVERYTHING, 0)])


@pytest.mark.usefixtures("one_member")
def test_a_member_learns_the_order_of_couples(job):
    job._first = {}
    stack = job.train(training.replace(SETTING, epochs=24.0, rate=5e-3, dropout=0.0, first_stage=()), [0])
    (logits,) = job.scores(stack, np.arange(job.count))
    assert training.figures(job, logits)["direction"] > 90


@pytest.mark.usefixtures("one_member")
def test_a_teacher_is_believed(job):
    """All targets from a teacher that says the opposite of the labels."""
    job._first = {}
    opposite = 1 - np.concatenate([np.tile(job.labels, 3), job.labels])[None]
    taught = training.replace(
        SETTING, epochs=24.0, rate=5e-3, dropout=0.0, first_stage=(), ranking=0.0, trust=1.0, drawn=4
    )
    (logits,) = job.scores(job.train(taught, [0], opposite), np.arange(job.count))
    assert ((logits > 0) == (job.labels == 0)).mean() > 0.9


def test_scores_do_not_depend_on_padding(job):
    stack = job.network.stack(1)
    whole = job.scores(stack, np.arange(job.count))
    one_by_one = np.concatenate([job.scores(stack, np.array([row])) for row in range(job.count)], axis=1)
    assert whole == pytest.approx(one_by_one, abs=1e-5)


def packed(published):
    """Two layers of the small network as `tupelo_training.encoder.large` packs a larger one."""
    parts = {
        "output": "attention.output.dense",
        "attention_norm": "attention.output.LayerNorm",
        "up": "intermediate.dense",
        "down": "output.dense",
        "norm": "output.LayerNorm",
    }
    found = {
        "words.weight": published["embeddings.word_embeddings.weight"],
        "positions.weight": published["embeddings.position_embeddings.weight"],
        "norm.weight": published["embeddings.LayerNorm.weight"],
        "norm.bias": published["embeddings.LayerNorm.bias"],
        "distances.weight": np.zeros((32, HEADS), np.float32),
    }
    for layer in range(2):
        name = f"encoder.layer.{layer}"
        for kind in ("weight", "bias"):
            for ours, theirs in parts.items():
                found[f"layers.{layer}.{ours}.{kind}"] = published[f"{name}.{theirs}.{kind}"]
            three = [published[f"{name}.attention.self.{part}.{kind}"] for part in ("query", "key", "value")]
            found[f"layers.{layer}.query_key_value.{kind}"] = np.concatenate(three)
    return found


def test_from_teachers_to_final_weights(published, encoder, tmp_path, monkeypatch, capsys):
    np.savez(tmp_path / "large-0.npz", **packed(published))
    np.savez(tmp_path / "encoder.npz", **published)
    np.savez(tmp_path / "pairs.npz", **arrays_of(encoder))
    small = training.replace(SETTING, first_steps=1, epochs=0.4, drawn=2, trust=0.5)
    monkeypatch.setattr(training, "TEACHER", training.replace(small, drawn=0))
    monkeypatch.setattr(training, "STUDENTS", (small, training.replace(small, name="other", trust=1.0)))
    arguments = ["--pairs", "pairs.npz", "--encoder", "encoder.npz", "--large", ".", "--output", "out"]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["network", *arguments, "--seeds", "2", "--teachers", "2"])
    training.main()
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "teachers.npz",
        "small.npz",
        "other.npz",
        "final.npz",
    }
    assert "relations soup + features" in capsys.readouterr().out
    trained = Trained(tmp_path / "out")
    assert trained.setting["seeds"] == 2
    assert trained.layers().keys() == {name for name in published if name.startswith("encoder.")}
