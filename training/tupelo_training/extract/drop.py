"""What extractors lose on cliques, measured with networks and selectors that have not seen the clique.

The extractor is the one that ships, `NeuralExtractor`, with held-out scores in place of its network and the selector
of the fold in place of its own. Nothing else is put in place of anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from tupelo.core import Analysis, Extraction, Record
from tupelo.core.protocols import Extractor
from tupelo.extract.neural.extractor import NeuralExtractor
from tupelo.extract.neural.scores import Scores
from tupelo.extract.run import Form, finish
from tupelo.score.robust import Robust

# Tuples below the confidence that is best on CaRB are left out, as `--min-confidence 0.3` does.
LEAST = 0.3
_NEVER = -30.0


class HeldOut:
    """Stands where a `Network` stands, and gives the scores that were made by the networks of the folds."""

    version = "held-out"

    def __init__(
        self, scores: Mapping[str, Scores], leads: Sequence[str], selector_weights: Mapping[str, np.ndarray]
    ) -> None:
        self.leads, self.selector_weights = list(leads), dict(selector_weights)
        self._scores = scores

    def read(self, analyses: Sequence[Analysis]) -> Iterator[Scores]:
        for analysis in analyses:
            yield self._scores.get(analysis.text) or nothing(len(analysis.words), len(self.leads))


def nothing(words: int, leads: int, slots: int = 4, labels: int = 5) -> Scores:
    """Scores of a sentence that the networks did not read: no anchor at all."""
    anchors = np.full(words, _NEVER, np.float32)
    empty = np.zeros((0, words, slots, labels), np.float32)
    return Scores(anchors, (), empty, np.zeros((0, slots), np.float32), np.zeros((0, slots, leads), np.float32))


def told(extractor: Extractor, analyses: list[Analysis], least: float = LEAST) -> list[Record]:
    """What an extractor tells of sentences; those of which it tells nothing are there too."""
    form = Form(coreference=False, least_confidence=least)
    found: list[Record] = []
    for each in finish(analyses, list(extractor.extract(analyses)), form):
        found.extend(each.extractions or (each.sentence,))
    return found


def held_out_tuples(
    analyses: Iterable[Analysis],
    fold_of: Mapping[str, int],
    scores: Mapping[str, Scores],
    leads: Sequence[str],
    selectors: Sequence[Mapping[str, np.ndarray]],
    *,
    with_rules: bool,
) -> list[Record]:
    """The tuples of all sentences, each by the selector of its fold."""
    by_fold: list[list[Analysis]] = [[] for _ in selectors]
    for analysis in analyses:
        by_fold[fold_of[analysis.text]].append(analysis)
    found: list[Record] = []
    kind = "default" if with_rules else "neural"
    for own, weights in zip(by_fold, selectors, strict=True):
        network: Any = HeldOut(scores, leads, {f"{kind}.{name}": value for name, value in weights.items()})
        found += told(NeuralExtractor(network, with_rules=with_rules), own)
    return found


def drop(cliques: list[Record], predicted: list[Record], fold_of: Mapping[str, int], folds: int) -> dict[str, Any]:
    """F1 of the originals, of the worst wordings, and the difference, in points: all cliques, then fold by fold."""
    whole = _drop(cliques, predicted)
    parts = [
        _drop(_of_fold(cliques, fold_of, fold), _of_fold(predicted, fold_of, fold))["drop"] for fold in range(folds)
    ]
    return {**whole, "drop_by_fold": parts, "drop_spread": round(float(np.std(parts)), 2)}


def _of_fold(records: Iterable[Record], fold_of: Mapping[str, int], fold: int) -> list[Record]:
    return [
        record
        for record in records
        if fold_of[record.sentence.text if isinstance(record, Extraction) else record.text] == fold
    ]


def _drop(cliques: Iterable[Record], predicted: Iterable[Record]) -> dict[str, float]:
    details = Robust(fixes=["missing-left-out"]).evaluate(cliques, predicted).score().details
    before, worst = details["carb"]["f1"], details["robust"]["f1"]
    return {
        name: round(100 * value, 2)
        for name, value in zip(("carb", "robust", "drop"), (before, worst, before - worst), strict=True)
    }
