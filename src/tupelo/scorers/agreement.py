"""Agreement between people: Krippendorff's alpha, Cohen's and Fleiss' kappa.

Alpha compares the disagreement that was seen within units with the one to be expected when the same values are dealt
out at random: 1 is perfect agreement, 0 is chance, below 0 is worse. It takes any number of raters and missing
answers. Units with fewer than two answers say nothing and are left out. What counts as a disagreement is the `level`:
`nominal` (any difference), `ordinal` (by how many answers lie between two ranks) or `interval` (the squared
difference). Formulas: Krippendorff (2011), Cohen (1960), Fleiss (1971).

`None` is returned where a figure is not defined: no unit has two answers, or only one value was ever given, so
that no disagreement could have been seen.

Two ways to find annotators who cannot be trusted are from Levy and Dagan (2016), who had five people judge every
answer. *Controls*: some questionnaires contain two hidden control items, one that is plainly right and one that is
plainly wrong. An annotator who gets one wrong cannot submit, and is asked to look again. *Insurgency*: an annotator
who stands alone against four others disagrees sharply. Insurgency is the number of times that this happens, divided
by the number of judged examples and a smoothing constant of 25, so that two early accidents disqualify no one. All
judgements of annotators above 20 % are discarded.

    Ann judged 100 examples and stood alone in 30: 30 / (100 + 25) = 0.24, discarded.
    Bob judged 5 and stood alone in 5: 5 / (5 + 25) = 0.17, kept.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tupelo.core import InputError

LEVELS = ("nominal", "ordinal", "interval")
Matrix = NDArray[np.float64]


def krippendorff_alpha(units: Sequence[Sequence[Hashable]], level: str = "nominal") -> float | None:
    """Alpha of units, each a list of the answers it got (missing ones left out), whoever gave them.

    >>> krippendorff_alpha([["a", "a"], ["b", "b"], ["a", "b"], ["a", "a"]])
    0.5333333333333333
    """
    if level not in LEVELS:
        raise InputError(f"level of measurement '{level}', expected one of {', '.join(LEVELS)}")
    values, together = _coincidences(units, level)
    return _alpha(values, together.sum(axis=0), level) if len(values) > 1 else None


def alpha_interval(
    units: Sequence[Sequence[Hashable]], level: str = "nominal", *, samples: int = 1000, seed: int = 12345
) -> tuple[float, float] | None:
    """The middle 95 % of alpha on resampled units; `None` where alpha is not defined."""
    if krippendorff_alpha(units, level) is None:
        return None
    values, together = _coincidences(units, level)
    random = np.random.default_rng(seed)
    resampled = []
    for _ in range(samples):
        drawn = np.bincount(random.integers(len(together), size=len(together)), minlength=len(together))
        alpha = _alpha(values, np.tensordot(drawn, together, axes=1), level)
        if alpha is not None:
            resampled.append(alpha)
    low, high = np.percentile(resampled, [2.5, 97.5])
    return float(low), float(high)


def _coincidences(units: Sequence[Sequence[Hashable]], level: str) -> tuple[list[Any], Matrix]:
    """The values that were given, and the frequencies of their pairs in units with two answers or more."""
    pairable = [unit for unit in units if len(unit) > 1]
    values: list[Any] = sorted({answer for unit in pairable for answer in unit}, key=_order(level))
    place = {value: number for number, value in enumerate(values)}
    together = np.zeros((len(pairable), len(values), len(values)))
    for row, unit in enumerate(pairable):
        counts = np.bincount([place[answer] for answer in unit], minlength=len(values)).astype(float)
        # Every ordered pair of answers of a unit, weighted so that each answer counts once.
        together[row] = (np.outer(counts, counts) - np.diag(counts)) / (len(unit) - 1)
    return values, together


def _alpha(values: Sequence[Hashable], together: Matrix, level: str) -> float | None:
    totals = together.sum(axis=1)
    apart = _differences(values, totals, level)
    observed = float((together * apart).sum())
    expected = float((np.outer(totals, totals) * apart).sum()) / (float(totals.sum()) - 1)
    return 1 - observed / expected if expected else None


def _order(level: str) -> Callable[[Any], Any]:
    # Names have no order of their own; any fixed one will do.
    return (lambda value: (type(value).__name__, repr(value))) if level == "nominal" else (lambda value: value)


def _differences(values: Sequence[Hashable], totals: Matrix, level: str) -> Matrix:
    if level == "nominal":
        return 1 - np.eye(len(values))
    if level == "ordinal":
        ranks = np.cumsum(totals) - totals / 2
        return np.asarray((ranks[:, None] - ranks[None, :]) ** 2)
    numbers = np.array([float(str(value)) for value in values])
    return np.asarray((numbers[:, None] - numbers[None, :]) ** 2)


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> float | None:
    """Kappa of two raters who judged the same units, in the same order."""
    if len(first) != len(second):
        raise InputError(f"{len(first)} and {len(second)} answers, expected equally many from both raters")
    if not first:
        return None
    values = set(first) | set(second)
    agreed = sum(one == other for one, other in zip(first, second, strict=True)) / len(first)
    chance = sum(_share(first, value) * _share(second, value) for value in values)
    return (agreed - chance) / (1 - chance) if chance < 1 else None


def _share(answers: Sequence[Hashable], value: Hashable) -> float:
    return sum(answer == value for answer in answers) / len(answers)


def fleiss_kappa(units: Sequence[Sequence[Hashable]]) -> float | None:
    """Kappa of units that all got equally many answers, at least two."""
    sizes = {len(unit) for unit in units}
    if not units:
        return None
    if len(sizes) > 1 or min(sizes) < 2:
        raise InputError(f"units with {min(sizes)} to {max(sizes)} answers, expected equally many, two or more")
    (size,) = sizes
    values = sorted({answer for unit in units for answer in unit}, key=_order("nominal"))
    counts = np.array([[sum(answer == value for answer in unit) for value in values] for unit in units], dtype=float)
    agreed = float(((counts**2).sum(axis=1) - size).mean() / (size * (size - 1)))
    chance = float(((counts.sum(axis=0) / counts.sum()) ** 2).sum())
    return (agreed - chance) / (1 - chance) if chance < 1 else None


SMOOTHING = 25
THRESHOLD = 0.2
# One against four. An item with fewer than five judgements has no sharp minority.
SHARP = 1 / 5
# 300 of 1,500 questionnaires held controls.
CONTROL_SHARE = 0.2


@dataclass(frozen=True, slots=True)
class Controls:
    """Two hand-made items for a question: one to be accepted, one to be rejected."""

    positive: str
    negative: str


@dataclass(frozen=True, slots=True)
class Questionnaire:
    """Items about one question, in the order in which they are shown.

    `expected` says for each control among the items whether it is right; it is empty where there are none.
    """

    id: str
    question: str
    items: tuple[str, ...]
    expected: Mapping[str, bool]


@dataclass(frozen=True, slots=True)
class AnnotatorJudgement:
    """The label that one annotator gave to one item."""

    annotator: str
    item: str
    label: Hashable


def make_questionnaires(question: str, items: Sequence[str], size: int) -> list[Questionnaire]:
    """The items of a question in questionnaires of at most `size` items, as even as possible."""
    if size < 1:
        raise ValueError(f"{size} items in a questionnaire, expected 1 or more")
    count = -(-len(items) // size)
    bounds = [len(items) * number // count for number in range(count + 1)] if count else []
    return [
        Questionnaire(f"{question}#{number}", question, tuple(items[start:end]), {})
        for number, (start, end) in enumerate(pairwise(bounds), start=1)
    ]


def inject_controls(
    questionnaires: Sequence[Questionnaire],
    controls: Mapping[str, Controls],
    *,
    share: float = CONTROL_SHARE,
    seed: int = 0,
) -> list[Questionnaire]:
    """Put both controls into a share of all questionnaires, at random places, where their question has controls.

    When too few questions have controls, all of theirs get them and the share stays smaller. What a questionnaire
    gets depends on the seed and its id alone, not on its neighbours' content.
    """
    if not 0 <= share <= 1:
        raise ValueError(f"share {share}, expected a number from 0 to 1")
    able = [questionnaire for questionnaire in questionnaires if questionnaire.question in controls]
    wanted = min(len(able), round(share * len(questionnaires)))
    chosen = {questionnaire.id for questionnaire in sorted(able, key=lambda one: _draw(seed, one.id))[:wanted]}
    return [
        _with_controls(questionnaire, controls[questionnaire.question], seed)
        if questionnaire.id in chosen
        else questionnaire
        for questionnaire in questionnaires
    ]


def _draw(seed: int, identifier: str) -> float:
    return random.Random(f"{seed}/{identifier}").random()


def _with_controls(questionnaire: Questionnaire, pair: Controls, seed: int) -> Questionnaire:
    clash = {pair.positive, pair.negative} & set(questionnaire.items)
    if clash or pair.positive == pair.negative:
        raise ValueError(f"control {(clash or {pair.positive}).pop()!r} of {questionnaire.id} is an item already")
    items = list(questionnaire.items)
    places = random.Random(f"{seed}/{questionnaire.id}/places")
    for item in (pair.positive, pair.negative):
        items.insert(places.randint(0, len(items)), item)
    return Questionnaire(
        questionnaire.id, questionnaire.question, tuple(items), {pair.positive: True, pair.negative: False}
    )


def missed_controls(questionnaire: Questionnaire, answers: Mapping[str, bool]) -> list[str]:
    """Controls that were answered wrongly or not at all; a questionnaire is submitted when there are none."""
    return [item for item, right in questionnaire.expected.items() if answers.get(item) is not right]


def without_controls(questionnaire: Questionnaire, answers: Mapping[str, bool]) -> dict[str, bool]:
    """The answers that count."""
    return {item: answer for item, answer in answers.items() if item not in questionnaire.expected}


def minority_counts(judgements: Iterable[AnnotatorJudgement], sharp: float = SHARP) -> dict[str, tuple[int, int]]:
    """For each annotator the number of sharp minorities they were in, and of examples they judged.

    A label is in a sharp minority when at most this share of an item's judgements has it. Two judgements
    of one item by one annotator are an error.
    """
    by_item: dict[str, dict[str, Hashable]] = {}
    for judgement in judgements:
        labels = by_item.setdefault(judgement.item, {})
        if judgement.annotator in labels:
            raise ValueError(f"{judgement.annotator} judged {judgement.item!r} twice, expected once")
        labels[judgement.annotator] = judgement.label
    alone: Counter[str] = Counter()
    examples: Counter[str] = Counter()
    for labels in by_item.values():
        votes = Counter(labels.values())
        for annotator, label in labels.items():
            examples[annotator] += 1
            alone[annotator] += votes[label] <= sharp * len(labels)
    return {annotator: (alone[annotator], examples[annotator]) for annotator in sorted(examples)}


def insurgency(minority: int, examples: int, smoothing: int = SMOOTHING) -> float:
    """The smoothed share of examples in which an annotator was in a sharp minority.

    >>> insurgency(30, 100)
    0.24
    """
    return minority / (examples + smoothing)


def insurgents(
    judgements: Iterable[AnnotatorJudgement],
    *,
    threshold: float = THRESHOLD,
    smoothing: int = SMOOTHING,
    sharp: float = SHARP,
) -> dict[str, float]:
    """Annotators above the threshold, with their insurgency; the highest first."""
    rates = {
        annotator: insurgency(alone, examples, smoothing)
        for annotator, (alone, examples) in minority_counts(judgements, sharp).items()
    }
    return dict(sorted(((name, rate) for name, rate in rates.items() if rate > threshold), key=lambda item: -item[1]))


def without_insurgents(
    judgements: Sequence[AnnotatorJudgement],
    *,
    threshold: float = THRESHOLD,
    smoothing: int = SMOOTHING,
    sharp: float = SHARP,
) -> list[AnnotatorJudgement]:
    """The judgements of everybody else."""
    out = insurgents(judgements, threshold=threshold, smoothing=smoothing, sharp=sharp)
    return [judgement for judgement in judgements if judgement.annotator not in out]
