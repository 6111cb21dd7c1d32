"""Every table and figure of the ROBUST paper's analyses, for any cliques and any systems, as parts of a report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from tupelo.cliques import figures
from tupelo.cliques.analyze import (
    INTERVALS,
    WEIGHTS,
    Interval,
    ShotPoint,
    WeightCurve,
    by_demonstrations,
    count,
    hws_with,
    kernel_with,
    shot_curve,
    subset_correlation,
    variance_by_syntax,
    weigh,
)
from tupelo.cliques.distance import DEFAULT_DISCOUNT, REVISED
from tupelo.cliques.kernel import DEFAULT_DECAY
from tupelo.cliques.measures import Hws, SyntaxMeasure, TreeKernel, within_cliques
from tupelo.cliques.report import Part
from tupelo.cliques.trees import DEFAULT_HEIGHT, ConstituencyTree
from tupelo.core import Clique
from tupelo.papers.robust import robust_table
from tupelo.score.plots import render
from tupelo.score.robust import RobustEvaluation
from tupelo.score.tables import Table

IMAGES: Final = ("png", "svg")
Advance = Callable[[int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What can be chosen. `discount` and `decay` are those of the comparisons with F1."""

    height: int = DEFAULT_HEIGHT
    variant: str = REVISED
    discount: float = DEFAULT_DISCOUNT
    decay: float = DEFAULT_DECAY
    weights: tuple[float, ...] = WEIGHTS
    intervals: int = INTERVALS
    seed: int = 1

    @property
    def hws(self) -> Hws:
        return Hws(height=self.height, discount=self.discount, variant=self.variant)

    @property
    def kernel(self) -> TreeKernel:
        return TreeKernel(decay=self.decay)


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """What is studied: cliques with their trees, systems, and runs with demonstrations where there are any.

    `shots` are runs by the number of demonstrations, drawn from anywhere
    (Figure 6a); in `pair_shots` they come from one other clique (6b).
    `demonstrated` is a run with the clique that each clique's demonstrations
    came from (9).
    """

    cliques: Sequence[Clique]
    forest: Sequence[Sequence[ConstituencyTree]]
    systems: Mapping[str, RobustEvaluation] = field(default_factory=dict)
    shots: Mapping[int, RobustEvaluation] = field(default_factory=dict)
    pair_shots: Mapping[int, RobustEvaluation] = field(default_factory=dict)
    demonstrated: tuple[RobustEvaluation, Mapping[int, int]] | None = None


@dataclass(frozen=True, slots=True)
class Study:
    """The parts of the report, and all figures as plain data for programs."""

    parts: tuple[Part, ...]
    data: Mapping[str, Any]


def study(material: Material, choices: Choices, advance: Advance = lambda steps: None) -> Study:
    """Analyse everything that there is material for. `advance` hears of two steps per weight."""
    statistics = count(material.cliques)
    parts = [
        Part("size", "Size", "Cliques, their sentences and tuples.", _pairs_table(asdict(statistics))),
    ]
    data: dict[str, Any] = {"size": asdict(statistics)}
    curves = [
        weigh(material.forest, hws_with(choices.height, choices.variant), choices.weights, advance),
        weigh(material.forest, kernel_with(), choices.weights, advance),
    ]
    parts += _syntax_parts(curves, choices)
    data["syntax"] = {curve.measure: {"weights": curve.weights, "means": curve.means} for curve in curves}
    if material.systems:
        more, found = _system_parts(material, choices)
        parts += more
        data |= found
    for name, runs, title in (
        ("shots", material.shots, "Figure 6a: demonstrations from anywhere"),
        ("pair_shots", material.pair_shots, "Figure 6b: demonstrations from another clique"),
    ):
        if runs:
            points = shot_curve(runs)
            parts.append(_shots_part(name, title, points))
            data[name] = [asdict(point) for point in points]
    if material.demonstrated is not None:
        more, found = _demonstration_parts(material, *material.demonstrated, choices)
        parts += more
        data |= found
    return Study(tuple(parts), data)


def images(figure: Any) -> dict[str, bytes]:
    return {kind: render(figure, kind) for kind in IMAGES}


def _syntax_parts(curves: Sequence[WeightCurve], choices: Choices) -> list[Part]:
    spread_rows = [
        (f"{curve.measure} {weight}", *(f"{value:.3f}" for value in five))
        for curve in curves
        for weight, five in zip(curve.weights, curve.spread(), strict=True)
    ]
    mean_rows = [
        (f"{weight}", *("–" if curve.means[place] is None else f"{curve.means[place]:.3f}" for curve in curves))
        for place, weight in enumerate(choices.weights)
    ]
    return [
        Part(
            "within",
            "Figure 3: syntax within cliques",
            "A dot is a clique: the mean over pairs of its sentences. HWS is a distance, the kernel a similarity.",
            Table(("measure", "least", "1/4", "1/2", "3/4", "largest"), tuple(spread_rows)),
            images(figures.within_figure(curves, choices.seed)),
        ),
        Part(
            "weights",
            "Figure 4: syntax over all cliques",
            "The mean of the clique means. A small discount or decay looks at the skeleton of the sentences.",
            Table(("weight", *(curve.measure for curve in curves)), tuple(mean_rows)),
            images(figures.weights_figure(curves)),
        ),
    ]


def _system_parts(material: Material, choices: Choices) -> tuple[list[Part], dict[str, Any]]:
    details = {name: evaluation.score().details for name, evaluation in material.systems.items()}
    results = {name: evaluation.cliques for name, evaluation in material.systems.items()}
    correlations = {name: subset_correlation(found, seed=choices.seed) for name, found in results.items()}
    rows = [
        (
            name,
            f"{details[name]['mean_variance_of_f1']:.4f}",
            "–" if correlations[name] is None else f"{correlations[name]:+.3f}",
        )
        for name in results
    ]
    parts = [
        Part(
            "systems",
            "Table 2: systems on the originals and on the worst sentences",
            "Figures in percent; the printed ones belong to the paper's own cliques.",
            robust_table(details),
        ),
        Part(
            "variance",
            "Figure 5a: cliques by the variance of F1",
            "Few cliques with a high variance: the wording matters little. The correlation is that of the size of a "
            "random subset of the cliques with the mean F1 of its worst sentences; near 0, the score does not depend "
            "on how many cliques there are.",
            Table(("system", "mean variance", "correlation"), tuple(rows)),
            images(figures.variance_figure(results)),
        ),
    ]
    data: dict[str, Any] = {"systems": details, "subset_correlation": correlations}
    measures: tuple[tuple[str, str, SyntaxMeasure], ...] = (
        ("variance_by_hws", "Figure 5b: variance of F1 by HWS distance", choices.hws),
        ("variance_by_kernel", "Figure 5c: variance of F1 by tree kernel similarity", choices.kernel),
    )
    for name, title, measure in measures:
        means = [clique.mean for clique in within_cliques(material.forest, measure)]
        series = {system: variance_by_syntax(found, means, choices.intervals) for system, found in results.items()}
        text = "Cliques in intervals of the mean over their pairs of sentences; the mean variance in each."
        drawn = figures.intervals_figure(series, measure.name, "variance of F1")
        parts.append(Part(name, title, text, intervals_table(series), images(drawn)))
        data[name] = {system: [asdict(each) for each in found] for system, found in series.items()}
    return parts, data


def _shots_part(name: str, title: str, points: Sequence[ShotPoint]) -> Part:
    rows = [
        (str(point.shots), *(f"{100 * value:.1f}" for value in (point.carb_f1, point.mean_f1, point.robust_f1)))
        for point in points
    ]
    header = ("demonstrations", "CaRB, originals", "mean of all sentences", "ROBUST")
    text = "F1 of runs with more and more demonstrations in the prompt."
    return Part(name, title, text, Table(header, tuple(rows)), images(figures.shots_figure(points)))


def _demonstration_parts(
    material: Material, run: RobustEvaluation, shown: Mapping[int, int], choices: Choices
) -> tuple[list[Part], dict[str, Any]]:
    parts: list[Part] = []
    data: dict[str, Any] = {}
    measures: tuple[tuple[str, str, SyntaxMeasure], ...] = (
        ("demonstrations_by_kernel", "Figure 9, left: F1 by likeness of the demonstrations", choices.kernel),
        ("demonstrations_by_hws", "Figure 9, right: F1 by distance of the demonstrations", choices.hws),
    )
    for name, title, measure in measures:
        found = by_demonstrations(run.cliques, material.forest, shown, measure, choices.intervals)
        series = {"F1 of the worst sentence": found}
        text = "Cliques in intervals of the mean over all pairs of a sentence asked about and a demonstration."
        drawn = figures.intervals_figure(series, measure.name, "F1 of the worst sentence")
        parts.append(Part(name, title, text, intervals_table(series), images(drawn)))
        data[name] = [asdict(each) for each in found]
    return parts, data


def intervals_table(series: Mapping[str, Sequence[Interval]]) -> Table:
    """A row per system and interval."""
    rows = [
        (
            name,
            f"{each.low:.3f} – {each.high:.3f}",
            f"{each.count:,}",
            "–" if each.mean is None else f"{each.mean:.4f}",
        )
        for name, intervals in series.items()
        for each in intervals
    ]
    return Table(("", "interval", "cliques", "mean"), tuple(rows))


def _pairs_table(figures_by_name: Mapping[str, float]) -> Table:
    rows = [
        (name.replace("_", " "), f"{value:,}" if isinstance(value, int) else f"{value:.3f}")
        for name, value in figures_by_name.items()
    ]
    return Table(("", ""), tuple(rows))
