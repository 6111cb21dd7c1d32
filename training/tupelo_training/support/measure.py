"""How well are supported claims recognized? Figures by kind, for held-out claims; numpy only."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tupelo_training.support.table import KINDS, MADE


def auc(scores: np.ndarray, labels: np.ndarray) -> float:
    """The area under the ROC curve; ties count half."""
    good = labels > 0.5
    if good.all() or not good.any():
        return float("nan")
    _, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    return float((ranks[good].sum() - good.sum() * (good.sum() + 1) / 2) / (good.sum() * (~good).sum()))


def report_of(logits: Sequence[tuple[float, np.ndarray]], labels: np.ndarray, kinds: np.ndarray) -> dict[str, object]:
    """For kinds with both labels the area under the curve of the whole, the least subword and their mean; else the
    share of right answers."""
    whole = np.array([one for one, _ in logits])
    least = np.array([each.min() if len(each) else one for one, each in logits])
    report: dict[str, object] = {"all": round(auc(whole, labels), 4)}
    for number, name in enumerate(KINDS):
        rows = kinds == number
        if not rows.any():
            continue
        if name in MADE:
            report[name] = round(float(((whole[rows] > 0) == (labels[rows] > 0.5)).mean()), 4)
        else:
            y = labels[rows]
            report[name] = {
                "n": int(rows.sum()),
                "auc": round(auc(whole[rows], y), 4),
                "auc least": round(auc(least[rows], y), 4),
                "auc both": round(auc(whole[rows] + least[rows], y), 4),
                "brier": round(float(((1 / (1 + np.exp(-whole[rows])) - y) ** 2).mean()), 4),
            }
    return report
