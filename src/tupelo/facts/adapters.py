"""The checker in the forms in which evaluation programs call a metric.

- `Factuality.compute(predictions=…, references=…)`: as a metric of Hugging Face's `evaluate`; references are the
  sources.
- `Factuality.process_results(doc, results)`: as a task of lm-evaluation-harness asks for it; `doc["source"]` is the
  source, `results[0]` what the model wrote. `mean` leaves out texts without a score and is the aggregation.

Neither program needs to be installed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from tupelo.facts.check import Checked


class CheckerLike(Protocol):
    """What checks one text against its source."""

    def __call__(self, generated: str, source: str) -> Checked: ...


class Factuality:
    """`source` names the field of a document that holds the source."""

    name = "tupelo_factuality"

    def __init__(self, checker: CheckerLike, *, source: str = "source") -> None:
        self._checker = checker
        self._source = source

    def compute(self, *, predictions: Sequence[str], references: Sequence[str]) -> dict[str, Any]:
        """Means over all texts that have a figure (`None` where none has), and the figures of each text."""
        if len(predictions) != len(references):
            raise ValueError(f"{len(predictions)} predictions and {len(references)} references, expected as many")
        checked = [self._checker(text, source) for text, source in zip(predictions, references, strict=True)]
        scores, accuracies = [one.score for one in checked], [one.accuracy for one in checked]
        return {
            "score": mean(scores), "accuracy": mean(accuracies), "scores": scores, "accuracies": accuracies,
            "unscored": scores.count(None),
        }  # fmt: skip

    def process_results(self, doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, float | None]:
        """The figures of one document."""
        checked = self._checker(results[0], str(doc[self._source]))
        return {self.name: checked.score, f"{self.name}_accuracy": checked.accuracy}

    def aggregation(self) -> dict[str, Any]:
        """How the figures of all documents become one."""
        return {self.name: mean, f"{self.name}_accuracy": mean}

    def higher_is_better(self) -> dict[str, bool]:
        return {self.name: True, f"{self.name}_accuracy": True}


def mean(values: Iterable[float | None]) -> float | None:
    """Of those that are there.

    >>> mean([1.0, None, 0.5])
    0.75
    """
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
