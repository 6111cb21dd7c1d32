"""The checker as a metric for evaluation frameworks.

- `Factuality.compute(predictions=…, references=…)`: as a metric of Hugging Face's `evaluate`; references are the
  sources. `add` and `add_batch` collect texts for a `compute()` at the end.
- `Factuality(…)(predictions=…, references=…)`: one dictionary of numbers, as lm-evaluation-harness calls a function
  that a task names as its metric; usable in any loop.
- `Factuality.process_results(doc, results)`: for a task of lm-evaluation-harness; `doc["source"]` is the
  source, `results[0]` what the model wrote. `mean` ignores texts without a score and is the aggregation.

- `Factuality.score(docs=…, claims=…)`: labels, probabilities and more, as scorers of claims such as MiniCheck return
  them.

A reference that is a list of texts is a source with several passages. None of these has to be installed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from tupelo.api.checking import SUPPORTED_FROM, Checked, Checker, mean
from tupelo.core import InputError

__all__ = ["Factuality", "Scores", "mean"]

Reference = str | Sequence[str]


class Scores(NamedTuple):
    """The result of `Factuality.score`, a value per claim in each list."""

    labels: list[int | None]
    probabilities: list[float | None]
    evidence: list[list[str]]
    claim_probabilities: list[list[float | None]]


class Factuality:
    """A metric; `checker` is a `tupelo.Checker` by default, `source` the field of a document that holds its source.

    >>> factuality = Factuality()
    >>> found = factuality.compute(predictions=["Rosa bought six apples."], references=["Rosa bought five apples."])
    >>> found["supported"]
    0.0
    >>> factuality.score(docs=["Rosa bought five apples."], claims=["Rosa bought six apples."]).labels
    [0]
    """

    name = "tupelo_factuality"

    def __init__(self, checker: Callable[[str, Reference], Checked] | None = None, *, source: str = "source") -> None:
        self._checker = checker or Checker()
        self._source = source
        self._added: list[tuple[str, Reference]] = []
        # lm-evaluation-harness names a metric after its function.
        self.__name__ = self.name

    def __call__(
        self, *, predictions: Sequence[str], references: Sequence[Reference], **_: Any
    ) -> dict[str, float | None]:
        """Means over all texts, under the names that `process_results` uses; other arguments are ignored."""
        checked = self._check(predictions, references)
        return self._named(mean(one.score for one in checked), mean(one.supported for one in checked))

    def __deepcopy__(self, memo: dict[int, Any]) -> Factuality:
        """Copy the metric but share its models: lm-evaluation-harness copies task settings with their functions."""
        copied = type(self)(self._checker, source=self._source)
        copied._added = list(self._added)
        return copied

    def _feature_names(self) -> list[str]:
        # `evaluate.combine` reads the inputs of each metric.
        return ["predictions", "references"]

    def add(self, *, prediction: str, reference: Reference) -> None:
        """Collect one text for `compute`."""
        self._added.append((prediction, reference))

    def add_batch(self, *, predictions: Sequence[str], references: Sequence[Reference]) -> None:
        """Collect texts for `compute`."""
        self._added += zip(predictions, _matching(predictions, references), strict=True)

    def compute(
        self, *, predictions: Sequence[str] | None = None, references: Sequence[Reference] | None = None
    ) -> dict[str, Any]:
        """Means over all texts that have a figure (`None` if none has), and the figures of each text.

        Without arguments, the texts added since the last call are used.
        """
        if (predictions is None) != (references is None):
            raise ValueError("predictions or references alone, expected both or none")
        if predictions is None or references is None:
            predictions, references = [text for text, _ in self._added], [source for _, source in self._added]
            self._added = []
        checked = self._check(predictions, references)
        scores, supported = [one.score for one in checked], [one.supported for one in checked]
        return {
            "score": mean(scores),
            "supported": mean(supported),
            "scores": scores,
            "supported_shares": supported,
            "unscored": scores.count(None),
            "reasons": [one.reason or None for one in checked],
        }

    def score(self, docs: Sequence[Reference], claims: Sequence[str]) -> Scores:
        """For every claim, which may be a whole text: 1 if all that it claims is supported by its document, else 0;
        the probability of what is least likely supported; the evidence; the probabilities of all that it claims.

        Label and probability are `None` if there is nothing to check.
        """
        checked = self._check(claims, docs)
        return Scores(
            [None if one.least is None else int(one.least >= SUPPORTED_FROM) for one in checked],
            [one.least for one in checked],
            [[found.text for claim in one.claims for found in one.evidence(claim)] for one in checked],
            [[claim.probability for claim in one.claims] for one in checked],
        )

    def process_results(self, doc: Mapping[str, Any], results: Sequence[Any]) -> dict[str, float | None]:
        """The figures of one document, for the first of several samples."""
        if self._source not in doc:
            known = ", ".join(map(str, doc))
            raise InputError(
                f"a document with the fields {known}, expected its source under '{self._source}': "
                "name the field with Factuality(checker, source=…)"
            )
        text = results[0] if results else ""
        checked = self._checker(text if isinstance(text, str) else text[0], doc[self._source])
        return self._named(checked.score, checked.supported)

    def aggregation(self) -> dict[str, Any]:
        """Aggregate the figures of all documents."""
        return dict.fromkeys(self._named(None, None), mean)

    def higher_is_better(self) -> dict[str, bool]:
        return dict.fromkeys(self._named(None, None), True)

    def _named(self, score: float | None, supported: float | None) -> dict[str, float | None]:
        return {self.name: score, f"{self.name}_supported": supported}

    def _check(self, predictions: Sequence[str], references: Sequence[Reference]) -> list[Checked]:
        pairs = zip(predictions, _matching(predictions, references), strict=True)
        return [self._checker(text, source) for text, source in pairs]


def _matching(predictions: Sequence[str], references: Sequence[Reference]) -> Sequence[Reference]:
    # A string is a sequence of characters too, a common mistake.
    if isinstance(predictions, str) or isinstance(references, str):
        raise ValueError("a single text, expected lists of predictions and of references")
    if len(predictions) != len(references):
        raise ValueError(f"{len(predictions)} predictions and {len(references)} references, expected as many")
    return references
