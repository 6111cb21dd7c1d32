"""Scorers of tuples as metrics of Hugging Face's `evaluate`; the library need not be installed.

- `OpenIe("carb").compute(predictions=…, references=…)`: one prediction and one reference per sentence. `add` and
  `add_batch` collect them for a `compute()` at the end.
- A reference is `{"sentence": …, "tuples": [["arg1", "relation", "arg2", …], …]}`, a prediction the list of tuples,
  or `{"tuples": …, "confidences": […]}`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tupelo.api.scoring import describe, score
from tupelo.core import Extraction, InputError, Record, Sentence

__all__ = ["OpenIe"]

Prediction = Sequence[Sequence[str]] | Mapping[str, Any]


class OpenIe:
    """A metric; `scorer` is one that reads tuples, `options` are its own.

    >>> carb = OpenIe("carb")
    >>> gold = {"sentence": "Ann sold it .", "tuples": [["Ann", "sold", "it"]]}
    >>> carb.compute(predictions=[[["Ann", "sold", "it"]]], references=[gold])["f1"]
    1.0
    """

    def __init__(self, scorer: str = "carb", **options: Any) -> None:
        if describe(scorer).reads != "tuples":
            raise InputError(f"scorer '{scorer}', expected one that reads tuples")
        self.name = f"tupelo_{scorer}"
        self._scorer, self._options = scorer, options
        self._added: list[tuple[Prediction, Mapping[str, Any]]] = []

    def _feature_names(self) -> list[str]:
        # `evaluate.combine` reads the inputs of each metric.
        return ["predictions", "references"]

    def add(self, *, prediction: Prediction, reference: Mapping[str, Any], **_: Any) -> None:
        """Collect one sentence for `compute()`."""
        self._added.append((prediction, reference))

    def add_batch(
        self, *, predictions: Sequence[Prediction], references: Sequence[Mapping[str, Any]], **_: Any
    ) -> None:
        """Collect several sentences for `compute()`."""
        self._added += _paired(predictions, references)

    def compute(
        self,
        *,
        predictions: Sequence[Prediction] | None = None,
        references: Sequence[Mapping[str, Any]] | None = None,
        **_: Any,
    ) -> dict[str, Any]:
        """The figures of the scorer with the signature."""
        pairs = [*self._added, *_paired(predictions or (), references or ())]
        self._added = []
        gold: list[Record] = []
        predicted: list[Record] = []
        for number, (found, wanted) in enumerate(pairs):
            # Ids, so that two sentences with one text stay two.
            sentence = Sentence(str(wanted["sentence"]), id=str(number))
            gold += _records(sentence, wanted["tuples"], ())
            given: Mapping[str, Any] = found if isinstance(found, Mapping) else {"tuples": found}
            predicted += _records(sentence, given["tuples"], given.get("confidences") or ())
        result = score(self._scorer, gold, predicted, **self._options)
        names = ("precision", "recall", "f1", "auc", "signature")
        return {name: value for name in names if (value := getattr(result, name)) is not None}


def _paired(
    predictions: Sequence[Prediction], references: Sequence[Mapping[str, Any]]
) -> list[tuple[Prediction, Mapping[str, Any]]]:
    if len(predictions) != len(references):
        raise InputError(f"{len(predictions)} predictions for {len(references)} references, expected one each")
    return list(zip(predictions, references, strict=True))


def _records(sentence: Sentence, tuples: Sequence[Sequence[str]], confidences: Sequence[float]) -> list[Record]:
    if confidences and len(confidences) != len(tuples):
        raise InputError(f"{len(confidences)} confidences for {len(tuples)} tuples, expected one each")
    made: list[Record] = []
    for number, parts in enumerate(tuples):
        if len(parts) < 2:
            raise InputError(f'the tuple {list(parts)}, expected ["arg1", "relation", "arg2", …]')
        plain = Extraction.of(sentence, parts[1], [parts[0], *parts[2:]])
        made.append(replace(plain, confidence=float(confidences[number])) if confidences else plain)
    return made or [sentence]
