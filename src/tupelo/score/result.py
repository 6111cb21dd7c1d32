"""The figures of one run, with what is needed to trace them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple


class CurvePoint(NamedTuple):
    """Precision and recall when only tuples with at least this confidence are kept.

    `threshold` is `None` for an end point that belongs to no confidence.
    """

    precision: float
    recall: float
    threshold: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Precision, recall and F1 at the best threshold, the area under the curve, and the curve itself.

    `auc` is `None` and `curve` empty for yardsticks that ignore confidence.
    `gold` and `predicted` count tuples. `details` holds what only one
    yardstick reports.
    """

    scorer: str
    precision: float
    recall: float
    f1: float
    auc: float | None
    gold: int
    predicted: int
    threshold: float | None = None
    curve: Sequence[CurvePoint] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    signature: str = ""

    def signed(self, signature: str) -> Score:
        """The same score with its signature."""
        return replace(self, signature=signature)

    def to_json(self) -> dict[str, Any]:
        """The machine-readable summary, full precision, in the documented order."""
        return {
            "scorer": self.scorer,
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "auc": self.auc,
            "gold": self.gold,
            "predicted": self.predicted,
            "signature": self.signature,
        }


def harmonic_mean(precision: float, recall: float) -> float:
    """F1; 0 when both are 0."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
