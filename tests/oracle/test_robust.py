"""Equality with the released programs of ROBUST where they are defined."""

from __future__ import annotations

import json

import pytest

from benchmarks.plain_hws import algorithm_1, sequence_distance
from tupelo.io.brackets import read
from tupelo.io.formats import FORMATS
from tupelo.io.lines import Lines
from tupelo.io.tuples import read_records
from tupelo.robustness.distance import label_numbers, numbered_distance
from tupelo.robustness.diversity import bleu_matrix, diversify
from tupelo.robustness.trees import tree_of
from tupelo.scorers.robust import Robust, RobustEvaluation


@pytest.fixture(scope="module")
def hws(shared):
    return json.loads((shared / "oracles/robust/hws_distance.json").read_text())


def test_released_distances_of_parses(hws):
    for pair in hws["pairs"]:
        found = [tree_of(next(read(Lines([pair[side]])))) for side in ("parse1", "parse2")]
        sequences = [made.levels(hws["tree_levels_kept"] - 1) for made in found]
        assert [list(labels) for labels in sequences] == pair["level_order_labels"]
        assert list(label_numbers(*sequences)) == pair["level_order_ids"]
        for discount, expected in pair["distance"].items():
            value = sequence_distance(*sequences, float(discount), "released")
            assert value == pytest.approx(expected, abs=1e-9)
        for discount, expected in pair["algorithm1_own_reading"].items():
            bare = algorithm_1(*sequences, float(discount))
            assert bare == pytest.approx(expected, abs=1e-9)
            # The default only chooses the order, and the oracle was made in the order of the file.
            swapped = algorithm_1(*sequences[::-1], float(discount))
            assert sequence_distance(*sequences, float(discount)) in (bare, swapped)


def test_released_distances_of_sequences(hws):
    checked = 0
    for case in (*hws["hand_made_sequences"], *hws["cap_examples"], *hws["random_sequences"]):
        for discount, expected in case["distance"].items():
            if isinstance(expected, float):
                value = numbered_distance(case["s1"], case["s2"], float(discount))
                assert value == pytest.approx(expected, abs=1e-9)
                checked += 1
    assert checked > 200


def test_the_released_filter(shared):
    pytest.importorskip("sacrebleu", reason="needs sacrebleu (pip install 'tupelo[cliques]')")
    oracle = json.loads((shared / "oracles/robust/diversified_filter.json").read_text())
    names, sentences = list(oracle["paraphrases"]), list(oracle["paraphrases"].values())
    for row, expected in zip(bleu_matrix(sentences), oracle["bleu_all_five"]["matrix"], strict=True):
        assert row == pytest.approx(expected, abs=1e-9)
    filtered = diversify(oracle["ori"], sentences, order="released")
    assert {names[place] for place in filtered.kept} == set(oracle["kept"])
    assert [names[gone.position] for gone in filtered.removed] == [
        *oracle["removed_by_length_rule"],
        *oracle["removed"],
    ]
    for case in oracle["other_cases"]:
        filtered = diversify(case["ori"], case["paraphrases"], order="released")
        assert sorted(case["paraphrases"][place] for place in filtered.kept) == sorted(case["kept"]), case["name"]


def number(value: float | str) -> float:
    # The program prints "nan" for 0/0; here that is 0.
    return 0.0 if value == "nan" else float(value)


def check(evaluation: RobustEvaluation, official: dict, cliques: list[dict]) -> None:
    details = evaluation.score().details
    for line in ("carb", "robust"):
        for figure in ("precision", "recall", "f1", "auc"):
            assert details[line][figure] == pytest.approx(number(official[line][figure]), abs=1e-9), (line, figure)
    assert details["cliques"] == official["n_cliques"]
    for expected in cliques:
        found = next(clique for clique in evaluation.cliques if clique.name == expected["ori_sent"])
        assert found.sentences[expected["worst_index"]] is found.worst
        for sentence, figures in zip(found.sentences, expected["sentences"], strict=True):
            assert (sentence.unit.sentence, sentence.is_original) == (figures["sent"], figures["is_original"])
            for figure in ("precision", "recall", "f1", "auc"):
                assert getattr(sentence, figure) == figures["rounded"][figure]


@pytest.mark.parametrize("system", ["openie4", "spanoie", "openie6"])
def test_scores_equal_the_released_program(shared, system):
    folder = shared / "oracles/robust"
    oracle = json.loads((folder / "results.json").read_text())["systems"][system]
    gold, predicted = (read_records(folder / name, "robust") for name in ("gold.json", oracle["predictions"]))
    check(Robust().evaluate(gold, predicted), oracle["official"], oracle["cliques"])
    exact = Robust(fixes=["rounded-sentences"]).evaluate(gold, predicted)
    for clique, expected in zip(exact.cliques, oracle["cliques"], strict=True):
        for sentence, figures in zip(clique.sentences, expected["sentences"], strict=True):
            for figure in ("precision", "recall", "f1", "auc"):
                assert getattr(sentence, figure) == pytest.approx(figures["exact"][figure], abs=1e-9)


def test_edge_cases_equal_the_released_program(shared):
    cases = json.loads((shared / "oracles/robust/edge_cases.json").read_text())["cases"]
    checked = 0
    for case in cases.values():
        if "error" not in case["official"]:
            gold, predicted = (
                list(FORMATS.get("robust").read(Lines([json.dumps(case[side])]))) for side in ("gold", "pred")
            )
            check(Robust().evaluate(gold, predicted), case["official"], case["cliques"])
            checked += 1
    assert checked >= 12
