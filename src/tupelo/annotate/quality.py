"""Agreement and reliability of annotators: pure functions over items and their answers.

There are two kinds of figures. The *grade* is the mean agreement of two answers to an item as measured by the
task (CaRB's F1 for tuples, in both directions). Tasks that ask for labels also have chance-corrected figures for each
question: Krippendorff's alpha at the question's level of measurement with a bootstrap interval over units, Fleiss'
kappa where all units have equally many answers, Cohen's kappa of every two people, and the share of equal answers.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from statistics import fmean
from typing import Any, cast

from tupelo.annotate.desk import from_json, to_json
from tupelo.annotate.tasks import AnnotationTask, Answer, Item
from tupelo.core.results import Tabular
from tupelo.scorers.agreement import (
    AnnotatorJudgement,
    cohen_kappa,
    fleiss_kappa,
    insurgency,
    krippendorff_alpha,
    minority_counts,
)

RESAMPLES = 200
# Alpha over more units than this needs no interval, which would slow the page down.
_MOST_RESAMPLED = 2000


@dataclass(frozen=True, slots=True)
class Answered:
    """An item with its answers, by annotator."""

    item: Item
    answers: Mapping[str, Answer]


def pair_grade(task: AnnotationTask, item: Item, first: Answer, second: Answer) -> float:
    """The agreement of two answers, averaged over which of them is taken as the gold standard."""
    texts = to_json(item.content), to_json(item.hidden), item.id, to_json(first), to_json(second)
    return _graded(cast("Hashable", task), *texts)


@lru_cache(maxsize=50_000)
def _graded(task: Any, content: str, hidden: str, name: str, first: str, second: str) -> float:
    # Cached by text, because figures are recomputed often while few answers change.
    item = Item(name, from_json(content), from_json(hidden))
    one, other = from_json(first), from_json(second)
    return float(task.grade(item, one, other) + task.grade(item, other, one)) / 2


def item_agreement(task: AnnotationTask, answered: Answered) -> float | None:
    """Mean over all pairs of answers; `None` if there is no pair."""
    answers = [answered.answers[name] for name in sorted(answered.answers)]
    grades = [pair_grade(task, answered.item, one, other) for one, other in combinations(answers, 2)]
    return fmean(grades) if grades else None


def person_agreement(task: AnnotationTask, answered: Sequence[Answered]) -> dict[str, float]:
    """Each annotator's agreement with all others on the items they share."""
    grades: dict[str, list[float]] = {}
    for one in answered:
        for first, second in combinations(sorted(one.answers), 2):
            grade = pair_grade(task, one.item, one.answers[first], one.answers[second])
            grades.setdefault(first, []).append(grade)
            grades.setdefault(second, []).append(grade)
    return {name: fmean(values) for name, values in grades.items()}


def agreement(task: AnnotationTask, answered: Sequence[Answered], *, seed: int = 0) -> dict[str, Any]:
    """All figures, in the shape of `GET /api/agreement`."""
    shared = [one for one in answered if len(one.answers) > 1]
    grades = [grade for one in shared if (grade := item_agreement(task, one)) is not None]
    pairs = sum(len(one.answers) * (len(one.answers) - 1) // 2 for one in shared)
    return {
        "items": len(shared),
        "pairs": pairs,
        "grade": fmean(grades) if grades else None,
        "questions": {
            question: _question(units, task.levels[question], seed)
            for question, units in labelled_units(task, shared).items()
        },
    }


@dataclass(frozen=True, slots=True)
class AgreementReport(Tabular):
    """Figures of agreement, as `agreement` returns them, and the rate of lone answers per annotator (`insurgency`).

    `tally` counts settled answers, for tasks that decide between systems.
    """

    figures: Mapping[str, Any]

    def to_dict(self) -> dict[str, Any]:
        return dict(self.figures)

    def rows(self) -> list[dict[str, Any]]:
        """One row for each question that asks for labels."""
        names = ("level", "units", "alpha", "alpha_low", "alpha_high", "fleiss", "percent")
        questions = self.figures["questions"].items()
        return [{"question": question, **{name: found[name] for name in names}} for question, found in questions]

    def __str__(self) -> str:
        figures = self.figures
        lines = [
            f"{figures['items']} items with two answers or more, {figures['pairs']} pairs of answers",
            f"agreement of two answers: {_figure(figures['grade'])}",
        ]
        for question, found in figures["questions"].items():
            low, high = _figure(found["alpha_low"]), _figure(found["alpha_high"])
            lines.append(f"{question} ({found['level']}, {found['units']} units)")
            lines.append(f"  Krippendorff's alpha {_figure(found['alpha'])}  [{low}, {high}]")
            lines.append(f"  Fleiss' kappa {_figure(found['fleiss'])}, equal answers {_figure(found['percent'])}")
            lines += [f"  Cohen's kappa {pair}: {_figure(kappa)}" for pair, kappa in found["cohen"].items()]
        if figures.get("tally"):
            lines.append(", ".join(f"{name} {count}" for name, count in figures["tally"].items()))
        lines += [f"insurgency of {name}: {_figure(rate)}" for name, rate in figures["insurgency"].items()]
        return "\n".join(lines)


def _figure(value: float | None) -> str:
    return "none" if value is None else f"{value:.3f}"


def labelled_units(
    task: AnnotationTask, answered: Sequence[Answered]
) -> dict[str, dict[tuple[str, str], dict[str, Hashable]]]:
    """Question -> unit -> annotator -> label."""
    found: dict[str, dict[tuple[str, str], dict[str, Hashable]]] = {question: {} for question in task.levels}
    for one in answered:
        for name, answer in one.answers.items():
            for (question, unit), label in task.units(one.item, answer).items():
                found[question].setdefault((one.item.id, unit), {})[name] = label
    return found


def _question(units: Mapping[tuple[str, str], Mapping[str, Hashable]], level: str, seed: int) -> dict[str, Any]:
    # In a fixed order, so that the interval does not depend on how the answers were gathered.
    shared = [labels for _, labels in sorted(units.items()) if len(labels) > 1]
    values = [list(labels.values()) for labels in shared]
    low, high = _interval(values, level, seed)
    equal = [one == other for labels in values for one, other in combinations(labels, 2)]
    even = len({len(labels) for labels in values}) == 1
    return {
        "level": level,
        "units": len(shared),
        "alpha": krippendorff_alpha(values, level),
        "alpha_low": low,
        "alpha_high": high,
        "fleiss": fleiss_kappa(values) if even else None,
        "cohen": _cohens(shared),
        "percent": fmean(equal) if equal else None,
    }


def _interval(values: Sequence[Sequence[Hashable]], level: str, seed: int) -> tuple[float | None, float | None]:
    """The 95 % bootstrap interval of alpha over units."""
    if not 2 <= len(values) <= _MOST_RESAMPLED:
        return None, None
    draw = random.Random(f"{seed}/alpha")
    alphas = [krippendorff_alpha(draw.choices(values, k=len(values)), level) for _ in range(RESAMPLES)]
    known = sorted(alpha for alpha in alphas if alpha is not None)
    if len(known) < RESAMPLES / 2:
        return None, None
    return known[int(0.025 * (len(known) - 1))], known[round(0.975 * (len(known) - 1))]


def _cohens(units: Sequence[Mapping[str, Hashable]]) -> dict[str, float | None]:
    names = sorted({name for labels in units for name in labels})
    found: dict[str, float | None] = {}
    for first, second in combinations(names, 2):
        both = [(labels[first], labels[second]) for labels in units if first in labels and second in labels]
        if both:
            found[f"{first} - {second}"] = cohen_kappa([one for one, _ in both], [other for _, other in both])
    return found


def insurgency_rates(task: AnnotationTask, answered: Sequence[Answered]) -> dict[str, float]:
    """The share of items on which an annotator disagrees with four or more people; empty for tasks without labels."""
    judgements = [
        AnnotatorJudgement(name, f"{question}/{item}/{unit}", label)
        for question, units in labelled_units(task, answered).items()
        for (item, unit), labels in units.items()
        for name, label in labels.items()
    ]
    return {name: insurgency(*counts) for name, counts in minority_counts(judgements).items()}


def most_agreed(task: AnnotationTask, answered: Answered) -> Answer:
    """The answer that the task settles on, else the one that agrees best with the rest; ties go to the first."""
    names = list(answered.answers)
    settle = getattr(task, "settle", None)
    if settle is not None:
        settled: Answer = settle(answered.item, [answered.answers[name] for name in names])
        return settled
    if len(names) == 1:
        return answered.answers[names[0]]
    standing = {
        name: sum(
            pair_grade(task, answered.item, answered.answers[name], answered.answers[other])
            for other in names
            if other != name
        )
        for name in names
    }
    return answered.answers[max(names, key=lambda name: round(standing[name], 9))]
