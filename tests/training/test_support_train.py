"""The table of claims, what is drawn from it, and a network of one layer that learns from it."""

from __future__ import annotations

import gzip
import json
import random
import sys
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.torch

torch = pytest.importorskip("torch")

from tupelo.nlp.encoder import load_encoder  # noqa: E402
from tupelo_training.support import train  # noqa: E402
from tupelo_training.support.given import (  # noqa: E402
    Cast,
    Given,
    Passage,
    Relation,
    edits,
    given,
    marks_of,
    names_by_type,
    read_relations,
    written_passages,
)
from tupelo_training.support.measure import Logits, auc, report_of  # noqa: E402
from tupelo_training.support.network import SMALL, SupportModel, load_small  # noqa: E402
from tupelo_training.support.prepare import Part, Source, Table, part_of  # noqa: E402
from tupelo_training.support.table import (  # noqa: E402
    END,
    FOLDS,
    NO,
    OPEN,
    REFUTED,
    START,
    SUPPORTED,
    UNKNOWN,
    UNLABELLED,
    UNSUPPORTED,
    YES,
    one_pass,
    read_table,
)
from tupelo_training.support.windows import best_windows  # noqa: E402

SENTENCES = ["Rosa bought five apples in Oslo.", "It rained."]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = Table(load_encoder())
    for number in range(40):
        part = Part(number % 8 == 0, number % FOLDS)
        right = Given("Rosa bought apples.", [(0, 19, YES)], SUPPORTED)
        wrong = Given("Rosa sold apples.", [(5, 9, NO), (0, 17, YES)], REFUTED)
        made.add("matched", SENTENCES, right, part)
        made.add("matched", SENTENCES[:1], wrong, part)
        made.add("window", SENTENCES[1:], right, part, UNLABELLED)
    path = tmp_path_factory.mktemp("support") / "table.npz"
    made.save(path)
    return path


def test_a_row_is_source_and_claim_between_marks(table: Path) -> None:
    (bucket,) = read_table(table).buckets
    assert (bucket.width, len(bucket.rows)) == (32, 120)
    row = bucket.pieces[0]
    first, last = bucket.first[0], bucket.last[0]
    assert (row[0], row[first - 1], row[last], row[last + 1]) == (START, END, END, 0)
    assert list(bucket.tokens[0, first:last]) == [YES] * (last - first)
    assert set(bucket.tokens[1]) == {NO, YES, OPEN}
    assert set(bucket.tokens[2]) == {OPEN}
    assert bucket.labels[:3].tolist() == [SUPPORTED, REFUTED, UNLABELLED]


def test_a_pass_leaves_out_what_is_held_out_and_draws_matched_claims_three_times(table: Path) -> None:
    claims = read_table(table)
    (bucket,) = claims.buckets
    drawn = np.concatenate([places for _, places in one_pass(claims, 320, np.random.default_rng(0))])
    kinds = [claims.kinds[kind] for kind in bucket.kinds[drawn]]
    assert not bucket.aside[drawn].any()
    assert (kinds.count("matched"), kinds.count("window")) == (210, 0)


def test_a_teacher_learns_nothing_from_the_part_that_it_judges(table: Path) -> None:
    claims = read_table(table)
    (bucket,) = claims.buckets
    drawn = np.concatenate([places for _, places in one_pass(claims, 320, np.random.default_rng(0), 1)])
    assert set(bucket.folds[drawn]) == {0, 2}


def test_texts_fall_into_the_same_parts_every_time() -> None:
    parts = [part_of(f"text {number}") for number in range(4_000)]
    assert parts[0] == part_of("text 0")
    assert 400 < sum(part.aside for part in parts) < 600
    assert {part.fold for part in parts if part.aside} == set(range(FOLDS))
    assert not any(part_of(f"text {number}", 0).aside for number in range(100))


def test_claims_without_a_label_are_for_those_who_are_taught(table: Path) -> None:
    claims = read_table(table)
    passes = one_pass(claims, 320, np.random.default_rng(0), taught=True)
    kinds = [claims.kinds[kind] for _, places in passes for kind in claims.buckets[0].kinds[places]]
    assert kinds.count("window") == 35


def test_what_a_teacher_does_not_say_is_no_lesson() -> None:
    """A claim without a label and without a teacher has no loss; with one it has."""
    ends = torch.tensor([1]), torch.tensor([3])
    given = torch.zeros((1, 4)), torch.full((1, 4), OPEN), *ends, torch.tensor([UNLABELLED]), torch.ones(1)
    half = torch.full((1,), 0.5)
    said = torch.zeros(1, 4, dtype=torch.int8)
    sure = torch.tensor([[100, 0, 0]], dtype=torch.int8)
    alone, taught = train.Batch(*given, 0 * half), train.Batch(*given, half, sure, said)

    def loss(logit: float, batch: train.Batch) -> float:
        return float(train.loss_of(torch.tensor([[logit, 0.0, 0.0]]), torch.zeros(1, 4), batch))

    assert loss(-3.0, alone) == loss(3.0, alone) == 0
    assert loss(-3.0, taught) > loss(3.0, taught) > 0


def test_of_a_claim_that_is_not_supported_either_reason_will_do() -> None:
    whole = torch.tensor([[0.0, 2.0, -1.0], [0.0, -1.0, 2.0], [0.0, 2.0, -1.0]])
    loss = train.outcome_loss(whole, torch.tensor([UNSUPPORTED, UNSUPPORTED, UNKNOWN]))
    assert loss[0] == pytest.approx(float(loss[1]))
    assert loss[2] > loss[0]


def test_what_teachers_say_is_put_together(tmp_path: Path) -> None:
    def said(support: float, *pieces: float) -> Logits:
        return Logits(np.array([support, 0.0, -support]), np.array(pieces))

    train.save_logits({0: said(1.0, 0.1, 0.2), 3: said(-1.0, -0.3)}, tmp_path / "a.npz")
    train.save_logits({1: said(2.0, 0.4), 2: said(50.0, 0.5, 0.6, 0.7)}, tmp_path / "b.npz")
    taught = train.read_taught([tmp_path / "b.npz", tmp_path / "a.npz"])
    assert taught["whole"].tolist() == [[10, 0, -10], [20, 0, -20], [127, 0, -127], [-10, 0, 10]]
    assert [taught["pieces"][start] for start in taught["starts"]] == [1, 4, 5, -3]
    assert train.read_taught([tmp_path / "a.npz"])["starts"].tolist() == [0, -1, -1, 2]


def test_a_claim_that_no_teacher_judged_is_refused(table: Path, tmp_path: Path) -> None:
    train.save_logits({118: Logits(np.zeros(3), np.array([0.1]))}, tmp_path / "a.npz")
    claims = read_table(table)
    weights = claims.by_kind({})
    # Of the 120 claims, 15 are held out.
    with pytest.raises(SystemExit, match="no teacher judged 104 claims"):
        train.on_device(claims.buckets[0], weights, torch.device("cpu"), train.read_taught([tmp_path / "a.npz"]))


def test_braces_say_which_words_are_wrong(tmp_path: Path) -> None:
    path = tmp_path / "written.txt.gz"
    told = "=== a:1\n+ Rosa left.\n- roles | {Ann} left {Oslo}.\n\n=== own:1\n> It rained.\n? Rain {fell all day}.\n"
    path.write_bytes(gzip.compress(told.encode()))
    assert list(written_passages(path)) == [
        Passage(
            "a:1",
            "",
            (
                Given("Rosa left.", [(0, 10, YES)], SUPPORTED),
                Given("Ann left Oslo.", [(0, 3, NO), (9, 13, NO), (0, 14, YES)], REFUTED),
            ),
        ),
        Passage("own:1", "It rained.", (Given("Rain fell all day.", [(5, 17, NO), (0, 18, YES)], UNKNOWN),)),
    ]


KILLED = Relation(
    ("PERSON", "PERSON"), ("{A} killed {B}", "death came to {B} through {A}"), (SUPPORTED, UNKNOWN), symmetric=False
)


def test_statements_about_two_things_follow_in_both_directions(tmp_path: Path) -> None:
    path = tmp_path / "relations.tsv.gz"
    row = "oneway\tPERSON\tPERSON\t{A} killed {B}\tdeath came to {B} through {A}\tyes\tunknown\tapart\t\n"
    path.write_bytes(gzip.compress(row.encode()))
    (relation,) = read_relations(path)
    assert relation == KILLED
    told = ("Ann killed Bea.", "Death came to Bea through Ann.")
    assert relation.told(("Ann", "Bea"), backward=False) == (told[0], given(told[1], SUPPORTED))
    assert relation.told(("Ann", "Bea"), backward=True) == (told[1], given(told[0], UNKNOWN))


def test_a_claim_about_others_does_not_follow() -> None:
    cast = Cast({"PERSON": ["Ann", "Bea", "Cid", "Dan"]}, random.Random(0))
    met = Relation(("PERSON", "PERSON"), ("{A} met {B}", "{A} and {B} met"), (SUPPORTED, SUPPORTED), symmetric=True)
    labels = set()
    for _ in range(200):
        told, claim = cast.scene(KILLED, [met])
        assert len(told) == 2
        (premise,) = (one for one in told if "killed" in one or "Death" in one)
        names = [word for word in premise.rstrip(".").split() if word in ("Ann", "Bea", "Cid", "Dan")]
        same = [word for word in claim.claim.rstrip(".").split() if word in names][::-1] == names
        labels.add(claim.label)
        assert claim.label == UNSUPPORTED or same
        assert claim.label != UNSUPPORTED or not same
        (_, symmetric) = cast.scene(met, [])
        assert symmetric.label in (SUPPORTED, UNSUPPORTED)
    assert labels == {SUPPORTED, UNKNOWN, UNSUPPORTED}


def test_every_relation_has_names_and_is_not_measured_on() -> None:
    names, learned = names_by_type(), read_relations()
    assert len(learned) > 3_000
    assert {kind for relation in learned for kind in relation.types} <= set(names)
    measured = Path(__file__).parents[2] / "benchmarks/relation_contrasts.tsv"
    known = {frozenset(relation.statements) for relation in learned}
    for line in measured.read_text(encoding="utf-8").splitlines()[1:]:
        assert frozenset(line.split("\t")[4:6]) not in known


def test_words_that_an_edit_brought_are_wrong() -> None:
    assert edits("Rosa left Oslo.", "Rosa left Bergen.") == [(10, 16, NO), (0, 17, YES)]
    assert edits("Rosa did not leave.", "Rosa did leave.") == []
    assert marks_of("He won 3 of 3.", ["3", "3"]) == [(7, 8, NO), (12, 13, NO), (0, 14, YES)]


def test_a_source_in_the_forms_of_the_checker() -> None:
    told = [f"Day {number} was dry." for number in range(12)]
    told[9:9] = ["Rosa bought apples.", "She ate them in Oslo."]
    source = Source(Table(load_encoder()), told)
    best, *windows = source.forms("Rosa ate apples in Oslo.")
    assert set(told[9:11]) < set(best)
    assert len(best) == 5
    assert set(told[9:11]) < set(windows[0])
    assert all(len(window) == 3 for window in windows)
    assert source.around(0) == told[:2]
    assert source.is_read_whole
    assert source.filling("Rosa ate.") == told


def test_ties_count_half() -> None:
    assert auc(np.array([1.0, 1.0]), np.array([True, False])) == 0.5
    assert auc(np.array([2.0, 1.0, 3.0]), np.array([True, False, False])) == 0.5
    logits = [
        Logits(np.array([2.0, 0.0, 0.0]), np.array([1.0])),
        Logits(np.array([-2.0, 0.0, 1.0]), np.array([-1.0])),
    ]
    report = report_of(logits, np.array([SUPPORTED, REFUTED]), np.array([1, 1]), ["mnli", "written"])
    assert report == {"written": {"n": 2, "auc": 1.0, "auc least": 1.0, "two-way": 1.0, "three-way": 0.5}}


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
        "128",
        "--rate",
        "1e-3",
    ]
    monkeypatch.setattr(sys, "argv", [*common, "--output", str(tmp_path / "out"), "--steps", "60"])
    train.main()
    report = json.loads((tmp_path / "out/support.json").read_text(encoding="utf-8"))
    assert report["held out"]["matched"]["auc"] == 1.0
    with np.load(tmp_path / "out/support-0.npz") as file:
        assert {name.split(".")[0] for name in file.files} == {"layers", "whole", "piece"}


def test_weights_of_another_shape_are_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "encoder.npz", allow_pickle=False, **{"layers.0.up.weight": np.zeros((2, 2), np.float16)})
    with pytest.raises(KeyError, match="embeddings"):
        load_small(SupportModel(SMALL), tmp_path / "encoder.npz")


def test_windows_are_consecutive_and_the_best_one_comes_first() -> None:
    sentences = [
        [word] for word in ("a0", "van", "b0", "c0", "d0", "e0", "f0", "g0", "robbers", "Glasgow", "h0", "i0")
    ]
    found = best_windows(["robbers", "Glasgow", "van"], sentences, [1] * len(sentences), 20)
    # The words lie in the middle of a window where they can.
    assert found == [(7, 8, 9), (0, 1, 2)]
    assert best_windows(["robbers"], sentences, [9] * len(sentences), 20) == [(7, 8)]
    assert best_windows(["nothing"], sentences, [1] * len(sentences), 20) == []
