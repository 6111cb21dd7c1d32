"""The few-shot study of the ROBUST paper (Sections 3.1 and 4.3, Appendix A.3.2) as numbers.

A *run* asks an extractor about every sentence of some cliques, each with demonstrations in the prompt:

* Figure 6a: demonstrations from a pool, chosen at random or by likeness, for several numbers of them.
* Figure 6b: pairs of cliques; the sentences of one are asked about, and the first sentences of the other are shown.
* Figure 9: the same pairs with all sentences of the other clique shown.

Each run has F1 on the originals, its mean over all sentences, F1 on the worst sentences and the drop. Two
correlations (Pearson) say whether syntax matters: that of the F1 of a sentence with its mean distance to its
demonstrations, and that of the F1 of a paraphrase with its distance to the original. For the kernel, a similarity,
the signs are the other way round.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from statistics import fmean
from typing import Any, Final

from tupelo.core import Clique, InputError
from tupelo.core.progress import Advance
from tupelo.core.results import Tabular, csv_text
from tupelo.core.views import picture
from tupelo.robustness.analyze import (
    CliqueStatistics,
    Interval,
    StudyOptions,
    count_cliques,
    in_intervals,
    pearson,
    shot_curve,
    subset_correlation,
)
from tupelo.robustness.measures import Pair, SyntaxMeasure
from tupelo.robustness.trees import ConstituencyTree
from tupelo.scorers.result import signature
from tupelo.scorers.robust import RobustEvaluation
from tupelo.scorers.tables import ReportTable, percent

FROM_POOL, FROM_CLIQUE, WHOLE_CLIQUE = "6a", "6b", "9"
# How demonstrations from one other clique are named beside `random`, `similar`, `hws` and `kernel`.
CLIQUE: Final = "clique"
MEASURE_TITLES: Final = {"hws": "HWS distance", "kernel": "tree kernel similarity"}


@dataclass(frozen=True, slots=True, kw_only=True)
class FewShotOptions(StudyOptions):
    """What is run: `shots` times `choose` (Figure 6a), and `pairs` of cliques with `pair_shots` (6b and 9).

    `sample` asks only about so many cliques, drawn at random.
    """

    shots: tuple[int, ...] = (1, 3, 5, 10)
    choose: tuple[str, ...] = ("random",)
    pairs: int = 100
    pair_shots: tuple[int, ...] = (1, 2, 3, 4)
    sample: int | None = None

    def __post_init__(self) -> None:
        for name, numbers, least in (("shots", self.shots, 0), ("pair_shots", self.pair_shots, 1)):
            wrong = [number for number in numbers if number < least]
            if wrong:
                raise InputError(f"{name.replace('_', '-')} has {wrong[0]}, expected {least} or more demonstrations")
        if not (self.shots and self.choose) and not self.pairs:
            raise InputError("nothing to run, expected numbers of shots or pairs of cliques")


@dataclass(frozen=True, slots=True)
class FewShotRun:
    """The answers of one run, scored. `asked` and `shown` are trees by clique and sentence, as positions in a list.

    Without `shots`, all sentences of a clique were shown.
    """

    figure: str
    choose: str
    shots: int | None
    evaluation: RobustEvaluation
    asked: Sequence[Sequence[int]]
    shown: Sequence[Sequence[Sequence[int]]]

    def pairs_shown(self) -> list[list[list[Pair]]]:
        """By clique and sentence, the sentence with each of its demonstrations."""
        return [
            [[(tree, other) for other in others] for tree, others in zip(trees, by_sentence, strict=True)]
            for trees, by_sentence in zip(self.asked, self.shown, strict=True)
        ]

    def pairs_within(self) -> list[list[Pair]]:
        """By clique, the original with each paraphrase."""
        return [[(trees[0], tree) for tree in trees[1:]] for trees in self.asked]


@dataclass(frozen=True, slots=True, kw_only=True)
class FewShotPoint:
    """The figures of a run. Correlations are by measure, `None` where one side is constant."""

    figure: str
    choose: str
    shots: int | None
    cliques: int
    questions: int
    carb: Mapping[str, float]
    mean_f1: float
    robust: Mapping[str, float]
    drop: float
    by_demonstrations: Mapping[str, float | None]
    by_originals: Mapping[str, float | None]
    subset_correlation: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FewShotStudy(Tabular):
    """All runs of a study, a row each. `intervals` are those of Figure 9, with the correlation behind them."""

    name: str
    extractor: str
    options: FewShotOptions
    statistics: CliqueStatistics
    tuples_of_originals: int
    points: tuple[FewShotPoint, ...]
    intervals: Mapping[str, Sequence[Interval]]
    interval_correlations: Mapping[str, float | None]
    signatures: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {
            "cliques": self.name,
            "extractor": self.extractor,
            "table_1": asdict(self.statistics) | {"tuples_of_originals": self.tuples_of_originals},
            "runs": [asdict(point) for point in self.points],
            **{
                f"figure_9_by_{measure}": {
                    "intervals": [asdict(each) for each in found],
                    "correlation": self.interval_correlations[measure],
                }
                for measure, found in self.intervals.items()
            },
            "signatures": list(self.signatures),
        }

    def rows(self) -> list[dict[str, Any]]:
        return [
            {
                "figure": point.figure,
                "choose": point.choose,
                "shots": point.shots,
                "cliques": point.cliques,
                "questions": point.questions,
                **{f"carb_{name}": value for name, value in point.carb.items()},
                "mean_f1": point.mean_f1,
                **{f"robust_{name}": value for name, value in point.robust.items()},
                "drop": point.drop,
                **{f"demonstrations_{name}": value for name, value in point.by_demonstrations.items()},
                **{f"originals_{name}": value for name, value in point.by_originals.items()},
                "subset_correlation": point.subset_correlation,
            }
            for point in self.points
        ]

    def csv(self) -> str:
        """The rows as CSV."""
        rows = self.rows()
        return csv_text(rows[0], (row.values() for row in rows))

    def tables(self) -> dict[str, ReportTable]:
        """Table 1, the runs, and Figure 9, by their titles."""
        size = self.statistics
        per_clique = f"{size.sentences_per_clique:.3f}"
        found = {
            "Table 1: size": ReportTable(
                ("", "sentences", "tuples", "cliques", "sentences per clique", "words"),
                (
                    _row("originals", size.cliques, self.tuples_of_originals, "–", "–", size.words_in_originals),
                    _row("all", size.sentences, size.tuples, size.cliques, per_clique, size.words),
                ),
            )
        }
        header = ("demonstrations", "shots", "cliques", "originals", "all", "worst", "drop", "r shown", "r original")
        for title, figures in (
            ("Figure 6a: demonstrations from anywhere", (FROM_POOL,)),
            ("Figure 6b: demonstrations from another clique", (FROM_CLIQUE, WHOLE_CLIQUE)),
        ):
            rows = tuple(
                (
                    point.choose,
                    "all" if point.shots is None else str(point.shots),
                    f"{point.cliques:,}",
                    *map(percent, (point.carb["f1"], point.mean_f1, point.robust["f1"], point.drop)),
                    _correlation(point.by_demonstrations["hws"]),
                    _correlation(point.by_originals["hws"]),
                )
                for point in self.points
                if point.figure in figures
            )
            if rows:
                found[title] = ReportTable(header, rows)
        for measure, intervals in self.intervals.items():
            found[f"Figure 9: worst F1 of a clique by {MEASURE_TITLES[measure]} of the demonstrations"] = ReportTable(
                ("interval", "cliques", "F1"),
                tuple((f"{e.low:.3f} – {e.high:.3f}", f"{e.count:,}", percent(e.mean)) for e in intervals),
                (f"r {_correlation(self.interval_correlations[measure])} over the cliques",),
            )
        return found

    def plot(self, image_type: str = "svg") -> bytes:
        """Figures 6a, 6b and 9 side by side: `svg`, `png` or `pdf`."""
        return picture(self, image_type)

    def __str__(self) -> str:
        shown = [f"{title}\n\n{table.text()}" for title, table in self.tables().items()]
        return "\n".join([*shown, *self.signatures])


def draw_pairs(
    cliques: Sequence[Clique],
    pairs: int,
    least: int,
    is_apart: Callable[[Clique, Clique], bool],
    seed: int,
) -> dict[int, int]:
    """Random pairs of cliques: each one that is asked about, once, with the one that is shown.

    What is shown has at least `least` sentences with tuples, so that all numbers of shots are of the same pairs.
    """
    draw = random.Random(seed)
    large = [place for place, clique in enumerate(cliques) if sum(map(bool, clique.extractions)) >= least]
    found: dict[int, int] = {}
    for asked in draw.sample(range(len(cliques)), len(cliques)):
        candidates = draw.sample(large, len(large))
        shown = (place for place in candidates if place != asked and is_apart(cliques[asked], cliques[place]))
        found.update((asked, place) for place in islice(shown, 1))
        if len(found) == pairs:
            break
    if not found:
        raise InputError(
            f"no clique has {least} sentences with tuples that can be shown for another clique; "
            "expected fewer --pair-shots, or --pairs 0"
        )
    return found


def few_shot_study(
    cliques: Sequence[Clique],
    runs: Sequence[FewShotRun],
    trees: Sequence[ConstituencyTree],
    options: FewShotOptions,
    advance: Advance = lambda steps: None,
    *,
    name: str = "cliques",
    extractor: str = "",
    about: str = "",
    notes: Sequence[str] = (),
) -> FewShotStudy:
    """The figures of all runs. `trees` are those that the runs count; `advance` is called once per measure.

    `about` is a signature of how the runs were made.
    """
    measures: tuple[SyntaxMeasure, ...] = (options.hws, options.kernel)
    values = {}
    for measure in measures:
        values[measure.name] = _compare(runs, trees, measure)
        advance(1)
    intervals, correlations = {}, {}
    for run in runs:
        if run.figure == WHOLE_CLIQUE:
            for measure in measures:
                points = _clique_points(run, values[measure.name])
                intervals[measure.name] = in_intervals(points, options.intervals)
                correlations[measure.name] = _pearson(points)
    return FewShotStudy(
        name=name,
        extractor=extractor,
        options=options,
        statistics=count_cliques(cliques),
        tuples_of_originals=sum(len(clique.extractions[0]) for clique in cliques),
        points=tuple(_point(run, values, options.seed) for run in runs),
        intervals=intervals,
        interval_correlations=correlations,
        signatures=(
            about,
            *dict.fromkeys(run.evaluation.signature for run in runs),
            *(signature(each.name, each.options()) for each in measures),
        ),
        notes=tuple(notes),
    )


def _compare(
    runs: Sequence[FewShotRun], trees: Sequence[ConstituencyTree], measure: SyntaxMeasure
) -> dict[Pair, float]:
    """The value of every pair of sentences that any run needs; runs share most of them."""
    shown = (pair for run in runs for clique in run.pairs_shown() for sentence in clique for pair in sentence)
    within = (pair for run in runs for clique in run.pairs_within() for pair in clique)
    pairs = list(dict.fromkeys([*shown, *within]))
    return dict(zip(pairs, measure.compare(trees, pairs).tolist(), strict=True))


def _point(run: FewShotRun, values: Mapping[str, Mapping[Pair, float]], seed: int) -> FewShotPoint:
    details = run.evaluation.score().details
    shown: dict[str, float | None] = {}
    originals: dict[str, float | None] = {}
    for measure, value in values.items():
        shown[measure] = _pearson(
            [
                (fmean(value[pair] for pair in pairs), sentence.f1)
                for clique, by_sentence in zip(run.evaluation.cliques, run.pairs_shown(), strict=True)
                for sentence, pairs in zip(clique.sentences, by_sentence, strict=True)
                if pairs
            ]
        )
        originals[measure] = _pearson(
            [
                (value[pair], sentence.f1)
                for clique, pairs in zip(run.evaluation.cliques, run.pairs_within(), strict=True)
                for sentence, pair in zip(clique.sentences[1:], pairs, strict=True)
            ]
        )
    (curve,) = shot_curve({run.shots or 0: run.evaluation})
    return FewShotPoint(
        figure=run.figure,
        choose=run.choose,
        shots=run.shots,
        cliques=details["cliques"],
        questions=details["sentences"],
        carb={name: details["carb"][name] for name in ("precision", "recall", "f1")},
        mean_f1=curve.mean_f1,
        robust={name: details["robust"][name] for name in ("precision", "recall", "f1")},
        drop=details["delta"]["f1"],
        by_demonstrations=shown,
        by_originals=originals,
        subset_correlation=subset_correlation(run.evaluation.cliques, seed=seed),
    )


def _clique_points(run: FewShotRun, value: Mapping[Pair, float]) -> list[tuple[float, float]]:
    """For each clique, the mean over its sentences of their mean over the demonstrations, and its worst F1."""
    return [
        (fmean(fmean(value[pair] for pair in pairs) for pairs in by_sentence), worst.f1)
        for clique, by_sentence in zip(run.evaluation.cliques, run.pairs_shown(), strict=True)
        if (worst := clique.worst) is not None and all(by_sentence)
    ]


def _pearson(points: Sequence[tuple[float, float]]) -> float | None:
    return pearson([x for x, _ in points], [y for _, y in points]) if points else None


def _row(*cells: str | int) -> tuple[str, ...]:
    return tuple(f"{cell:,}" if isinstance(cell, int) else cell for cell in cells)


def _correlation(value: float | None) -> str:
    return "–" if value is None else f"{value:+.3f}"
