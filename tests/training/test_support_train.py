"""The table of claims, what is drawn from it, and a network of one layer that learns from it."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tupelo.nlp.encoder import load_encoder  # noqa: E402
from tupelo_training.support import merge, train  # noqa: E402
from tupelo_training.support.given import written_claims  # noqa: E402
from tupelo_training.support.measure import auc, report_of  # noqa: E402
from tupelo_training.support.network import SMALL, SupportModel, load_small  # noqa: E402
from tupelo_training.support.prepare import Part, Table  # noqa: E402
from tupelo_training.support.table import (  # noqa: E402
    END,
    FOLDS,
    KINDS,
    NO,
    OPEN,
    START,
    UNKNOWN,
    YES,
    one_pass,
    read_buckets,
)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = Table(load_encoder())
    source = [made.sentence("Rosa bought five apples in Oslo."), made.sentence("It rained.")]
    for number in range(40):
        part = Part(number)
        made.add("Rosa bought apples.", [(0, 19, YES)], 1.0, "written", source, part)
        made.add("Rosa sold apples.", [(5, 9, NO), (0, 17, YES)], 0.0, "name", source[:1], part)
        made.add("Rosa bought it rained.", [], UNKNOWN, "splice", source, part)
    path = tmp_path_factory.mktemp("support") / "table.npz"
    made.save(path)
    return path


def test_a_row_is_source_and_claim_between_marks(table: Path) -> None:
    (bucket,) = read_buckets(table)
    assert (bucket.width, len(bucket.rows)) == (32, 120)
    row = bucket.pieces[0]
    first, last = bucket.first[0], bucket.last[0]
    assert (row[0], row[first - 1], row[last], row[last + 1]) == (START, END, END, 0)
    assert list(bucket.tokens[0, first:last]) == [YES] * (last - first)
    assert set(bucket.tokens[1]) == {NO, YES, OPEN}


def test_a_pass_leaves_out_what_is_kept_aside_and_draws_real_claims_twice(table: Path) -> None:
    buckets = read_buckets(table)
    drawn = np.concatenate([places for _, places in one_pass(buckets, 320, 1.0, np.random.default_rng(0))])
    kinds = [KINDS[kind] for kind in buckets[0].kinds[drawn]]
    assert not buckets[0].aside[drawn].any()
    assert (kinds.count("written"), kinds.count("name"), kinds.count("splice")) == (70, 35, 0)
    none = [places for _, places in one_pass(buckets, 320, 0.0, np.random.default_rng(0))]
    assert {KINDS[kind] for places in none for kind in buckets[0].kinds[places]} == {"written"}


def test_a_teacher_learns_nothing_from_the_part_that_it_judges(table: Path) -> None:
    buckets = read_buckets(table)
    drawn = np.concatenate([places for _, places in one_pass(buckets, 320, 1.0, np.random.default_rng(0), 1)])
    assert set(buckets[0].folds[drawn]) == {0, 2}
    # Both claims of a text are in the same part.
    assert len({tuple(buckets[0].folds[row : row + 3]) for row in range(0, 120, 3)}) == FOLDS


def test_claims_without_a_label_are_for_those_who_are_taught(table: Path) -> None:
    buckets = read_buckets(table)
    passes = one_pass(buckets, 320, 1.0, np.random.default_rng(0), taught=True)
    kinds = [KINDS[kind] for _, places in passes for kind in buckets[0].kinds[places]]
    assert kinds.count("splice") == 35


def test_what_a_teacher_does_not_say_is_no_lesson() -> None:
    """A claim without a label and without a teacher has no loss; with one it has."""
    ends = torch.tensor([1]), torch.tensor([3])
    given = torch.zeros((1, 4)), torch.full((1, 4), OPEN), *ends, torch.tensor([UNKNOWN]), torch.ones(1)
    said = torch.zeros(1, 4, dtype=torch.int8)
    alone, taught = train.Claims(*given), train.Claims(*given, said[:, 0] + 100, said)

    def loss(logit: float, batch: train.Claims) -> float:
        return float(train.loss_of(torch.tensor([logit]), torch.zeros(1, 4), batch, 0.5))

    assert loss(-3.0, alone) == loss(3.0, alone) == 0
    assert loss(-3.0, taught) > loss(3.0, taught) > 0


def test_what_teachers_say_is_put_together(tmp_path: Path) -> None:
    train.save_logits({0: (1.0, np.array([0.1, 0.2])), 3: (-1.0, np.array([-0.3]))}, tmp_path / "a.npz")
    train.save_logits({1: (2.0, np.array([0.4])), 2: (50.0, np.array([0.5, 0.6, 0.7]))}, tmp_path / "b.npz")
    taught = train.read_taught([tmp_path / "b.npz", tmp_path / "a.npz"])
    assert taught["whole"].tolist() == [10, 20, 127, -10]
    assert [taught["pieces"][start] for start in taught["starts"]] == [1, 4, 5, -3]
    assert train.read_taught([tmp_path / "a.npz"])["starts"].tolist() == [0, -1, -1, 2]


def test_a_claim_that_no_teacher_judged_is_refused(table: Path, tmp_path: Path) -> None:
    train.save_logits({119: (1.0, np.array([0.1]))}, tmp_path / "a.npz")
    (bucket,) = read_buckets(table)
    with pytest.raises(SystemExit, match="no teacher judged 119 claims"):
        train.on_device(bucket, torch.device("cpu"), train.read_taught([tmp_path / "a.npz"]))


def test_braces_say_which_words_are_wrong(tmp_path: Path) -> None:
    path = tmp_path / "written.txt.gz"
    path.write_bytes(gzip.compress(b"=== a:1\n+ Rosa left.\n- {Ann} left {Oslo}.\n"))
    assert list(written_claims(path)) == [
        ("a:1", "Rosa left.", [(0, 10, YES)], True),
        ("a:1", "Ann left Oslo.", [(0, 3, NO), (9, 13, NO), (0, 14, YES)], False),
    ]


def test_ties_count_half() -> None:
    assert auc(np.array([1.0, 1.0]), np.array([1.0, 0.0])) == 0.5
    assert auc(np.array([2.0, 1.0, 3.0]), np.array([1.0, 0.0, 0.0])) == 0.5
    report = report_of([(2.0, np.array([1.0])), (-2.0, np.array([-1.0]))], np.array([1.0, 0.0]), np.array([17, 17]))
    assert report["written"] == {"n": 2, "auc": 1.0, "auc least": 1.0, "auc both": 1.0, "brier": 0.0142}


def test_padding_changes_nothing() -> None:
    model = SupportModel(SMALL).eval()
    pieces = torch.tensor([[START, 2000, END, 2001, END]])
    segments = torch.tensor([[0, 0, 0, 1, 1]])
    alone = model(pieces, segments)
    padded = model(
        torch.nn.functional.pad(pieces, (0, 3)), torch.nn.functional.pad(segments, (0, 3)), torch.tensor([5])
    )
    assert torch.allclose(alone[0], padded[0], atol=1e-5)
    assert torch.allclose(alone[1], padded[1][:, :5], atol=1e-5)


def weights(path: Path) -> Path:
    """A start of the right names and shapes, at random."""
    random = np.random.default_rng(0)
    own = {name: tuple(value.shape) for name, value in SupportModel(SMALL).named_parameters()}
    shapes = {
        "embeddings.word_embeddings.weight": own["words.weight"],
        "embeddings.position_embeddings.weight": own["positions.weight"],
        "embeddings.token_type_embeddings.weight": own["segments.weight"],
        "embeddings.LayerNorm.weight": (384,),
        "embeddings.LayerNorm.bias": (384,),
    }
    for number in range(6):
        layer = f"encoder.layer.{number}"
        for name, shape in {
            "attention.self.query": (384, 384),
            "attention.self.key": (384, 384),
            "attention.self.value": (384, 384),
            "attention.output.dense": (384, 384),
            "intermediate.dense": (1536, 384),
            "output.dense": (384, 1536),
        }.items():
            shapes[f"{layer}.{name}.weight"], shapes[f"{layer}.{name}.bias"] = shape, shape[:1]
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            shapes[f"{layer}.{name}.weight"] = shapes[f"{layer}.{name}.bias"] = (384,)
    np.savez(
        path,
        allow_pickle=False,
        **{name: (random.standard_normal(shape) * 0.02).astype(np.float16) for name, shape in shapes.items()},
    )
    return path


def test_one_layer_learns_and_is_saved(table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = weights(tmp_path / "encoder.npz")
    common = [
        "train",
        "--table",
        str(table),
        "--encoder",
        str(encoder),
        "--tiny",
        "--pieces",
        "640",
        "--rate",
        "1e-3",
    ]
    monkeypatch.setattr(sys, "argv", [*common, "--output", str(tmp_path / "out"), "--steps", "60"])
    train.main()
    report = json.loads((tmp_path / "out/support.json").read_text(encoding="utf-8"))
    assert report["all"] == 1.0
    assert (tmp_path / "out/early.json").exists()
    with np.load(tmp_path / "out/support-0.npz") as file:
        assert {name.split(".")[0] for name in file.files} == {"layers", "whole", "piece"}


def test_the_mean_of_two_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("one", 1.0), ("other", 3.0)):
        (tmp_path / name).mkdir()
        train.save_weights({"whole.weight": torch.full((1, 4), value)}, tmp_path / name, "support")
    models = ["--from", str(tmp_path / "one"), "0.75", "--from", str(tmp_path / "other")]
    monkeypatch.setattr(sys, "argv", ["merge", *models, "0.25", "--output", str(tmp_path / "mean")])
    merge.main()
    with np.load(tmp_path / "mean/support-0.npz") as file:
        assert file["whole.weight"].tolist() == [[1.5] * 4]
    monkeypatch.setattr(sys, "argv", ["merge", *models, "0.5", "--output", str(tmp_path / "mean")])
    with pytest.raises(SystemExit, match=r"shares of 1\.25 together, expected 1"):
        merge.main()


def test_weights_of_another_shape_are_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "encoder.npz", allow_pickle=False, **{"layers.0.up.weight": np.zeros((2, 2), np.float16)})
    with pytest.raises(KeyError, match="embeddings"):
        load_small(SupportModel(SMALL), tmp_path / "encoder.npz")
