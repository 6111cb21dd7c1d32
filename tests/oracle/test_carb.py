"""Equality with the released CaRB program on its own dev data: every system, reader and matcher."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from tupelo.core import Record
from tupelo.io.tuples import read_records
from tupelo.scorers.carb import Carb, Unit, sentence_events
from tupelo.scorers.carb_matchers import OFFICIAL_NAMES, PlainTuple, build_matcher

FORMATS = {"tabbed": "tab", "reverb-column13": "reverb", "openiefour": "openie4", "openiefive": "openie5"}
SYSTEMS = [
    *("clausie", "ollie", "openie4", "openie5", "props", "reverb", "stanford"),
    *("clausie_tabbed", "openie4_tabbed", "props_tabbed", "reverb_tabbed"),
]


@cache
def records(path: Path, format_name: str) -> list[Record]:
    return read_records(path, format_name)


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_run_equals_the_released_program(shared, system):
    oracle = json.loads((shared / f"oracles/carb/{system}.json").read_text())
    curves_path = shared / f"oracles/carb/{system}.curves.json"
    curves = json.loads(curves_path.read_text())["curves"] if curves_path.exists() else {}
    gold = records(shared / "data/carb/gold/dev.tsv", "carb")
    # Packed inputs are described as "….gz (uncompressed)".
    path = shared / oracle["input_file"].split(" ")[0]
    predicted = records(path, FORMATS.get(oracle["format"], oracle["format"]))
    checked = 0
    for run in oracle["runs"]:
        if run["status"] != "ok":
            continue
        score = Carb(matcher=run["matcher"], binary=run["binary"]).evaluate(gold, predicted).score()
        label = f"{system} {run['matcher']} binary={run['binary']}"
        for name in ("precision", "recall", "f1"):
            assert getattr(score, name) == run[name], label
        assert score.auc == pytest.approx(run["auc"], abs=1e-12), label
        assert score.threshold == run["optimal_confidence"], label
        assert (score.predicted, score.gold) == (run["n_predicted"], run["n_gold"]), label
        details = score.details
        assert details["thresholds"] == run["n_thresholds"], label
        assert details["gold_sentences"] == run["n_gold_sentences"], label
        assert details["gold_sentences_without_prediction"] == run["n_gold_sentences_without_prediction"], label
        assert details["predicted_sentences"] == run["n_predicted_sentences"], label
        assert details["predicted_in_gold_sentences"] == run["n_predicted_in_gold_sentences"], label
        lowest = run["lowest_threshold"]
        assert details["all_predictions"] == {"precision": lowest["precision"], "recall": lowest["recall"]}, label
        if run.get("curve") in curves:
            assert [list(point) for point in score.curve] == curves[run["curve"]], label
        checked += 1
    assert checked >= 7


def test_every_pair_of_the_match_tables_is_equal(shared):
    oracle = json.loads((shared / "oracles/carb/match_matrix_openie5_40.json").read_text())
    pairs = 0
    for sentence in oracle["sentences"]:
        for official, table in sentence["match"].items():
            matcher = build_matcher(OFFICIAL_NAMES[official], frozenset())
            gold = [matcher.prepare(item["pred"], item["args"]) for item in sentence["gold"]]
            predicted = [matcher.prepare(item["pred"], item["args"]) for item in sentence["predicted"]]
            for row, wanted in zip(table, gold, strict=True):
                for value, given in zip(row, predicted, strict=True):
                    expected = {True: (1, 1), False: (0, 0)}[value] if isinstance(value, bool) else tuple(value)
                    assert matcher.match(wanted, given) == expected, (official, sentence["sentence"])
                    pairs += 1
    assert pairs > 1000


def test_single_sentences_are_equal(shared):
    oracle = json.loads((shared / "oracles/carb/match_matrix_openie5_40.json").read_text())
    matcher = build_matcher("binary-lenient", frozenset())
    for sentence in oracle["sentences"]:
        gold = [PlainTuple(item["pred"], tuple(item["args"]), 1.0) for item in sentence["gold"]]
        predicted = [
            PlainTuple(item["pred"], tuple(item["args"]), item["confidence"]) for item in sentence["predicted"]
        ]
        if not predicted:
            continue
        _, kept, precision, recall = sentence_events(Unit(sentence["sentence"], gold, predicted), matcher)[-1]
        assert precision / kept == sentence["all_predictions"]["precision"]
        assert recall / len(gold) == sentence["all_predictions"]["recall"]
