"""What every registered yardstick keeps, whatever its rules are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tupelo.api.scoring import scorers
from tupelo.core import Argument, Extraction, Sentence
from tupelo.scorers import SCORERS
from tupelo.scorers.result import Score, signature


def corpus(count: int = 6) -> list[Extraction]:
    """Sentences with ids and texts, one tuple each, in a shape that all yardsticks take as gold and as prediction."""
    made = []
    for number in range(count):
        words = ("Ann", "sold", f"house{number}")
        made.append(
            Extraction(
                sentence=Sentence(" ".join(words), id=str(number), document_id="d", tokens=words),
                rel=Argument("sold", tokens=(1,)),
                arg1=Argument("Ann", tokens=(0,)),
                args=(Argument(f"house{number}", tokens=(2,)),),
                confidence=1 - number / 100,
                group=f"{number}/1",
            )
        )
    return made


@pytest.fixture(params=scorers("tuples"))
def metric(request):
    return SCORERS.get(request.param)()


def test_the_registered_names_are_known():
    assert scorers("tuples") == ["carb", "oie2016", "wire57", "benchie", "robust"]
    assert list(SCORERS) == [*scorers("tuples"), "clusters", "inference", "coref", "factuality"]


def test_the_name_is_the_registered_one(metric):
    assert metric.name in SCORERS


def test_gold_scored_against_itself_is_perfect(metric):
    score = metric.evaluate(corpus(), corpus()).score()
    assert (score.precision, score.recall, score.f1) == (1.0, 1.0, 1.0)
    assert (score.gold, score.predicted) == (6, 6)


def test_empty_output_scores_zero(metric):
    score = metric.evaluate(corpus(), []).score()
    assert (score.recall, score.f1, score.predicted) == (0.0, 0.0, 0)


def test_empty_gold_does_not_crash(metric):
    assert metric.evaluate([], corpus()).score().recall == 0.0


def test_the_order_of_sentences_is_irrelevant(metric):
    predicted = corpus()[2:]
    forward = metric.evaluate(corpus(), predicted).score()
    backward = metric.evaluate(corpus()[::-1], predicted[::-1]).score()
    assert backward.f1 == pytest.approx(forward.f1, abs=1e-12)


def test_a_prediction_for_a_sentence_known_to_have_no_tuple_is_wrong(metric):
    gold = [corpus()[0], corpus()[1].sentence]
    # Without confidences nothing can be cut off: one of two is right.
    predicted = [replace(item, confidence=None) for item in corpus()[:2]]
    if metric.name == "robust":
        # Never in the original: what is predicted where gold has nothing gets precision 1. This fix corrects it.
        assert metric.evaluate(gold, predicted).score().precision == 1.0
        metric = type(metric)(fixes=["perfect-without-gold"])
    assert metric.evaluate(gold, predicted).score().precision == 1 / 2


def test_units_are_the_gold_sentences(metric):
    assert len(metric.evaluate(corpus(), corpus()[:1]).units) == 6


def test_weights_of_one_change_nothing(metric):
    evaluation = metric.evaluate(corpus(), corpus()[1:])
    plain, weighted = evaluation.score(), evaluation.score(np.ones(6))
    assert weighted.f1 == pytest.approx(plain.f1, abs=1e-12)


def test_a_sentence_of_weight_zero_is_as_if_it_were_not_there(metric):
    weights = np.ones(6)
    weights[0] = 0
    # Without the first sentence, which nobody answered, the output is perfect.
    assert metric.evaluate(corpus(), corpus()[1:]).score(weights).f1 == pytest.approx(1.0)


def test_scores_are_signed_with_options_that_hold_the_fixes(metric):
    score = metric.evaluate(corpus(), corpus()).score()
    assert isinstance(score, Score)
    assert score.scorer == metric.name
    assert metric.options()["fixes"] == "none"
    assert score.signature == signature(metric.name, metric.options())


def test_every_quirk_can_be_fixed_and_is_then_in_the_options(metric):
    for quirk, explanation in metric.quirks.items():
        assert explanation
        fixed = type(metric)(fixes=[quirk])
        assert fixed.options()["fixes"] == quirk
        assert fixed.evaluate(corpus(), corpus()).score().f1 == 1.0
    assert type(metric)(fixes=["all"]).options()["fixes"] == "+".join(sorted(metric.quirks))
