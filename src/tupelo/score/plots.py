"""Precision-recall curves as a picture."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

from tupelo.core import InputError, MissingExtraError
from tupelo.score.result import Score

# Colours that stay apart for colour-blind readers (Okabe and Ito), and a second sign besides colour.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
LINES = ("-", "--", "-.", ":")
IMAGE_TYPES = ("png", "svg", "pdf")


def draw_curves(scores: Mapping[str, Score], image_type: str = "png", title: str = "") -> bytes:
    """One curve per system, a dot at each best point, thin lines of equal F1 behind."""
    check_image_type(image_type)
    drawn = {name: score for name, score in scores.items() if len(score.curve)}
    if not drawn:
        raise InputError("there is no precision-recall curve to draw: this scorer has none, or nothing was predicted")
    figure = new_figure(7, 5)
    axes = figure.add_subplot()
    _draw_equal_f1(axes)
    for number, (name, score) in enumerate(drawn.items()):
        # A precision of 1 at recall 0 belongs to thresholds above every scored prediction.
        points = [point for point in score.curve if point.recall > 0]
        colour = COLOURS[number % len(COLOURS)]
        label = f"{name} (F1 {score.f1:.3f}" + (f", AUC {score.auc:.3f})" if score.auc is not None else ")")
        axes.plot(
            [point.recall for point in points],
            [point.precision for point in points],
            color=colour,
            linestyle=LINES[number // len(COLOURS) % len(LINES)],
            linewidth=1.6,
            marker="o" if len(points) == 1 else None,
            label=label,
        )
        axes.plot([score.recall], [score.precision], marker="o", markersize=6, color=colour)
    axes.set(xlabel="recall", ylabel="precision", xlim=(0, 1), ylim=(0, 1), title=title)
    axes.grid(alpha=0.2)
    axes.legend(loc="upper right", frameon=False)
    return render(figure, image_type)


def _draw_equal_f1(axes: Any) -> None:
    for f1 in (0.2, 0.4, 0.6, 0.8):
        recalls = [step / 100 for step in range(int(100 * f1 / 2) + 1, 101)]
        precisions = [f1 * recall / (2 * recall - f1) for recall in recalls]
        axes.plot(recalls, precisions, color="#999999", linewidth=0.5, zorder=0)
        axes.annotate(f"F1 {f1}", (1, precisions[-1]), fontsize=7, color="#777777", ha="right", va="bottom")


def check_image_type(image_type: str) -> None:
    if image_type not in IMAGE_TYPES:
        raise InputError(f"cannot draw a '{image_type}' file, expected a name that ends in {', '.join(IMAGE_TYPES)}")


def new_figure(width: float, height: float) -> Any:
    """An empty figure of matplotlib, in inches; it belongs to no window."""
    try:
        import matplotlib.figure
    except ImportError as error:
        raise MissingExtraError("drawing", "plot") from error
    return matplotlib.figure.Figure(figsize=(width, height), layout="constrained")


def render(figure: Any, image_type: str) -> bytes:
    """The figure as a file. No date and no random ids inside: the same figure gives the same bytes."""
    from matplotlib import rc_context

    check_image_type(image_type)
    buffer = io.BytesIO()
    metadata: dict[str, Any] = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}[image_type]
    with rc_context({"svg.hashsalt": "tupelo"}):
        figure.savefig(buffer, format=image_type, dpi=150, metadata=metadata)
    return buffer.getvalue()
