"""Whether a confidence is a probability: of the tuples with confidence 0.8, eight in ten should be right.

Confidences are sorted into ten bins of equal width; 1.0 belongs to the last one. In each bin the mean confidence is
compared with the share that is right. The expected calibration error is the mean distance between the two, every bin
counting by its size (Guo et al. 2017, "On calibration of modern neural networks"). Intervals of shares are Wilson's
(1927), which stay within 0 and 1 and hold for small counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from tupelo.core import InputError
from tupelo.show.plots import COLOURS, check_image_type, new_figure, render

BINS = 10
# The normal quantile of a 95 % interval.
_DEVIATIONS = 1.959964


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """One bin: the number of items in it, their mean confidence, and how many of them are right."""

    count: int
    confidence: float
    right: int

    @property
    def share(self) -> float:
        return self.right / self.count

    @property
    def interval(self) -> tuple[float, float]:
        return wilson_interval(self.right, self.count)


def calibration_bins(confidences: Sequence[float], right: Sequence[bool]) -> list[CalibrationBin]:
    """The bins that hold something, from the lowest confidence to the highest.

    >>> calibration_bins([0.91, 0.93, 0.2], [True, False, False])[-1]
    CalibrationBin(count=2, confidence=0.92, right=1)
    """
    if len(confidences) != len(right):
        raise InputError(f"{len(confidences)} confidences and {len(right)} judgements, expected equally many")
    found: dict[int, list[tuple[float, bool]]] = {}
    for confidence, outcome in zip(confidences, right, strict=True):
        if not 0 <= confidence <= 1:
            raise InputError(f"confidence {confidence}, expected 0 to 1")
        found.setdefault(min(int(confidence * BINS), BINS - 1), []).append((confidence, bool(outcome)))
    return [
        CalibrationBin(len(pairs), sum(each for each, _ in pairs) / len(pairs), sum(outcome for _, outcome in pairs))
        for _, pairs in sorted(found.items())
    ]


def calibration_error(bins: Sequence[CalibrationBin]) -> float | None:
    """The expected calibration error; `None` where there is nothing."""
    total = sum(each.count for each in bins)
    return sum(each.count * abs(each.confidence - each.share) for each in bins) / total if total else None


def wilson_interval(count: int, total: int) -> tuple[float, float]:
    """The 95 % interval of a share.

    >>> [round(end, 3) for end in wilson_interval(8, 10)]
    [0.49, 0.943]
    """
    if not 0 <= count <= total or not total:
        raise InputError(f"{count} of {total}, expected a part of one or more")
    share, square = count / total, _DEVIATIONS**2
    middle = (share + square / (2 * total)) / (1 + square / total)
    half = _DEVIATIONS * sqrt(share * (1 - share) / total + square / (4 * total**2)) / (1 + square / total)
    return max(0.0, middle - half), min(1.0, middle + half)


_PANELS_A_ROW = 3


def draw_reliability(kinds: Mapping[str, Sequence[CalibrationBin]], image_type: str = "png") -> bytes:
    """A reliability diagram per kind of text: the share that is right in each bin, with its 95 % interval."""
    check_image_type(image_type)
    drawn = {name: bins for name, bins in kinds.items() if bins}
    if not drawn:
        raise InputError("there is nothing to draw: no tuple has a confidence and a judgement")
    columns = min(len(drawn), _PANELS_A_ROW)
    rows = -(-len(drawn) // columns)
    figure = new_figure(3.4 * columns, 3.5 * rows)
    panels = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).flatten()
    for axes, (name, bins) in zip(panels, drawn.items(), strict=False):
        confidences, shares = [each.confidence for each in bins], [each.share for each in bins]
        ends = [each.interval for each in bins]
        # At a share of 0 or 1 the end of the interval can miss it by a rounding error.
        below = [max(0.0, share - low) for share, (low, _) in zip(shares, ends, strict=True)]
        above = [max(0.0, high - share) for share, (_, high) in zip(shares, ends, strict=True)]
        axes.plot([0, 1], [0, 1], color="#999999", linewidth=0.8, linestyle="--", zorder=0)
        axes.errorbar(
            confidences, shares, yerr=(below, above), color=COLOURS[0], marker="o", markersize=4, elinewidth=0.8
        )
        for each in bins:
            # In the corner that the diagonal leaves free.
            height = 0.95 if each.confidence < 0.5 else 0.02
            axes.annotate(str(each.count), (each.confidence, height), fontsize=6, color="#777777", ha="center")
        count, error = sum(each.count for each in bins), calibration_error(bins)
        axes.set(xlim=(0, 1), ylim=(0, 1), title=f"{name}: {count}, error {error:.3f}")
        axes.title.set_fontsize(9)
        axes.grid(alpha=0.2)
    for axes in panels[len(drawn) :]:
        axes.set_axis_off()
    figure.supxlabel("confidence", fontsize=9)
    figure.supylabel("share that is right", fontsize=9)
    return render(figure, image_type)
