"""Precision-recall curves over confidence thresholds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import NDArray

from tupelo.score.result import CurvePoint

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Curve(Sequence[CurvePoint]):
    """Points kept as arrays, so that a million of them cost little."""

    precision: Floats
    recall: Floats
    thresholds: Floats

    def __len__(self) -> int:
        return len(self.thresholds)

    @overload
    def __getitem__(self, index: int) -> CurvePoint: ...
    @overload
    def __getitem__(self, index: slice) -> Curve: ...
    def __getitem__(self, index: int | slice) -> CurvePoint | Curve:
        if isinstance(index, slice):
            return Curve(self.precision[index], self.recall[index], self.thresholds[index])
        return CurvePoint(float(self.precision[index]), float(self.recall[index]), float(self.thresholds[index]))

    def __iter__(self) -> Iterator[CurvePoint]:
        points = zip(self.precision.tolist(), self.recall.tolist(), self.thresholds.tolist(), strict=True)
        return map(CurvePoint._make, points)


def area(precision: Floats, recall: Floats) -> float:
    """Trapezoid rule over recall that falls from the first point to the last."""
    widths = -np.diff(recall)
    return float((widths * (precision[1:] + precision[:-1]) / 2.0).sum())


def best_point(precision: Floats, recall: Floats) -> int | None:
    """Index of the largest F1, the first one on ties; `None` when there is no point with a defined F1."""
    with np.errstate(invalid="ignore"):
        f1 = 2 * precision * recall / (precision + recall)
    return None if len(f1) == 0 or bool(np.isnan(f1).all()) else int(np.nanargmax(f1))
