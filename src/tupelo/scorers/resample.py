"""Paired bootstrap: how sure are the figures, and is one system really better than another?

Sentences are drawn with replacement, the same ones for every system (Koehn, EMNLP 2004). A figure's interval are the
middle 95 % of its resampled values. The p-value is two-sided: the share of samples whose difference lies as far from
its mean as the observed one lies from zero, counting the observed corpus as one draw, so that it is never 0. With
more than two systems, p-values against the first one are corrected by Holm's method.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from tupelo.core import InputError
from tupelo.core.deadline import in_time
from tupelo.scorers.result import FIGURES, Floats
from tupelo.scorers.scorer import Evaluation
from tupelo.scorers.tables import Reported, ReportTable

_BATCH = 64
# On each side of an interval, which holds 95 %.
_TAIL = (1 - 0.95) / 2


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Difference(Estimate):
    """System minus baseline, with its interval and p-value (after correction, where several are compared)."""

    p_value: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """One system beside the baseline. `differences` is empty for the baseline itself."""

    system: str
    estimates: dict[str, Estimate]
    differences: dict[str, Difference]
    signature: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Every figure with its interval, and the differences from the baseline."""
        return {
            "system": self.system,
            "signature": self.signature,
            **{name: asdict(estimate) for name, estimate in self.estimates.items()},
            "against_first": {
                name: {"value": gap.value, "low": gap.low, "high": gap.high, "p": gap.p_value}
                for name, gap in self.differences.items()
            },
        }


@dataclass(frozen=True, slots=True)
class Comparisons(Reported):
    """Systems beside a baseline, which comes first; `skipped` are the faulty lines of all files.

    `remarks` are what a reader of the figures should know besides.
    """

    scorer: str
    systems: Sequence[Comparison]
    skipped: Sequence[Exception] = field(default=(), repr=False)
    remarks: Sequence[str] = field(default=(), repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Every system with its intervals and differences."""
        return {"scorer": self.scorer, "systems": [system.to_dict() for system in self.systems]}

    def rows(self) -> list[dict[str, Any]]:
        """A row per system and figure; the difference is `None` for the baseline."""
        return [
            {
                "system": item.system,
                "figure": name,
                **asdict(estimate),
                "difference": gap.value if (gap := item.differences.get(name)) else None,
                "p": gap.p_value if gap else None,
            }
            for item in self.systems
            for name, estimate in item.estimates.items()
        ]

    def table(self, figure: str | None = None, notes: bool = True) -> ReportTable:
        """Intervals and differences in percent, of one figure or of all that the scorer has; signatures below."""
        names = list(self.systems[0].estimates)
        if figure is not None and figure not in names:
            raise InputError(f"this scorer has no {figure}")
        rows = []
        for name in [figure] if figure else names:
            for item in self.systems:
                estimate, gap = item.estimates[name], item.differences.get(name)
                interval = f"{100 * estimate.value:.1f} [{100 * estimate.low:.1f}, {100 * estimate.high:.1f}]"
                change = f"{100 * gap.value:+.1f} [{100 * gap.low:+.1f}, {100 * gap.high:+.1f}]" if gap else ""
                rows.append((item.system, name, interval, change, f"{gap.p_value:.4f}" if gap else ""))
        header = ("system", "figure", "95 % interval", "against the first", "p")
        return ReportTable(header, tuple(rows), tuple(item.signature for item in self.systems) if notes else ())


def bootstrap(
    evaluations: Sequence[Evaluation],
    *,
    samples: int = 1000,
    seed: int = 12345,
    advance: Callable[[int], None] = lambda steps: None,
) -> Floats:
    """Figures of resampled corpora, shape (systems, figures, samples). An `auc` of `None` becomes NaN."""
    import numpy as np

    units = evaluations[0].units
    if not units:
        raise InputError("there is no gold sentence to resample, expected at least one")
    if any(list(evaluation.units) != list(units) for evaluation in evaluations[1:]):
        raise InputError("the systems were not measured on the same gold sentences")
    random = np.random.default_rng(seed)
    figures = np.empty((len(evaluations), len(FIGURES), samples))
    for sample in in_time(range(samples)):
        weights = np.bincount(random.integers(len(units), size=len(units)), minlength=len(units)).astype(np.float64)
        for number, evaluation in enumerate(evaluations):
            score = evaluation.score(weights)
            auc = np.nan if score.auc is None else score.auc
            figures[number, :, sample] = [score.precision, score.recall, score.f1, auc]
        if (sample + 1) % _BATCH == 0:
            advance(_BATCH)
    return figures


def compare_systems(
    systems: Sequence[str],
    evaluations: Sequence[Evaluation],
    *,
    samples: int = 1000,
    seed: int = 12345,
    advance: Callable[[int], None] = lambda steps: None,
) -> list[Comparison]:
    """Every system with intervals, and every system after the first against the first."""
    drawn = bootstrap(evaluations, samples=samples, seed=seed, advance=advance)
    observed = [evaluation.score() for evaluation in evaluations]
    present = [name for name in FIGURES if getattr(observed[0], name) is not None]
    comparisons = []
    for number, system in enumerate(systems):
        estimates, differences = {}, {}
        for name in present:
            row = FIGURES.index(name)
            value = float(getattr(observed[number], name))
            estimates[name] = Estimate(value, *interval(drawn[number, row]))
            if number:
                gap = drawn[number, row] - drawn[0, row]
                value -= float(getattr(observed[0], name))
                differences[name] = Difference(value, *interval(gap), _p_value(gap, value))
        comparisons.append(Comparison(system, estimates, differences))
    return _with_holm_correction(comparisons, present)


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down correction: no smaller than before, in the same order."""
    corrected = [0.0] * len(p_values)
    running = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=lambda index: p_values[index])):
        running = max(running, min(1.0, (len(p_values) - rank) * p_values[index]))
        corrected[index] = running
    return corrected


def interval(values: Floats) -> tuple[float, float]:
    """The middle 95 % of resampled values."""
    import numpy as np

    low, high = np.quantile(values, [_TAIL, 1 - _TAIL])
    return float(low), float(high)


def _p_value(gap: Floats, observed: float) -> float:
    # The tolerance keeps equal systems at p = 1 in spite of rounding.
    extreme = int((abs(gap - gap.mean()) >= abs(observed) - 1e-12).sum())
    return (extreme + 1) / (len(gap) + 1)


def _with_holm_correction(comparisons: list[Comparison], figures: Sequence[str]) -> list[Comparison]:
    rest = comparisons[1:]
    for name in figures:
        corrected = holm([item.differences[name].p_value for item in rest])
        for item, p_value in zip(rest, corrected, strict=True):
            item.differences[name] = replace(item.differences[name], p_value=p_value)
    return comparisons
