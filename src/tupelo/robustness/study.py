"""The analyses of the ROBUST paper (Sections 3.2 and 4.4, Appendix A.3) as numbers.

`study` runs every analysis that the data allows; `tupelo.show.clique_study` turns them into tables and figures.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean, quantiles
from typing import TYPE_CHECKING, Annotated, Any, Final

from tupelo.core import Clique, InputError
from tupelo.core.parameters import Count, Fixes, Seed, Spelled
from tupelo.core.progress import Advance
from tupelo.core.registry import view
from tupelo.core.results import Tabular
from tupelo.robustness.distance import DEFAULT_DISCOUNT, REVISED
from tupelo.robustness.measures import DEFAULT_DECAY, Hws, SyntaxMeasure, TreeKernel, within_cliques
from tupelo.robustness.trees import DEFAULT_HEIGHT, ConstituencyTree
from tupelo.scorers.result import signature

if TYPE_CHECKING:
    from tupelo.scorers.robust import CliqueResult, RobustEvaluation

WEIGHTS: Final = tuple(round(0.1 * step, 1) for step in range(1, 11))
INTERVALS: Final = 5
# The paper draws 11 subsets of 100, 200, … 1,100 of its 1,272 cliques.
SUBSETS: Final = 11


@dataclass(frozen=True, slots=True)
class CliqueStatistics:
    """The size of a set of cliques (Section 3.1). Words are lowercased and split on white space."""

    cliques: int
    sentences: int
    tuples: int
    sentences_per_clique: float
    words_in_originals: int
    words: int


def count_cliques(cliques: Sequence[Clique]) -> CliqueStatistics:
    sentences = [sentence.text for clique in cliques for sentence in clique.sentences]
    originals = [clique.sentences[0].text for clique in cliques]
    return CliqueStatistics(
        cliques=len(cliques),
        sentences=len(sentences),
        tuples=sum(len(found) for clique in cliques for found in clique.extractions),
        sentences_per_clique=len(sentences) / len(cliques) if cliques else 0.0,
        words_in_originals=len({word for text in originals for word in text.lower().split()}),
        words=len({word for text in sentences for word in text.lower().split()}),
    )


@dataclass(frozen=True, slots=True)
class WeightCurve:
    """One measure under several weights: the mean of each clique (`None` where it has one sentence), by weight."""

    measure: str
    is_distance: bool
    weights: tuple[float, ...]
    clique_means: tuple[tuple[float | None, ...], ...]

    @property
    def means(self) -> list[float | None]:
        """The mean over all cliques, by weight (Figure 4)."""
        return [_mean(values) for values in self.clique_means]

    def spread(self) -> list[tuple[float, float, float, float, float]]:
        """Minimum, quartiles and maximum of the clique means, by weight (Figure 3)."""
        return [_five_numbers([value for value in values if value is not None]) for values in self.clique_means]


def weigh(
    forest: Sequence[Sequence[ConstituencyTree]],
    make: Callable[[float], SyntaxMeasure],
    weights: Sequence[float] = WEIGHTS,
    advance: Advance = lambda steps: None,
) -> WeightCurve:
    """The clique means of a measure under each weight."""
    made = [make(weight) for weight in weights]
    if not made:
        raise InputError("no weights, expected at least one")
    means = []
    for measure in made:
        means.append(tuple(clique.mean for clique in within_cliques(forest, measure)))
        advance(1)
    return WeightCurve(made[0].name, made[0].is_distance, tuple(weights), tuple(means))


@dataclass(frozen=True, slots=True)
class Interval:
    """The values with `low` ≤ x ≤ `high`: how many there are, and the mean of their y."""

    low: float
    high: float
    count: int
    mean: float | None


def in_intervals(pairs: Iterable[tuple[float, float]], intervals: int = INTERVALS) -> list[Interval]:
    """Divide the range of x into equal intervals and average y in each; a boundary belongs to the upper interval."""
    values = list(pairs)
    if not values:
        return []
    low, high = min(x for x, _ in values), max(x for x, _ in values)
    width = (high - low) / intervals
    parts: list[list[float]] = [[] for _ in range(intervals if width else 1)]
    for x, y in values:
        parts[min(int((x - low) / width), intervals - 1) if width else 0].append(y)
    return [
        Interval(low + place * width, low + (place + 1) * width if width else high, len(part), _mean(part))
        for place, part in enumerate(parts)
    ]


def variance_by_syntax(
    results: Sequence[CliqueResult], means: Sequence[float | None], intervals: int = INTERVALS
) -> list[Interval]:
    """The variance of F1 within cliques, by how far apart their sentences are (Figures 5b and 5c)."""
    if len(results) != len(means):
        raise InputError(f"{len(results)} scored cliques, expected one for each of {len(means)} measured ones")
    return in_intervals(
        (
            (mean, result.variance)
            for result, mean in zip(results, means, strict=True)
            if mean is not None and result.variance is not None
        ),
        intervals,
    )


def subset_correlation(results: Sequence[CliqueResult], *, seed: int = 1) -> float | None:
    """Pearson's correlation of the size of a random subset of cliques and the mean F1 of their worst sentences.

    Near 0 when the score does not depend on how many cliques there are.
    """
    worst = [min(sentence.f1 for sentence in result.sentences) for result in results if result.sentences]
    step = len(worst) // (SUBSETS + 1)
    if not step:
        return None
    draw = random.Random(seed)
    sizes = [float(step * number) for number in range(1, SUBSETS + 1)]
    return pearson(sizes, [fmean(draw.sample(worst, int(size))) for size in sizes])


def pearson(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Pearson's correlation; `None` if one side is constant."""
    a, b = fmean(first), fmean(second)
    both = sum((x - a) * (y - b) for x, y in zip(first, second, strict=True))
    size = (sum((x - a) ** 2 for x in first) * sum((y - b) ** 2 for y in second)) ** 0.5
    return both / size if size else None


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyOptions:
    """Options of the measures and analyses. `discount` and `decay` apply to the comparisons with F1.

    `fixes` are those of the scorer `robust`.
    """

    height: Annotated[Count, "hws: levels."] = DEFAULT_HEIGHT
    variant: Annotated[str, Spelled.of("NAME"), "hws: revised, whole-blocks or released."] = REVISED
    discount: Annotated[float, "hws, where F1 is compared with it."] = DEFAULT_DISCOUNT
    decay: Annotated[float, "kernel, where F1 is compared with it."] = DEFAULT_DECAY
    weights: tuple[float, ...] = WEIGHTS
    intervals: Annotated[Count, "Intervals of a measure."] = INTERVALS
    seed: Annotated[Seed, "Seed of everything drawn at random."] = 1
    fixes: Fixes = ()

    @property
    def hws(self) -> Hws:
        return Hws(height=self.height, discount=self.discount, variant=self.variant)

    @property
    def kernel(self) -> TreeKernel:
        return TreeKernel(decay=self.decay)


@dataclass(frozen=True, slots=True, kw_only=True)
class CliqueStudy(Tabular):
    """All numbers of an analysis; a row per measure and weight. `variances` are by measure."""

    name: str
    options: StudyOptions
    statistics: CliqueStatistics
    curves: tuple[WeightCurve, ...]
    systems: Mapping[str, RobustEvaluation]
    correlations: Mapping[str, float | None]
    variances: Mapping[str, Mapping[str, Sequence[Interval]]]
    signatures: tuple[str, ...]

    @property
    def details(self) -> dict[str, Mapping[str, Any]]:
        """The details of each system's score besides F1."""
        return {name: evaluation.score().details for name, evaluation in self.systems.items()}

    def tables(self) -> str:
        """All tables as text."""
        return view(self, "tables")

    def page(self) -> str:
        """The report as one HTML page."""
        return view(self, "page")

    def to_dict(self) -> dict[str, Any]:
        document: dict[str, Any] = {
            "size": asdict(self.statistics),
            "syntax": {curve.measure: {"weights": curve.weights, "means": curve.means} for curve in self.curves},
        }
        if self.systems:
            document |= {"systems": self.details, "subset_correlation": dict(self.correlations)}
        for measure, by_system in self.variances.items():
            document[f"variance_by_{measure}"] = {
                system: [asdict(each) for each in found] for system, found in by_system.items()
            }
        return document | {"signatures": list(self.signatures)}

    def rows(self) -> list[dict[str, Any]]:
        return [
            {"measure": curve.measure, "weight": weight, "mean": mean}
            for curve in self.curves
            for weight, mean in zip(curve.weights, curve.means, strict=True)
        ]

    def __str__(self) -> str:
        size = self.statistics
        lines = [f"{size.cliques:,} cliques, {size.sentences:,} sentences, {size.tuples:,} tuples"]
        for name, details in self.details.items():
            carb, robust = details["carb"]["f1"], details["robust"]["f1"]
            lines.append(f"{name}: F1 {100 * carb:.1f} on the originals, {100 * robust:.1f} on the worst sentences")
        return "\n".join([*lines, *self.signatures])


def study(
    cliques: Sequence[Clique],
    forest: Sequence[Sequence[ConstituencyTree]],
    systems: Mapping[str, RobustEvaluation],
    options: StudyOptions,
    advance: Advance = lambda steps: None,
    *,
    name: str = "cliques",
    signatures: Sequence[str] = (),
) -> CliqueStudy:
    """Run every analysis that the data allows. `advance` is called once per measure and weight."""
    results = {name: each.cliques for name, each in systems.items()}
    measures: tuple[SyntaxMeasure, ...] = (options.hws, options.kernel)
    variances: dict[str, dict[str, list[Interval]]] = {}
    curves = (
        weigh(
            forest,
            lambda weight: Hws(height=options.height, discount=weight, variant=options.variant),
            options.weights,
            advance,
        ),
        weigh(forest, lambda weight: TreeKernel(decay=weight), options.weights, advance),
    )
    if results:
        for measure in measures:
            means = [clique.mean for clique in within_cliques(forest, measure)]
            variances[measure.name] = {
                system: variance_by_syntax(found, means, options.intervals) for system, found in results.items()
            }
    return CliqueStudy(
        name=name,
        options=options,
        statistics=count_cliques(cliques),
        curves=curves,
        systems=systems,
        correlations={name: subset_correlation(found, seed=options.seed) for name, found in results.items()},
        variances=variances,
        signatures=(*(signature(each.name, each.options()) for each in measures), *signatures),
    )


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _five_numbers(values: Sequence[float]) -> tuple[float, float, float, float, float]:
    if not values:
        return (float("nan"),) * 5
    if len(values) == 1:
        return (values[0],) * 5
    low, half, high = quantiles(values, n=4, method="inclusive")
    return min(values), low, half, high, max(values)
