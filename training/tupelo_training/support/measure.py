"""How well are supported claims recognized? Figures by kind, for held-out claims; numpy only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tupelo_training.support.table import SUPPORTED, UNKNOWN


@dataclass(frozen=True, slots=True)
class Logits:
    """Of a claim's outcomes, and of its subwords."""

    whole: np.ndarray
    pieces: np.ndarray

    @property
    def support(self) -> float:
        """The log odds of supported."""
        return float(self.whole[SUPPORTED] - np.logaddexp(*self.whole[SUPPORTED + 1 :]))


def auc(scores: np.ndarray, good: np.ndarray) -> float:
    """The area under the ROC curve; ties count half. Not a number where all are good or none is."""
    if good.all() or not good.any():
        return float("nan")
    _, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    return float((ranks[good].sum() - good.sum() * (good.sum() + 1) / 2) / (good.sum() * (~good).sum()))


def report_of(
    logits: Sequence[Logits], labels: np.ndarray, kinds: np.ndarray, names: Sequence[str]
) -> dict[str, dict[str, float]]:
    """For each kind the number of claims, the area under the curve of the whole and of the least subword, the share
    that is told right as supported or not, and the share of right outcomes where labels are that exact."""
    support = np.array([one.support for one in logits])
    least = np.array([one.pieces.min() if len(one.pieces) else one.support for one in logits])
    outcomes = np.array([one.whole.argmax() for one in logits])
    good = labels == SUPPORTED
    report = {}
    for number in np.unique(kinds):
        rows, exact = kinds == number, (kinds == number) & (labels <= UNKNOWN)
        figures = {
            "n": float(rows.sum()),
            "auc": auc(support[rows], good[rows]),
            "auc least": auc(least[rows], good[rows]),
            "two-way": float(((support[rows] > 0) == good[rows]).mean()),
        }
        if exact.any():
            figures["three-way"] = float((outcomes[exact] == labels[exact]).mean())
        report[names[number]] = {name: round(value, 4) for name, value in figures.items() if not np.isnan(value)}
    return report
