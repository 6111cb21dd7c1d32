"""The figures of the few-shot study: F1 over demonstrations, and over the syntactic distance to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import cycle
from typing import Any

from tupelo.robustness.analyze import Interval
from tupelo.robustness.few_shot import FROM_CLIQUE, FROM_POOL, MEASURE_TITLES, FewShotPoint, FewShotStudy
from tupelo.show.plots import COLOURS, LINES, check_image_type, draw_line, new_figure, render


def few_shot_plot(study: FewShotStudy, image_type: str) -> bytes:
    """One panel per figure of the paper."""
    check_image_type(image_type)
    panels: list[Callable[[Any], None]] = []
    for figure, title in ((FROM_POOL, "demonstrations from anywhere"), (FROM_CLIQUE, "from another clique")):
        points = [point for point in study.points if point.figure == figure]
        if points:
            panels.append(partial(_draw_shots, points, title))
    panels += (partial(_draw_intervals, found, MEASURE_TITLES[measure]) for measure, found in study.intervals.items())
    drawing = new_figure(4.4 * len(panels), 4)
    for axes, draw in zip(drawing.subplots(1, len(panels), squeeze=False)[0], panels, strict=True):
        draw(axes)
        # F1 of 0 and 1 stays visible.
        axes.set_ylim(-0.02, 1.02)
        axes.grid(alpha=0.2)
    return render(drawing, image_type)


def _draw_shots(points: Sequence[FewShotPoint], title: str, axes: Any) -> None:
    """A colour for each way of choosing, a kind of line for each set of sentences."""
    ways = dict.fromkeys(point.choose for point in points)
    for colour, choose in zip(cycle(COLOURS), ways, strict=False):
        chosen = sorted((point for point in points if point.choose == choose), key=lambda point: point.shots or 0)
        lines = {
            "originals": [point.carb["f1"] for point in chosen],
            "worst": [point.robust["f1"] for point in chosen],
            "all": [point.mean_f1 for point in chosen],
        }
        for style, (label, values) in zip(LINES, lines.items(), strict=False):
            shots = [point.shots or 0 for point in chosen]
            name = f"{label}, {choose}" if len(ways) > 1 else label
            axes.plot(shots, values, label=name, color=colour, linestyle=style, marker="o", markersize=4)
    axes.set(xlabel="demonstrations", ylabel="F1", title=title, xticks=sorted({point.shots or 0 for point in points}))
    axes.legend(frameon=False, fontsize=8)


def _draw_intervals(intervals: Sequence[Interval], title: str, axes: Any) -> None:
    known = [((each.low + each.high) / 2, each.mean) for each in intervals if each.mean is not None]
    draw_line(axes, 0, "worst F1", [x for x, _ in known], [y for _, y in known], marker="o", markersize=4)
    axes.set(xlabel=f"{title} of the demonstrations", ylabel="F1 of the worst sentence")
