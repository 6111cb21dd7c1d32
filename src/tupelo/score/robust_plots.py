"""How F1 is distributed over cliques: originals against worst sentences, and the variance within cliques."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from tupelo.core import InputError
from tupelo.score.plots import COLOURS, LINES, check_image_type, new_figure, render
from tupelo.score.robust import CliqueResult

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
    for number, (name, cliques) in enumerate(systems.items()):
        counts = variance_counts(cliques)
        middles = [(low + high) / 2 for low, high in pairwise(VARIANCE_BINS)]
        axes.plot(
            middles,
            counts,
            marker="o",
            markersize=3,
            label=name,
            color=COLOURS[number % len(COLOURS)],
            linestyle=LINES[number // len(COLOURS) % len(LINES)],
        )
    axes.set(
        xlabel="variance of F1 within a clique", ylabel="cliques", xlim=(0, 0.25), title="variance within cliques"
    )
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False)


def variance_counts(cliques: Sequence[CliqueResult]) -> list[int]:
    """How many cliques have a variance in each of the bins; the last one includes its upper end."""
    counts = [0] * (len(VARIANCE_BINS) - 1)
    for clique in cliques:
        if clique.variance is not None:
            # Bins are a hundredth wide; a tiny amount keeps 0.03, computed from squares, in its own bin.
            counts[min(int(clique.variance * 100 + 1e-9), len(counts) - 1)] += 1
    return counts
