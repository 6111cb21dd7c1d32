"""Scorers of tuples as metrics of other people's loops."""

from __future__ import annotations

import pytest

import tupelo
from tupelo.api.scoring import scorers
from tupelo.core import Extraction, InputError
from tupelo.integrations.open_ie import OpenIe

GOLD = [
    {"sentence": "Ann sold it .", "tuples": [["Ann", "sold", "it"]]},
    {"sentence": "Bo ran home .", "tuples": [["Bo", "ran", "home"]]},
]


@pytest.mark.parametrize("name", scorers("tuples"))
def test_every_scorer_of_tuples_is_a_metric(name):
    metric = OpenIe(name)
    assert metric.compute(predictions=[each["tuples"] for each in GOLD], references=GOLD)["f1"] == 1.0
    metric.add(prediction=GOLD[0]["tuples"], reference=GOLD[0])
    metric.add_batch(predictions=[[]], references=GOLD[1:])
    found = metric.compute()
    assert found["signature"].startswith(f"{name}|")
    assert found["recall"] < 1.0
    assert metric._feature_names() == ["predictions", "references"]


def test_the_figures_are_those_of_the_library():
    predictions = [{"tuples": [["Ann", "sold", "that"], ["Ann", "is", "it"]], "confidences": [0.9, 0.1]}, []]
    found = OpenIe("carb", matcher="slots").compute(predictions=predictions, references=GOLD)
    gold = [Extraction.of(g["sentence"], g["tuples"][0][1], [g["tuples"][0][0], g["tuples"][0][2]]) for g in GOLD]
    system = [
        Extraction.of("Ann sold it .", "sold", ["Ann", "that"], confidence=0.9),
        Extraction.of("Ann sold it .", "is", ["Ann", "it"], confidence=0.1),
    ]
    expected = tupelo.score("carb", gold, system, matcher="slots")
    assert (found["f1"], found["auc"]) == (expected.f1, expected.auc)


def test_bad_input_is_named():
    with pytest.raises(InputError, match="expected one that reads tuples"):
        OpenIe("clusters")
    with pytest.raises(InputError, match="1 predictions for 2 references"):
        OpenIe().compute(predictions=[[]], references=GOLD)
    with pytest.raises(InputError, match=r"expected \[.arg1., .relation."):
        OpenIe().compute(predictions=[[["Ann"]]], references=GOLD[:1])
    with pytest.raises(InputError, match="1 confidences for 0 tuples"):
        OpenIe().compute(predictions=[{"tuples": [], "confidences": [1]}], references=GOLD[:1])
