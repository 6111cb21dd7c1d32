"""`tupelo score inference` as a user calls it."""

from __future__ import annotations

import json

import pytest

from tests.cli.runner import run

pytestmark = pytest.mark.model

PAIRS = (
    "Moss,is useful in,wounds\tMoss,heals,wounds\tTrue\n"
    "Moss,heals,wounds\tMoss,is useful in,wounds\tFalse\n"
    "Ann,met,Bo\tAnn,married,Bo\tTrue\n"
    "Ann,left,Bo\tAnn,married,Bo\tFalse\n"
)


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pairs.txt").write_text(PAIRS, "utf-8")
    (tmp_path / "scores.tsv").write_text("0.9\n0.8\n0.8\n0.1\n", "utf-8")
    return tmp_path


def test_json_holds_the_figures(capsys, files):
    outcome = run(capsys, "score", "inference", "pairs.txt", "scores.tsv", "--json")
    assert (outcome.status, outcome.err) == (0, "")
    document = json.loads(outcome.out)
    assert document["auc"] == pytest.approx(0.8873, abs=1e-4)
    assert document["auc_p50"] == pytest.approx(document["auc"])
    assert (document["f1"], document["precision"], document["recall"]) == (pytest.approx(4 / 5), 2 / 3, 1)
    assert (document["directional_accuracy"], document["directional_pairs"]) == (1, 1)
    assert document["signature"].startswith("inference|gold:pairs.txt@")


def test_people_get_a_line(capsys, files):
    outcome = run(capsys, "score", "inference", "pairs.txt", "scores.tsv")
    assert outcome.out.startswith(
        "P 66.7  R 100.0  F1 80.0  AUC 88.7  AUC where P >= 0.5 88.7   (4 pairs, 2 entailed)"
    )
    assert "directional: accuracy 100.0  AUC 100.0   (1 couples)" in outcome.out


def test_curve_and_picture(capsys, files):
    pytest.importorskip("matplotlib")
    outcome = run(
        capsys, "score", "inference", "pairs.txt", "scores.tsv", "--curve", "curve.csv", "--plot", "curve.png"
    )
    assert outcome.status == 0
    assert (files / "curve.csv").read_text("utf-8").splitlines()[:2] == ["precision,recall,threshold", "1.0,0.5,0.9"]
    assert (files / "curve.png").read_bytes().startswith(b"\x89PNG")


def test_a_condition_that_does_not_hold_is_status_1(capsys, files):
    assert run(capsys, "score", "inference", "pairs.txt", "scores.tsv", "--min-f1", "0.81").status == 1
    assert run(capsys, "score", "inference", "pairs.txt", "scores.tsv", "--min-f1", "0.79").status == 0


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("scores.tsv", "0.9\n0.8\n0.8\n", "scores.tsv:4: 3 scores in all, expected one for each of the 4 pairs"),
        ("scores.tsv", "0.9\nx\n0.8\n0\n", "scores.tsv:2: score 'x', expected a number"),
        ("pairs.txt", "a,b,c\td,e,f\n", "pairs.txt:1: 2 field(s), expected 3"),
    ],
)
def test_bad_input_is_one_line_and_status_2(capsys, files, name, content, message):
    (files / name).write_text(content, "utf-8")
    outcome = run(capsys, "score", "inference", "pairs.txt", "scores.tsv")
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith(f"tupelo: {message}")
    assert outcome.err.count("\n") == 1
