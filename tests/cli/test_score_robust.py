"""`tupelo score robust` and what else takes the yardstick, called as a user would."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.runner import run

EXAMPLES = Path(__file__).resolve().parents[2] / "docs/examples"
GOLD, PREDICTED = EXAMPLES / "small-cliques.json", EXAMPLES / "small-clique-predictions.json"


def test_json_has_both_lines_the_drop_and_the_number_of_cliques(capsys):
    outcome = run(capsys, "score", "robust", GOLD, PREDICTED, "--json")
    document = json.loads(outcome.out)
    assert outcome.status == 0
    for line in ("carb", "robust", "delta"):
        assert set(document[line]) == {"precision", "recall", "f1", "auc"}
    assert document["delta"]["f1"] == document["carb"]["f1"] - document["robust"]["f1"] > 0
    assert (document["cliques"], document["cliques_left_out"], document["sentences"]) == (2, 1, 7)
    assert document["f1"] == document["robust"]["f1"]
    assert document["signature"].startswith("robust|gold:small-cliques.json@")


@pytest.mark.model
def test_files_are_written(capsys, tmp_path):
    pytest.importorskip("matplotlib", reason="needs matplotlib (pip install 'tupelo[plot]')")
    names = [tmp_path / name for name in ("cliques.csv", "plot.svg", "page.html")]
    arguments = zip(("--table", "--plot", "--page"), names, strict=True)
    flat = [item for pair in arguments for item in pair]
    assert run(capsys, "score", "robust", GOLD, PREDICTED, *flat, "--worst", 1).status == 0
    assert names[0].read_text().startswith("clique,sentences,f1_original")
    assert "<svg" in names[1].read_text()
    assert names[2].read_text().count("<section") == 1


@pytest.mark.model
def test_predictions_of_any_format_are_taken(capsys, tmp_path):
    tab = tmp_path / "ours.tsv"
    tab.write_text("Rain fell on the harbour .\t0.9\tfell\tRain\ton the harbour\nElsewhere .\t0.2\tis\tit\n")
    outcome = run(capsys, "score", "robust", GOLD, tab, "--json")
    document = json.loads(outcome.out)
    # Nothing says that the other sentences were left out on purpose.
    assert (document["cliques"], document["sentences"]) == (3, 9)
    assert outcome.err.splitlines() == [
        "1 of 2 predicted sentences are not in the gold and do not count",
        "8 of 9 gold sentences have no prediction",
    ]


def test_conditions_are_asked_with_exit_status_1(capsys):
    assert run(capsys, "score", "robust", GOLD, PREDICTED, "--min-f1", 0.0, "--max-drop", 1.0).status == 0
    failed = run(capsys, "score", "robust", GOLD, PREDICTED, "--min-f1", 0.99, "--max-drop", 0.01)
    assert failed.status == 1
    assert "is below 0.99" in failed.err
    assert "more than 0.01" in failed.err


def test_quirks_are_listed_and_fixed(capsys):
    listed = run(capsys, "score", "robust", "--list-quirks").out
    assert "missing-left-out: " in listed
    fixed = json.loads(run(capsys, "score", "robust", GOLD, PREDICTED, "--fix", "missing-left-out", "--json").out)
    assert (fixed["cliques"], "|fixes:missing-left-out|" in fixed["signature"]) == (3, True)
    wrong = run(capsys, "score", "robust", GOLD, PREDICTED, "--fix", "all-of-it")
    assert (wrong.status, wrong.out) == (2, "")


@pytest.mark.model
def test_bad_cliques_are_one_line_with_the_place(capsys, tmp_path):
    bad = tmp_path / "bad.json"
    bad.write_text('[\n{"ori_sent": "a", "ori_args": [[]], "paraphrases": []}\n]')
    outcome = run(capsys, "score", "robust", GOLD, bad)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith(f"tupelo: {bad}:2: a tuple in 'ori_args'")
    skip = ("--on-error", "skip", "--strict", "--allow-unmatched")
    assert run(capsys, "score", "robust", bad, PREDICTED, *skip).status == 1


def test_systems_are_ranked_and_compared_on_cliques(capsys):
    ranked = json.loads(run(capsys, "leaderboard", "robust", GOLD, GOLD, PREDICTED, "--json").out)
    assert (ranked[0]["system"], ranked[0]["f1"]) == ("small-cliques", 1.0)
    compared = run(capsys, "compare", "robust", GOLD, PREDICTED, GOLD, "--samples", 50, "--json")
    systems = json.loads(compared.out)["systems"]
    assert systems[1]["against_first"]["f1"]["value"] > 0


@pytest.mark.model
def test_table_2_is_made_for_any_systems(capsys, tmp_path):
    named = tmp_path / "openie6.json"
    named.write_bytes(PREDICTED.read_bytes())
    text = run(capsys, "reproduce", "robust", GOLD, named, GOLD).out
    header = text.splitlines()[0]
    assert header.split()[:4] == ["openie6", "openie6", "(paper)", "small-cliques"]
    document = json.loads(run(capsys, "reproduce", "robust", GOLD, named, "--json").out)
    assert document["table_2"][0]["printed"]["robust"]["f1"] == pytest.approx(0.3578)
    markdown = run(capsys, "reproduce", "robust", "--markdown", "-").out
    assert markdown.startswith("|  | openie4 (paper) |")
