"""BenchIE against the numbers of the released program (gkiril/benchie, commit d9cdb93).

Scores made with the BenchIE software, developed by NEC Laboratories Europe GmbH.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tupelo.core import Extraction, Record, Sentence
from tupelo.io.tuples import read_records
from tupelo.scorers.benchie import Benchie

# Name in the oracle, and of the file.
SYSTEMS = {
    "clausie": "clausie",
    "graphene": "graphene",
    "m2oie_en": "m2oie_en",
    "minie": "minie",
    "naive": "naive_oie",
    "openie6": "openie6",
    "roie_n": "roi_n",
    "roie_t": "roi_t",
    "stanford": "stanford",
}


@pytest.fixture(scope="module")
def oracle(shared: Path) -> dict[str, Any]:
    text = (shared / "oracles/benchie/results_dev_sentences.json").read_text("utf-8")
    return json.loads(text)["en"]


@pytest.fixture(scope="module")
def gold(shared: Path) -> list[Record]:
    return read_records(shared / "data/benchie/en/gold_annotations_en.dev.txt", "benchie-gold")


def predictions(shared: Path, system: str) -> list[Record]:
    folder = shared / "data/benchie/en/system_extractions"
    return read_records(folder / f"{SYSTEMS[system]}_explicit.dev.txt", "benchie")


@pytest.mark.slow
@pytest.mark.parametrize("run", ["full/slot", "full/lexical", "minimal/slot"])
def test_every_figure_of_every_system_is_equal(
    run: str, shared: Path, oracle: dict[str, Any], gold: list[Record]
) -> None:
    mode, matcher = run.split("/")
    assert set(oracle["runs"][run]) == set(SYSTEMS)
    for system, expected in oracle["runs"][run].items():
        score = Benchie(mode=mode, matcher=matcher).evaluate(gold, predictions(shared, system)).score()
        assert {
            "precision": score.precision,
            "recall": score.recall,
            "f1": score.f1,
            "n_extractions": score.predicted,
            "n_extractions_in_gold_sentences": score.details["predicted_in_gold_sentences"],
            "n_extractions_matching": score.details["matching"],
            "synsets_hit": score.details["clusters_hit"],
            "false_positives": score.details["false_positives"],
            "n_synsets": score.details["clusters"],
            "matches_with_whitespace_only_difference": score.details["whitespace_only_matches"],
        } == expected, system


def test_the_oracle_has_no_other_run(oracle: dict[str, Any]) -> None:
    assert set(oracle["runs"]) == {"full/slot", "full/lexical", "minimal/slot"}


def test_gold_stands_for_as_many_triples(oracle: dict[str, Any], gold: list[Record]) -> None:
    evaluation = Benchie().evaluate(gold, [])
    assert evaluation.score().details["gold_forms"] == oracle["n_expanded_triples"]
    assert evaluation.score().details["clusters"] == oracle["n_synsets"]
    assert len(evaluation.units) == oracle["n_sentences"]


def test_predictions_that_know_the_text_instead_of_the_id_score_the_same(
    shared: Path, oracle: dict[str, Any], gold: list[Record]
) -> None:
    texts = {record.sentence.id: record.sentence.text for record in gold if isinstance(record, Extraction)}
    by_text = [
        Extraction(Sentence(texts[record.sentence.id]), record.rel, record.arg1, record.args)
        for record in predictions(shared, "minie")
        if isinstance(record, Extraction)
    ]
    score = Benchie().evaluate(gold, by_text).score()
    assert score.details["clusters_hit"] == oracle["runs"]["full/slot"]["minie"]["synsets_hit"]
    assert score.f1 == oracle["runs"]["full/slot"]["minie"]["f1"]
