"""The figures of an analysis of cliques, each as a drawing that can be rendered as PNG, SVG or PDF."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from tupelo.cliques.analyze import Interval, ShotPoint, WeightCurve
from tupelo.score.plots import COLOURS, LINES, draw_variances, new_figure
from tupelo.score.robust import CliqueResult

_TITLES = {"hws": "HWS distance", "kernel": "tree kernel similarity"}
_WEIGHTS = {"hws": "discount", "kernel": "decay"}
# Dots of one weight are spread a little, so that they do not hide each other.
_SPREAD = 0.03


def within_figure(curves: Sequence[WeightCurve], seed: int = 1) -> Any:
    """A dot per clique and weight (Figure 3)."""
    figure = new_figure(5.5 * len(curves), 4.2)
    draw = random.Random(seed)
    for axes, curve, colour in zip(figure.subplots(1, len(curves), squeeze=False)[0], curves, COLOURS, strict=False):
        for weight, values in zip(curve.weights, curve.clique_means, strict=True):
            known = [value for value in values if value is not None]
            places = [weight + draw.uniform(-_SPREAD, _SPREAD) for _ in known]
            # Thousands of dots as shapes would make an SVG of megabytes.
            axes.scatter(places, known, s=3, alpha=0.35, color=colour, linewidths=0, rasterized=True)
        axes.set(
            xlabel=_WEIGHTS[curve.measure], ylabel=f"mean {_TITLES[curve.measure]} of a clique", ylim=(-0.02, 1.02)
        )
        axes.grid(alpha=0.2)
    return figure


def weights_figure(curves: Sequence[WeightCurve]) -> Any:
    """The mean over all cliques, by weight (Figure 4)."""
    figure = new_figure(6, 4.2)
    axes = figure.add_subplot()
    for number, curve in enumerate(curves):
        known = [(w, mean) for w, mean in zip(curve.weights, curve.means, strict=True) if mean is not None]
        _line(axes, number, _TITLES[curve.measure], [w for w, _ in known], [mean for _, mean in known])
    axes.set(xlabel="discount (HWS), decay (kernel)", ylabel="mean over cliques", ylim=(0, 1))
    _finish(axes)
    return figure


def variance_figure(systems: Mapping[str, Sequence[CliqueResult]]) -> Any:
    """The number of cliques by variance of F1 (Figure 5a)."""
    figure = new_figure(6, 4.2)
    axes = figure.add_subplot()
    draw_variances(axes, systems)
    axes.set_title("")
    axes.grid(alpha=0.2)
    return figure


def intervals_figure(series: Mapping[str, Sequence[Interval]], measure: str, ylabel: str) -> Any:
    """A mean by intervals of a measure (Figures 5b, 5c and 9)."""
    figure = new_figure(6, 4.2)
    axes = figure.add_subplot()
    for number, (name, intervals) in enumerate(series.items()):
        known = [(each.low, each.high, each.mean) for each in intervals if each.mean is not None]
        _line(axes, number, name, [(low + high) / 2 for low, high, _ in known], [mean for _, _, mean in known])
    axes.set(xlabel=_TITLES[measure], ylabel=ylabel)
    axes.set_ylim(bottom=0)
    _finish(axes)
    return figure


def shots_figure(points: Sequence[ShotPoint]) -> Any:
    """F1 by the number of demonstrations (Figures 6a and 6b)."""
    figure = new_figure(6, 4.2)
    axes = figure.add_subplot()
    shots = [point.shots for point in points]
    curves = {
        "CaRB, originals": [point.carb_f1 for point in points],
        "mean over all sentences": [point.mean_f1 for point in points],
        "ROBUST": [point.robust_f1 for point in points],
    }
    for number, (name, values) in enumerate(curves.items()):
        _line(axes, number, name, shots, values)
    axes.set(xlabel="demonstrations", ylabel="F1", ylim=(0, 1), xticks=shots)
    _finish(axes)
    return figure


def _line(axes: Any, number: int, label: str, x: Sequence[float], y: Sequence[float]) -> None:
    axes.plot(
        x,
        y,
        marker="o",
        markersize=4,
        label=label,
        color=COLOURS[number % len(COLOURS)],
        linestyle=LINES[number // len(COLOURS) % len(LINES)],
    )


def _finish(axes: Any) -> None:
    axes.grid(alpha=0.2)
    axes.legend(frameon=False)
