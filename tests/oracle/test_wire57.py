"""WiRe57 against the numbers of the released program (rali-udem/WiRe57, commit 9273758)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tupelo.core import Record
from tupelo.io.tuples import read_records
from tupelo.scorers.wire57 import Wire57

SYSTEMS = ("clausie", "minie", "ollie", "openie", "props", "reverb", "stanford")


@pytest.fixture(scope="module")
def oracle(shared: Path) -> dict[str, Any]:
    return json.loads((shared / "oracles/wire57/results.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def gold(shared: Path, oracle: dict[str, Any]) -> list[Record]:
    return read_records(shared / "data/wire57" / oracle["gold_file"], "wire57-gold")


@pytest.fixture(scope="module")
def predicted(shared: Path, oracle: dict[str, Any]) -> list[Record]:
    return read_records(shared / "data/wire57" / oracle["predictions_file"], "wire57")


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_figure_of_the_corpus_and_of_every_sentence_is_equal(
    system: str, oracle: dict[str, Any], gold: list[Record], predicted: list[Record]
) -> None:
    expected = oracle["systems"][system]
    evaluation = Wire57(system=system).evaluate(gold, predicted)
    score = evaluation.score()
    sentences = {
        name: {
            "precision": [sentence.precision_sum, sentence.predicted],
            "recall": [sentence.recall_sum, sentence.gold],
            "precision_of_matches": [match.precision for match in sentence.matches],
            "recall_of_matches": [match.recall for match in sentence.matches],
            "exact_precision": [sentence.exact_predicted, sentence.predicted],
            "exact_recall": [sentence.exact_gold, sentence.gold],
        }
        for name, sentence in zip(evaluation.units, evaluation.sentences, strict=True)
    }
    details = score.details
    assert {
        "precision": score.precision,
        "recall": score.recall,
        "f1": score.f1,
        "matches": details["matches"],
        "precision_of_matches": details["precision_of_matches"],
        "recall_of_matches": details["recall_of_matches"],
        "exact_matches_precision": [details["exact_matches_predicted"], score.predicted],
        "exact_matches_recall": [details["exact_matches_gold"], score.gold],
        "exact_precision": details["exact_precision"],
        "exact_recall": details["exact_recall"],
        "exact_f1": details["exact_f1"],
        "n_predicted": details["predicted_in_gold_sentences"],
        "sentences": sentences,
    } == expected
    assert list(evaluation.units) == list(expected["sentences"])


def test_the_oracle_has_no_other_system(oracle: dict[str, Any], gold: list[Record]) -> None:
    assert set(oracle["systems"]) == set(SYSTEMS)
    assert len(gold) == oracle["n_gold"]
