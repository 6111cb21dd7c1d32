"""OIE2016 against the numbers of the released program (gabrielStanovsky/supervised-oie, commit 0e9beb3)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tupelo.core import Record
from tupelo.io.tuples import read_records
from tupelo.scorers.carb_matchers import ENGLISH_STOP_WORDS
from tupelo.scorers.oie2016 import Oie2016

SYSTEMS = ("clausie", "ollie", "openie4", "props", "reverb", "stanford")
FLAGS = ("lexicalMatch", "predMatch", "argMatch")


@pytest.fixture(scope="module")
def oracle(shared: Path) -> dict[str, Any]:
    return json.loads((shared / "oracles/oie2016/results.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def gold(shared: Path) -> list[Record]:
    return read_records(shared / "data/oie2016/dev.oie.orig", "oie2016-orig")


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_figure_and_every_curve_point_is_equal(
    system: str, shared: Path, oracle: dict[str, Any], gold: list[Record]
) -> None:
    predicted = read_records(shared / f"data/oie2016/systems_output/dev/{system}_tabbed.txt.gz", "tab")
    curves = json.loads((shared / f"oracles/oie2016/{system}.curves.json").read_text("utf-8"))["curves"]
    runs = oracle["systems"][system]["runs"]
    assert set(runs) == set(FLAGS)
    for flag, run in runs.items():
        score = Oie2016(matcher=flag).evaluate(gold, predicted).score()
        assert {
            "auc": score.auc,
            "optimal": {
                "precision": score.precision,
                "recall": score.recall,
                "f1": score.f1,
                "threshold": score.threshold,
            },
            "n_gold": score.gold,
            "n_predicted": score.predicted,
            "n_gold_sentences": score.details["gold_sentences"],
            "n_gold_sentences_without_prediction": score.details["gold_sentences_without_prediction"],
            "n_predicted_in_gold_sentences": score.details["predicted_in_gold_sentences"],
            "n_matched": score.details["matched"],
            "correct_total_as_counted": score.details["gold_as_counted"],
            "recall_multiplier": score.details["recall_multiplier"],
            "n_points_dropped_by_full_recall_rule": score.details["thresholds_dropped"],
        } == run, flag
        assert [[t, p, r] for p, r, t in score.curve] == curves[flag], flag


def test_the_oracle_covers_the_systems_that_are_tested(oracle: dict[str, Any]) -> None:
    assert set(oracle["systems"]) == set(SYSTEMS)


def test_keeping_all_thresholds_adds_the_dropped_points_and_changes_nothing_else(
    shared: Path, oracle: dict[str, Any], gold: list[Record]
) -> None:
    predicted = read_records(shared / "data/oie2016/systems_output/dev/reverb_tabbed.txt.gz", "tab")
    run = oracle["systems"]["reverb"]["runs"]["lexicalMatch"]
    short = Oie2016().evaluate(gold, predicted).score()
    full = Oie2016(keep_all_thresholds=True).evaluate(gold, predicted).score()
    dropped = run["n_points_dropped_by_full_recall_rule"]
    assert dropped > 0
    assert list(full.curve)[dropped:] == list(short.curve)
    assert (full.auc, full.precision, full.recall, full.threshold) == (
        short.auc,
        short.precision,
        short.recall,
        short.threshold,
    )


def test_the_stop_words_are_those_of_the_published_figures() -> None:
    assert len(ENGLISH_STOP_WORDS) == 179
