"""The pictures of COMBO's Figures 9 to 12 (SVG), from figures as shares."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from tupelo.show.plots import COLOURS, draw_line, new_figure, render

Heat = Mapping[str, Mapping[str, float]]
_COLUMNS = 4
_IMAGE = "svg"


def draw_heat(panels: Mapping[str, Heat], columns: int) -> bytes:
    """One panel for each: forms across, poolings down, a number in every field; colours are those of the panel."""
    figure, axes_of = _panels(panels, columns, 3.4, 2.4)
    for title, heat in panels.items():
        axes = axes_of[title]
        forms, poolings = list(heat), list(next(iter(heat.values())))
        values = [[100 * heat[form][pooling] for form in forms] for pooling in poolings]
        axes.imshow(values, cmap="cividis", aspect="auto")
        middle = (max(map(max, values)) + min(map(min, values))) / 2
        for y, row in enumerate(values):
            for x, value in enumerate(row):
                ink = "black" if value > middle else "white"
                axes.annotate(f"{value:.1f}", (x, y), ha="center", va="center", fontsize=8, color=ink)
        axes.set_xticks(range(len(forms)), forms, fontsize=7)
        axes.set_yticks(range(len(poolings)), poolings, fontsize=7)
        axes.set_title(title, fontsize=8)
    return render(figure, _IMAGE)


def draw_layers(panels: Mapping[str, Mapping[str, Mapping[int, float]]]) -> bytes:
    """One panel for each column of Table 5: a line per encoder over its layers."""
    figure, axes_of = _panels(panels, _COLUMNS, 3.2, 2.6)
    for title, encoders in panels.items():
        axes = axes_of[title]
        for number, (name, layers) in enumerate(encoders.items()):
            draw_line(axes, number, name, list(layers), [100 * value for value in layers.values()], marker="o")
        axes.set_title(title, fontsize=9)
        axes.set_xlabel("layer", fontsize=8)
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.grid(alpha=0.2)
    figure.axes[0].legend(frameon=False, fontsize=7)
    return render(figure, _IMAGE)


def draw_gains(encoders: Mapping[str, Mapping[str, float]]) -> bytes:
    """One panel: a group of bars per column of Table 5, a bar per encoder that was trained further."""
    figure = new_figure(10, 4)
    axes = figure.add_subplot()
    width = 0.8 / len(encoders)
    for number, (name, gains) in enumerate(encoders.items()):
        places = [place + (number + 0.5) * width - 0.4 for place in range(len(gains))]
        values = [100 * gain for gain in gains.values()]
        axes.bar(places, values, width, label=name, color=COLOURS[number % len(COLOURS)])
        axes.set_xticks(range(len(gains)), list(gains), fontsize=8)
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_ylabel("difference")
    axes.legend(frameon=False)
    return render(figure, _IMAGE)


def _panels(titles: Collection[str], columns: int, width: float, height: float) -> tuple[Any, dict[str, Any]]:
    """A figure with a panel for every title; sizes are those of a panel."""
    columns = min(columns, len(titles))
    rows = -(-len(titles) // columns)
    figure = new_figure(width * columns, height * rows)
    panels = figure.subplots(rows, columns, squeeze=False).flatten()
    for axes in panels[len(titles) :]:
        axes.set_axis_off()
    return figure, dict(zip(titles, panels, strict=False))
