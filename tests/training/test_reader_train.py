"""Questions that the reader learns from, how they become rows, and a network that learns from them."""

from __future__ import annotations

import gzip
import json
import random
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.torch

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")

import tupelo  # noqa: E402
from tupelo.nlp.folder import find_model  # noqa: E402
from tupelo.nlp.reader import load_reader  # noqa: E402
from tupelo.nlp.syntax import DependencyTree  # noqa: E402
from tupelo_training.reader import export, network, questions, train  # noqa: E402
from tupelo_training.reader.base import read_embeddings  # noqa: E402
from tupelo_training.reader.network import LAYERS, ReaderModel  # noqa: E402
from tupelo_training.reader.prepare import Table, question_of  # noqa: E402
from tupelo_training.reader.questions import NO, NONE, SPAN, YES, Question, Text  # noqa: E402
from tupelo_training.reader.table import END, START, read_table  # noqa: E402
from tupelo_training.reader.train import area, overlap  # noqa: E402
from tupelo_training.weights import read_arrays, restored  # noqa: E402

TEXT = "Rosa and Bo bought five apples in Oslo. Rosa is a painter."


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reader")
    rows = [
        ("where", "Where were the apples bought?", "Oslo"),
        ("list", "Who bought apples?", "Rosa || Bo"),
        ("yesno", "Did Bo buy apples?", "yes"),
        ("unanswerable", "Who sold apples?", "-"),
        ("what", "What is not there?", "pears"),
    ]
    lines = ["\t".join([f"own|{number}", *row]) for number in range(30) for row in rows]
    path = folder / "written.tsv.gz"
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    made = Table()
    made.add(questions.written({f"own|{number}": TEXT for number in range(30)}, path))
    made.save(folder / "table.npz")
    assert "30 texts, 120 questions, 0 lost" in str(made)
    return folder / "table.npz"


def test_a_row_has_the_passage_before_the_question_and_marks_every_answer(table: Path) -> None:
    found = read_table(table)
    assert 0 < found.is_aside().sum() < len(found.text)
    row, first, outcome, spots = found.row(1, None)
    assert (row[0], row[first - 1], row[-1], outcome) == (START, END, END, SPAN)
    assert list(row[first:-1]) == list(found.questions[1])
    # *Rosa* is there twice, so that no place is the only one; *Bo* once.
    assert spots.tolist() == [[1, 1, 0], [10, 10, 0], [3, 3, 1]]
    assert [found.row(at, None)[2] for at in range(4)] == [SPAN, SPAN, YES, NONE]


def test_a_passage_without_the_sentence_of_the_answer_has_none(table: Path) -> None:
    found = read_table(table)
    chance = np.random.default_rng(3)
    rows = [found.row(0, chance) for _ in range(200)]
    assert {outcome for _, _, outcome, _ in rows} == {SPAN, NONE}
    for row, _, outcome, spots in rows:
        assert len(spots) == (outcome == SPAN)
        if outcome == SPAN:
            ((low, high, _),) = spots
            assert row[low : high + 1].tolist() == found.units[0][7:8].tolist()


def test_relations_become_questions_for_either_end(tmp_path: Path) -> None:
    item = {
        "title": "Rosa",
        "sents": [["Rosa", "was", "born", "in", "Oslo", "."], ["Bo", "knew", "her", "."]],
        "vertexSet": [
            [{"name": "Rosa", "pos": [0, 1], "sent_id": 0, "type": "PER"}],
            [{"name": "Oslo", "pos": [4, 5], "sent_id": 0, "type": "LOC"}],
            [{"name": "Bo", "pos": [0, 1], "sent_id": 1, "type": "PER"}],
        ],
        "labels": [{"r": "P19", "h": 0, "t": 1, "evidence": [0]}],
    }
    (tmp_path / "redocred").mkdir()
    path = tmp_path / "redocred/dev_revised.json.gz"
    path.write_bytes(gzip.compress(json.dumps([item, {**item, "title": "Kept"}]).encode()))
    keywords = tmp_path / "words.toml"
    keywords.write_text('P19 = "born"\n')
    text, *found = questions.redocred(tmp_path, frozenset(["Kept"]), keywords, random.Random(0))
    assert isinstance(text, Text)
    assert text.sentences[0] == "Rosa was born in Oslo ."
    asked = [one for one in found if isinstance(one, Question)]
    assert {one.answers for one in asked if "Rosa" in one.question} == {(((0, 17, 21),),)}
    assert {one.answers for one in asked if "Oslo" in one.question} == {(((0, 0, 4),),)}
    # Nothing is said of where Bo was born.
    assert {one.outcome for one in asked if "Bo" in one.question} == {NONE}


@pytest.mark.model
@pytest.mark.parametrize(
    ("statement", "question"),
    [
        ("Ann was born in Oslo.", "Was Ann born in Oslo?"),
        ("The firm left Oslo.", "Did the firm leave Oslo?"),
        ("In May, Ann left.", None),
    ],
)
def test_statements_become_questions(statement: str, question: str | None) -> None:
    (analysis,) = tupelo.load().analyze([statement], lines=True, constituents=False)
    assert question_of(DependencyTree(analysis)) == question


def test_every_wording_names_one_end() -> None:
    found = questions.read_wordings()
    assert len(found) > 100
    assert all(one.count("{}") == 1 for ends in found.values() for own in ends.values() for one in own)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    chance = np.random.default_rng(0)
    arrays = {
        "words.weight": chance.integers(-20, 20, (30522, 384)).astype(np.int8),
        "words.weight@rows": np.full((30522, 1), 0.02, np.float32),
        "positions.weight": np.zeros((512, 384), np.float32),
        "whole.weight": np.zeros((3, 384), np.float32),
    }
    path = tmp_path_factory.mktemp("base") / "base.npz"
    np.savez(path, **arrays)
    return path


def run(monkeypatch: pytest.MonkeyPatch, main: Callable[[], None], *arguments: object) -> None:
    monkeypatch.setattr(sys, "argv", ["tupelo_training", *map(str, arguments)])
    main()


@pytest.fixture(scope="module")
def trained(table: Path, base: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network of its own layers only, `all`, and one of which only the last layer is, which it teaches: `last`."""
    folder = tmp_path_factory.mktemp("trained")
    options = ["--table", table, "--base", base, "--steps", 2, "--pieces", 100, "--workers", 0, "--limit", 40]
    teacher = ["--teacher", folder / "all", "--teacher-base", base]
    with pytest.MonkeyPatch.context() as patch:
        run(patch, train.main, *options, "--own", LAYERS, "--output", folder / "all")
        run(patch, train.main, *options, "--own", 1, "--output", folder / "last", *teacher)
    return folder


def test_training_writes_its_own_layers_only(trained: Path) -> None:
    for name, first in (("all", 0), ("last", LAYERS - 1)):
        written = set(read_arrays(*(trained / name).glob("reader-*.npz")))
        layers = {int(one.split(".")[1]) for one in written if one.startswith("layers")}
        assert layers == set(range(first, LAYERS))
        assert {"outcome.weight", "marks.bias"} <= written
        assert not any(one.startswith("words") for one in written)
    report = json.loads((trained / "last/report.json").read_text())
    assert report["steps"] == 2
    assert report["written"]["questions"] > 0


@pytest.mark.model
def test_what_was_trained_is_exported(
    trained: Path, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    support = find_model("en-support")
    options = ["--support", support, "--table", table, "--output", tmp_path / "reader"]
    with pytest.raises(
        SystemExit, match=r"last: a reader with 1 layers of its own, expected 12 \(`train --own 12`\)"
    ):
        run(monkeypatch, export.main, "--weights", trained / "last", *options)
    assert not (tmp_path / "reader").exists()
    run(monkeypatch, export.main, "--weights", trained / "all", *options)
    (reading,) = load_reader(tmp_path / "reader").read("Where were the apples bought?", [TEXT])
    assert sum((reading.answered, reading.none, reading.yes, reading.no)) == pytest.approx(1)
    model = train.load(restored(read_embeddings(support)), trained / "all", torch.device("cpu"))
    row, first, _, _ = read_table(table).row(0, None)
    with torch.no_grad():
        outcome, _ = model(torch.from_numpy(row[None]).long(), (torch.arange(len(row)) >= first).long()[None])
    assert [reading.answered, reading.none] == pytest.approx(outcome.softmax(1)[0, :2].tolist(), abs=0.05)


def test_what_is_below_stays_as_it_is(base: Path) -> None:
    with np.load(base) as arrays:
        model = ReaderModel(dict(arrays), 1)
    trained = {name for name, part in model.named_parameters() if part.requires_grad}
    assert trained == set(model.own_names())
    assert not any(name.startswith(("words", "layers.0.")) for name in trained)


def test_the_attention_of_a_large_one_knows_distances(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "LAYERS", 2)
    chance = np.random.default_rng(0)
    arrays = {
        "words.weight": chance.standard_normal((20, 24)).astype(np.float32),
        "positions.weight": np.zeros((16, 24), np.float32),
        "distances.weight": np.zeros((32, 12), np.float32),
    }
    pieces, segments = torch.arange(8)[None], torch.zeros(1, 8, dtype=torch.long)
    other = pieces[:, [0, *range(7, 0, -1)]]
    torch.manual_seed(0)
    model = ReaderModel(arrays, 2).eval()
    with torch.no_grad():
        assert torch.allclose(model(other, segments)[0], model(pieces, segments)[0], atol=1e-5)
        model.distances.weight[:4] = 3.0
        assert not torch.allclose(model(other, segments)[0], model(pieces, segments)[0], atol=1e-3)


def test_the_parts_of_a_list_are_measured_one_by_one(tmp_path: Path, base: Path) -> None:
    """*the Red Sea*, *the Red*: the first that begins is not the first that ends."""
    path = tmp_path / "written.tsv.gz"
    lines = [f"own|{number}\tlist\tWhich?\tred || Rosa saw the red sea" for number in range(40)]
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    made = Table()
    made.add(questions.written({f"own|{number}": "Rosa saw the red sea." for number in range(40)}, path))
    made.save(tmp_path / "table.npz")
    found = read_table(tmp_path / "table.npz")
    with np.load(base) as arrays:
        model = ReaderModel(dict(arrays), 1)
    report = train.measure(model, found, np.flatnonzero(found.is_aside()), torch.device("cpu"))
    assert 0 <= report["f1"] <= 1


def test_measures() -> None:
    assert overlap((2, 3), [(2, 3), (8, 9)]) == (1.0, 1.0)
    assert overlap((2, 3), [(3, 3)]) == (0.0, pytest.approx(2 * 1 / (2 + 1)))
    assert area([0.9, 0.4], [0.5, 0.1]) == 3 / 4
    assert {SPAN, NONE, YES, NO} == set(range(4))
