"""The checker as evaluation programs call it."""

from __future__ import annotations

import copy
import threading
from collections.abc import Sequence
from typing import Any

import pytest

from tupelo.checking.checked import Checked, CheckedSentence, Claim, Verdict
from tupelo.core import InputError
from tupelo.integrations.factuality import Factuality


def told(generated: str, source: str | Sequence[str]) -> Checked:
    """A checker whose every word is a claim, supported if the source has it."""
    known = (source if isinstance(source, str) else " ".join(source)).split()
    claims = tuple(
        Claim(word, (place,), (), Verdict.SUPPORTED if word in known else Verdict.UNVERIFIABLE, float(word in known))
        for place, word in enumerate(generated.split())
    )
    sentences = (CheckedSentence(generated, 0, claims),)
    return Checked(generated, sentences, ("",), (), "" if claims else "empty")


class Locked:
    """The same with something that cannot be copied."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def __call__(self, generated: str, source: str | Sequence[str]) -> Checked:
        with self._lock:
            return told(generated, source)


METRIC = Factuality(told)


def test_compute_takes_predictions_and_references() -> None:
    found = METRIC.compute(predictions=["a b", "", "c"], references=["a", "a", "c"])
    assert found == {
        "score": 0.75,
        "supported": 0.75,
        "scores": [0.5, None, 1.0],
        "supported_shares": [0.5, None, 1.0],
        "unscored": 1,
        "reasons": [None, "empty", None],
    }
    assert METRIC.compute(predictions=[], references=[])["score"] is None
    with pytest.raises(ValueError, match="1 predictions and 2 references"):
        METRIC.compute(predictions=["a"], references=["a", "b"])


def test_texts_are_added_one_by_one_or_in_batches() -> None:
    metric = Factuality(told)
    metric.add(prediction="a b", reference="a")
    metric.add_batch(predictions=["c", "d"], references=["c", ["x", "d"]])
    assert metric.compute()["scores"] == [0.5, 1.0, 1.0]
    assert metric.compute()["scores"] == []
    with pytest.raises(ValueError, match="expected as many"):
        metric.add_batch(predictions=["a"], references=[])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"predictions": ["a"]}, "expected both or none"),
        ({"predictions": "a b", "references": ["a", "b"]}, "expected lists"),
        ({"predictions": ["a"], "references": "a"}, "expected lists"),
    ],
)
def test_slips_are_named(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        METRIC.compute(**arguments)


def test_a_harness_that_calls_functions_gets_numbers_under_the_name_of_the_metric() -> None:
    """lm-evaluation-harness names a function by `__name__` and looks its value up by that name."""
    found = METRIC(references=["a"], predictions=["a b"], multi_label=True)
    assert found == {METRIC.__name__: 0.5, "tupelo_factuality_supported": 0.5}


def test_claims_are_scored_as_scorers_of_claims_do() -> None:
    labels, probabilities, evidence, claims = METRIC.score(docs=["a b", ["a", "b"], "a"], claims=["a b", "a c", ""])
    assert (labels, probabilities) == ([1, 0, None], [1.0, 0.0, None])
    assert claims == [[1.0, 1.0], [1.0, 0.0], []]
    assert evidence == [[], [], []]
    with pytest.raises(ValueError, match="expected lists"):
        METRIC.score(docs="a", claims="a")


def test_results_of_a_document_are_processed_and_aggregated() -> None:
    rows = [METRIC.process_results({"source": "a b"}, [text]) for text in ("a b", "", "x")]
    merge = METRIC.aggregation()["tupelo_factuality"]
    assert merge([row["tupelo_factuality"] for row in rows]) == 0.5
    assert set(METRIC.aggregation()) == set(METRIC.higher_is_better()) == set(rows[0])


def test_a_harness_may_copy_the_settings_of_a_task_with_the_metric_in_them() -> None:
    """Graphs and their locks cannot be copied, and need not be."""
    metric = Factuality(Locked(), source="article")
    metric.add(prediction="a", reference="a")
    copied = copy.deepcopy({"process_results": metric.process_results})["process_results"]
    assert copied({"article": "a b"}, ["a c"])["tupelo_factuality"] == 0.5
    other = copy.deepcopy(metric)
    other.add(prediction="x", reference="a")
    assert (metric.compute()["scores"], other.compute()["scores"]) == ([1.0], [1.0, 0.0])


@pytest.mark.model
def test_the_shipped_checker_can_be_in_the_settings_of_a_task() -> None:
    process = Factuality().process_results
    source = "Police said that three men robbed the van on Monday."
    first = process({"source": source}, ["Three men robbed the van."])
    assert copy.deepcopy(process)({"source": source}, ["Three men robbed the van."]) == first


def test_the_field_of_the_source_can_be_named() -> None:
    assert Factuality(told, source="article").process_results({"article": "a"}, ["a"])["tupelo_factuality"] == 1


def test_a_document_without_its_source_is_named() -> None:
    with pytest.raises(InputError, match="with the fields text, label, expected its source under 'source'"):
        METRIC.process_results({"text": "a", "label": 1}, ["a"])
    assert METRIC.process_results({"source": ["a", "b"]}, [["a b", "x"]])["tupelo_factuality"] == 1
    assert METRIC.process_results({"source": "a"}, [])["tupelo_factuality"] is None
