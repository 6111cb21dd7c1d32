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
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import cycle, islice
from pathlib import PurePath
from statistics import fmean
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

from tupelo.api.robustness import Cliques, Predictions, clique_records, read_cliques
from tupelo.api.scoring import split_format
from tupelo.api.text import load
from tupelo.api.tuples import read
from tupelo.core import Analysis, Clique, InputError, Record
from tupelo.core.parameters import At, Count, Fixes, ParserName, Settings, Spelled, Whole, Workers
from tupelo.core.progress import Advance, Progress, track
from tupelo.core.protocols import Extractor, Likeness, Parser
from tupelo.core.results import Tabular, csv_text
from tupelo.extract.llm import CHOICES, EXCLUDED, LlmExtractor, most_similar
from tupelo.extract.llm.prompt import Demonstration, DemonstrationChoice, Siblings, gather
from tupelo.io.tuples import AUTO
from tupelo.robustness.measures import Pair, SyntaxMeasure
from tupelo.robustness.study import (
    CliqueStatistics,
    Interval,
    StudyOptions,
    count_cliques,
    in_intervals,
    pearson,
    subset_correlation,
)
from tupelo.robustness.trees import ConstituencyTree, tree_of
from tupelo.scorers.result import file_mark, signature
from tupelo.scorers.robust import Robust, RobustEvaluation
from tupelo.scorers.tables import ReportTable, percent
from tupelo.show.plots import COLOURS, LINES, check_image_type, draw_line, new_figure, render

FROM_POOL, FROM_CLIQUE, WHOLE_CLIQUE = "6a", "6b", "9"
# The name of demonstrations from one other clique, beside `random`, `similar`, `hws` and `kernel`.
CLIQUE: Final = "clique"
# Numbers of demonstrations from another clique in the paper.
PAIR_SHOTS: Final = (1, 2, 3, 4)
# Settings that the study itself decides; the extractor's other settings are the user's.
_OWN_SETTINGS = ("shots", "choose", "seed", "cliques", "demonstrations", "demonstrations-format")
# The demonstrations of each sentence of a clique.
Shown: TypeAlias = Sequence[Sequence[Demonstration]]
# The demonstrations of a sentence, by their number.
_Chosen: TypeAlias = Callable[[str, int], Sequence[Demonstration]]
_TITLES: Final = {"hws": "HWS distance", "kernel": "tree kernel similarity"}


@dataclass(frozen=True, slots=True)
class GivenChoice:
    """Examples that were chosen beforehand, by the document and the text of a sentence."""

    shown: Mapping[tuple[str | None, str], Sequence[Demonstration]]

    def choose(self, analysis: Analysis) -> Sequence[Demonstration]:
        return self.shown[analysis.document_id, analysis.text]


@dataclass(frozen=True, slots=True, kw_only=True)
class FewShotOptions(StudyOptions):
    """The runs: `shots` times `choose` (Figure 6a), and `pairs` of cliques with `pair_shots` (6b and 9).

    `pair_shots` are by default the paper's, 1 to 4, as far as some clique has so many sentences with tuples.
    `sample` is the number of cliques to ask about, drawn at random (`None` for all); `fixes` are those of the
    scorer `robust`.
    """

    shots: Annotated[tuple[int, ...], Spelled.of("K,K"), "Numbers of demonstrations (Figure 6a)."] = (1, 3, 5, 10)
    choose: Annotated[
        tuple[str, ...], Spelled.of("NAME,NAME"), "How to choose them: random, similar, hws, kernel."
    ] = ("random",)
    pairs: Annotated[Whole, "Pairs of cliques (Figures 6b and 9); 0 for none."] = 100
    pair_shots: Annotated[
        tuple[int, ...] | None,
        Spelled.of("K,K"),
        "Demonstrations from the other clique. [default: 1,2,3,4, as far as cliques have so many]",
    ] = None
    sample: Annotated[Count | None, Spelled.of("N"), "Ask about N cliques only, drawn at random."] = None
    fixes: Fixes = ()

    def __post_init__(self) -> None:
        for name, numbers, least in (("shots", self.shots, 0), ("pair_shots", self.pair_shots or (), 1)):
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

    options: FewShotOptions
    statistics: CliqueStatistics
    tuples_of_originals: int
    points: tuple[FewShotPoint, ...]
    intervals: Mapping[str, Sequence[Interval]]
    interval_correlations: Mapping[str, float | None]
    signatures: tuple[str, ...]
    name: str = "cliques"
    extractor: str = ""
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
            found[f"Figure 9: worst F1 of a clique by {_TITLES[measure]} of the demonstrations"] = ReportTable(
                ("interval", "cliques", "F1"),
                tuple((f"{e.low:.3f} – {e.high:.3f}", f"{e.count:,}", percent(e.mean)) for e in intervals),
                (f"r {_correlation(self.interval_correlations[measure])} over the cliques",),
            )
        return found

    def plot(self, image_type: str = "svg") -> bytes:
        """Figures 6a, 6b and 9 side by side: `svg`, `png` or `pdf`."""
        check_image_type(image_type)
        panels: list[Callable[[Any], None]] = []
        for figure, title in ((FROM_POOL, "demonstrations from anywhere"), (FROM_CLIQUE, "from another clique")):
            points = [point for point in self.points if point.figure == figure]
            if points:
                panels.append(partial(_draw_shots, points, title))
        panels += (partial(_draw_intervals, found, _TITLES[measure]) for measure, found in self.intervals.items())
        drawing = new_figure(4.4 * len(panels), 4)
        for axes, draw in zip(drawing.subplots(1, len(panels), squeeze=False)[0], panels, strict=True):
            draw(axes)
            # F1 of 0 and 1 stays visible.
            axes.set_ylim(-0.02, 1.02)
            axes.grid(alpha=0.2)
        return render(drawing, image_type)

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

    A clique that is shown has at least `least` sentences with tuples, so all numbers of shots use the same pairs.
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


def summarize_runs(
    cliques: Sequence[Clique],
    runs: Sequence[FewShotRun],
    trees: Sequence[ConstituencyTree],
    options: FewShotOptions,
    advance: Advance = lambda steps: None,
) -> FewShotStudy:
    """The figures of all runs. `trees` are those that the runs count; `advance` is called once per measure."""
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
        options=options,
        statistics=count_cliques(cliques),
        tuples_of_originals=sum(len(clique.extractions[0]) for clique in cliques),
        points=tuple(_point(run, values, options.seed) for run in runs),
        intervals=intervals,
        interval_correlations=correlations,
        signatures=(
            *dict.fromkeys(run.evaluation.signature for run in runs),
            *(signature(each.name, each.options()) for each in measures),
        ),
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
    all_f1 = [sentence.f1 for clique in run.evaluation.cliques for sentence in clique.sentences]
    return FewShotPoint(
        figure=run.figure,
        choose=run.choose,
        shots=run.shots,
        cliques=details["cliques"],
        questions=details["sentences"],
        carb={name: details["carb"][name] for name in ("precision", "recall", "f1")},
        mean_f1=fmean(all_f1) if all_f1 else 0.0,
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


def _draw_shots(points: Sequence[FewShotPoint], title: str, axes: Any) -> None:
    """A colour for each method of choice, a style of line for each set of sentences."""
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


def reproduce(
    cliques: Cliques,
    extractor: str | Extractor,
    options: FewShotOptions | None = None,
    *,
    settings: Annotated[
        Settings, "A setting of the extractor, such as base-url, cache or exclude; repeat for several."
    ] = None,
    demonstrations: Annotated[
        Predictions | None,
        At.INPUT,
        Spelled.of("FILE"),
        "Tuples to choose from; may begin with a format, as in carb:dev.tsv. [default: originals of CLIQUES]",
    ] = None,
    parser: ParserName = "en",
    processes: Annotated[Workers, "Processes that parse."] = 1,
    progress: Progress | None = None,
) -> FewShotStudy:
    """Figures 6a, 6b and 9 and Table 1 of the ROBUST paper for `llm:MODEL`, or an extractor of your own.

    An extractor of your own has a method `showing(choice)`, which returns the extractor that asks with the
    demonstrations of `choice`. `demonstrations` are tuples to choose from, by default those of the originals; no
    sentence of the clique that is asked about is shown, unless `settings` have `exclude=sentence`. Answers are kept
    on disk, so a run that was stopped goes on where it was.
    """
    options, settings = options or FewShotOptions(), dict(settings or {})
    _require_known(options, settings)
    gold = clique_records(cliques, "robust")
    found = read_cliques(gold)
    if demonstrations is None:
        pool, origin = gather(tuple_ for clique in found for tuple_ in clique.extractions[0]), "originals"
    else:
        given = read(*split_format(demonstrations, AUTO))
        pool, origin = gather(given), file_mark(given.name, given.checksum)
    asked = _sampled(found, options)
    exclude = settings.get("exclude", EXCLUDED[0])
    siblings = Siblings(alone=True) if exclude == "sentence" else Siblings.of(clique_records(found, "robust"))
    with load(parser, extractor=extractor, settings=settings, workers=processes) as nlp:
        model = nlp.extractor
        if not isinstance(model, LlmExtractor):
            raise InputError(f"the extractor '{model.name}' is shown no demonstrations, expected llm:MODEL")
        texts = [_line(sentence.text) for clique in found for sentence in clique.sentences]
        library = _Library.of(nlp.parser, [*texts, *(item.sentence for item in pool)], progress)
        plans = [
            *_pool_plans(
                asked, options, lambda how: library.choose(how, pool, options, siblings, nlp.services.likeness)
            ),
            *_clique_plans(asked, options, siblings),
        ]
        advance = track(progress, "asking", sum(len(clique.sentences) for plan in plans for clique, _ in plan.shown))
        # Every sentence was asked about, so none is missing.
        scorer = Robust(missing="zero", fixes=options.fixes)
        runs = [library.run(model, plan, scorer, advance) for plan in plans]
        notes = nlp.report()
    about = {
        "gold": file_mark(gold.name, gold.checksum),
        "model": model.name,
        "cliques": len(asked),
        "demonstrations": origin,
        "exclude": exclude,
        "seed": options.seed,
    }
    trees = [tree_of(analysis) for analysis in library.analyses]
    study = summarize_runs(asked, runs, trees, options, track(progress, "comparing", 2))
    return replace(
        study,
        name=PurePath(gold.name).name,
        extractor=model.name,
        signatures=(signature("few-shot", about), *study.signatures),
        notes=tuple(notes),
    )


def _require_known(options: FewShotOptions, settings: Mapping[str, str]) -> None:
    for name in options.choose:
        if name not in CHOICES:
            raise InputError(f"no way to choose demonstrations is named '{name}'. Known: {', '.join(CHOICES)}")
    for name in _OWN_SETTINGS:
        if name in settings:
            raise InputError(f"the setting '{name}' is what a study decides, expected its own option instead")


def _sampled(cliques: Sequence[Clique], options: FewShotOptions) -> Sequence[Clique]:
    if options.sample is None or options.sample >= len(cliques):
        return cliques
    places = random.Random(options.seed).sample(range(len(cliques)), options.sample)
    return [cliques[place] for place in sorted(places)]


class _Plan(NamedTuple):
    """A run of the study: the cliques that are asked about, and the demonstrations that are shown."""

    figure: str
    how: str
    number: int | None
    shown: Sequence[tuple[Clique, Shown]]


def _pool_plans(
    asked: Sequence[Clique], options: FewShotOptions, chooser: Callable[[str], _Chosen]
) -> Iterator[_Plan]:
    """Demonstrations from the pool, by each method of choice and each number of them."""
    for how in options.choose if options.shots else ():
        chosen = chooser(how)
        for shots in options.shots:
            shown = [(clique, [chosen(_line(each.text), shots) for each in clique.sentences]) for clique in asked]
            yield _Plan(FROM_POOL, how, shots, shown)


def _clique_plans(asked: Sequence[Clique], options: FewShotOptions, siblings: Siblings) -> Iterator[_Plan]:
    """Demonstrations from one other clique: each number of its tuples, then all of them."""
    if not options.pairs:
        return
    numbers = options.pair_shots
    if numbers is None:
        most = max((sum(map(bool, clique.extractions)) for clique in asked), default=0)
        numbers = tuple(number for number in PAIR_SHOTS if number <= most)
    pairs = draw_pairs(asked, options.pairs, max(numbers, default=1), _are_apart(siblings), options.seed)
    for number in (*numbers, None):
        shown = []
        for place, other in sorted(pairs.items()):
            first = gather(asked[other].records())[:number]
            shown.append((asked[place], [first] * len(asked[place].sentences)))
        yield _Plan(WHOLE_CLIQUE if number is None else FROM_CLIQUE, CLIQUE, number, shown)


@dataclass(frozen=True, slots=True)
class _Library:
    """Every sentence of the study, analysed once."""

    analyses: Sequence[Analysis]
    places: Mapping[str, int]

    @classmethod
    def of(cls, parser: Parser, texts: Sequence[str], progress: Progress | None) -> _Library:
        lines = list(dict.fromkeys(texts))
        advance = track(progress, "parsing", len(lines))
        analyses = []
        for analysis in parser.analyze(lines, lines=True):
            analyses.append(analysis)
            advance(1)
        return cls(analyses, {line: place for place, line in enumerate(lines)})

    def place(self, line: str) -> int:
        return self.places[line]

    def choose(
        self,
        how: str,
        pool: Sequence[Demonstration],
        options: FewShotOptions,
        siblings: Siblings,
        likeness: Callable[[str], Likeness],
    ) -> _Chosen:
        """A function that returns the demonstrations of a sentence, by their number."""
        most = max(options.shots)
        ranking = (
            None
            if how == "random" or most == 0
            else most_similar(
                how, pool, [self.analyses[self.place(e.sentence)] for e in pool], most, siblings, likeness
            )
        )
        ranked: dict[str, Sequence[Demonstration]] = {}

        def chosen(line: str, shots: int) -> Sequence[Demonstration]:
            analysis = self.analyses[self.place(line)]
            if ranking is None:
                found: Sequence[Demonstration] = DemonstrationChoice(pool, shots, options.seed, siblings).choose(
                    analysis
                )
            else:
                if line not in ranked:
                    ranked[line] = ranking.choose(analysis)
                # The most similar ones are last.
                found = ranked[line][len(ranked[line]) - shots :] if shots <= len(ranked[line]) else ranked[line]
            if len(found) < shots:
                raise InputError(
                    f"{shots} demonstration(s) asked for, {len(found)} at hand that do not say the same as "
                    f"'{line[:60]}'; expected fewer --shots, or a larger file of --demonstrations"
                )
            return found

        return chosen

    def run(self, model: LlmExtractor, plan: _Plan, scorer: Robust, advance: Advance) -> FewShotRun:
        """Ask about every sentence of a plan, and score the answers."""
        records = list(self.ask(model, plan.shown, advance))
        scored = [record for clique, _ in plan.shown for record in clique.records()]
        evaluation = scorer.evaluate(scored, records)
        trees = [[self.place(_line(sentence.text)) for sentence in clique.sentences] for clique, _ in plan.shown]
        seen = [[[self.place(item.sentence) for item in items] for items in each] for _, each in plan.shown]
        return FewShotRun(plan.figure, plan.how, plan.number, evaluation, trees, seen)

    def ask(self, model: LlmExtractor, plan: Sequence[tuple[Clique, Shown]], advance: Advance) -> Iterator[Record]:
        """The tuples of every sentence with its clique; a sentence without tuples comes as it is."""
        asked = [
            (
                clique.id,
                sentence,
                replace(self.analyses[self.place(_line(sentence.text))], document_id=clique.id),
                shown,
            )
            for clique, by_sentence in plan
            for sentence, shown in zip(clique.sentences, by_sentence, strict=True)
        ]
        choice = GivenChoice({(name, analysis.text): shown for name, _, analysis, shown in asked})
        answers = replace(model, choice=choice).extract(analysis for _, _, analysis, _ in asked)
        for (name, sentence, _, _), tuples in zip(asked, answers, strict=True):
            yield from (replace(each, sentence=sentence, group=name) for each in tuples)
            if not tuples:
                yield replace(sentence, document_id=name)
            advance(1)


def _are_apart(siblings: Siblings) -> Callable[[Clique, Clique], bool]:
    def apart(asked: Clique, shown: Clique) -> bool:
        examples = gather(shown.records())
        return all(len(siblings.others(_line(each.text), examples)) == len(examples) for each in asked.sentences)

    return apart


def _line(text: str) -> str:
    """The parser expects one sentence per line, so other whitespace is replaced."""
    return " ".join(text.split())
