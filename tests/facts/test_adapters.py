"""The checker as evaluation programs call it."""

from __future__ import annotations

import pytest

from tupelo.facts.adapters import Factuality
from tupelo.facts.check import Checked


def told(generated: str, source: str) -> Checked:
    """A checker that gives the share of words that the source has."""
    words = generated.split()
    share = sum(word in source.split() for word in words) / len(words) if words else None
    return Checked(share, None if share is None else float(share == 1), (), (source,))


METRIC = Factuality(told)


def test_compute_takes_predictions_and_references() -> None:
    found = METRIC.compute(predictions=["a b", "", "c"], references=["a", "a", "c"])
    assert found == {
        "score": 0.75, "accuracy": 0.5, "scores": [0.5, None, 1.0], "accuracies": [0.0, None, 1.0], "unscored": 1,
    }  # fmt: skip
    assert METRIC.compute(predictions=[], references=[])["score"] is None
    with pytest.raises(ValueError, match="1 predictions and 2 references"):
        METRIC.compute(predictions=["a"], references=["a", "b"])


def test_results_of_a_document_are_processed_and_aggregated() -> None:
    rows = [METRIC.process_results({"source": "a b"}, [text]) for text in ("a b", "", "x")]
    merge = METRIC.aggregation()["tupelo_factuality"]
    assert merge([row["tupelo_factuality"] for row in rows]) == 0.5
    assert set(METRIC.aggregation()) == set(METRIC.higher_is_better()) == set(rows[0])


def test_the_field_of_the_source_can_be_named() -> None:
    assert Factuality(told, source="article").process_results({"article": "a"}, ["a"])["tupelo_factuality"] == 1
