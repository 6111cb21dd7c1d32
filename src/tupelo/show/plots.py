"""Pictures: precision-recall curves, F1 and its variance over cliques."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from tupelo.core import InputError
from tupelo.core.cache import share_cache
from tupelo.core.errors import needs_extra
from tupelo.scorers.result import Score
from tupelo.scorers.robust import CliqueResult, RobustScore
from tupelo.scorers.tables import Leaderboard

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
        label = f"{name} (F1 {score.f1:.3f}" + (f", AUC {score.auc:.3f})" if score.auc is not None else ")")
        recalls, precisions = [point.recall for point in points], [point.precision for point in points]
        draw_line(axes, number, label, recalls, precisions, linewidth=1.6, marker="o" if len(points) == 1 else None)
        axes.plot([score.recall], [score.precision], marker="o", markersize=6, color=COLOURS[number % len(COLOURS)])
    axes.set(xlabel="recall", ylabel="precision", xlim=(0, 1), ylim=(0, 1), title=title)
    axes.grid(alpha=0.2)
    axes.legend(loc="upper right", frameon=False)
    return render(figure, image_type)


def score_plot(score: Score, image_type: str) -> bytes:
    """The curve of one system."""
    return draw_curves({score.system or score.scorer: score}, image_type, score.scorer)


def leaderboard_plot(board: Leaderboard, image_type: str, title: str) -> bytes:
    """The curves of all systems."""
    return draw_curves(board.scores, image_type, title)


def robust_plot(score: RobustScore, image_type: str) -> bytes:
    """The distributions of one system over the cliques."""
    return draw_distributions({score.system: score.evaluation.cliques}, image_type)


def draw_line(axes: Any, number: int, label: str, x: Sequence[float], y: Sequence[float], **style: Any) -> None:
    """The line of one of several systems, distinct in colour and dashes."""
    colour, dashes = COLOURS[number % len(COLOURS)], LINES[number // len(COLOURS) % len(LINES)]
    axes.plot(x, y, label=label, color=colour, linestyle=dashes, **style)


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
    share_cache("matplotlib", "MPLCONFIGDIR")
    with needs_extra("drawing", "plot"):
        import matplotlib.figure
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


# The variance of numbers between 0 and 1 is at most a quarter.
VARIANCE_BINS = tuple(step / 100 for step in range(26))
_F1_BINS = tuple(step / 20 for step in range(21))


def draw_distributions(systems: Mapping[str, Sequence[CliqueResult]], image_type: str = "png") -> bytes:
    """F1 of originals and worst sentences on the left, the number of cliques by variance on the right."""
    check_image_type(image_type)
    scored = {name: [clique for clique in cliques if clique.sentences] for name, cliques in systems.items()}
    if not any(scored.values()):
        raise InputError("there is nothing to draw: no clique was scored")
    figure = new_figure(11, 4.2)
    left, right = figure.subplots(1, 2)
    for number, (name, cliques) in enumerate(scored.items()):
        colour = COLOURS[number % len(COLOURS)]
        label = f"{name}, " if len(scored) > 1 else ""
        originals = [clique.sentences[0].f1 for clique in cliques]
        worst = [min(sentence.f1 for sentence in clique.sentences) for clique in cliques]
        left.hist(originals, bins=_F1_BINS, histtype="step", color=colour, label=f"{label}original")
        left.hist(worst, bins=_F1_BINS, color=colour, alpha=0.35, label=f"{label}worst sentence")
    draw_variances(right, scored)
    left.set(xlabel="F1 of a sentence", ylabel="cliques", xlim=(0, 1), title="originals and worst sentences")
    left.legend(frameon=False)
    for axes in (left, right):
        axes.grid(alpha=0.2)
    return render(figure, image_type)


def draw_variances(axes: Any, systems: Mapping[str, Sequence[CliqueResult]]) -> None:
    """The number of cliques by the variance of F1 within them (Figure 5a of the paper)."""
    middles = [(low + high) / 2 for low, high in pairwise(VARIANCE_BINS)]
    for number, (name, cliques) in enumerate(systems.items()):
        draw_line(axes, number, name, middles, variance_counts(cliques), marker="o", markersize=3)
    axes.set(
        xlabel="variance of F1 within a clique", ylabel="cliques", xlim=(0, 0.25), title="variance within cliques"
    )
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False)


def variance_counts(cliques: Sequence[CliqueResult]) -> list[int]:
    """Numbers of cliques by bin of variance; the last bin includes its upper end."""
    counts = [0] * (len(VARIANCE_BINS) - 1)
    for clique in cliques:
        if clique.variance is not None:
            # Bins are a hundredth wide; a tiny amount keeps 0.03, computed from squares, in its own bin.
            counts[min(int(clique.variance * 100 + 1e-9), len(counts) - 1)] += 1
    return counts
